// The checker of orders: decides whether the operations of a block may be executed in another
// order.
//
// The block is given as operations, each with the places that it reads, destroys and sets, the
// bytes that it touches, and its traits (order.h), in the order in which the block is known to be
// right. In the state machine of Glesner (docs/papers.md), an order is a run of the block if every
// operation comes behind the operations that it needs. On a machine, with one memory and with
// places that are set more than once, an operation moreover must not come behind an operation that
// spoils it. An order is accepted if
//
//   1. each operation reads, in each place, the value that the same operation as before has set
//      there, or the value at the start;
//   2. at the end each place holds the value that the same operation as before has set there;
//   3. no two operations are exchanged if the later one needs the earlier one, or would spoil it,
//      by their traits;
//   4. no two operations are exchanged if both touch a byte and at least one changes the byte.
//
// Then both orders do the same. Suppose that the old order executes the block without a wrong step,
// to its end. By induction on the new order, each operation finds the same contents in its places
// as in the old order (1), and in its bytes, too: the same operations have changed the bytes
// before, in the same order (4). So the operation does the same step, not a wrong one; chained
// operations happen in their order (3); and places (2) and memory (4) are the same at the end.
// Suppose that the old order stops inside of the block, at an operation that is chained. In the new
// order, all chained operations that came before the stop still do (3), so the same is seen from
// outside. Some operations may come before the stop in the new order only. No such operation is
// chained or waits (3), so nothing of it is seen from outside, and no such operation is a wrong
// step: its operands were set by operations of this kind, or by operations that the old order
// executed, too. Suppose, at last, that the old order takes a wrong step. Then anything may happen,
// but not before the wrong step: all chained operations that came before the wrong step come before
// it in the new order, too, as an operation that may be a wrong step waits (3).
//
// A place that an operation has destroyed is undefined, and an undefined value may become anything:
// 1 and 2 ask nothing then.
//
// The checker decides 1 and 2 by walking both orders and noting which operation has set which
// place. The checker decides 3 and 4 by walking the new order and keeping, for each set of traits,
// each object, each group and each byte, the latest operation of the old order that was met. Each
// operation's operands, traits and bytes are looked at once: the time is linear for every order.
#pragma once

#include "base/hash.h"
#include "fact/order.h"

typedef struct {
    Arena *arena;
    uint32_t *setter; // place -> the operation that has set it in the present walk
    uint32_t
        *given; // for each of OrderOps.places: the operation that has set it when it is read, or at
                // the end, in the old order
    uint32_t capacity; // of given
} OrderCheck;

// For blocks whose places are below a number.
OrderCheck block_order_new(Arena *arena, uint32_t place_count);

typedef struct {
    const char *reason; // NULL if the order is accepted
    uint32_t at;        // where in the new order it was found
} OrderVerdict;

// `order` names each operation once: the one that comes first, and so on.
OrderVerdict block_order_check(OrderCheck *check, const OrderOps *ops, const uint32_t *order);
