// From the last node to the first: a nop leads to where its successor does, unless that is a join
// with phis or comes before it; so does a branch if all its successors lead to the same node.
// Branches within the arms of others go first, as their numbers are larger.
#include "pass/pass.h"

#include "fact/effects.h"

// Where a step from one node to the next leads; NO_ID if it must not be skipped.
static uint32_t beyond(const Func *func, const uint32_t *leads, uint32_t from, Node to) {
    return to.i > from && !func_phi_count(func, to) ? leads[to.i] : NO_ID;
}

static uint32_t lead(const Func *func, const uint32_t *leads, uint32_t n) {
    const Instr *instr = &func->nodes.at[n];
    if (instr->kind != I_NOP && !instr_is_branch(instr)) return n;
    const Node *succs = instr_succs(func, instr);
    uint32_t first = beyond(func, leads, n, succs[0]);
    for (uint32_t k = 1; k < instr->succ_count && first != NO_ID; k++)
        if (beyond(func, leads, n, succs[k]) != first) return n;
    return first == NO_ID ? n : first;
}

// The function with nops instead of branches all of whose ways come to the same node without doing
// anything, which lead there; NULL if there are none. Code that can no longer be reached stays for
// tidy to remove. The hint is empty: each node stands for itself.
Func *straighten(Arena *arena, const Func *func, CopiesHint *hint) {
    uint32_t *leads = ARENA_ARRAY(arena, uint32_t, func->nodes.count);
    bool any = false;
    (void)hint;
    for (uint32_t n = func->nodes.count; n-- > 0;) {
        leads[n] = lead(func, leads, n);
        any |= leads[n] != n && func->nodes.at[n].kind != I_NOP;
    }
    if (!any) return NULL;
    Func *result = func_clone(func, arena);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (leads[n] == n || instr->kind == I_NOP) continue;
        result->nodes.at[n] = (Instr){.kind = I_NOP,
                                      .dest = NO_REG,
                                      .succ_count = 1,
                                      .succ = {{leads[n]}},
                                      .loc = instr->loc};
    }
    return result;
}
