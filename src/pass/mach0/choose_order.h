// An order for the operations of a block of SSA, one of those that are right on a machine with one
// memory.
#pragma once

#include "form/program.h"

// Puts the nodes of a block, which stand in the order of the program and whose last may be a branch
// or an end, into an order in which the needs of each node come before the node, and so do the
// nodes that it would spoil (fact/order.h). Which one, the seed decides: 0 leaves the order of the
// program. A branch, an end or a nop at the end stays there. Linear in the number of nodes and
// operands.
void choose_order(Arena *scratch, const Func *func, Node *nodes, uint32_t count, uint64_t seed);
// The next random number of a sequence that the state stands for; below a bound that is not zero.
uint32_t choose_order_random(uint64_t *state, uint32_t bound);
