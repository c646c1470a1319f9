// From the last node to the first: a nop leads to where its successor does, unless that is a join with phis
// or comes before it; so does a branch if all its successors lead to the same node. Branches within the
// arms of others go first, as their numbers are larger.
#include "pass/pass.h"

#include "fact/effects.h"

// Where a step from one node to the next leads; NO_NODE if it must not be skipped.
static Node beyond(const Func *func, const StraightenHint *hint, uint32_t from, Node to) {
    return to.i > from && !func_phi_count(func, to) ? hint->leads_to.at[to.i] : NO_NODE;
}

static Node lead(const Func *func, const StraightenHint *hint, uint32_t n) {
    const Instr *instr = &func->nodes.at[n];
    if (instr->kind != I_NOP && !instr_is_branch(instr)) return (Node){n};
    const Node *succs = instr_succs(func, instr);
    Node first = beyond(func, hint, n, succs[0]);
    for (uint32_t k = 1; k < instr->succ_count && first.i != NO_ID; k++)
        if (beyond(func, hint, n, succs[k]).i != first.i) return (Node){n};
    return first.i == NO_ID ? (Node){n} : first;
}

static bool is_idle_branch(const Instr *instr, const StraightenHint *hint, uint32_t n) {
    return instr->kind != I_NOP && hint->leads_to.at[n].i != n;
}

// The function with nops instead of branches all of whose ways come to the same node without doing
// anything; NULL if there are none. Code that can no longer be reached stays for tidy to remove.
Func *straighten(Arena *arena, const Func *func, StraightenHint *hint) {
    Node *leads_to = vec_extend(arena, &hint->leads_to, func->nodes.count);
    for (uint32_t n = func->nodes.count; n-- > 0;) {
        leads_to[n] = lead(func, hint, n);
        hint->removed += is_idle_branch(&func->nodes.at[n], hint, n);
    }
    if (!hint->removed) return NULL;
    Func *result = func_clone(func, arena);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (!is_idle_branch(instr, hint, n)) continue;
        result->nodes.at[n] = (Instr){.kind = I_NOP,
                                      .dest = NO_REG,
                                      .succ_count = 1,
                                      .succ = {instr_succs(func, instr)[0]},
                                      .loc = instr->loc};
    }
    return result;
}
