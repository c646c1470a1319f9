// The loops of a function in which every cycle is entered at one node, its header. For each node
// this gives the header of the innermost loop around the node.
#pragma once

#include "graph/dominance.h"

typedef struct LoopNest {
    Node
        *loop; // header of the innermost loop a node lies in (its own, for a header); NO_NODE: none
    Node *outer; // for a header: the header of the next outer loop, or NO_NODE
    // For a header: the number of its loop and the number of the last loop inside, so that the
    // loops in a loop follow it without gap.
    uint32_t *first, *last;
    bool reducible; // if not, the rest means nothing
} LoopNest;

// In almost linear time. A header is a node to which an edge goes back; its loop holds the nodes
// that reach such an edge without passing the header. The graph is reducible if it has no cycle
// without an edge that goes back. Unreachable nodes lie in no loop.
LoopNest loop_nest_of(Arena *arena, const Func *func, const Preds *preds, const Dominance *dom);

// Only `loop` and `outer`, without dominance: those of a reducible graph that is numbered in
// reverse postorder. Of any other graph they mean nothing.
LoopNest loop_nest_by_number(Arena *arena, const Func *func, const Preds *preds);

// Whether an edge between reachable nodes goes back: its target dominates its source.
static inline bool is_back_edge(const Dominance *dom, Node from, Node to) {
    return dominates(dom, to, from);
}
// Whether just one edge enters a loop at its header, from the predecessor number `entry`, and just
// one goes back to the header. All are reachable.
static inline bool header_is_plain(const Preds *preds, const Dominance *dom, Node header,
                                   uint32_t *entry) {
    const Node *from = preds_at(preds, header);
    if (!preds_are_just(preds, header, 2)) return false;
    *entry = is_back_edge(dom, from[0], header) ? 1 : 0;
    return is_back_edge(dom, from[0], header) != is_back_edge(dom, from[1], header);
}

static inline bool loop_nest_is_header(const LoopNest *loop_nest, Node node) {
    return loop_nest->loop[node.i].i == node.i;
}
// Whether the loop of a header holds a node.
static inline bool loop_nest_contains(const LoopNest *loop_nest, Node header, Node node) {
    Node loop = loop_nest->loop[node.i];
    return loop.i != NO_ID && loop_nest->first[header.i] <= loop_nest->first[loop.i] &&
           loop_nest->first[loop.i] <= loop_nest->last[header.i];
}

// Whether every edge out of a loop leads to a nop that has no other predecessor: a landing pad.
bool loop_nest_has_pads(const LoopNest *loop_nest, const Func *func, const Preds *preds);
