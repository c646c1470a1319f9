// An instruction with an effect needs its operands; the definitions of these need their own
// operands, and so on. Every definition that is not needed in this way is removed.
#include "pass/pass.h"

#include "base/bits.h"
#include "fact/effects.h"
#include "graph/definitions.h"

typedef struct {
    Arena *arena;
    const Func *func;
    Preds preds;
    const Definition *definitions;
    Bits needed; // registers
    VEC(Reg) work;
} DeadCode;

static void need(DeadCode *state, Reg reg) {
    if (bits_put(&state->needed, reg.i)) vec_push(state->arena, &state->work, reg);
}

static void need_args(DeadCode *state, const Instr *instr) {
    const Reg *args = instr_args(state->func, instr);
    for (uint32_t i = 0; i < instr->arg_count; i++) need(state, args[i]);
}

static void need_phi_args(DeadCode *state, Definition definition) {
    const Reg *args = phi_args(state->func, &state->func->phis.at[definition.at]);
    uint32_t count = preds_count(&state->preds, definition.node);
    for (uint32_t k = 0; k < count; k++) need(state, args[k]);
}

static void find_needed(DeadCode *state) {
    const Func *func = state->func;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (!instr_is_removable(&func->nodes.at[n])) need_args(state, &func->nodes.at[n]);
    while (state->work.count) {
        Reg reg = vec_pop(&state->work);
        const Instr *instr = defining_instr(func, state->definitions, reg);
        if (instr && instr_is_removable(instr))
            need_args(state, instr);
        else if (state->definitions[reg.i].by == SET_BY_PHI)
            need_phi_args(state, state->definitions[reg.i]);
    }
}

static uint32_t count_dead(const DeadCode *state) {
    const Func *func = state->func;
    uint32_t dead = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        dead += instr_is_removable(&func->nodes.at[n]) &&
                !bits_has(&state->needed, func->nodes.at[n].dest.i);
    for (uint32_t p = 0; p < func->phis.count; p++)
        dead += !bits_has(&state->needed, func->phis.at[p].dest.i);
    return dead;
}

static Func *without_dead(const DeadCode *state) {
    const Func *func = state->func;
    Func *result = func_like(func, state->arena);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (!instr_is_removable(instr) || bits_has(&state->needed, instr->dest.i)) {
            func_copy_instr(result, func, instr);
        } else {
            Node nop = func_nop(result, instr->succ[0]);
            result->nodes.at[nop.i].loc = instr->loc;
        }
    }
    for (uint32_t p = 0; p < func->phis.count; p++) {
        const Phi *phi = &func->phis.at[p];
        Node join = state->definitions[phi->dest.i].node;
        if (bits_has(&state->needed, phi->dest.i))
            func_add_phi(result, join, phi->dest, phi_args(func, phi),
                         preds_count(&state->preds, join));
    }
    func_end_phis(result);
    return result;
}

// The function without operators, loads and phis whose results are never needed, not even by one
// another; NULL if there are none.
Func *dead_code(Arena *arena, const Func *func, DeadCodeHint *hint) {
    DeadCode state = {.arena = arena,
                      .func = func,
                      .preds = preds_of(arena, func),
                      .needed = bits_new(arena, func->regs.count)};
    state.definitions = definitions_of(arena, func);
    find_needed(&state);
    hint->removed = count_dead(&state);
    return hint->removed ? without_dead(&state) : NULL;
}
