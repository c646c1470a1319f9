#include "slice/source/slice_source.h"

#include "check/slice/check_slice.h"
#include "slice/slice_hint.h"

#include <assert.h>
#include <string.h>

// ---- Reading

bool slice_source_read(SliceSource *source, Arena *arena, Diag *diag, const char *path,
                       const CompileOptions *options) {
    *source = (SliceSource){.arena = arena, .path = path, .options = *options};
    units_init(&source->units, arena);
    source->options.units = &source->units;
    memset(&source->options.sanitize, 0, sizeof source->options.sanitize);
    source->options.variables_in_memory = false;
    source->program = compile_c(arena, diag, path, &source->options);
    if (source->program) source->calls = slice_calls_of(arena, source->program);
    return source->program != NULL;
}

void slice_source_mark(SliceSource *source, uint32_t unit) {
    const Unit at = *unit_at(&source->units, unit);
    Diag unheard;
    diag_init(&unheard, source->arena, NULL);
    units_init(&source->units, source->arena);
    source->units.has_point = true;
    source->units.point = at.begin;
    source->units.point_kind = at.kind;
    Program *program = compile_c(source->arena, &unheard, source->path, &source->options);
    assert(program && "the file did compile");
    source->program = program;
    source->calls = slice_calls_of(source->arena, program);
    diag_free(&unheard);
}

// How the text of a slice is read in place of the file's.
typedef struct {
    const char *path;
    const SliceText *text;
    Table in_memory; // declarations of the original whose variable is in a slot
    VEC(const UnitVariable *) variables;
    VEC(const char *) functions; // of each
} Replacement;

static bool read_instead(void *context, Arena *arena, const char *path, char **text,
                         size_t *length) {
    const Replacement *replacement = context;
    if (strcmp(path, replacement->path) != 0) return read_file(arena, path, text, length);
    *length = replacement->text->text.length;
    *text = arena_text(arena, replacement->text->text.text, *length);
    return true;
}

static uint64_t variable_hash(uint32_t offset, const char *name) {
    return hash_add(hash_mix(offset), hash_bytes(name, strlen(name)));
}

static bool is_in_memory(void *context, const char *function, uint32_t offset, const char *name) {
    const Replacement *replacement = context;
    uint32_t original = slice_text_original(replacement->text, offset), id;
    if (original == NO_ID) return false;
    uint64_t hash = variable_hash(original, name);
    uint32_t at = table_first(&replacement->in_memory, hash);
    while ((id = table_id(&replacement->in_memory, hash, &at)) != HASH_NONE) {
        const UnitVariable *variable = replacement->variables.at[id];
        if (variable->declared == original && strcmp(variable->name, name) == 0 &&
            strcmp(replacement->functions.at[id], function) == 0)
            return true;
    }
    return false;
}

static uint32_t original_of(void *context, uint32_t offset) {
    return slice_text_original(((const Replacement *)context)->text, offset);
}

static void find_in_memory(Replacement *replacement, Arena *arena, const Units *units) {
    for (uint32_t f = 0; f < units->functions.count; f++) {
        const UnitFunction *function = &units->functions.at[f];
        for (uint32_t v = 0; v < function->variables.count; v++) {
            const UnitVariable *variable = &function->variables.at[v];
            if (variable->place != PLACE_SLOT || variable->declared == NO_ID) continue;
            table_insert(arena, &replacement->in_memory,
                         variable_hash(variable->declared, variable->name),
                         replacement->variables.count);
            vec_push(arena, &replacement->variables, variable);
            vec_push(arena, &replacement->functions, function->name);
        }
    }
}

bool slice_source_again(SliceSource *after, const SliceSource *before, const SliceText *text,
                        Arena *arena, Diag *diag) {
    Replacement replacement = {.path = before->path, .text = text};
    find_in_memory(&replacement, arena, &before->units);
    *after = (SliceSource){.arena = arena, .path = before->path, .options = before->options};
    units_init(&after->units, arena);
    after->units.in_memory = is_in_memory;
    after->units.has_point = before->units.has_point;
    after->units.point = before->units.point;
    after->units.point_kind = before->units.point_kind;
    after->units.original = original_of;
    after->units.context = &replacement;
    after->options.units = &after->units;
    after->options.pp.read = read_instead;
    after->options.pp.context = &replacement;
    warnings_none(&after->options.warnings);
    after->program = compile_c(arena, diag, before->path, &after->options);
    return after->program != NULL;
}

// ---- Finding what stays

void slice_function_begin(FunctionSlice *slice, SliceSource *source, uint32_t function) {
    const UnitFunction *at = &source->units.functions.at[function];
    *slice = (FunctionSlice){.source = source, .function = at};
    slice->func = program_at(source->program, at->symbol)->func;
    slice->variables = slice_variables_of(source->arena, slice->func, &source->calls);
}

static void ask(FunctionSlice *slice, Node node, uint32_t variable) {
    vec_push(slice->source->arena, &slice->points,
             (SlicePoint){.node = node, .variable = variable});
    slice_demand_variable(slice->demand, node, variable);
}

// The result and all effects, or the result, or variables alone, for which returns need not stay.
static void ask_at_exits(FunctionSlice *slice, const SliceCriterion *criterion) {
    const SigInfo *sig = program_sig_info(slice->source->program, slice->func->sig);
    bool alone = !criterion->effects && criterion->variables.count;
    if (sig->result.i != PTYPE_VOID.i && !alone) slice->outputs |= SLICE_RESULT;
    if (criterion->effects) slice->outputs |= SLICE_EVERYTHING;
    for (uint32_t i = 0; i < criterion->variables.count; i++)
        vec_push(slice->source->arena, &slice->exits, criterion->variables.at[i]);
    for (uint32_t n = 0; n < slice->func->nodes.count; n++) {
        if (slice->func->nodes.at[n].kind != I_RETURN) continue;
        if (!alone) slice_demand_node(slice->demand, (Node){n});
        for (uint32_t i = 0; i < criterion->variables.count; i++)
            slice_demand_variable(slice->demand, (Node){n}, criterion->variables.at[i]);
        for (uint32_t w = 0; w < SLICE_WORLD_COUNT && criterion->effects; w++)
            slice_demand_variable(slice->demand, (Node){n}, w);
    }
}

static void ask_at_statement(FunctionSlice *slice, const SliceCriterion *criterion) {
    const Units *units = &slice->source->units;
    const Unit *unit = unit_at(units, criterion->unit);
    kept_units_add(slice->kept, slice->demand, criterion->unit);
    // A declaration declares something.
    for (uint32_t u = criterion->unit; unit->kind == UNIT_DECLARATION && u <= unit->last; u++)
        if (unit_at(units, u)->role == ROLE_DECLARATOR)
            kept_units_add(slice->kept, slice->demand, u);
    UnitNodes nodes = kept_units_nodes(slice->kept, criterion->unit);
    for (uint32_t i = 0; i < nodes.count; i++) {
        slice_demand_node(slice->demand, nodes.at[i]);
        // Without a variable, what it reads is asked for.
        if (!criterion->variables.count &&
            bits_has(slice_demand_kept(slice->demand), nodes.at[i].i))
            vec_push(slice->source->arena, &slice->points,
                     (SlicePoint){.node = nodes.at[i], .variable = NO_ID});
    }
    Node first = {slice->function->leads[unit->first]};
    for (uint32_t i = 0; i < criterion->variables.count; i++)
        ask(slice, first, criterion->variables.at[i]);
}

void slice_function_ask(FunctionSlice *slice, const SliceCriterion *criterion) {
    if (criterion->declared) kept_units_add(slice->kept, slice->demand, criterion->declared);
    if (criterion->unit)
        ask_at_statement(slice, criterion);
    else
        ask_at_exits(slice, criterion);
    if (criterion->effects) slice_demand_seen(slice->demand);
}

void slice_function_run(FunctionSlice *slice, const SliceCriterion *criterion) {
    Arena *arena = slice->source->arena;
    slice->kept = kept_units_new(arena, &slice->source->units, slice->function, slice->func);
    SliceOptions options = {.way = slice->way,
                            .hook = {.more = kept_units_more, .context = slice->kept}};
    slice->demand = slice_demand_new(arena, &slice->variables, options);
    kept_units_begin(slice->kept, slice->demand);
    slice_function_ask(slice, criterion);
    slice_demand_close(slice->demand);
    // Calls from within find the sliced function: it has to do all that it did.
    if (slice->once || !slice_may_be_called_again(&slice->source->calls, slice->function->symbol,
                                                  slice_demand_kept(slice->demand)))
        return;
    if (!(slice->outputs & SLICE_EVERYTHING))
        ask_at_exits(slice, &(SliceCriterion){.effects = true});
    // If such a call is left by a jump, it has done nothing at its exits.
    if (slice_may_be_left(&slice->source->calls, slice->function->symbol))
        for (uint32_t n = 0; n < slice->func->nodes.count; n++)
            slice_demand_node(slice->demand, (Node){n});
    slice_demand_close(slice->demand);
}

void slice_function_units(const FunctionSlice *slice, Bits *kept) {
    const Units *units = &slice->source->units;
    uint32_t root = slice->function->root;
    for (uint32_t u = root; u <= unit_at(units, root)->last; u++)
        if (unit_owner(units, u) == u && kept_units_has(slice->kept, u)) bits_add(kept, u);
}

// ---- Checking

const char *slice_check(const FunctionSlice *slices, uint32_t count, const SliceSource *after,
                        Arena *arena, const SliceHint **hint) {
    const Program *before = slices[0].source->program;
    SliceRequest *requests = ARENA_ARRAY(arena, SliceRequest, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++)
        requests[i] = (SliceRequest){.symbol = slices[i].function->symbol,
                                     .kept = slice_demand_kept(slices[i].demand),
                                     .points = slices[i].points.at,
                                     .point_count = slices[i].points.count,
                                     .once = slices[i].once,
                                     .outputs = slices[i].outputs,
                                     .way = slices[i].way,
                                     .apart = slices[i].apart.at,
                                     .apart_count = slices[i].apart.count,
                                     .exits = slices[i].exits.at,
                                     .exit_count = slices[i].exits.count};
    const SliceCalls *calls = &slices[0].source->calls;
    *hint = slice_hint_with(arena, before, after->program, requests, count, calls);
    Verdict verdict = check_slice_with(arena, before, after->program, *hint, calls);
    return verdict.accepted ? NULL : verdict.reason;
}
