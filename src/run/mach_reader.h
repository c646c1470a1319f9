// Private to mach_reading*.c: the RTL function that is being made, and how instructions are added
// to it.
#pragma once

#include "target/model.h"

// A successor that is not known yet: edge `which` of a node goes to a block.
typedef struct {
    Node from;
    uint32_t which, block;
} PendingEdge;

typedef struct {
    Arena *arena;
    const Func *func; // of the machine form
    bool allocated;
    Func *to;
    uint32_t loc;   // of what is being read
    uint32_t instr; // its number; NO_ID before the first one
    VEC(uint32_t) instr_of;
    VEC(PendingEdge) edges;
    uint32_t *start; // of each block: its first node
    // Allocated: the registers for machine registers (NO_REG if they do not occur) and for spills.
    Reg machine[MACHINE_REG_LIMIT];
    Reg *spill;
    MachineRegSet used;
    // Allocated: a register whose upper 32 bits are undefined and whose lower are zero.
    Reg upper;
    Reg undefined;               // never set
    uint32_t incoming, outgoing; // slots; NO_ID if there is none
    Reg *params;
    MachConstraints constraints; // of the instruction at hand
} Reader;

// ---- Nodes. Each goes on with the next node.

Node reader_add(Reader *r, Instr instr, const Reg *args, uint32_t count);
Reg reader_temp(Reader *r, Type type);
// The result of an operator, in a new register.
Reg reader_unary(Reader *r, Op op, Reg a);
Reg reader_binary(Reader *r, Op op, Reg a, Reg b);
Reg reader_immediate(Reader *r, Op op, Reg a, int64_t value);
Reg reader_constant(Reader *r, Type type, int64_t bits);
Reg reader_address_of(Reader *r, Op op, uint32_t ref, int64_t displacement);
// Loads the contents of a register or slot at an offset; and the store.
Reg reader_load(Reader *r, Chunk chunk, Reg base, int64_t offset);
void reader_store(Reader *r, Chunk chunk, Reg base, int64_t offset, Reg value);

// ---- Places

// The value of a place, as one of a type; and the assignment.
Reg reader_get(Reader *r, Place place, Type type);
void reader_put(Reader *r, Place place, Type type, Reg value);
// Places that the instruction destroys become undefined, before its results are put.
void reader_kill(Reader *r);

// The address of an instruction, in the fields of one of RTL; its registers, two at most, go to
// args. Yields their number.
uint32_t reader_set_address(Reader *r, const MachInstr *instr, Instr *to, Reg *args);

// ---- Calls, parts and builtins (mach_reading_call.c)

void reader_begin(Reader *r);
void reader_params(Reader *r, const MachInstr *instr);
void reader_call(Reader *r, const MachInstr *instr);
void reader_return(Reader *r, const MachInstr *instr);
// So many bytes at an address, as an i64; and the store.
Reg reader_load_part(Reader *r, Reg base, int64_t offset, uint32_t size);
void reader_store_part(Reader *r, Reg base, int64_t offset, uint32_t size, Reg bits);
