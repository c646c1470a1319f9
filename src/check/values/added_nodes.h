// Checks the control flow of a pass that only adds nodes to a function (widen): control goes the
// same way.
//
// Each node of the new function performs an old node or was added. Where control goes in the old
// function, it goes in the new one, perhaps through added nodes, which it leaves again. The callers
// check the effects of the nodes.
#pragma once

#include "check/check.h"

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const Node *old;    // new node -> the old node that it performs; NO_NODE if it was added
    uint32_t old_count; // of these
    Preds preds, old_preds;
    uint32_t *leads_to; // new node -> old node that is performed from here on
    uint32_t *
        comes_from; // new node -> old node that was performed last when control leaves it, or NO_ID
    Verdict verdict; // after a rejection
} AddedNodes;

static inline bool added_nodes_has(const AddedNodes *nodes, Node node) {
    return nodes->old[node.i].i == NO_ID;
}

// Fills in the rest. False if `old` does not cover the nodes, if an added node does not have just
// one successor with a larger number (so that added nodes form no cycle), or if the entry does not
// lead to the entry.
bool added_nodes_start(AddedNodes *nodes);
// Whether the successors of a node that performs an old one lead to the successors of that, in
// order.
bool added_nodes_same_way(AddedNodes *nodes, Node node);
// Whether control comes to a node that performs an old node from the predecessors of the old node,
// in order.
bool added_nodes_same_preds(AddedNodes *nodes, Node node);
// Whether the first phis of a node that performs an old node are the phis of the old node.
bool added_nodes_same_phis(AddedNodes *nodes, Node node);
