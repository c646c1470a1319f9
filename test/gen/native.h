// Running single instructions of the allocated machine form on the machine itself: each is put into
// a function that loads every register and spill from a state, executes it and stores them all
// again. The functions are written as assembly, assembled into a shared object and called.
#pragma once

#include "target/x64/model/constraints.h"

enum {
    NATIVE_SMALL_SPILLS = 3, // 0 .. 2 have 8 bytes
    NATIVE_SPILLS = 6,       // the others 16
    NATIVE_MEMORY = 1024
};

typedef struct {
    uint64_t general[16], vector[16]; // rsp and the keeper are left out
    uint8_t spill[NATIVE_SPILLS][16];
} NativeState;

typedef struct {
    NativeState in, out;
    uint64_t outcome; // of a branch: 1 if it went to successor 0
    _Alignas(16) uint8_t memory[NATIVE_MEMORY];
} NativeBlock;

typedef struct {
    MachInstr before; // executed first; MK_PARAMS: nothing
    MachInstr instr;
    MachineReg keeper;       // holds the address of the block
    MachineRegSet destroyed; // registers that may change, the result's among them
    bool reversed;           // the block for "no" lies first
} NativeCase;

typedef struct {
    Arena *arena;
    Program *program;
    Diag diag;
    VEC(NativeCase) cases;
    void *object;
} Native;

void native_init(Native *native);
// Adds an instruction of the allocated state (with places filled in) if it obeys the constraints
// and leaves a register for the keeper; false if not.
bool native_add(Native *native, MachInstr instr, bool reversed);
// The same for two instructions in a row.
bool native_add_after(Native *native, MachInstr before, MachInstr instr, bool reversed);
// Writes, assembles and loads the functions of all cases.
void native_load(Native *native);
void native_run(const Native *native, uint32_t index, NativeBlock *block);
void native_free(Native *native);
