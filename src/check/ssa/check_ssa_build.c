// The checker of ssa_build: type inference in one scan (Barthe et al., section 5).
//
// A local typing Gamma_n says for each old register x which new register holds its value before the
// instruction of node n (behind the phi-block, if n is a join). The typing is partial: where the
// value is not wanted any more, Gamma_n(x) need not exist. The old function only steps through the
// same nodes, so the checker has to show the invariant
//
//   at node n the two functions agree on memory, and on x and Gamma_n(x) wherever the latter
//   exists.
//
// The typing is not given but inferred. Nodes that are no joins have one predecessor, with a
// smaller number; so they form trees, each with the entry or a join as its root.
//
// 1. At the entry Gamma_0(x) is version 0 of x: the parameter, or a register that nothing defines
//    if x is no parameter. The same arguments arrive on both sides (check_parameters), and both
//    registers are undefined otherwise. Hence the invariant holds at the start.
// 2. Inside a tree (walk_tree; wt_instr of figure 10): the instruction is the old one, and each
//    argument is Gamma_n of the old argument, which must exist (use_ok, and the first condition of
//    wf_live). So both sides compute the same, with the same events, and take the same edge. The
//    destination d is a version of the old destination x, and Gamma becomes Gamma_n[x <- d]. Every
//    Gamma_n(y) with y other than x is a version of y, so that d is none of them and the invariant
//    holds for them, too.
// 3. On an edge to a join j (check_edge; wt_edge_jp): the predecessor is a nop. For each x tracked
//    at j the current version of x must exist (the second condition of wf_live). If j has a phi for
//    x, its argument for this edge must be that version (USES) and Gamma_j(x) is its destination
//    (ASSIG). Otherwise Gamma_j(x) must be that version, the same on all edges (NASSIG). The phis
//    act at once, and their destinations are versions of different registers: the phi-block holds
//    them in ascending order of these, each being tracked. A register that is not tracked has no
//    Gamma_j.
//
// Step 3 compares with Gamma_j on every edge, edges back to j included; a smaller number for the
// first predecessor only makes sure that Gamma_j is known when the tree of j is walked.
//
// No dominance is needed for any of this. That each register has one definition is checked here;
// that phi-blocks have their place and arity, and that definitions dominate uses, are the
// verifier's findings, as for every SSA function.
#include "check/checkers.h"

#include "base/bits.h"
#include "graph/versions.h"
#include "text/text.h"

#include <string.h>

typedef struct {
    uint32_t reg;     // an old register
    uint32_t version; // that was current before
} VersionChange;

typedef struct {
    uint32_t node;
    uint32_t changes; // length of the log before its instruction
} VersionVisit;

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const SsaHint *hint;
    Preds preds;
    uint32_t *ordinal; // join -> its number among the joins
    uint32_t joins;
    Reg *gamma;        // for each entry of hint->tracked: Gamma of the join; NO_REG: not known yet
    uint32_t *current; // Gamma of the node being visited, by old register; NO_ID: does not exist
    VEC(VersionChange) log;    // how to get back to the Gamma of nodes visited before
    VEC(VersionVisit) waiting; // nodes of the tree still to visit
    Bits defined;              // new registers with a definition, as far as seen
    Verdict verdict;
} Check;

#define reject(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

// How an old register is called in a reason.
static const char *name_of(const Check *check, uint32_t reg) {
    Out out = {0};
    reg_print(&out, check->before, (Reg){reg});
    const char *name = arena_text(check->arena, out.text, out.length);
    out_free(&out);
    return name;
}

// ---- Registers

// Every new register is a version of its old one. The versions 0 are the Gamma of the entry.
static bool check_registers(Check *check) {
    const Func *before = check->before, *after = check->after;
    if (check->hint->origin.count != after->regs.count)
        return reject(check, NO_NODE, "the hint does not cover every register");
    for (uint32_t i = 0; i < after->regs.count; i++) {
        uint32_t old = check->hint->origin.at[i].i;
        if (old >= before->regs.count)
            return reject(check, NO_NODE, "register %u is a version of none that exists", i);
        const RegInfo *now = &after->regs.at[i], *then = &before->regs.at[old];
        if (now->type != then->type || now->version == 0)
            return reject(check, NO_NODE, "register %u is not like %s, whose version it is", i,
                          name_of(check, old));
        if (now->version >= VERSION_FIRST_SET) continue;
        if (check->current[old] != NO_ID)
            return reject(check, NO_NODE, "%s has two versions 0", name_of(check, old));
        check->current[old] = i;
    }
    return true;
}

static bool check_parameters(Check *check) {
    for (uint32_t i = 0; i < check->before->params.count; i++)
        if (check->after->params.at[i].i != check->current[check->before->params.at[i].i])
            return reject(check, NO_NODE, "parameter %u is not version 0 of the old one", i);
    return true;
}

// The definition of a version of an old register, at an instruction or phi.
static bool define(Check *check, Node node, Reg version, uint32_t reg) {
    if (check->hint->origin.at[version.i].i != reg)
        return reject(check, node, "the destination is no version of %s", name_of(check, reg));
    if (reg_is_never_set(check->after, version))
        return reject(check, node, "version 0 of %s is redefined", name_of(check, reg));
    if (!bits_put(&check->defined, version.i))
        return reject(check, node, "the same version of %s is defined twice", name_of(check, reg));
    return true;
}

static void set_current(Check *check, uint32_t reg, uint32_t version) {
    vec_push(check->arena, &check->log,
             (VersionChange){.reg = reg, .version = check->current[reg]});
    check->current[reg] = version;
}

static void undo(Check *check, uint32_t changes) {
    while (check->log.count > changes) {
        VersionChange change = vec_pop(&check->log);
        check->current[change.reg] = change.version;
    }
}

// ---- Shape

static bool is_join(const Check *check, uint32_t node) {
    return preds_is_join(&check->preds, (Node){node});
}

static bool check_same_nodes(Check *check) {
    uint32_t count = check->after->nodes.count;
    if (check->before->nodes.count != count || count == 0)
        return reject(check, NO_NODE, "the number of nodes has changed");
    check->preds = preds_of(check->arena, check->after);
    if (is_join(check, 0)) return reject(check, (Node){0}, "the entry has a predecessor");
    for (uint32_t n = 1; n < count; n++) {
        if (is_join(check, n))
            check->ordinal[n] = check->joins++;
        else if (preds_sole(&check->preds, (Node){n}).i >= n)
            return reject(check, (Node){n}, "no node with a smaller number leads here");
    }
    return true;
}

// The rows of the hint are those of the joins, each in ascending order.
static bool check_hint(Check *check) {
    const SsaHint *hint = check->hint;
    if (hint->tracked_at.count != check->joins + 1 || hint->tracked_at.at[0] != 0 ||
        hint->tracked_at.at[check->joins] != hint->tracked.count)
        return reject(check, NO_NODE, "the hint does not cover every join");
    for (uint32_t j = 0; j < check->joins; j++) {
        uint32_t start = hint->tracked_at.at[j], end = hint->tracked_at.at[j + 1];
        if (end < start || end > hint->tracked.count)
            return reject(check, NO_NODE, "the hint for join number %u is no row", j);
        for (uint32_t i = start; i < end; i++)
            if (hint->tracked.at[i].i >= check->before->regs.count ||
                (i > start && hint->tracked.at[i].i <= hint->tracked.at[i - 1].i))
                return reject(check, NO_NODE, "the hint for join number %u is out of order", j);
    }
    return true;
}

// Each edge into a join is compared with all that is tracked there.
static bool check_effort(Check *check) {
    const SsaHint *hint = check->hint;
    uint32_t nodes = check->after->nodes.count;
    uint64_t work = 0;
    for (uint32_t n = 1; n < nodes; n++) {
        if (!is_join(check, n)) continue;
        uint32_t row = check->ordinal[n];
        work += (uint64_t)preds_count(&check->preds, (Node){n}) *
                (hint->tracked_at.at[row + 1] - hint->tracked_at.at[row]);
    }
    return !check_takes_too_long(work, (uint64_t)nodes + hint->tracked.count) ||
           reject(check, NO_NODE, "too much is tracked at joins with too many ways in");
}

// ---- Typing

// An edge to a join; `node` is a nop.
static bool check_edge(Check *check, uint32_t node, Node join) {
    const SsaHint *hint = check->hint;
    const Phi *phi = func_phis(check->after, join);
    const Phi *end = phi ? phi + func_phi_count(check->after, join) : NULL;
    uint32_t row = check->ordinal[join.i];
    uint32_t place = preds_index(&check->preds, join, (Node){node});
    for (uint32_t i = hint->tracked_at.at[row]; i < hint->tracked_at.at[row + 1]; i++) {
        uint32_t reg = hint->tracked.at[i].i, version = check->current[reg];
        if (version == NO_ID)
            return reject(check, (Node){node}, "%s is tracked at join %u, but not before",
                          name_of(check, reg), join.i);
        if (phi != end && hint->origin.at[phi->dest.i].i == reg) {
            if (phi_args(check->after, phi++)[place].i != version)
                return reject(check, join, "the phi for %s does not take the version from node %u",
                              name_of(check, reg), node);
        } else if (check->gamma[i].i == NO_ID) {
            check->gamma[i].i = version;
        } else if (check->gamma[i].i != version) {
            return reject(check, join, "two versions of %s meet without a phi",
                          name_of(check, reg));
        }
    }
    return phi == end || reject(check, join, "a phi is for a register that is not tracked");
}

// Makes Gamma of a join the current one.
static bool enter_join(Check *check, Node join) {
    const SsaHint *hint = check->hint;
    const Phi *phi = func_phis(check->after, join);
    const Phi *end = phi ? phi + func_phi_count(check->after, join) : NULL;
    uint32_t row = check->ordinal[join.i];
    for (uint32_t i = hint->tracked_at.at[row]; i < hint->tracked_at.at[row + 1]; i++) {
        uint32_t reg = hint->tracked.at[i].i;
        if (phi != end && hint->origin.at[phi->dest.i].i == reg) {
            check->gamma[i] = phi++->dest;
            if (!define(check, join, check->gamma[i], reg)) return false;
        }
        if (check->gamma[i].i == NO_ID)
            return reject(check, join, "no node with a smaller number leads here");
        set_current(check, reg, check->gamma[i].i);
    }
    return phi == end || reject(check, join, "a phi is for a register that is not tracked");
}

static bool check_instr(Check *check, Node node) {
    const Instr *now = func_at(check->after, node), *then = func_at(check->before, node);
    if (!instr_alike(check->before, then, check->after, now) || now->succ_count != then->succ_count)
        return reject(check, node, "the instruction has changed");
    const Reg *args = instr_args(check->after, now), *old = instr_args(check->before, then);
    for (uint32_t k = 0; k < now->arg_count; k++) {
        if (check->current[old[k].i] == NO_ID)
            return reject(check, node, "%s is used here, but not tracked",
                          name_of(check, old[k].i));
        if (args[k].i != check->current[old[k].i])
            return reject(check, node, "argument %u is not the current version of %s", k,
                          name_of(check, old[k].i));
    }
    const Node *succs = instr_succs(check->after, now), *to = instr_succs(check->before, then);
    for (uint32_t k = 0; k < now->succ_count; k++)
        if (succs[k].i != to[k].i) return reject(check, node, "successor %u has changed", k);
    if (now->dest.i == NO_ID) return true;
    if (!define(check, node, now->dest, then->dest.i)) return false;
    set_current(check, then->dest.i, now->dest.i);
    return true;
}

// Checks the edges that leave a node; where they stay in the tree, their ends are to be visited.
static bool leave_node(Check *check, Node node) {
    const Instr *instr = func_at(check->after, node);
    const Node *succs = instr_succs(check->after, instr);
    for (uint32_t k = instr->succ_count; k-- > 0;) {
        if (!is_join(check, succs[k].i)) {
            VersionVisit visit = {.node = succs[k].i, .changes = check->log.count};
            vec_push(check->arena, &check->waiting, visit);
        } else if (instr->kind != I_NOP) {
            return reject(check, node, "an instruction other than nop leads to a join");
        } else if (!check_edge(check, node.i, succs[k])) {
            return false;
        }
    }
    return true;
}

// Walks the tree from its root, whose Gamma is the current one.
static bool walk_tree(Check *check, uint32_t root) {
    vec_push(check->arena, &check->waiting,
             (VersionVisit){.node = root, .changes = check->log.count});
    while (check->waiting.count) {
        VersionVisit visit = vec_pop(&check->waiting);
        undo(check, visit.changes);
        if (!check_instr(check, (Node){visit.node}) || !leave_node(check, (Node){visit.node}))
            return false;
    }
    undo(check, 0);
    return true;
}

static bool check_typing(Check *check) {
    if (!walk_tree(check, 0)) return false;
    memset(check->current, 0xff, check->before->regs.count * sizeof *check->current);
    uint32_t phis = 0;
    for (uint32_t n = 1; n < check->after->nodes.count; n++) {
        if (!is_join(check, n)) continue;
        phis += func_phi_count(check->after, (Node){n});
        if (!enter_join(check, (Node){n}) || !walk_tree(check, n)) return false;
    }
    return phis == check->after->phis.count ||
           reject(check, NO_NODE, "a phi does not stand at a join");
}

static uint32_t *table_of(Arena *arena, uint32_t count) {
    uint32_t *table = ARENA_ARRAY(arena, uint32_t, count);
    return memset(table, 0xff, (size_t)count * sizeof *table);
}

static bool run_check(Check *check) {
    const Func *before = check->before, *after = check->after;
    Arena *arena = check->arena;
    uint32_t nodes = after->nodes.count;
    check->verdict = check_same_outline(arena, before, after);
    if (!check->verdict.accepted) return false;
    check->ordinal = ARENA_ARRAY(arena, uint32_t, nodes);
    check->gamma = (Reg *)table_of(arena, check->hint->tracked.count);
    check->current = table_of(arena, before->regs.count);
    check->defined = bits_new(arena, after->regs.count);
    return check_registers(check) && check_parameters(check) && check_same_nodes(check) &&
           check_hint(check) && check_effort(check) && check_typing(check);
}

// Accepts if `after`, a well-formed SSA function, does step for step what the RTL function `before`
// does. Reasons live in the arena.
Verdict check_ssa_build(Arena *arena, const Func *before, const Func *after, const SsaHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    return run_check(&check) ? VERDICT_ACCEPTED : check.verdict;
}

const Reg *check_ssa_typing(Arena *arena, const Func *before, const Func *after,
                            const SsaHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    return run_check(&check) ? check.gamma : NULL;
}
