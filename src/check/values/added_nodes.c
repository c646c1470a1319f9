#include "check/values/added_nodes.h"

#define REJECT(nodes, node, ...)                                                                   \
    ((nodes)->verdict = verdict_rejected((nodes)->arena, node_site(node), __VA_ARGS__), false)

// Of an added node this is known if it has one predecessor, with a smaller number.
static void find_origins(AddedNodes *nodes) {
    uint32_t count = nodes->after->nodes.count;
    nodes->comes_from = ARENA_ARRAY(nodes->arena, uint32_t, count);
    for (uint32_t n = 0; n < count; n++) {
        Node from = preds_sole(&nodes->preds, (Node){n});
        nodes->comes_from[n] = nodes->old[n].i;
        if (added_nodes_has(nodes, (Node){n}) && from.i < n)
            nodes->comes_from[n] = nodes->comes_from[from.i];
    }
}

bool added_nodes_start(AddedNodes *nodes) {
    const Func *after = nodes->after;
    uint32_t count = after->nodes.count;
    if (nodes->old_count != count || !count)
        return REJECT(nodes, NO_NODE, "the hint does not cover every node");
    nodes->preds = preds_of(nodes->arena, after);
    nodes->old_preds = preds_of(nodes->arena, nodes->before);
    nodes->leads_to = ARENA_ARRAY(nodes->arena, uint32_t, count);
    for (uint32_t n = count; n-- > 0;) {
        const Instr *instr = &after->nodes.at[n];
        uint32_t old = nodes->old[n].i;
        if (old != NO_ID && old >= nodes->before->nodes.count)
            return REJECT(nodes, (Node){n}, "it performs no node");
        if (old == NO_ID && (instr->succ_count != 1 || instr->succ[0].i <= n))
            return REJECT(nodes, (Node){n}, "an added node does not lead onwards");
        nodes->leads_to[n] = old != NO_ID ? old : nodes->leads_to[instr->succ[0].i];
    }
    find_origins(nodes);
    return nodes->leads_to[0] == 0 || REJECT(nodes, (Node){0}, "the entry is another");
}

bool added_nodes_same_way(AddedNodes *nodes, Node node) {
    const Instr *then = func_at(nodes->before, nodes->old[node.i]);
    const Instr *now = func_at(nodes->after, node);
    const Node *from = instr_succs(nodes->before, then), *to = instr_succs(nodes->after, now);
    if (then->succ_count != now->succ_count)
        return REJECT(nodes, node, "the number of successors has changed");
    for (uint32_t k = 0; k < now->succ_count; k++)
        if (nodes->leads_to[to[k].i] != from[k].i)
            return REJECT(nodes, node, "successor %u leads elsewhere", k);
    return true;
}

bool added_nodes_same_preds(AddedNodes *nodes, Node node) {
    Node old = nodes->old[node.i];
    uint32_t width = preds_count(&nodes->preds, node);
    if (preds_count(&nodes->old_preds, old) != width)
        return REJECT(nodes, node, "the number of predecessors has changed");
    for (uint32_t k = 0; k < width; k++)
        if (nodes->comes_from[preds_at(&nodes->preds, node)[k].i] !=
            preds_at(&nodes->old_preds, old)[k].i)
            return REJECT(nodes, node, "predecessor %u is another", k);
    return true;
}

bool added_nodes_same_phis(AddedNodes *nodes, Node node) {
    const Func *before = nodes->before, *after = nodes->after;
    Node old = nodes->old[node.i];
    uint32_t count = func_phi_count(before, old);
    if (!count) return true;
    if (!added_nodes_same_preds(nodes, node)) return false;
    uint32_t width = preds_count(&nodes->preds, node);
    bool same = func_phi_count(after, node) >= count;
    for (uint32_t i = 0; same && i < count; i++) {
        const Phi *then = &func_phis(before, old)[i], *now = &func_phis(after, node)[i];
        same = then->dest.i == now->dest.i;
        for (uint32_t k = 0; same && k < width; k++)
            same = phi_args(before, then)[k].i == phi_args(after, now)[k].i;
    }
    return same || REJECT(nodes, node, "its phis have changed");
}
