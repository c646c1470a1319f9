// Programs that are read back from their text have other numbers for registers: unmentioned ones
// are gone, and the others come in the order in which they are mentioned. The hint is written for
// these numbers.
#include "certify/certify_slice.h"

#include "cert/certificate.h"
#include "cert/hints.h"
#include "certify/certify.h"
#include "text/text.h"

#include <string.h>

typedef struct {
    Arena *arena;
    Out text;
    const Program *program; // as it was
    const Program *read;    // as it is read back
} WrittenProgram;

static WrittenProgram write_program(Arena *arena, const Program *program) {
    WrittenProgram written = {.arena = arena, .program = program};
    program_print(&written.text, program, &(PrintOptions){.locations = true});
    Diag diag;
    diag_init(&diag, arena, stderr);
    written.read = program_parse(arena, &diag, FORM_RTL, "slice",
                                 arena_text(arena, written.text.text, written.text.length),
                                 written.text.length);
    diag_free(&diag);
    return written;
}

// ---- Numbers

// Symbol -> its number when it is read back.
static uint32_t *symbol_numbers(const WrittenProgram *written) {
    const Program *program = written->program, *read = written->read;
    uint32_t *numbers = ARENA_ARRAY(written->arena, uint32_t, program->symbols.count);
    Map names = {0};
    for (uint32_t i = 0; i < read->symbols.count; i++) {
        const char *name = program_text(read, read->symbols.at[i].name);
        map_set(written->arena, &names, hash_bytes(name, strlen(name)), i);
    }
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const char *name = program_text(program, program->symbols.at[i].name);
        numbers[i] = map_get(&names, hash_bytes(name, strlen(name)));
    }
    return numbers;
}

// Register -> its number in the same function that was read back, or NO_ID.
static uint32_t *register_numbers(Arena *arena, const Func *func, const Func *read) {
    uint32_t *numbers = ARENA_ARRAY(arena, uint32_t, func->regs.count);
    for (uint32_t r = 0; r < func->regs.count; r++) numbers[r] = NO_ID;
    for (uint32_t i = 0; i < func->params.count; i++)
        numbers[func->params.at[i].i] = read->params.at[i].i;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *a = &func->nodes.at[n], *b = &read->nodes.at[n];
        if (a->dest.i != NO_ID) numbers[a->dest.i] = b->dest.i;
        for (uint32_t k = 0; k < a->arg_count; k++)
            numbers[instr_args(func, a)[k].i] = instr_args(read, b)[k].i;
    }
    return numbers;
}

// A function before and after writing. Variables behind the registers, which are pieces, keep their
// order.
typedef struct {
    const Func *func, *read;
    uint32_t *registers;
} WrittenFunction;

static WrittenFunction written_function(const WrittenProgram *written, const uint32_t *symbols,
                                        Sym symbol) {
    WrittenFunction result = {
        .func = program_at(written->program, symbol)->func,
        .read = program_at(written->read, (Sym){symbols[symbol.i]})->func,
    };
    result.registers = register_numbers(written->arena, result.func, result.read);
    return result;
}

static uint32_t variable_number(const WrittenFunction *function, uint32_t variable) {
    uint32_t registers = function->func->regs.count;
    if (variable < SLICE_WORLD_COUNT || variable == NO_ID) return variable;
    if (variable < SLICE_WORLD_COUNT + registers) {
        uint32_t reg = function->registers[variable - SLICE_WORLD_COUNT];
        return reg == NO_ID ? NO_ID : SLICE_WORLD_COUNT + reg;
    }
    return variable - registers + function->read->regs.count;
}

// ---- The hint

// Variables that are nowhere mentioned hold nothing, and are left out.
static void number_relevant(Arena *arena, const WrittenFunction *function,
                            const SliceFunctionHint *hint, SliceFunctionHint *written) {
    vec_push(arena, &written->relevant_at, 0);
    for (uint32_t block = 0; block + 1 < hint->relevant_at.count; block++) {
        for (uint32_t i = hint->relevant_at.at[block]; i < hint->relevant_at.at[block + 1]; i++) {
            uint32_t variable = variable_number(function, hint->relevant.at[i]);
            if (variable != NO_ID) vec_push(arena, &written->relevant, variable);
        }
        vec_push(arena, &written->relevant_at, written->relevant.count);
    }
}

static void number_registers(Arena *arena, const WrittenFunction *before,
                             const WrittenFunction *after, const SliceFunctionHint *hint,
                             SliceFunctionHint *written) {
    Reg *regs = vec_extend(arena, &written->regs, after->read->regs.count);
    for (uint32_t r = 0; r < after->read->regs.count; r++) regs[r] = NO_REG;
    for (uint32_t r = 0; r < after->func->regs.count; r++)
        if (after->registers[r] != NO_ID && hint->regs.at[r].i != NO_ID)
            regs[after->registers[r]].i = before->registers[hint->regs.at[r].i];
}

static SliceFunctionHint number_function(Arena *arena, const WrittenFunction *before,
                                         const WrittenFunction *after,
                                         const SliceFunctionHint *hint) {
    SliceFunctionHint written = *hint;
    memset(&written.regs, 0, sizeof written.regs);
    memset(&written.relevant_at, 0, sizeof written.relevant_at);
    memset(&written.relevant, 0, sizeof written.relevant);
    memset(&written.points, 0, sizeof written.points);
    memset(&written.exits, 0, sizeof written.exits);
    number_registers(arena, before, after, hint, &written);
    number_relevant(arena, before, hint, &written);
    for (uint32_t i = 0; i < hint->points.count; i++)
        vec_push(arena, &written.points,
                 (SlicePoint){hint->points.at[i].node,
                              variable_number(before, hint->points.at[i].variable)});
    for (uint32_t i = 0; i < hint->exits.count; i++)
        vec_push(arena, &written.exits, variable_number(before, hint->exits.at[i]));
    return written;
}

static void write_hint(Out *out, const WrittenProgram *before, const WrittenProgram *after,
                       const SliceHint *hint) {
    Arena *arena = before->arena;
    const uint32_t *old = symbol_numbers(before), *fresh = symbol_numbers(after);
    SliceSymbolsHint symbols = {0};
    Sym *of = vec_extend(arena, &symbols.symbols, after->read->symbols.count);
    for (uint32_t i = 0; i < after->program->symbols.count; i++) {
        Sym symbol = hint->symbols.symbols.at[i];
        of[fresh[i]] = symbol.i == NO_ID ? NO_SYM : (Sym){old[symbol.i]};
    }
    out_text(out, "symbols\n");
    hint_write(out, &slice_symbols_shape, &symbols);
    for (uint32_t i = 0; i < hint->functions.count; i++) {
        const SliceFunctionHint *function = &hint->functions.at[i];
        WrittenFunction then =
            written_function(before, old, hint->symbols.symbols.at[function->symbol.i]);
        WrittenFunction now = written_function(after, fresh, function->symbol);
        SliceFunctionHint written = number_function(arena, &then, &now, function);
        written.symbol.i = fresh[function->symbol.i];
        out_text(out, "function\n");
        hint_write(out, &slice_function_shape, &written);
    }
}

static void write_text(Out *out, const char *name, WrittenProgram *written) {
    out_printf(out, "%s\n", name);
    out_bytes(out, written->text.text, written->text.length);
    out_free(&written->text);
}

Out certify_slice(const Program *before, const Program *after, const SliceHint *hint) {
    Out out = {0};
    Arena *arena = arena_new("certificate");
    WrittenProgram old = write_program(arena, before), fresh = write_program(arena, after);
    out_text(&out, SLICE_CERTIFICATE_FIRST_LINE);
    write_text(&out, "before", &old);
    write_text(&out, "after", &fresh);
    write_hint(&out, &old, &fresh, hint);
    arena_free(arena);
    certify_hash(&out);
    return out;
}
