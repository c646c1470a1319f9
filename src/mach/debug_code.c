// What is noted about each function while it is written: the places of its variables in the frame, and
// which stretches of code belong to its blocks.
#include "mach/debug.h"

struct DebugNotes *debug_notes(Arena *arena, const Debug *debug) {
    struct DebugNotes *notes = ARENA_NEW(arena, struct DebugNotes);
    uint32_t scopes = debug->scopes.count;
    *notes = (struct DebugNotes){
        .debug = debug,
        .spots = ARENA_ARRAY(arena, FrameSpot, (size_t)debug->variables.count + 1),
        .first = ARENA_ARRAY(arena, uint32_t, (size_t)scopes + 1),
        .last = ARENA_ARRAY(arena, uint32_t, (size_t)scopes + 1),
        .used = bits_new(arena, debug->types.count),
        .type_offset = ARENA_ARRAY(arena, uint32_t, debug->types.count)};
    for (uint32_t s = 0; s < scopes; s++) notes->first[s] = notes->last[s] = NO_ID;
    return notes;
}

const DebugFunc *debug_func_of(const Assembly *assembly, Sym symbol) {
    if (!assembly->notes) return NULL;
    const Debug *debug = assembly->notes->debug;
    uint32_t func = map_get(&debug->func_of_symbol, program_at(assembly->program, symbol)->name.i);
    return func == HASH_NONE ? NULL : &debug->funcs.at[func];
}

// Slots are found by their names: passes may have removed some, and those that inlining added have none.
void debug_note_frame(Assembly *assembly, const DebugFunc *known, const Func *func,
                      const Frame *frame) {
    struct DebugNotes *notes = assembly->notes;
    Map slots = {0};
    if (!known->variable_count) return;
    for (uint32_t s = 0; s < func->slots.count; s++)
        if (func->slots.at[s].name.i)
            map_set(assembly->scratch, &slots, func->slots.at[s].name.i, s);
    bool aligned = frame->kind == FRAME_ALIGNED;
    for (uint32_t v = known->variable; v < known->variable + known->variable_count; v++) {
        const DebugVariable *variable = &notes->debug->variables.at[v];
        if (variable->where != DEBUG_IN_SLOT && variable->where != DEBUG_BY_SLOT) continue;
        uint32_t slot = map_get(&slots, variable->place.i);
        if (slot == HASH_NONE) continue;
        notes->spots[v] =
            (FrameSpot){.known = true,
                        .from = aligned ? frame->base : MACHINE_REG_COUNT,
                        .offset = frame->slots[slot] - (aligned ? 0 : frame->incoming)};
    }
}

uint32_t debug_scope_of(const Assembly *assembly, const DebugFunc *known, uint32_t loc,
                        uint32_t before) {
    const Debug *debug = assembly->notes->debug;
    if (!loc || loc >= debug->scope_of_loc.count) return before;
    uint32_t scope = debug->scope_of_loc.at[loc];
    bool own = scope >= known->scope && scope < known->scope + known->scope_count;
    return own ? scope : before;
}

static void open(Assembly *assembly, uint32_t scope, uint32_t label) {
    struct DebugNotes *notes = assembly->notes;
    uint32_t range = notes->ranges.count;
    vec_push(assembly->arena, &notes->ranges, (DebugRange){.start = label, .next = NO_ID});
    if (notes->first[scope] == NO_ID)
        notes->first[scope] = range;
    else
        notes->ranges.at[notes->last[scope]].next = range;
    notes->last[scope] = range;
}

// Leaves the scopes around `from` up to the first that is also around `to`, and enters those below.
void debug_change_scope(Assembly *assembly, uint32_t from, uint32_t to, uint32_t label) {
    struct DebugNotes *notes = assembly->notes;
    const DebugScope *scopes = notes->debug->scopes.at;
    while (from != to) {
        if (scopes[from].depth >= scopes[to].depth) {
            notes->ranges.at[notes->last[from]].end = label;
            from = scopes[from].parent;
        } else {
            open(assembly, to, label);
            to = scopes[to].parent;
        }
    }
}
