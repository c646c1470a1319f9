// The order inside of a block: the operations that each operation of a block needs before it, for
// every form and for every use.
//
// In the state machine of Glesner (docs/papers.md) an operation of a block fires as soon as the
// operations that it needs have fired; any such order of firing is a run of the block, and all runs
// agree. An operation needs
//   * the operations of the block that set its operands: the operands say so, not this file;
//   * its memory: memory is a value, each change yields a new value, and an operation that reads
//     memory names a value. So a read needs the last change before it, and so does a change;
//   * the outside world: operations that may stop the program or are seen from outside stay in
//     their order. An operation that may be a wrong step waits for all these operations, because a
//     wrong step must not come where there was none before.
// An operation that may be a wrong step may come later than before, even behind operations that are
// seen from outside: from a wrong step on, anything is allowed.
//
// A machine has one memory, and no names for its earlier contents. On a machine a change also
// *spoils* the earlier reads: the reads come before the change. (The paper asks only for an order
// that contains the needs; a machine needs more.) The same holds for registers that are set more
// than once; again, operands say so, not this file.
//
// These rules do not ask whether two accesses touch the same bytes. Code that knows that two
// accesses are apart may leave out the needs that follow from memory alone: order_without_memory,
// and accesses_meet below.
//
// A run of the old order that stops inside of the block (a trap, a call that does not return) has
// not executed the operations behind. A new order may have executed some of these operations
// already: not chained or waiting operations, but total operators, and accesses that surely lie in
// a living object. Stores of this kind have changed only memory that nobody looks at any more: a
// call reads all memory that others know of, so stores to such memory do not pass the call. A frame
// that is left for good disappears, with its private slots. A frame with a call that returns twice
// is not left for good when another call jumps back to that call. Code that tells accesses apart in
// such a frame keeps the order of everything (check_schedule does).
//
// Floating-point operators read neither memory nor the machine: the rounding mode, and the flags
// that operators raise, are no part of a program's behaviour here. So floating-point operators pass
// calls of fesetround and the like, as in gvn and in the Sea of Nodes. Programs that
// change the mode need volatile variables to keep operators in their place.
#pragma once

#include "fact/effects.h"

typedef enum {
    ORDER_READS = 1,   // memory
    ORDER_CHANGES = 2, // memory
    ORDER_WAITS = 4,   // it may be a wrong step
    ORDER_CHAINED = 8, // may stop, is seen from outside, or uses something that has no name in the
                       // form
    ORDER_BARRIER =
        16, // everything stays on its side: it may return twice, or is always the first or the last
    ORDER_SETS = 32, // sets of these
} OrderTrait;

typedef uint8_t Order; // a set

// Of an instruction of a graph; of a machine instruction of either state.
Order order_of_instr(const Func *func, const Instr *instr);
Order order_of_mach(const Func *func, const MachInstr *instr);

// Whether an operation needs an earlier operation of its block, whatever the operands.
static inline bool order_needs(Order later, Order earlier) {
    if ((later | earlier) & ORDER_BARRIER) return true;
    if (later & (ORDER_READS | ORDER_CHANGES) && earlier & ORDER_CHANGES) return true;
    return later & (ORDER_CHAINED | ORDER_WAITS) && earlier & ORDER_CHAINED;
}
// Whether an operation would spoil an earlier one on a machine with one memory.
static inline bool order_spoils(Order later, Order earlier) {
    return later & ORDER_CHANGES && earlier & ORDER_READS;
}
// The remaining traits of two accesses that have no byte in common.
static inline Order order_without_memory(Order order) {
    return order & (Order) ~(ORDER_READS | ORDER_CHANGES);
}

// ---- Bytes

// Some bytes that an operation of a block touches.
typedef struct {
    Order touch;     // READS, CHANGES
    uint32_t object; // in which they lie: a number in the block, or OBJECT_ANY
    bool shared;     // accesses of OBJECT_ANY may touch the object
    uint32_t
        group; // addresses of one group, which lie in one object, are as far apart as their `at`
    int32_t at;
    uint32_t size; // up to ACCESS_BYTES, unless no other access is of the group
} OrderAccess;

enum {
    OBJECT_ANY = 0, // any object that is shared
    ACCESS_BYTES = 64
};

// Whether two accesses may have a byte in common.
static inline bool accesses_meet(const OrderAccess *a, const OrderAccess *b) {
    if (a->object != b->object)
        return (a->object == OBJECT_ANY && b->shared) || (b->object == OBJECT_ANY && a->shared);
    if (a->group != b->group) return true;
    int64_t apart = (int64_t)b->at - a->at;
    return apart < (int64_t)a->size && -apart < (int64_t)b->size;
}

// ---- The operations of a block

// An operation with its needs and effects. An operation reads places, then destroys some places,
// whose contents are then unknown, then sets some. A place is whatever holds a value: a register, a
// spill, the stack pointer.
typedef struct {
    Order order;                         // without what follows from its accesses
    uint32_t places;                     // OrderOps.places[places ..]: the places that it reads,
    uint32_t reads, losses, sets;        // so many, then the destroyed places, then the set places
    uint32_t first_access, access_count; // OrderOps.accesses
} OrderOp;

typedef struct {
    VEC(OrderOp) ops; // in the order of the block as it is
    VEC(uint32_t) places;
    VEC(OrderAccess) accesses;
    uint32_t object_count; // with OBJECT_ANY
    uint32_t group_count;
} OrderOps;

// Whether an operation needs an earlier operation, or would spoil it, by traits or by memory.
// Operands are not looked at.
bool ops_keep_order(const OrderOps *ops, uint32_t earlier, uint32_t later);
