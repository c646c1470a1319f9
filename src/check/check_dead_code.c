// The checker of dead_code.
//
// `after` has the same graph, and each instruction and phi is the same, or was an operator, a load or
// a phi and is gone. Such a definition does nothing but set its register (or goes wrong, after which
// anything is allowed). `after` has been verified before this checker runs: a register of a version
// above 0 that is used has a definition, so nothing that remains reads a register whose definition
// is gone. By induction on steps, all registers that `after` defines hold the same values on both
// sides, and memory, events and results are equal.
#include "check/checkers.h"

#include "fact/effects.h"

#include <string.h>

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
} Check;

static Verdict check_node(const Check *check, Node node) {
    const Instr *then = func_at(check->before, node), *now = func_at(check->after, node);
    if (!check_same_succs(check->before, then, check->after, now))
        return verdict_rejected(check->arena, node_site(node), "its successors differ");
    if (instr_same(check->before, then, check->after, now)) return VERDICT_ACCEPTED;
    if (instr_is_removable(then) && now->kind == I_NOP) return VERDICT_ACCEPTED;
    return verdict_rejected(check->arena, node_site(node), "the instruction has changed");
}

// The phis that are left stand in the same order, with the same arguments.
static Verdict check_phis(const Check *check, Node join, uint32_t preds) {
    const Phi *then = func_phis(check->before, join), *now = func_phis(check->after, join);
    uint32_t count = func_phi_count(check->before, join), at = 0;
    for (uint32_t i = 0; i < func_phi_count(check->after, join); i++, at++) {
        while (at < count && then[at].dest.i != now[i].dest.i) at++;
        if (at == count) return verdict_rejected(check->arena, node_site(join), "phi %u is new", i);
        if (memcmp(phi_args(check->before, &then[at]), phi_args(check->after, &now[i]),
                   preds * sizeof(Reg)) != 0)
            return verdict_rejected(check->arena, node_site(join), "phi %u has changed", i);
    }
    return VERDICT_ACCEPTED;
}

// Accepts if `after` is `before` without some definitions that have no effect but to set a register.
// Reasons live in the arena.
Verdict check_dead_code(Arena *arena, const Func *before, const Func *after,
                        const DeadCodeHint *hint) {
    (void)hint;
    Check check = {.arena = arena, .before = before, .after = after};
    Verdict verdict = check_same_frame(arena, before, after);
    if (!verdict.accepted) return verdict;
    if (before->nodes.count != after->nodes.count)
        return verdict_rejected(arena, NO_SITE, "the number of nodes has changed");
    for (uint32_t n = 0; n < before->nodes.count && verdict.accepted; n++)
        verdict = check_node(&check, (Node){n});
    if (!verdict.accepted) return verdict;
    // The graphs are the same, so that phis have as many arguments on both sides.
    Preds preds = preds_of(arena, before);
    for (uint32_t n = 0; n < before->nodes.count && verdict.accepted; n++)
        verdict = check_phis(&check, (Node){n}, preds_count(&preds, (Node){n}));
    return verdict;
}
