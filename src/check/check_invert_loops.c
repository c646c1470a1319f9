// The checker of invert_loops, or of any pass that only copies nodes and leads edges to the copies.
//
// The hint maps each new node to an old one, the entry to the entry. Relate a state of `after` at node n
// to one of `before` at the node that n stands for, with the same registers and memory. n has the
// instruction of that node, and each successor stands for the successor with the same index: one step on
// both sides leads to related states, with the same events. So both functions run in lock step.
#include "check/checkers.h"

static Verdict check_node(Arena *arena, const Func *before, const Func *after,
                          const InvertHint *hint, Node node) {
    Node old = hint->old.at[node.i];
    if (old.i >= before->nodes.count)
        return verdict_rejected(arena, node_site(node), "it stands for no node");
    const Instr *then = func_at(before, old), *now = func_at(after, node);
    if (!instr_same(before, then, after, now) || then->succ_count != now->succ_count)
        return verdict_rejected(arena, node_site(node), "it differs from the node it stands for");
    const Node *from = instr_succs(before, then), *to = instr_succs(after, now);
    for (uint32_t k = 0; k < now->succ_count; k++)
        if (hint->old.at[to[k].i].i != from[k].i)
            return verdict_rejected(arena, node_site(node), "successor %u stands for another node",
                                    k);
    return VERDICT_ACCEPTED;
}

// Whether every node of `after` does what one of `before` does and goes on to what stands for the
// successors of that.
Verdict check_invert_loops(Arena *arena, const Func *before, const Func *after,
                           const InvertHint *hint) {
    Verdict verdict = check_same_frame(arena, before, after);
    if (!verdict.accepted) return verdict;
    if (hint->old.count != after->nodes.count || !hint->old.count || hint->old.at[0].i != 0)
        return verdict_rejected(arena, NO_SITE, "the hint does not cover every node");
    for (uint32_t n = 0; n < after->nodes.count && verdict.accepted; n++)
        verdict = check_node(arena, before, after, hint, (Node){n});
    return verdict;
}
