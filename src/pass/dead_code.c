// An instruction with an effect needs its operands; the definitions of these need their own operands, and so on.
// Every definition that is not needed in this way is removed.
#include "pass/dead_code.h"

#include "base/bits.h"

typedef struct {
    Arena *arena;
    const Func *func;
    Preds preds;
    uint32_t *definition; // of each register: its node; beyond the nodes, its phi; or NO_ID
    Node *join_of_phi;
    Bits needed; // registers
    VEC(Reg) work;
} State;

static bool is_removable(const Instr *instr) {
    return instr->kind == I_OP || instr->kind == I_LOAD;
}

static void need(State *state, Reg reg) {
    if (bits_put(&state->needed, reg.i)) vec_push(state->arena, &state->work, reg);
}

static void need_args(State *state, const Instr *instr) {
    const Reg *args = instr_args(state->func, instr);
    for (uint32_t i = 0; i < instr->arg_count; i++) need(state, args[i]);
}

static void need_phi_args(State *state, uint32_t phi) {
    const Reg *args = phi_args(state->func, &state->func->phis.at[phi]);
    uint32_t count = preds_count(&state->preds, state->join_of_phi[phi]);
    for (uint32_t k = 0; k < count; k++) need(state, args[k]);
}

static void find_definitions(State *state) {
    const Func *func = state->func;
    state->definition = ARENA_ARRAY(state->arena, uint32_t, func->regs.count);
    state->join_of_phi = ARENA_ARRAY(state->arena, Node, func->phis.count);
    for (uint32_t r = 0; r < func->regs.count; r++) state->definition[r] = NO_ID;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Reg dest = func->nodes.at[n].dest;
        if (dest.i != NO_ID) state->definition[dest.i] = n;
        for (uint32_t p = 0; p < func_phi_count(func, (Node){n}); p++) {
            uint32_t phi = func->phi_at.at[n] + p;
            state->join_of_phi[phi] = (Node){n};
            state->definition[func->phis.at[phi].dest.i] = func->nodes.count + phi;
        }
    }
}

static void find_needed(State *state) {
    const Func *func = state->func;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (!is_removable(&func->nodes.at[n])) need_args(state, &func->nodes.at[n]);
    while (state->work.count) {
        uint32_t definition = state->definition[vec_pop(&state->work).i];
        if (definition == NO_ID) continue;
        if (definition >= func->nodes.count)
            need_phi_args(state, definition - func->nodes.count);
        else if (is_removable(&func->nodes.at[definition]))
            need_args(state, &func->nodes.at[definition]);
    }
}

static uint32_t count_dead(const State *state) {
    const Func *func = state->func;
    uint32_t dead = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        dead +=
            is_removable(&func->nodes.at[n]) && !bits_has(&state->needed, func->nodes.at[n].dest.i);
    for (uint32_t p = 0; p < func->phis.count; p++)
        dead += !bits_has(&state->needed, func->phis.at[p].dest.i);
    return dead;
}

static Func *without_dead(const State *state) {
    const Func *func = state->func;
    Func *result = func_like(func, state->arena);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (!is_removable(instr) || bits_has(&state->needed, instr->dest.i)) {
            func_copy_instr(result, func, instr);
        } else {
            Node nop = func_nop(result, instr->succ[0]);
            result->nodes.at[nop.i].loc = instr->loc;
        }
    }
    for (uint32_t p = 0; p < func->phis.count; p++) {
        const Phi *phi = &func->phis.at[p];
        Node join = state->join_of_phi[p];
        if (bits_has(&state->needed, phi->dest.i))
            func_add_phi(result, join, phi->dest, phi_args(func, phi),
                         preds_count(&state->preds, join));
    }
    func_end_phis(result);
    return result;
}

Func *dead_code(Arena *arena, const Func *func, DeadCodeHint *hint) {
    State state = {.arena = arena,
                   .func = func,
                   .preds = preds_of(arena, func),
                   .needed = bits_new(arena, func->regs.count)};
    find_definitions(&state);
    find_needed(&state);
    hint->removed = count_dead(&state);
    return hint->removed ? without_dead(&state) : NULL;
}
