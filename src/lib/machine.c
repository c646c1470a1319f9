// Machine code for users of the library: blocks, instructions, places, assembler text.
#include "form/mach.h"

#include "assembly/assembly.h"
#include "form/forms.h"
#include "lib/libgate.h"
#include "target/model.h"

enum { GATE_MACH_PARAMS = GATE_MACH_PARAMETERS };
#define MACH(id, ...)                                                                              \
    _Static_assert((int)GATE_MACH_##id == (int)MK_##id, "instructions are numbered alike");
#include "form/kinds.def"
_Static_assert((int)GATE_IN_SPILL == (int)PLACE_SPILL, "places are numbered alike");
_Static_assert((int)GATE_MACH_SOURCES == (int)MACH_SOURCES, "sources are numbered alike");
_Static_assert(sizeof(Place) == sizeof(uint32_t), "a list of places is one of numbers");

static const Func *machine_function(const GateProgram *program, uint32_t function) {
    const Func *func = libgate_function(program, function);
    return func && func->mach ? func : NULL;
}

bool gate_is_allocated(const GateProgram *program, uint32_t function) {
    const Func *func = machine_function(program, function);
    return func && func->mach->allocated;
}

uint32_t gate_block_count(const GateProgram *program, uint32_t function) {
    const Func *func = machine_function(program, function);
    return func ? func->mach->blocks.count : 0;
}

bool gate_block(const GateProgram *program, uint32_t function, uint32_t index, GateBlock *block) {
    if (index >= gate_block_count(program, function)) return false;
    const Func *func = machine_function(program, function);
    const MachBlock *inner = mach_block(func, index);
    *block = (GateBlock){.first = inner->first,
                         .count = inner->count,
                         .successor_count = inner->succ_count,
                         .successors = inner->succ_count ? mach_succs(func, inner) : NULL};
    return true;
}

uint32_t gate_instruction_count(const GateProgram *program, uint32_t function) {
    const Func *func = machine_function(program, function);
    return func ? func->mach->code.count : 0;
}

static const char *name_of_op(const MachInstr *instr) {
    if (mach_has(instr, MACH_BUILTIN)) return builtin_info(instr->op)->name;
    return mach_operates(instr) ? op_info(instr->op)->name : NULL;
}

static uint32_t source_number(uint8_t source) {
    return source == NO_SOURCE ? GATE_NONE : source;
}

static void fill_lists(const Func *func, const MachInstr *instr, GateInstruction *result) {
    result->result_count = instr->results;
    result->argument_count = instr->arguments;
    if (instr->results) result->results = &mach_results(func, instr)->i;
    if (instr->arguments) result->arguments = &mach_arguments(func, instr)->i;
    if (mach_has(instr, MACH_CASES)) result->cases = mach_cases(func, instr);
}

bool gate_instruction(const GateProgram *program, uint32_t function, uint32_t index,
                      GateInstruction *instruction) {
    if (index >= gate_instruction_count(program, function)) return false;
    const Func *func = machine_function(program, function);
    const MachInstr *instr = mach_at(func, index);
    *instruction = (GateInstruction){.kind = (GateInstructionKind)instr->kind,
                                     .op = name_of_op(instr),
                                     .dest = instr->dest.i,
                                     .immediate_source = source_number(instr->immediate),
                                     .memory_source = source_number(instr->memory),
                                     .immediate = instr->imm,
                                     .has_address = instr->addressed,
                                     .base = instr->base_place.i,
                                     .index = instr->index.i,
                                     .scale = instr->scale,
                                     .displacement = instr->displacement,
                                     .symbol = libgate_symbol_name(program, mach_symbol(instr).i)};
    for (uint32_t k = 0; k < MACH_SOURCES; k++) instruction->sources[k] = instr->src[k].i;
    fill_lists(func, instr, instruction);
    instruction->file =
        libgate_place(program, instr->loc, &instruction->line, &instruction->column);
    return true;
}

bool gate_place(uint32_t place, GatePlace *result) {
    PlaceKind kind = place_kind((Place){place});
    uint32_t index = place_index((Place){place});
    const TargetModel *target = program_usual_target();
    if (kind == PLACE_NONE || (kind == PLACE_MACHINE && index >= target->register_count))
        return false;
    *result = (GatePlace){.kind = (GatePlaceKind)kind,
                          .index = index,
                          .name = kind == PLACE_MACHINE ? target->register_names[index] : NULL};
    return true;
}

// ---- Assembler text

typedef struct {
    GateProgram *program;
    uint32_t function; // GATE_NONE: all, and data
    size_t length;
} WriteAssembly;

static void write_one(Out *out, GateProgram *program, uint32_t function,
                      const AssemblyOptions *options) {
    const Func *func = libgate_function(program, function);
    if (!func) diag_error(&program->diag, SPAN_NONE, "there is no function %u", function);
    if (!func || !assembly_can_write(&program->diag, func)) return;
    Out around = {0};
    Assembly *assembly = assembly_begin(&around, program->inner, options);
    assembly_one_function(assembly, out, func);
    assembly_end(assembly);
    out_free(&around);
}

static void write_text(void *context) {
    WriteAssembly *call = context;
    GateProgram *program = call->program;
    Out *out = &program->scratch;
    AssemblyOptions options = {.diag = &program->diag};
    out->length = 0;
    if (program->diag.errors) return;
    for (uint32_t i = 0; i < program->functions.count; i++)
        if (libgate_function(program, i)->form != finish_info.from) {
            diag_error(&program->diag, SPAN_NONE, "only what is in form mach can be written");
            return;
        }
    if (call->function == GATE_NONE)
        write_assembly(out, program->inner, &options);
    else
        write_one(out, program, call->function, &options);
    call->length = out->length;
    out_char(out, '\0');
}

static const char *assembly_of(GateProgram *program, uint32_t function, size_t *length) {
    WriteAssembly call = {.program = program, .function = function};
    if (!holdings_run(&program->holdings, write_text, &call) || !gate_good(program)) return NULL;
    if (length) *length = call.length;
    return program->scratch.text;
}

const char *gate_assembly(GateProgram *program, size_t *length) {
    return assembly_of(program, GATE_NONE, length);
}

const char *gate_function_assembly(GateProgram *program, uint32_t function, size_t *length) {
    if (function == GATE_NONE) return NULL;
    return assembly_of(program, function, length);
}
