#include "driver/slice_source.h"

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

// How the text of a slice is read in place of the file's.
typedef struct {
    const char *path;
    const SliceText *text;
    Table in_memory; // declarations of the original whose variable is in a slot
    VEC(const UnitVariable *) variables;
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

static bool is_in_memory(void *context, uint32_t offset, const char *name) {
    const Replacement *replacement = context;
    uint32_t original = slice_text_original(replacement->text, offset), id;
    if (original == NO_ID) return false;
    uint64_t hash = variable_hash(original, name);
    uint32_t at = table_first(&replacement->in_memory, hash);
    while ((id = table_id(&replacement->in_memory, hash, &at)) != HASH_NONE) {
        const UnitVariable *variable = replacement->variables.at[id];
        if (variable->declared == original && strcmp(variable->name, name) == 0) return true;
    }
    return false;
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
    after->units.context = &replacement;
    after->options.units = &after->units;
    after->options.pp.read = read_instead;
    after->options.pp.context = &replacement;
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
    vec_push(slice->source->arena, &slice->places, node);
    vec_push(slice->source->arena, &slice->wanted, variable);
    slice_demand_variable(slice->demand, node, variable);
}

static void ask_at_exits(FunctionSlice *slice, const SliceCriterion *criterion) {
    for (uint32_t n = 0; n < slice->func->nodes.count; n++) {
        if (slice->func->nodes.at[n].kind != I_RETURN) continue;
        slice_demand_node(slice->demand, (Node){n});
        for (uint32_t i = 0; i < criterion->variables.count; i++)
            ask(slice, (Node){n}, criterion->variables.at[i]);
        for (uint32_t w = 0; w < SLICE_WORLD_COUNT && criterion->effects; w++)
            ask(slice, (Node){n}, w);
    }
}

static void ask_at_statement(FunctionSlice *slice, const SliceCriterion *criterion) {
    const Unit *unit = unit_at(&slice->source->units, criterion->unit);
    kept_units_add(slice->kept, slice->demand, criterion->unit);
    UnitNodes nodes = kept_units_nodes(slice->kept, criterion->unit);
    for (uint32_t i = 0; i < nodes.count; i++) slice_demand_node(slice->demand, nodes.at[i]);
    Node first = {slice->function->leads[unit->first]};
    for (uint32_t i = 0; i < criterion->variables.count; i++)
        ask(slice, first, criterion->variables.at[i]);
}

void slice_function_run(FunctionSlice *slice, const SliceCriterion *criterion) {
    Arena *arena = slice->source->arena;
    slice->kept = kept_units_new(arena, &slice->source->units, slice->function, slice->func);
    SliceOptions options = {.hook = {.more = kept_units_more, .context = slice->kept}};
    slice->demand = slice_demand_new(arena, &slice->variables, options);
    kept_units_begin(slice->kept, slice->demand);
    if (criterion->unit)
        ask_at_statement(slice, criterion);
    else
        ask_at_exits(slice, criterion);
    slice_demand_close(slice->demand);
}

void slice_function_units(const FunctionSlice *slice, Bits *kept) {
    const Units *units = &slice->source->units;
    uint32_t root = slice->function->root;
    for (uint32_t u = root; u <= unit_at(units, root)->last; u++)
        if (unit_owner(units, u) == u && kept_units_has(slice->kept, u)) bits_add(kept, u);
}

// ---- Which node of the slice is which of the original

// The units of a function that have nodes, in order; `kept` NULL: all of them.
typedef struct {
    uint32_t *at;
    uint32_t count;
    uint32_t *starts; // of the nodes of each, in `nodes`
    uint32_t *nodes;  // in the order of emission
} UnitList;

static UnitList list_units(Arena *arena, const Units *units, const UnitFunction *function,
                           const KeptUnits *kept) {
    uint32_t root = function->root, size = unit_at(units, root)->last - root + 1, count = 0;
    uint32_t *numbers = ARENA_ARRAY(arena, uint32_t, (size_t)size + 1);
    for (uint32_t i = 0; i <= size; i++) numbers[i] = 0;
    for (uint32_t i = 0; i < function->count; i++) {
        uint32_t owner = unit_owner(units, function->units[i]);
        if (function->jumps[i] == NO_ID && (!kept || kept_units_has(kept, owner)))
            numbers[owner - root]++;
    }
    UnitList list = {.at = ARENA_ARRAY(arena, uint32_t, (size_t)size + 1),
                     .starts = ARENA_ARRAY(arena, uint32_t, (size_t)size + 2),
                     .nodes = ARENA_ARRAY(arena, uint32_t, (size_t)function->count + 1)};
    for (uint32_t u = 0; u < size; u++) {
        if (!numbers[u]) continue;
        list.starts[list.count] = count;
        list.at[list.count++] = root + u;
        count += numbers[u];
        numbers[u] = list.starts[list.count - 1];
    }
    list.starts[list.count] = count;
    for (uint32_t i = 0; i < function->count; i++) {
        uint32_t owner = unit_owner(units, function->units[i]);
        if (function->jumps[i] == NO_ID && (!kept || kept_units_has(kept, owner)))
            list.nodes[numbers[owner - root]++] = i;
    }
    return list;
}

static const UnitFunction *function_named(const Units *units, const char *name) {
    for (uint32_t i = 0; i < units->functions.count; i++)
        if (strcmp(units->functions.at[i].name, name) == 0) return &units->functions.at[i];
    return NULL;
}

bool slice_function_match(const FunctionSlice *slice, const SliceSource *after, Arena *arena,
                          Node **old, const char **reason) {
    const UnitFunction *there = function_named(&after->units, slice->function->name);
    if (!there || there->symbol.i == NO_ID) {
        *reason = "the function is gone";
        return false;
    }
    UnitList mine = list_units(arena, &slice->source->units, slice->function, slice->kept);
    UnitList theirs = list_units(arena, &after->units, there, NULL);
    const Func *func = program_at(after->program, there->symbol)->func;
    const Bits *kept = slice_demand_kept(slice->demand);
    *old = ARENA_ARRAY(arena, Node, (size_t)func->nodes.count + 1);
    for (uint32_t n = 0; n < func->nodes.count; n++) (*old)[n] = NO_NODE;
    bool same = mine.count == theirs.count;
    for (uint32_t u = 0; same && u < mine.count; u++) {
        uint32_t count = mine.starts[u + 1] - mine.starts[u];
        same = theirs.starts[u + 1] - theirs.starts[u] == count;
        for (uint32_t i = 0; same && i < count; i++) {
            uint32_t to = there->nodes[theirs.nodes[theirs.starts[u] + i]];
            uint32_t from = slice->function->nodes[mine.nodes[mine.starts[u] + i]];
            if (to != NO_ID && from != NO_ID && bits_has(kept, from)) (*old)[to] = (Node){from};
        }
    }
    if (!same) *reason = "a statement that stays has other nodes than before";
    return same;
}
