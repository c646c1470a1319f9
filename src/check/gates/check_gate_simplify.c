// The checker of gate_simplify.
//
// `after` is `before` but for the gates of gammas: the same graph, instructions, mus and etas, the
// same gates of etas, loops and ends, the same registers in gammas (check_instr, check_merges,
// check_etas, check_outer_gates).
//
// A gamma whose gates have changed (check_changed) has one argument for each predecessor of its
// join, in order. The k-th gate was P[d,k]. P[d,k] is 1 when control comes from k (check_paths.c):
// `before` selects the k-th argument then, or takes a wrong step because another gate is 1 as well.
// The k-th gate has become P'[d,k]. When control comes to the join, P'[d,k] is 1 only if control
// comes from k (fact/gate/gate_decided.c): `after` selects the k-th argument, too.
#include "check/checkers.h"

#include "check/gates/check_paths.h"

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    Paths plain, simplified; // of `before`, in one table
    const Gate *gate;        // gate of `after` -> of that table
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

static bool same_gate(const Check *check, Gate then, Gate now) {
    return then.i == check->gate[now.i].i;
}

// ---- Gammas

static bool way_into(Check *check, Paths *paths, Node join, uint32_t k, Gate *gate) {
    if (paths_into(paths, join, k, gate)) return true;
    check->verdict = paths->verdict;
    return false;
}

static bool check_changed(Check *check, Node join, const MergeArg *then, const MergeArg *now,
                          uint32_t count) {
    if (!paths_is_gated(&check->plain, join) || preds_count(&check->plain.preds, join) != count)
        return REJECT(check, join, "gates have changed where there is not one for each way in");
    for (uint32_t k = 0; k < count; k++) {
        Gate way, simplified;
        if (!way_into(check, &check->plain, join, k, &way) ||
            !way_into(check, &check->simplified, join, k, &simplified))
            return false;
        if (then[k].gate.i != way.i)
            return REJECT(check, join, "gate %u was not that of the way from predecessor %u", k, k);
        if (!same_gate(check, simplified, now[k].gate))
            return REJECT(check, join, "gate %u is not simplified by the rules", k);
    }
    return true;
}

static bool check_merge(Check *check, Node join, const Merge *then, const Merge *now) {
    const MergeArg *old = merge_args(check->before, then), *fresh = merge_args(check->after, now);
    bool changed = false;
    if (then->kind != now->kind || then->dest.i != now->dest.i || then->arg_count != now->arg_count)
        return REJECT(check, join, "a merge has changed");
    for (uint32_t k = 0; k < then->arg_count; k++) {
        if (old[k].reg.i != fresh[k].reg.i)
            return REJECT(check, join, "argument %u of a merge has changed", k);
        changed |= !same_gate(check, old[k].gate, fresh[k].gate);
    }
    return !changed || check_changed(check, join, old, fresh, then->arg_count);
}

static bool check_merges(Check *check, Node join) {
    uint32_t count = gsa_merge_count(check->before, join);
    if (gsa_merge_count(check->after, join) != count)
        return REJECT(check, join, "the number of merges has changed");
    for (uint32_t i = 0; i < count; i++)
        if (!check_merge(check, join, &gsa_merges(check->before, join)[i],
                         &gsa_merges(check->after, join)[i]))
            return false;
    return true;
}

// ---- What stays

static bool check_instr(Check *check, Node node) {
    return instr_same(check->before, func_at(check->before, node), check->after,
                      func_at(check->after, node)) ||
           REJECT(check, node, "the instruction has changed");
}

static bool check_etas(Check *check, Node node) {
    const Eta *then = gsa_etas(check->before, node), *now = gsa_etas(check->after, node);
    uint32_t count = gsa_eta_count(check->before, node);
    bool same = gsa_eta_count(check->after, node) == count;
    for (uint32_t i = 0; i < count && same; i++)
        same = then[i].dest.i == now[i].dest.i && then[i].source.i == now[i].source.i &&
               same_gate(check, then[i].gate, now[i].gate);
    return same || REJECT(check, node, "the etas have changed");
}

// The form asks for the gates of all loops and ends, by node, so both functions have the same
// number of each.
static bool check_outer_gates(Check *check) {
    const Gsa *then = check->before->gsa, *now = check->after->gsa;
    for (uint32_t i = 0; i < then->loops.count; i++)
        if (!same_gate(check, then->loops.at[i].leaves, now->loops.at[i].leaves) ||
            !same_gate(check, then->loops.at[i].goes_on, now->loops.at[i].goes_on))
            return REJECT(check, then->loops.at[i].header, "the gates of a loop have changed");
    for (uint32_t i = 0; i < then->ends.count; i++)
        if (!same_gate(check, then->ends.at[i].gate, now->ends.at[i].gate))
            return REJECT(check, then->ends.at[i].node, "the gate of an end has changed");
    return true;
}

Verdict check_gate_simplify(Arena *arena, const Func *before, const Func *after,
                            const GateSimplifyHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after};
    check.verdict = check_same_frame(arena, before, after);
    if (!check.verdict.accepted) return check.verdict;
    check.verdict = check_same_graph(arena, before, after);
    if (!check.verdict.accepted) return check.verdict;
    if (!paths_check(&check.plain, arena, before, &hint->paths)) return check.plain.verdict;
    if (!paths_simplify(&check.simplified, &check.plain)) return check.simplified.verdict;
    check.gate = gsa_import(arena, check.plain.gsa, after->gsa, NULL);
    for (uint32_t n = 0; n < before->nodes.count; n++)
        if (!check_instr(&check, (Node){n}) || !check_merges(&check, (Node){n}) ||
            !check_etas(&check, (Node){n}))
            return check.verdict;
    return check_outer_gates(&check) ? VERDICT_ACCEPTED : check.verdict;
}
