// Loads of what a register holds already become moves or extensions of that register.
#include "pass/pass.h"

#include "analysis/memory_contents.h"

typedef struct {
    Arena *arena;
    const Func *func;
    const Definition *definitions;
    Func *result; // NULL as long as it is the same
} Forward;

// The operator that yields what a load does whose bytes are the low bytes of a register.
static Op forwarding_op(const Forward *state, const Instr *load, Reg reg) {
    Op move = op_move(reg_type(state->func, load->dest));
    Op extension = chunk_extension((Chunk)load->chunk);
    if (extension == OP_COUNT) return move;
    const Instr *set = defining_instr(state->func, state->definitions, reg);
    if (!set) return extension;
    bool extended = (set->kind == I_LOAD && set->chunk == load->chunk) ||
                    (set->kind == I_OP && set->op == extension);
    return extended ? move : extension;
}

static void rewrite_load(Forward *state, uint32_t node, Reg reg) {
    const Instr *load = &state->func->nodes.at[node];
    if (!state->result) state->result = func_clone(state->func, state->arena);
    state->result->nodes.at[node] = (Instr){.kind = I_OP,
                                            .op = (uint16_t)forwarding_op(state, load, reg),
                                            .dest = load->dest,
                                            .arg_count = 1,
                                            .arg = {reg},
                                            .succ_count = 1,
                                            .succ = {load->succ[0]},
                                            .loc = load->loc};
}

// Every register is known by its own number.
static Held registers_that_hold(const Forward *state, const Places *places) {
    const Func *func = state->func;
    uint32_t *name = ARENA_ARRAY(state->arena, uint32_t, func->regs.count);
    uint32_t *base = ARENA_ARRAY(state->arena, uint32_t, func->regs.count);
    uint32_t *phi = ARENA_ARRAY(state->arena, uint32_t, func->phis.count);
    for (uint32_t r = 0; r < func->regs.count; r++) {
        name[r] = r;
        base[r] = state->definitions[r].node.i;
    }
    for (uint32_t i = 0; i < func->phis.count; i++) phi[i] = func->phis.at[i].dest.i;
    return held_by(state->arena, &(HeldQuestion){.func = func,
                                                 .places = places,
                                                 .name = name,
                                                 .name_count = func->regs.count,
                                                 .base = base,
                                                 .phi = phi});
}

static void give_hint(const Forward *state, const Held *held, ForwardHint *hint) {
    for (uint32_t i = 0; i < held->facts_at.count; i++)
        vec_push(state->arena, &hint->facts_at, held->facts_at.at[i]);
    for (uint32_t i = 0; i < held->facts.count; i++) {
        ForwardFact fact = {.place = held->facts.at[i].place, .reg = {held->facts.at[i].name}};
        vec_push(state->arena, &hint->facts, fact);
    }
}

// The function with moves or extensions of registers in place of such loads; NULL if there are
// none.
Func *forward(Arena *arena, const Func *func, ForwardHint *hint) {
    Forward state = {.arena = arena, .func = func, .definitions = definitions_of(arena, func)};
    Places places = places_of(arena, func);
    Held held = registers_that_hold(&state, &places);
    if (!held.any) return NULL;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (held.held[n] != NO_ID) rewrite_load(&state, n, (Reg){held.held[n]});
    give_hint(&state, &held, hint);
    return state.result;
}
