// The one checker of orders: whether the operations of a block may be executed in another order
// than theirs.
//
// The block is given as operations with what they read, destroy and set, the bytes that they touch,
// and traits (order.h), in the order in which the block is known to be right. In the state machine
// of Glesner (docs/papers.md), an order is a run of the block if every operation comes behind those
// that it needs. On a machine, with one memory and with places that are set more than once, an
// operation moreover must not come behind what spoils it. An order is accepted if
//
//   1. each operation reads, in each place, what the same operation as before has set there, or
//      what was there at the start;
//   2. at the end each place holds what the same operation has set there;
//   3. no two operations are exchanged of which the later one needs the earlier one, or would spoil
//      it, by their traits;
//   4. no two are exchanged that touch a byte in common, if one of them changes it.
//
// Then both orders do the same. Suppose that the old order executes the block without a wrong step,
// to its end. By induction on the new order, each operation finds in its places what it found (1),
// and in its bytes what it found: those that changed them before it are the same, in the same order
// (4). So it does the same step, which is not a wrong one; what is chained happens in its order
// (3); and places (2) and memory (4) are the same at the end. Suppose that the old order stops
// inside of the block, at an operation that is chained. In the new order, all that is chained and
// came before that one still does (3), so the same is seen; none of what comes before it there
// without having been executed in the old order is chained or waits (3), so nothing is seen of it
// and it is no wrong step: all that it reads was set by such operations, or executed in the old
// order, too. Suppose, at last, that the old order takes a wrong step. Then anything may happen,
// but not before that: all that is chained and came before the wrong step comes before it in the
// new order, too, as what may be a wrong step waits (3).
//
// A place that an operation has destroyed is undefined, and what is undefined may become anything:
// 1 and 2 ask nothing then.
//
// 1 and 2 are found by walking both orders and noting who has set what. 3 and 4 are found by
// walking the new order and keeping, for each set of traits, each object, each group and each byte,
// the latest of the old order that was met. Nothing but operands, traits and bytes is looked at
// once for each operation: the time is linear, whatever the order.
#pragma once

#include "base/hash.h"
#include "fact/order.h"

typedef struct {
    Arena *arena;
    uint32_t *setter; // place -> who has set it in the walk at hand
    uint32_t *
        given; // for each of OrderOps.places: who has set it when it is read, or at the end, in the old order
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
