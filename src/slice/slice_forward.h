// Slices forward: the nodes that a value influences, by data and control.
//
// The relation is the demand's relation, the other way round: a node is influenced if it reads a
// variable that an influenced node has set, or if an influenced branch decides whether the node is
// reached. The found nodes are no program: they also read variables that other nodes set. All
// tracks are made, so the cost equals that of building SSA form of the whole function.
#pragma once

#include "slice/slice.h"

typedef struct SliceForward SliceForward;

// `way` as in SliceOptions; may be NULL.
SliceForward *slice_forward_new(Arena *arena, const SliceVariables *variables, const uint32_t *way);

// The node is influenced, and with it the variables that it sets; nothing is if control never comes
// there.
void slice_forward_node(SliceForward *forward, Node node);
// The value of a variable in front of the node has influence.
void slice_forward_variable(SliceForward *forward, Node node, uint32_t variable);

// Follows all influences; yields the influenced nodes.
const Bits *slice_forward_close(SliceForward *forward);
