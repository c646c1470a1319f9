// What the instructions of a machine block read, set and destroy, and which bytes of memory they
// touch: all that says in which orders they may be executed (order.h), for the scheduler and for
// its checker alike.
//
// Places. An instruction reads and sets its operands (mach_read_at, mach_set_at; EXCHANGE reads and
// sets both of its). In the allocated state it also destroys machine registers, after it has read
// and before it sets (constraints.h). A place is a whole register or spill: what an instruction
// leaves in a part that it does not care for belongs to what it sets. The stack pointer is a place
// that no operand names: what moves the stack sets it, and whoever is concerned with the stack
// arguments of the next call reads it, be it only for their address.
//
// Memory. Addresses of machine code are plain sums (program.h, `reading`): one that starts from a
// slot or symbol may lead anywhere by its index, as selection makes them of sums that RTL has in
// registers. What is known (places.h):
//
//   * With a constant displacement that stays inside, the bytes are those of that slot, own symbol,
//     or area of stack arguments. Distinct ones do not overlap.
//   * A slot is private if no instruction has its address as a value (addr.slot, lea): only
//     accesses of this function whose addresses are written with it touch it, and what is added to
//     it cannot lead away, since no distance to it is known.
//   * A register that was set in the block to such an address, without index, is as good as that
//     address.
//   * Two addresses with the same symbol or slot, or a base register that was set by the same
//     instruction or not at all in the block, and so an index register, with the same scale, are as
//     far apart as their displacements.
//   * A read-only symbol is not written; to do so is a wrong step. All other memory is shared:
//     calls, and accesses of which no object is known, may touch it; so do callees with the stack
//     arguments that they are given.
//
// An access that surely lies in such an object does not go wrong, unless it stores to a read-only
// one: it need not wait.
#pragma once

#include "base/hash.h"
#include "fact/order.h"
#include "target/x64/model/constraints.h"

// Addresses whose distance is known, in one object.
typedef struct {
    uint32_t object, base, scale;
    uint32_t start, start_set; // slot, symbol, or a place and the instruction that has set it
    uint32_t index, index_set; // a place and the instruction that has set it
} AccessGroup;

// What is known of a function, and of the block at hand.
typedef struct {
    Arena *arena;
    const Func *func;
    uint32_t place_count;        // places are numbered from 0
    uint32_t stack;              // the stack pointer's number
    bool *exposed;               // slot -> whether its address is a value somewhere
    uint32_t incoming, outgoing; // bytes in the areas of stack arguments
    uint32_t *set_in, *set_by; // place -> in which round it was set last, and by which instruction
    uint32_t round;            // there is one for each block that is looked at
    MachConstraints constraints;
    OrderOps *ops; // of the block at hand
    Map objects;   // those that it names -> number
    Table groups;
    VEC(AccessGroup) group_list;
} MachAccesses;

// Takes time in the size of the function.
MachAccesses mach_accesses_new(Arena *arena, const Func *func);
// The number of a place that an operand names.
uint32_t mach_place_number(Place place);
// The instructions of a block in their order: operation i is instruction i of the block. What `ops`
// held is replaced, its memory used again.
void mach_accesses_of(MachAccesses *accesses, uint32_t block, OrderOps *ops);
