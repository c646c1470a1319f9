// The checker of gsa_build: the fast check of gates.
//
// `after` has the graph of `before`. A phi became a merge with the same registers, and a copy
// behind a landing pad an eta at the pad (check_code). It remains to show that gates select the
// same argument as the way into the join.
//
// Coherence and exclusivity of the predicates of paths (check_paths.c) say: when control comes to a
// join that is no header from its predecessor k, P[d,k] is 1, d dominating the join immediately,
// and P[d,k'] is not for any other predecessor. The gate of argument k is P[d,k] (check_merge): a
// gamma has exactly one gate that is 1, and selects the same argument as the phi. At headers, where
// exclusivity fails, there are mus only. The gate of an eta is P[h,pad] for a header h above the
// pad, so that it is 1 on arrival (check_etas).
//
// With --check=matrix the code is compared in the same way; gates are not compared but shown to be
// right by the obligations of check_matrix.c.
#include "check/checkers.h"

#include "check/gates/check_matrix.h"
#include "check/gates/check_paths.h"

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const GsaBuildHint *hint;
    bool by_matrix; // gates are somebody else's business
    Paths paths;    // of `after`
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

// Passes the verdict of the paths on.
static bool lacks_path(Check *check) {
    check->verdict = check->paths.verdict;
    return false;
}

// ---- Instructions, merges, etas

// The merges of a join select, gates aside, the same as its phis, and the gates are the predicates
// of the ways in.
static bool check_merge(Check *check, Node join, const Phi *phi, const Merge *merge) {
    uint32_t width = preds_count(&check->paths.preds, join);
    bool header = paths_is_header(&check->paths, join);
    if (width < 2 || merge->dest.i != phi->dest.i || merge->arg_count != width ||
        merge->kind != (header ? MERGE_MU : MERGE_GAMMA))
        return REJECT(check, join, "a merge is not what the phi was");
    const MergeArg *args = merge_args(check->after, merge);
    for (uint32_t k = 0; k < width; k++) {
        Gate gate = GATE_TRUE;
        if (args[k].reg.i != phi_args(check->before, phi)[k].i)
            return REJECT(check, join, "argument %u of a merge differs", k);
        if (check->by_matrix) continue;
        if (!header && !paths_into(&check->paths, join, k, &gate)) return lacks_path(check);
        if (args[k].gate.i != gate.i) return REJECT(check, join, "gate %u of a merge is wrong", k);
    }
    return true;
}

static bool check_merges(Check *check, Node join) {
    uint32_t count = func_phi_count(check->before, join);
    if (gsa_merge_count(check->after, join) != count)
        return REJECT(check, join, "the number of merges is not that of the phis");
    for (uint32_t i = 0; i < count; i++)
        if (!check_merge(check, join, &func_phis(check->before, join)[i],
                         &gsa_merges(check->after, join)[i]))
            return false;
    return true;
}

// The etas of a pad, and the copies right behind it from which they come. No copy reads what
// another sets, so that acting at once, and a little earlier, makes no difference.
static bool check_etas(Check *check, Node pad, uint32_t fact) {
    const Func *before = check->before, *after = check->after;
    uint32_t count = gsa_eta_count(after, pad);
    const Eta *etas = gsa_etas(after, pad);
    if (func_at(before, pad)->kind != I_NOP || preds_sole(&check->paths.preds, pad).i == NO_ID ||
        count >= before->nodes.count - pad.i)
        return REJECT(check, pad, "it has etas but is no landing pad");
    Node from, to;
    Gate gate;
    if (!paths_fact(&check->paths, fact, &from, &to, &gate)) return lacks_path(check);
    if (to.i != pad.i || !paths_is_header(&check->paths, from))
        return REJECT(check, pad, "its gate does not start at a loop header");
    for (uint32_t i = 0; i < count; i++) {
        Node node = {pad.i + 1 + i};
        const Instr *copy = func_at(before, node), *now = func_at(after, node);
        const Instr *last = func_at(before, (Node){node.i - 1});
        if (last->succ_count != 1 || last->succ[0].i != node.i ||
            preds_sole(&check->paths.preds, node).i == NO_ID || copy->kind != I_OP ||
            copy->op != op_move(reg_type(before, copy->dest)) || now->kind != I_NOP)
            return REJECT(check, node, "an eta was no copy behind the pad");
        if (etas[i].dest.i != copy->dest.i || etas[i].source.i != copy->arg[0].i)
            return REJECT(check, pad, "eta %u is not the copy that it was", i);
        if (!check->by_matrix && etas[i].gate.i != gate.i)
            return REJECT(check, pad, "gate %u of an eta is wrong", i);
        uint32_t set = paths_set(&check->paths, etas[i].source);
        if (set > pad.i) return REJECT(check, pad, "eta %u reads what is set here or later", i);
    }
    return true;
}

static bool check_instr(Check *check, Node node) {
    const Instr *then = func_at(check->before, node), *now = func_at(check->after, node);
    return instr_same(check->before, then, check->after, now) ||
           REJECT(check, node, "the instruction has changed");
}

static bool check_code(Check *check) {
    const Func *after = check->after;
    uint32_t pad = 0;
    for (uint32_t n = 0, skip = 0; n < after->nodes.count; n++) {
        Node node = {n};
        uint32_t etas = gsa_eta_count(after, node);
        if (!check_merges(check, node)) return false;
        if (etas && (skip || pad >= check->hint->pads.count))
            return REJECT(check, node, "the hint says nothing about its etas");
        if (etas && !check_etas(check, node, check->hint->pads.at[pad++])) return false;
        if (skip)
            skip--; // a copy that became an eta
        else if (!check_instr(check, node))
            return false;
        if (etas) skip = etas;
    }
    return true;
}

// ---- Gates of loops and ends

// The pads at which a loop is left: the first node outside on each edge out of it.
static bool leaves_at(const Check *check, Node header, Node node) {
    Node from = preds_sole(&check->paths.preds, node);
    return from.i != NO_ID && loop_nest_contains(&check->paths.loop_nest, header, from) &&
           !loop_nest_contains(&check->paths.loop_nest, header, node);
}

// Counts, for each loop, the nodes outside to which it is left; false if such a node has several
// ways in. The hint has a fact for each.
static bool count_exits(Check *check, uint32_t *exits) {
    const Func *func = check->before;
    uint64_t left = check->hint->exits.count;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Node from = {n};
        const Instr *instr = func_at(func, from);
        const Node *succs = instr_succs(func, instr);
        for (uint32_t k = 0; k < instr->succ_count; k++)
            for (Node loop = check->paths.loop_nest.loop[n];
                 loop.i != NO_ID && !loop_nest_contains(&check->paths.loop_nest, loop, succs[k]);
                 loop = check->paths.loop_nest.outer[loop.i]) {
                exits[loop.i]++;
                if (preds_sole(&check->paths.preds, succs[k]).i == NO_ID)
                    return REJECT(check, from, "the loop is left to a join");
                if (left-- == 0) return REJECT(check, from, "an exit is missing");
            }
    }
    return true;
}

static bool check_loop(Check *check, uint32_t number, uint32_t exits, uint32_t *next) {
    const LoopGate *loop = &check->after->gsa->loops.at[number];
    Gate gate, leaves = GATE_FALSE;
    uint32_t last = 0;
    for (uint32_t i = 0; i < exits; i++, ++*next) {
        if (*next >= check->hint->exits.count)
            return REJECT(check, loop->header, "an exit is missing");
        Node from, to;
        if (!paths_fact(&check->paths, check->hint->exits.at[*next], &from, &to, &gate))
            return lacks_path(check);
        if (from.i != loop->header.i || to.i <= last || !leaves_at(check, loop->header, to))
            return REJECT(check, loop->header, "exit %u is not one", i);
        last = to.i;
        leaves = gate_or(check->arena, check->paths.gsa, leaves, gate);
    }
    if (leaves.i != loop->leaves.i)
        return REJECT(check, loop->header, "the gate for leaving the loop is wrong");
    Node latch = preds_at(&check->paths.preds, loop->header)[1];
    if (!paths_between(&check->paths, check->hint->latches.at[number], loop->header, latch, &gate))
        return lacks_path(check);
    return gate.i == loop->goes_on.i ||
           REJECT(check, loop->header, "the gate for going on in the loop is wrong");
}

static bool check_loops(Check *check) {
    const Gsa *gsa = check->after->gsa;
    uint32_t *exits = ARENA_ARRAY(check->arena, uint32_t, check->before->nodes.count);
    uint32_t number = 0, next = 0;
    if (!count_exits(check, exits)) return false;
    for (uint32_t n = 0; n < check->before->nodes.count; n++) {
        if (!paths_is_header(&check->paths, (Node){n})) continue;
        if (number >= gsa->loops.count || gsa->loops.at[number].header.i != n)
            return REJECT(check, (Node){n}, "the gates of the loop are missing");
        if (!check_loop(check, number++, exits[n], &next)) return false;
    }
    return number == gsa->loops.count || REJECT(check, NO_NODE, "there are gates of no loop");
}

static bool check_ends(Check *check) {
    const Gsa *gsa = check->after->gsa;
    uint32_t number = 0;
    for (uint32_t n = 0; n < check->before->nodes.count; n++) {
        Gate gate;
        if (check->before->nodes.at[n].succ_count) continue;
        if (number >= gsa->ends.count || gsa->ends.at[number].node.i != n)
            return REJECT(check, (Node){n}, "the gate of an end is missing");
        if (!paths_between(&check->paths, check->hint->ends.at[number], (Node){0}, (Node){n},
                           &gate))
            return lacks_path(check);
        if (gate.i != gsa->ends.at[number++].gate.i)
            return REJECT(check, (Node){n}, "the gate of an end is wrong");
    }
    return number == gsa->ends.count || REJECT(check, NO_NODE, "there are gates of no end");
}

// ---- All of it

static bool check_hint(Check *check) {
    const Gsa *gsa = check->after->gsa;
    return (check->hint->latches.count == gsa->loops.count &&
            check->hint->ends.count == gsa->ends.count) ||
           REJECT(check, NO_NODE, "the hint does not cover everything");
}

static Verdict start(Check *check) {
    Verdict verdict = check_same_frame(check->arena, check->before, check->after);
    if (!verdict.accepted) return verdict;
    verdict = check_same_graph(check->arena, check->before, check->after);
    if (!verdict.accepted) return verdict;
    return paths_check(&check->paths, check->arena, check->after, &check->hint->paths)
               ? VERDICT_ACCEPTED
               : check->paths.verdict;
}

Verdict check_gsa_build_code(Arena *arena, const Func *before, const Func *after,
                             const GsaBuildHint *hint, Paths *paths) {
    Check check = {
        .arena = arena, .before = before, .after = after, .hint = hint, .by_matrix = true};
    Verdict verdict = start(&check);
    if (!verdict.accepted) return verdict;
    if (!check_hint(&check) || !check_code(&check)) return check.verdict;
    *paths = check.paths;
    return VERDICT_ACCEPTED;
}

// Accepts if the gated function `after` behaves as the SSA function `before`, each gate being the
// predicate of the paths that it must be. Linear; no solver. Reasons live in the arena.
Verdict check_gsa_build(Arena *arena, const Func *before, const Func *after,
                        const GsaBuildHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    Verdict verdict = start(&check);
    if (!verdict.accepted) return verdict;
    if (check_hint(&check) && check_code(&check) && check_loops(&check) && check_ends(&check))
        return VERDICT_ACCEPTED;
    return check.verdict;
}
