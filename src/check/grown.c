#include "check/grown.h"

#define REJECT(grown, node, ...)                                                                   \
    ((grown)->verdict = verdict_rejected((grown)->arena, node_site(node), __VA_ARGS__), false)

// Of an added node this is known if it has one predecessor, with a smaller number.
static void find_origins(Grown *grown) {
    uint32_t count = grown->after->nodes.count;
    grown->comes_from = ARENA_ARRAY(grown->arena, uint32_t, count);
    for (uint32_t n = 0; n < count; n++) {
        const Node *preds = preds_at(&grown->preds, (Node){n});
        bool follows = preds_count(&grown->preds, (Node){n}) == 1 && preds[0].i < n;
        grown->comes_from[n] = grown->old[n].i;
        if (grown_is_added(grown, (Node){n}) && follows)
            grown->comes_from[n] = grown->comes_from[preds[0].i];
    }
}

bool grown_start(Grown *grown) {
    const Func *after = grown->after;
    uint32_t count = after->nodes.count;
    if (grown->old_count != count || !count)
        return REJECT(grown, NO_NODE, "the hint does not cover every node");
    grown->preds = preds_of(grown->arena, after);
    grown->old_preds = preds_of(grown->arena, grown->before);
    grown->leads_to = ARENA_ARRAY(grown->arena, uint32_t, count);
    for (uint32_t n = count; n-- > 0;) {
        const Instr *instr = &after->nodes.at[n];
        uint32_t old = grown->old[n].i;
        if (old != NO_ID && old >= grown->before->nodes.count)
            return REJECT(grown, (Node){n}, "it performs no node");
        if (old == NO_ID && (instr->succ_count != 1 || instr->succ[0].i <= n))
            return REJECT(grown, (Node){n}, "an added node does not lead onwards");
        grown->leads_to[n] = old != NO_ID ? old : grown->leads_to[instr->succ[0].i];
    }
    find_origins(grown);
    return grown->leads_to[0] == 0 || REJECT(grown, (Node){0}, "the entry is another");
}

bool grown_same_way(Grown *grown, Node node) {
    const Instr *then = func_at(grown->before, grown->old[node.i]);
    const Instr *now = func_at(grown->after, node);
    const Node *from = instr_succs(grown->before, then), *to = instr_succs(grown->after, now);
    if (then->succ_count != now->succ_count)
        return REJECT(grown, node, "the number of successors has changed");
    for (uint32_t k = 0; k < now->succ_count; k++)
        if (grown->leads_to[to[k].i] != from[k].i)
            return REJECT(grown, node, "successor %u leads elsewhere", k);
    return true;
}

bool grown_same_preds(Grown *grown, Node node) {
    Node old = grown->old[node.i];
    uint32_t width = preds_count(&grown->preds, node);
    if (preds_count(&grown->old_preds, old) != width)
        return REJECT(grown, node, "the number of predecessors has changed");
    for (uint32_t k = 0; k < width; k++)
        if (grown->comes_from[preds_at(&grown->preds, node)[k].i] !=
            preds_at(&grown->old_preds, old)[k].i)
            return REJECT(grown, node, "predecessor %u is another", k);
    return true;
}

bool grown_same_phis(Grown *grown, Node node) {
    const Func *before = grown->before, *after = grown->after;
    Node old = grown->old[node.i];
    uint32_t count = func_phi_count(before, old);
    if (!count) return true;
    if (!grown_same_preds(grown, node)) return false;
    uint32_t width = preds_count(&grown->preds, node);
    bool same = func_phi_count(after, node) >= count;
    for (uint32_t i = 0; same && i < count; i++) {
        const Phi *then = &func_phis(before, old)[i], *now = &func_phis(after, node)[i];
        same = then->dest.i == now->dest.i;
        for (uint32_t k = 0; same && k < width; k++)
            same = phi_args(before, then)[k].i == phi_args(after, now)[k].i;
    }
    return same || REJECT(grown, node, "its phis have changed");
}
