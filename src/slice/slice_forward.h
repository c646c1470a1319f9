// Slices forward: the nodes that a value influences, by data and control.
//
// The same relation as that of the demand, the other way round: a node is influenced if it reads
// what an influenced node has set, or if an influenced branch decides whether it is reached. The
// nodes that are found are no program: they read much that is not among them. All tracks are made,
// so that the cost is that of SSA form of the whole function.
#pragma once

#include "slice/slice.h"

typedef struct SliceForward SliceForward;

// `way` as in SliceOptions; may be NULL.
SliceForward *slice_forward_new(Arena *arena, const SliceVariables *variables, const uint32_t *way);

// The node is influenced, and with it what it sets; if control never comes there, nothing is.
void slice_forward_node(SliceForward *forward, Node node);
// What a variable holds in front of the node has influence.
void slice_forward_variable(SliceForward *forward, Node node, uint32_t variable);

// Follows all influences; yields the influenced nodes.
const Bits *slice_forward_close(SliceForward *forward);
