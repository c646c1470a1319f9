#include "analysis/loop_writes.h"

#include "fact/calls.h"
#include "fact/effects.h"

enum { MOST_WRITES = 48 }; // places that are told apart; a loop with more may write anywhere

static void note_write(LoopWrites *state, Node header, uint32_t place, uint32_t object) {
    for (; header.i != NO_ID; header = state->loop_nest->outer[header.i]) {
        LoopMemory *loop = &state->loops[header.i];
        if (loop->everything) return; // and so are those around it
        if (++loop->write_count > MOST_WRITES) {
            loop->everything = true;
            continue;
        }
        LoopWrite write = {.place = place, .object = object, .next = loop->writes};
        loop->writes = state->writes.count;
        vec_push(state->arena, &state->writes, write);
    }
}

static void note_call(LoopWrites *state, Node header, bool everything) {
    for (; header.i != NO_ID; header = state->loop_nest->outer[header.i]) {
        LoopMemory *loop = &state->loops[header.i];
        if (loop->shared && (loop->everything || !everything)) return; // and so are those around it
        loop->everything |= everything;
        loop->shared = true;
    }
}

// What a call writes, or an instruction that orders accesses, beside its own bytes.
static void note_others(LoopWrites *state, Node header, const Instr *instr) {
    const Program *program = state->func->program;
    const Places *places = state->places;
    Effects effects = places->by_unit ? unit_instr_effects(program, instr) : instr_effects(instr);
    UnitSet families = places->by_unit ? unit_writes(program, instr) : 0;
    bool shared = effects & MAY_WRITE_SHARED || families & places->open_families;
    for (uint32_t k = 0; places->by_unit && instr->kind == I_CALL && k < instr->arg_count; k++) {
        uint32_t bits, slot = places_passed(places, state->func, instr, k, &bits);
        if (bits & UNIT_WRITTEN && slot != NO_ID) note_write(state, header, NO_ID, 1 + slot);
        shared |= bits & UNIT_WRITTEN && slot == NO_ID;
    }
    if (shared) note_call(state, header, call_returns_twice(program, instr));
    for (; families && header.i != NO_ID; header = state->loop_nest->outer[header.i])
        state->loops[header.i].families |= families;
}

static void note_effects(LoopWrites *state, Node node) {
    const Instr *instr = func_at(state->func, node);
    Node header = state->loop_nest->loop[node.i];
    uint32_t target = state->places->target[node.i];
    Effects effects = instr_effects(instr);
    if (effects & MAY_WRITE_SHARED) note_others(state, header, instr);
    if (!(effects & MAY_WRITE)) return;
    if (!instr_has_address(instr))
        note_write(state, header, NO_ID, target);
    else if (target == NO_ID)
        note_call(state, header, true);
    else
        note_write(state, header, target, state->places->places.at[target].object);
}

LoopWrites loop_writes_of(Arena *arena, const Func *func, const LoopNest *loop_nest,
                          const Places *places, const Bits *reached) {
    LoopWrites state = {.arena = arena, .func = func, .loop_nest = loop_nest, .places = places};
    state.loops = ARENA_ARRAY(arena, LoopMemory, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) state.loops[n].writes = NO_ID;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (loop_nest->loop[n].i != NO_ID && (!reached || bits_has(reached, n)))
            note_effects(&state, (Node){n});
    return state;
}

static bool may_touch(const LoopWrites *state, const LoopWrite *write, uint32_t place) {
    const MemPlace *read = &state->places->places.at[place];
    const bool *shared = state->places->shared.at;
    if (write->place != NO_ID) {
        const MemPlace *written = &state->places->places.at[write->place];
        if (!effective_meets(written->effective, read->effective)) return false;
        if (written->group == read->group) return places_overlap(written, read);
    }
    if (write->object == read->object) return true;
    return (write->object == ANYWHERE && shared[read->object]) ||
           (read->object == ANYWHERE && shared[write->object]);
}

bool loop_tracks_place(const LoopWrites *state, Node header, uint32_t place) {
    const LoopMemory *loop = &state->loops[header.i];
    uint32_t object = state->places->places.at[place].object,
             family = state->places->family_of.at[object];
    if (loop->everything) return false;
    if (family == UNIT_OPEN ? loop->shared && state->places->shared.at[object]
                            : loop->families >> family & 1)
        return false;
    for (uint32_t i = loop->writes; i != NO_ID; i = state->writes.at[i].next)
        if (state->writes.at[i].place != place && may_touch(state, &state->writes.at[i], place))
            return false;
    return true;
}
