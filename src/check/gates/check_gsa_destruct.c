// The checker of gsa_destruct.
//
// `after` has the graph of `before`, without etas: where an eta set x to y, uses of x became uses
// of y, or of the register that y stands for in turn (find_originals). The definition of y
// dominates the pad, and the pad dominates every use of x. Control that sets y again passes the pad
// before it comes to such a use, so x and y agree there.
//
// A mu became a phi. So did a gamma, and for each predecessor k of its join the hint names an
// argument i. The predicate P[d,k] of the way from the block d, which dominates the join, to k is 1
// when control comes from k (coherence; check_paths.c), and so is a simplified predicate
// (fact/gate/gate_decided.c). The gate of i follows from this predicate (gate_holds), so the gate
// is 1 as well. If another gate were 1 too, `before` would take a wrong step; otherwise `before`
// selects i, as the phi does.
#include "check/checkers.h"

#include "check/gates/check_paths.h"
#include "fact/gate/gate_proof.h"

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const GsaDestructHint *hint;
    Paths paths;
    GateProof proof;
    GateDisjuncts disjuncts;
    VEC(Gate) ways;  // of the join at hand
    bool grouped;    // the disjuncts know them
    bool searched;   // the gates of the merge at hand were looked through
    Reg *original;   // register -> the register that it stands for without etas
    uint32_t choice; // the next one of the hint
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

// ---- Registers

static void find_originals(Check *check) {
    const Func *func = check->before;
    check->original = ARENA_ARRAY(check->arena, Reg, func->regs.count);
    for (uint32_t r = 0; r < func->regs.count; r++) check->original[r] = (Reg){r};
    for (uint32_t n = 0; n < func->nodes.count; n++)
        for (uint32_t i = 0; i < gsa_eta_count(func, (Node){n}); i++) {
            const Eta *eta = &gsa_etas(func, (Node){n})[i];
            check->original[eta->dest.i] = check->original[eta->source.i];
        }
}

static bool check_instr(Check *check, Node node) {
    const Instr *then = func_at(check->before, node), *now = func_at(check->after, node);
    const Reg *old = instr_args(check->before, then), *fresh = instr_args(check->after, now);
    if (!instr_alike(check->before, then, check->after, now) || then->dest.i != now->dest.i)
        return REJECT(check, node, "the instruction has changed");
    for (uint32_t i = 0; i < then->arg_count; i++)
        if (check->original[old[i].i].i != fresh[i].i)
            return REJECT(check, node, "argument %u is another value", i);
    return true;
}

// ---- Merges

// The predicates of all ways into a join.
static bool find_ways(Check *check, Node join) {
    Gate way;
    check->grouped = false;
    vec_clear(&check->ways);
    if (!paths_is_gated(&check->paths, join)) return true;
    for (uint32_t k = 0; k < preds_count(&check->paths.preds, join); k++) {
        if (!paths_into(&check->paths, join, k, &way)) {
            check->verdict = check->paths.verdict;
            return false;
        }
        vec_push(check->arena, &check->ways, way);
    }
    return true;
}

// Whether the gate of an argument is 1 if the predicate of the way is: because both are the same,
// because the gate is a disjunct, or by proof, which may take longer.
static bool gate_holds(Check *check, const Merge *merge, uint32_t i, Gate way) {
    const MergeArg *args = merge_args(check->before, merge);
    if (way.i == args[i].gate.i) return true;
    if (!check->grouped) gate_disjuncts_group(&check->disjuncts, check->ways.at, check->ways.count);
    if (!check->searched) gate_disjuncts_search(&check->disjuncts, args, merge->arg_count);
    check->grouped = check->searched = true;
    return gate_disjuncts_holder(&check->disjuncts, way) == i ||
           gate_follows(&check->proof, way, args[i].gate);
}

static bool takes_too_long(const Check *check) {
    const Gsa *gsa = check->paths.gsa;
    return check_takes_too_long(check->proof.work + check->disjuncts.work,
                                (uint64_t)gsa->gates.count + gsa->merge_args.count);
}

static bool check_arg(Check *check, Node join, const Merge *merge, uint32_t k, Reg now) {
    uint32_t i = k;
    if (merge->kind == MERGE_GAMMA) {
        if (check->choice >= check->hint->choices.count)
            return REJECT(check, join, "the hint does not cover every gamma");
        i = check->hint->choices.at[check->choice++];
        if (i >= merge->arg_count) return REJECT(check, join, "argument %u does not exist", i);
        if (takes_too_long(check)) return REJECT(check, join, "its gates are too large to compare");
        if (!gate_holds(check, merge, i, check->ways.at[k]))
            return REJECT(check, join, "gate %u does not hold on the way from predecessor %u", i,
                          k);
    }
    return check->original[merge_args(check->before, merge)[i].reg.i].i == now.i ||
           REJECT(check, join, "argument %u of a phi is another value", k);
}

static bool check_merges(Check *check, Node join) {
    uint32_t count = gsa_merge_count(check->before, join);
    uint32_t width = preds_count(&check->paths.preds, join);
    if (func_phi_count(check->after, join) != count)
        return REJECT(check, join, "the number of phis is not that of the merges");
    if (count && !find_ways(check, join)) return false;
    for (uint32_t m = 0; m < count; m++) {
        const Merge *merge = &gsa_merges(check->before, join)[m];
        const Phi *phi = &func_phis(check->after, join)[m];
        bool header = paths_is_header(&check->paths, join);
        check->searched = false;
        if (width < 2 || phi->dest.i != merge->dest.i || header != (merge->kind == MERGE_MU) ||
            (header && merge->arg_count != width))
            return REJECT(check, join, "phi %u is not what the merge was", m);
        for (uint32_t k = 0; k < width; k++)
            if (!check_arg(check, join, merge, k, phi_args(check->after, phi)[k])) return false;
    }
    return true;
}

// Accepts if the SSA function `after` behaves as the gated function `before`. Reasons live in the
// arena.
Verdict check_gsa_destruct(Arena *arena, const Func *before, const Func *after,
                           const GsaDestructHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    check.verdict = check_same_frame(arena, before, after);
    if (!check.verdict.accepted) return check.verdict;
    check.verdict = check_same_graph(arena, before, after);
    if (!check.verdict.accepted) return check.verdict;
    if (!(hint->simplified ? paths_check_simplified : paths_check)(&check.paths, arena, before,
                                                                   &hint->paths))
        return check.paths.verdict;
    check.proof = gate_proof_new(arena, check.paths.gsa);
    check.disjuncts = gate_disjuncts_new(arena, check.paths.gsa);
    find_originals(&check);
    for (uint32_t n = 0; n < before->nodes.count; n++)
        if (!check_instr(&check, (Node){n}) || !check_merges(&check, (Node){n}))
            return check.verdict;
    return VERDICT_ACCEPTED;
}
