#include "history/history_assembly.h"

#include "form/forms.h"

#include <string.h>

struct AssemblyWriter {
    Arena *arena;
    AssemblyOptions options;
    Out around; // what is not asked for
    Assembly *assembly;
};

AssemblyWriter *assembly_writer_new(const Program *program, const AssemblyOptions *options) {
    Arena *arena = arena_new("assembly lines");
    AssemblyWriter *writer = ARENA_NEW(arena, AssemblyWriter);
    writer->arena = arena;
    writer->options = *options;
    writer->options.debug = 0;
    writer->options.description = NULL;
    writer->assembly = assembly_begin(&writer->around, program, &writer->options);
    return writer;
}

void assembly_writer_free(AssemblyWriter *writer) {
    assembly_end(writer->assembly);
    out_free(&writer->around);
    arena_free(writer->arena);
}

// ---- One function

// What a function is in the end, with its identities.
typedef struct {
    const Func *func;
    const FuncItems *items;
    const uint32_t *identity;
} LastState;

static LastState last_state(const FunctionHistory *function) {
    LastState last = {
        .func = function->start, .items = &function->items, .identity = function->identity};
    for (uint32_t i = function->steps.count; i-- > 0;) {
        const HistoryStep *step = &function->steps.at[i];
        if (step->verdict == STEP_REJECTED) continue;
        return (LastState){.func = step->func, .items = &step->items, .identity = step->identity};
    }
    return last;
}

// Identity of each instruction.
static uint32_t *identities_of(Arena *arena, const LastState *last) {
    uint32_t count = last->func->mach->code.count;
    uint32_t *identity = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++) identity[i] = NO_ID;
    for (uint32_t i = 0; i < last->items->count; i++)
        if (last->items->at[i].kind == ITEM_MACH)
            identity[last->items->at[i].index] = last->identity[i];
    return identity;
}

// The location of each instruction. One that has none was put in for another: what goes to a spill
// or ends a block, for the one before, everything else for the one that comes next.
static uint32_t *locations_of(Arena *arena, const Func *func) {
    const Mach *mach = func->mach;
    uint32_t *loc = ARENA_ARRAY(arena, uint32_t, (size_t)mach->code.count + 1);
    for (uint32_t b = 0; b < mach->blocks.count; b++) {
        const MachBlock *block = &mach->blocks.at[b];
        uint32_t near = 0;
        for (uint32_t i = block->first + block->count; i-- > block->first;)
            loc[i] = near = mach_at(func, i)->loc ? mach_at(func, i)->loc : near;
        near = 0;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            const MachInstr *instr = mach_at(func, i);
            bool stores = instr->kind == MK_MOVE && place_is_spill(instr->dest);
            if (!instr->loc && near && (stores || !loc[i])) loc[i] = near;
            if (instr->loc) near = instr->loc;
        }
    }
    return loc;
}

// Assembler text of the source may have any of these in one line; then its first character tells.
static AssemblyLineKind kind_of(const char *text, uint32_t length, uint32_t instr) {
    uint32_t at = 0;
    while (at < length && (text[at] == '\t' || text[at] == ' ')) at++;
    if (at == 0 && length && text[length - 1] == ':') return LINE_LABEL;
    if (at == length || text[at] == '.' || text[at] == '#') return LINE_DIRECTIVE;
    return instr == NO_ID ? LINE_FRAME : LINE_CODE;
}

AssemblyLines history_assembly(AssemblyWriter *writer, Arena *arena,
                               const FunctionHistory *function) {
    AssemblyLines result = {0};
    LastState last = last_state(function);
    Out text = {0};
    if (!func_is_final(last.func)) return result;
    AssemblyOrigins origins = {.arena = arena};
    assembly_shown_function(writer->assembly, &text, last.func, &origins);
    uint32_t *identity = identities_of(arena, &last), *loc = locations_of(arena, last.func);
    uint32_t mark = 0, instr = NO_ID;
    for (size_t at = 0; at < text.length;) {
        const char *end = memchr(text.text + at, '\n', text.length - at);
        uint32_t length = (uint32_t)(end ? (size_t)(end - text.text) - at : text.length - at);
        while (mark < origins.marks.count && origins.marks.at[mark].at <= at)
            instr = origins.marks.at[mark++].instr;
        AssemblyLine line = {.kind = (uint8_t)kind_of(text.text + at, length, instr),
                             .text = arena_text(arena, text.text + at, length),
                             .instr = NO_ID,
                             .identity = NO_ID};
        if (line.kind == LINE_CODE) {
            line.instr = instr;
            line.identity = identity[instr];
            line.loc = loc[instr];
        }
        vec_push(arena, &result.lines, line);
        at += (size_t)length + 1;
    }
    out_free(&text);
    return result;
}
