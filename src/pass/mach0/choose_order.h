// An order for the operations of a block of SSA, one of those that are right on a machine with one
// memory.
#pragma once

#include "form/program.h"

// Puts the nodes of a block, which stand in the order of the program and of which the last may be a
// branch or an end, into an order in which what each needs comes before it and what it would spoil
// does, too (fact/order.h). Which one, the seed decides: 0 leaves the order of the program. A
// branch, an end or a nop at the end stays there. Linear in the number of nodes and operands.
void choose_order(Arena *scratch, const Func *func, Node *nodes, uint32_t count, uint64_t seed);
// The next random number of a sequence that the state stands for; below a bound that is not zero.
uint32_t choose_order_random(uint64_t *state, uint32_t bound);
