// Which operations of a block need which others before them: the order inside of a block, for every form and for every use.
//
// In the state machine of Glesner (docs/papers.md) an operation of a block fires as soon as what it needs has fired; any order
// of firing that fits is a run of the block, and all runs agree. What an operation needs are
//   * the operations of the block that set what it reads: operands say so, not this file;
//   * the memory that it reads or changes: memory is a value, each change yields a new one, and an operation that reads memory
//     names the one it reads. So a read needs the last change before it, and so does a change;
//   * the outside world: what may stop the program or is seen from outside stays in its order; and what may be a wrong step
//     waits for all of that, because a wrong step must not come where there was none before.
// What may be a wrong step may come later than it did, even behind what is seen from outside: from a wrong step on anything goes.
//
// A machine has one memory, and no names for what it held before. There a change also *spoils* the earlier reads: they come
// before it. (The paper asks only for an order that contains the needs, which is too little for a machine.) The same holds of registers that
// are set more than once: of operands, again, not of this file.
//
// Whether two accesses touch the same bytes is not asked here. Who knows that they do not may leave out what follows from
// memory alone: order_without_memory.
#pragma once

#include "fact/effects.h"

typedef enum {
    ORDER_READS = 1,    // memory
    ORDER_CHANGES = 2,  // memory
    ORDER_WAITS = 4,    // it may be a wrong step
    ORDER_CHAINED = 8,  // it may stop, is seen from outside, or uses what has no name in the form
    ORDER_BARRIER = 16, // it may return twice: everything stays on its side
} OrderTrait;

typedef uint8_t Order; // a set

// Of an instruction of a graph; of a machine instruction of either state.
Order order_of_instr(const Func *func, const Instr *instr);
Order order_of_mach(const Func *func, const MachInstr *instr);

// Whether an operation needs an earlier one of its block, whatever their operands are.
static inline bool order_needs(Order later, Order earlier) {
    if ((later | earlier) & ORDER_BARRIER) return true;
    if (later & (ORDER_READS | ORDER_CHANGES) && earlier & ORDER_CHANGES) return true;
    return later & (ORDER_CHAINED | ORDER_WAITS) && earlier & ORDER_CHAINED;
}
// Whether it would spoil an earlier one on a machine with one memory.
static inline bool order_spoils(Order later, Order earlier) {
    return later & ORDER_CHANGES && earlier & ORDER_READS;
}
// What is left of the traits of two accesses that have no byte in common.
static inline Order order_without_memory(Order order) {
    return order & (Order) ~(ORDER_READS | ORDER_CHANGES);
}
