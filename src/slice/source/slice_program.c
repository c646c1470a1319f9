#include "slice/source/slice_program.h"

// ---- Hooks

static KeptUnits *kept_of(SliceProgram *program, const Func *func) {
    uint32_t symbol = func->symbol.i;
    const Units *units = &program->source->units;
    if (!program->kept[symbol] && program->function[symbol] != NO_ID)
        program->kept[symbol] = kept_units_new(
            program->source->arena, units, &units->functions.at[program->function[symbol]], func);
    return program->kept[symbol];
}

static SliceOptions begin_options(void *context, const Func *func) {
    KeptUnits *kept = kept_of(context, func);
    if (!kept) return (SliceOptions){0};
    return (SliceOptions){.hook = {.more = kept_units_more, .context = kept}};
}

// What cannot be cut stays.
static void begun(void *context, SliceDemand *demand, const Func *func) {
    SliceProgram *program = context;
    KeptUnits *kept = kept_of(program, func);
    uint32_t function = program->function[func->symbol.i];
    if (kept) kept_units_begin(kept, demand);
    if (kept && !program->source->units.functions.at[function].elsewhere) return;
    for (uint32_t n = 0; n < func->nodes.count; n++) slice_demand_node(demand, (Node){n});
}

// ---- The program

void slice_program_begin(SliceProgram *program, SliceSource *source) {
    uint32_t count = source->program->symbols.count;
    *program = (SliceProgram){.source = source,
                              .kept = ARENA_ARRAY(source->arena, KeptUnits *, (size_t)count + 1),
                              .function = ARENA_ARRAY(source->arena, uint32_t, (size_t)count + 1)};
    for (uint32_t i = 0; i < count; i++) program->function[i] = NO_ID;
    for (uint32_t i = 0; i < source->units.functions.count; i++)
        if (source->units.functions.at[i].symbol.i != NO_ID)
            program->function[source->units.functions.at[i].symbol.i] = i;
    ProgramDemandHooks hooks = {.options = begin_options, .begun = begun, .context = program};
    program->demand = program_demand_new(source->arena, source->program, &source->calls, hooks);
}

static void fill(SliceProgram *program, FunctionSlice *slice, uint32_t function) {
    const UnitFunction *at = &program->source->units.functions.at[function];
    *slice = (FunctionSlice){.source = program->source, .function = at};
    slice->func = program_at(program->source->program, at->symbol)->func;
    slice->demand = program_demand_function(program->demand, at->symbol);
    if (!slice->demand) return;
    slice->variables = *program_demand_variables(program->demand, at->symbol);
    slice->kept = kept_of(program, slice->func);
}

bool slice_program_root(SliceProgram *program, FunctionSlice *root, uint32_t function) {
    fill(program, root, function);
    return root->demand != NULL;
}

static SliceWorldSet outputs_of(const SliceProgram *program, const FunctionSlice *slice) {
    SliceContract contract = program_demand_contract(program->demand, slice->function->symbol);
    return contract.gives | (contract.result ? SLICE_RESULT : 0);
}

bool slice_program_run(SliceProgram *program, FunctionSlice *root, const SliceCriterion *criterion,
                       Sym start, FunctionSlice **slices, uint32_t *count) {
    SliceSource *source = program->source;
    Sym symbol = root->function->symbol;
    slice_function_ask(root, criterion);
    if (criterion->effects) program_demand_effects(program->demand, symbol);
    if (start.i != NO_ID && !program_demand_reached(program->demand, symbol, start)) return false;
    program_demand_close(program->demand);
    uint32_t functions = source->units.functions.count;
    *slices = ARENA_ARRAY(source->arena, FunctionSlice, (size_t)functions + 1);
    *count = 1;
    root->outputs |= outputs_of(program, root);
    (*slices)[0] = *root;
    for (uint32_t i = 0; i < functions; i++) {
        Sym other = source->units.functions.at[i].symbol;
        if (other.i == NO_ID || other.i == symbol.i || program->function[other.i] != i ||
            program_demand_extent(program->demand, other) == SLICE_UNTOUCHED)
            continue;
        FunctionSlice *slice = &(*slices)[(*count)++];
        fill(program, slice, i);
        slice->outputs = outputs_of(program, slice);
    }
    return true;
}
