// Edges of functions in SSA in the interpreter. Before a join there are only nops, so the phis of
// the join are the step of the nop from which it is entered.
#include "run/rtl_interpreter.h"

// The nop that is the k-th predecessor of a join does what the phis of the join do for it.
static void decode_edge(Code *code, const Func *func, Node join, Node pred, uint32_t k,
                        uint32_t first, Bits *written) {
    const Phi *phis = func_phis(func, join);
    uint32_t count = 0;
    for (uint32_t i = 0; i < func_phi_count(func, join); i++) {
        PhiMove move = {.dest = phis[i].dest.i, .source = phi_args(func, &phis[i])[k].i};
        if (move.dest != move.source) code->moves[first + count++] = move;
    }
    rtl_decode_moves(code, pred, first, count, written);
}

void ssa_decode_phis(Interpreter *in, Code *code) {
    const Func *func = code->func;
    if (!func->phis.count) return;
    Preds preds = preds_of(in->arena, func);
    Bits written = bits_new(in->arena, func->regs.count);
    code->moves = ARENA_ARRAY(in->arena, PhiMove, func->phi_args.count);
    uint32_t first = 0, most = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t count = func_phi_count(func, (Node){n});
        if (!count) continue;
        for (uint32_t k = 0; k < preds_count(&preds, (Node){n}); k++, first += count)
            decode_edge(code, func, (Node){n}, preds_at(&preds, (Node){n})[k], k, first, &written);
        if (count > most) most = count;
    }
    rtl_reserve_values(in, most);
}

const Code *ssa_prepare(Interpreter *in, const Func *func) {
    Code *code = rtl_decode(in, func);
    ssa_decode_phis(in, code);
    return code;
}
