// The places that the instructions of a machine block read, set and destroy, and the bytes of
// memory that instructions touch. These decide in which orders instructions may be executed
// (order.h), for the scheduler and for its checker alike.
//
// Places. An instruction reads and sets its operands (mach_read_at, mach_set_at; EXCHANGE reads and
// sets both of its operands). In the allocated state an instruction also destroys machine
// registers, after reading and before setting (constraints.h). A place is a whole register or
// spill: setting a part of a place sets the whole place. The stack pointer is a place that no
// operand names: an instruction that moves the stack sets it, and every instruction for the stack
// arguments of the next call reads it, even if only for their address.
//
// Memory. Addresses of machine code are plain sums (program.h, `reading`): an address that starts
// from a slot or symbol may lead anywhere by its index, as selection makes such addresses of sums
// that RTL has in registers. The facts about addresses (places.h):
//
//   * With a constant displacement that stays inside, the bytes belong to that slot, own symbol, or
//     area of stack arguments. Distinct ones do not overlap.
//   * A slot is private if no instruction has its address as a value (addr.slot, lea). Only
//     accesses of this function whose addresses name the slot touch it, and no added index can lead
//     away, since no distance to the slot is known.
//   * A register that was set in the block to such an address, without index, is as good as that
//     address.
//   * Two addresses may have the same symbol or slot, or a base register that was set by the same
//     instruction or not at all in the block, and likewise an index register, with the same scale.
//     Then the addresses are as far apart as their displacements.
//   * A read-only symbol is not written; a write is a wrong step. All other memory is shared:
//     calls, and accesses without a known object, may touch it; callees also touch their stack
//     arguments.
//
// An access that surely lies in such an object does not go wrong, unless it stores to a read-only
// object: such an access need not wait.
#pragma once

#include "base/hash.h"
#include "fact/order.h"
#include "target/model.h"

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
