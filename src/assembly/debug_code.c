// Notes facts about each function while it is written: the places of its variables in the frame,
// and the stretches of code that belong to its blocks.
#include "assembly/debug.h"

struct DebugNotes *debug_notes(Arena *arena, const Debug *debug) {
    struct DebugNotes *notes = ARENA_NEW(arena, struct DebugNotes);
    *notes = (struct DebugNotes){
        .debug = debug,
        .spots = ARENA_ARRAY(arena, FrameSpot, (size_t)debug->variables.count + 1),
        .used = bits_new(arena, debug->types.count),
        .type_offset = ARENA_ARRAY(arena, uint32_t, debug->types.count),
        .abstract = ARENA_ARRAY(arena, uint32_t, (size_t)debug->funcs.count + 1)};
    return notes;
}

const DebugFunc *debug_func_of(const Assembly *assembly, Sym symbol) {
    if (!assembly->notes) return NULL;
    const Debug *debug = assembly->notes->debug;
    uint32_t func = map_get(&debug->func_of_symbol, program_at(assembly->program, symbol)->name.i);
    return func == HASH_NONE ? NULL : &debug->funcs.at[func];
}

// Where in the frame something is: as an offset from the end of the caller's frame, or from a
// register.
static FrameSpot frame_spot(const FramePlaces *frame, int64_t offset) {
    return (FrameSpot){.known = true, .from = frame->from, .offset = offset - frame->end};
}

// Slots are found by their names: passes may have removed some, and those that inlining added have
// none.
void debug_note_frame(Assembly *assembly, const DebugFunc *known, const Func *func,
                      const FramePlaces *frame) {
    struct DebugNotes *notes = assembly->notes;
    Map slots = {0};
    if (!known->variable_count) return;
    for (uint32_t s = 0; s < func->slots.count; s++)
        if (func->slots.at[s].name.i)
            map_set(assembly->scratch, &slots, func->slots.at[s].name.i, s);
    for (uint32_t v = known->variable; v < known->variable + known->variable_count; v++) {
        const DebugVariable *variable = &notes->debug->variables.at[v];
        if (variable->where != DEBUG_IN_SLOT && variable->where != DEBUG_BY_SLOT) continue;
        uint32_t slot = map_get(&slots, variable->place.i);
        if (slot == HASH_NONE) continue;
        notes->spots[v] = frame_spot(frame, frame->slots[slot]);
    }
}

// ---- Scopes

static uint64_t pair_key(uint32_t instance, uint32_t id) {
    return (uint64_t)instance << 32 | id;
}

static uint32_t add_node(Assembly *assembly, DebugLayout *layout, uint32_t instance, uint32_t scope,
                         uint32_t parent) {
    uint32_t node = layout->nodes.count;
    vec_push(assembly->arena, &layout->nodes,
             (DebugBlockNode){.instance = instance,
                              .scope = scope,
                              .parent = parent,
                              .depth = parent == NO_ID ? 0 : layout->nodes.at[parent].depth + 1,
                              .first = NO_ID,
                              .last = NO_ID,
                              .child = NO_ID,
                              .last_child = NO_ID,
                              .sibling = NO_ID});
    map_set(assembly->arena, &layout->node_of, pair_key(instance, scope), node);
    if (parent == NO_ID) return node;
    DebugBlockNode *outer = &layout->nodes.at[parent];
    if (outer->child == NO_ID)
        outer->child = node;
    else
        layout->nodes.at[outer->last_child].sibling = node;
    outer->last_child = node;
    return node;
}

DebugLayout *debug_layout(Assembly *assembly, const DebugFunc *known, const DebugCode *code) {
    DebugLayout *layout = ARENA_NEW(assembly->arena, DebugLayout);
    const Debug *debug = assembly->notes->debug;
    *layout = (DebugLayout){.known = known, .start = assembly->start};
    for (uint32_t i = 0; code && i < code->instances.count; i++)
        vec_push(assembly->arena, &layout->instances, code->instances.at[i]);
    if (!layout->instances.count)
        vec_push(assembly->arena, &layout->instances,
                 (DebugInstance){.func = (uint32_t)(known - debug->funcs.at), .parent = NO_ID});
    add_node(assembly, layout, 0, known->scope, NO_ID);
    return layout;
}

static const DebugFunc *instance_func(const Assembly *assembly, const DebugLayout *layout,
                                      uint32_t instance) {
    uint32_t func = layout->instances.at[instance].func;
    return func == NO_ID ? NULL : &assembly->notes->debug->funcs.at[func];
}

static bool has_scope(const DebugFunc *func, uint32_t scope) {
    return func && scope >= func->scope && scope < func->scope + func->scope_count;
}

static uint32_t scope_of_loc(const Assembly *assembly, uint32_t loc) {
    const Debug *debug = assembly->notes->debug;
    return loc && loc < debug->scope_of_loc.count ? debug->scope_of_loc.at[loc] : NO_ID;
}

// The instance and scope around one, or false for the outermost.
static bool go_out(const Assembly *assembly, const DebugLayout *layout, uint32_t *instance,
                   uint32_t *scope) {
    const DebugScope *at = &assembly->notes->debug->scopes.at[*scope];
    const DebugInstance *call = &layout->instances.at[*instance];
    if (at->parent != NO_ID) {
        *scope = at->parent;
        return true;
    }
    if (call->parent == NO_ID) return false;
    const DebugFunc *caller = instance_func(assembly, layout, call->parent);
    uint32_t around = scope_of_loc(assembly, call->loc);
    if (!caller) return false;
    *instance = call->parent;
    *scope = has_scope(caller, around) ? around : caller->scope;
    return true;
}

// Makes the nodes from one that is there down to the one that is asked for.
static uint32_t find_node(Assembly *assembly, DebugLayout *layout, uint32_t instance,
                          uint32_t scope) {
    VEC(uint64_t) path = {0};
    uint32_t node;
    while ((node = map_get(&layout->node_of, pair_key(instance, scope))) == HASH_NONE) {
        vec_push(assembly->scratch, &path, pair_key(instance, scope));
        if (!go_out(assembly, layout, &instance, &scope)) return 0;
    }
    while (path.count) {
        uint64_t key = vec_pop(&path);
        node = add_node(assembly, layout, (uint32_t)(key >> 32), (uint32_t)key, node);
    }
    return node;
}

uint32_t debug_node_of(Assembly *assembly, DebugLayout *layout, uint32_t instance, uint32_t loc,
                       uint32_t before) {
    uint32_t scope = scope_of_loc(assembly, loc);
    if (scope == NO_ID) return before;
    if (instance == NO_ID) instance = 0;
    while (instance != NO_ID && !has_scope(instance_func(assembly, layout, instance), scope))
        instance = layout->instances.at[instance].parent;
    return instance == NO_ID ? before : find_node(assembly, layout, instance, scope);
}

static void open(Assembly *assembly, DebugLayout *layout, uint32_t node, uint32_t label) {
    uint32_t range = layout->ranges.count;
    DebugBlockNode *at = &layout->nodes.at[node];
    vec_push(assembly->arena, &layout->ranges, (DebugRange){.start = label, .next = NO_ID});
    if (at->first == NO_ID)
        at->first = range;
    else
        layout->ranges.at[at->last].next = range;
    at->last = range;
}

// Leaves the nodes around `from` up to the first that is also around `to`, and enters those below.
void debug_change_node(Assembly *assembly, DebugLayout *layout, uint32_t from, uint32_t to,
                       uint32_t label) {
    while (from != to) {
        const DebugBlockNode *nodes = layout->nodes.at;
        if (nodes[from].depth >= nodes[to].depth) {
            layout->ranges.at[nodes[from].last].end = label;
            from = nodes[from].parent;
        } else {
            open(assembly, layout, to, label);
            to = nodes[to].parent;
        }
    }
}

// ---- Values

static void note_term(Assembly *assembly, DebugLayout *layout, DebugTerm term,
                      const FramePlaces *frame) {
    bool spill = term.kind == PUSH_PLACE && place_is_spill(term.place);
    if (spill || term.kind == PUSH_SLOT) {
        int64_t offset = spill ? frame->spills[place_index(term.place)] : frame->slots[term.ref];
        FrameSpot spot = frame_spot(frame, offset);
        term.number += spot.offset;
        term.ref = spot.from;
    }
    vec_push(assembly->arena, &layout->terms, term);
}

static void note_piece(Assembly *assembly, DebugLayout *layout, const DebugCode *code,
                       const DebugSpan *span, const FramePlaces *frame, const uint32_t *labels) {
    DebugPiece piece = {.start = span->first ? labels[span->first] : layout->start,
                        .end = labels[span->ends ? span->last : span->last + 1],
                        .one_more = span->ends,
                        .term_at = layout->terms.count,
                        .term_count = span->term_count};
    piece.one_late = span->inside;
    if (piece.start == piece.end && piece.one_late >= piece.one_more) return;
    for (uint32_t i = 0; i < span->term_count; i++)
        note_term(assembly, layout, code->terms.at[span->term_at + i], frame);
    vec_push(assembly->arena, &layout->pieces, piece);
}

// Slots of calls that were inlined have no names.
static void note_slots(Assembly *assembly, DebugLayout *layout, const DebugCode *code,
                       const FramePlaces *frame) {
    for (uint32_t i = 0; i < code->slots.count; i++) {
        const DebugSlot *slot = &code->slots.at[i];
        map_set(assembly->arena, &layout->spot_of, pair_key(slot->instance, slot->variable),
                layout->spots.count);
        vec_push(assembly->arena, &layout->spots,
                 slot->partial ? (FrameSpot){0} : frame_spot(frame, frame->slots[slot->slot]));
    }
}

uint32_t debug_note_return(Assembly *assembly, DebugLayout *layout, uint32_t at) {
    const DebugCode *code = assembly->code;
    if (!code || !layout) return NO_ID;
    uint32_t low = 0, high = code->sites.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (code->sites.at[middle].instr < at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == code->sites.count || code->sites.at[low].instr != at) return NO_ID;
    const DebugCallSite *site = &code->sites.at[low];
    DebugCall call = {.label = assembly_label(assembly),
                      .callee = site->callee,
                      .first = site->first,
                      .count = site->count};
    vec_push(assembly->arena, &layout->calls, call);
    return call.label;
}

static void note_arguments(Assembly *assembly, DebugLayout *layout, const DebugCode *code,
                           const FramePlaces *frame) {
    for (uint32_t i = 0; i < code->arguments.count; i++) {
        DebugArgument argument = code->arguments.at[i];
        argument.term_at = layout->terms.count;
        for (uint32_t k = 0; k < argument.term_count; k++)
            note_term(assembly, layout, code->terms.at[code->arguments.at[i].term_at + k], frame);
        vec_push(assembly->arena, &layout->arguments, argument);
    }
}

void debug_note_spans(Assembly *assembly, DebugLayout *layout, const DebugCode *code,
                      const FramePlaces *frame, const uint32_t *labels) {
    note_slots(assembly, layout, code, frame);
    note_arguments(assembly, layout, code, frame);
    for (uint32_t i = 0, end; i < code->spans.count; i = end) {
        const DebugSpan *span = &code->spans.at[i];
        uint32_t first = layout->pieces.count;
        for (end = i; end < code->spans.count && code->spans.at[end].instance == span->instance &&
                      code->spans.at[end].variable == span->variable;
             end++)
            note_piece(assembly, layout, code, &code->spans.at[end], frame, labels);
        if (layout->pieces.count == first) continue;
        map_set(assembly->arena, &layout->list_of, pair_key(span->instance, span->variable),
                layout->lists.count);
        vec_push(
            assembly->arena, &layout->lists,
            (DebugList){.first = first, .count = layout->pieces.count - first, .label = NO_ID});
    }
}
