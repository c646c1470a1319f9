// What x86-64 asks of the places of an instruction.
//
// Each operand has a class and perhaps a fixed register; some may be spills, which the instruction
// then reads or writes as memory. The allocator obeys, its checker and the verifier ask. Derived from
// x64.def, which gives each operator its shape, and from the calling convention (sysv.h).
#pragma once

#include "ir/mach.h"
#include "ir/sysv.h"

typedef enum {
    MC_GENERAL, // a general register
    MC_VECTOR,  // an xmm register
    MC_STACK    // a spill always: f80
} MachClass;

MachClass mach_class_of(Type type);
// Which registers of a class may be allocated (rsp never is; rbp only if the frame does not need it).
MachineSet mach_class_set(const Func *func, MachClass class);

typedef enum { MO_USE, MO_DEF } MachRole;

typedef struct {
    Place *place; // of the instruction (or its list), so that it can be replaced
    MachRole role;
    uint8_t class; // MachClass
    uint8_t fixed; // MachineReg, or MACHINE_COUNT if any of the class
    bool spill_ok; // may be a spill (see one_memory below)
    bool address;  // base or index of the address
    bool early;    // a result that is written before all operands are read: differs from every use,
                   // but for a tied one
} MachOperand;

typedef struct {
    VEC(MachOperand) operands; // results first
    MachineSet
        clobbers; // destroyed before the operands are read; neither operand nor result is there
    MachineSet killed; // destroyed after the operands are read, before results are written (calls)
    uint8_t tied;      // operand (index above) that the result had best share its place with;
                       // NO_SOURCE if none. If it does not, it is copied there first, so the result
                       // must then differ from all other uses
    uint8_t swappable; // operand that may take the tied one's part instead; NO_SOURCE if none
    bool one_memory; // at most one operand in all, an address included, may be in memory, the tied
                     // one aside if the result is a register. A result may be a spill only if it
                     // is the tied operand's own and no other operand is in memory
} MachConstraints;

// The constraints of an instruction. With a mutable function the places can be changed through it.
void mach_constraints(Arena *arena, const Func *func, const MachInstr *instr,
                      MachConstraints *constraints);

// Whether an instruction of the allocated state obeys; the reason if not.
bool mach_obeys(Arena *arena, const Func *func, const MachInstr *instr, const char **reason);

extern const MachineSet machine_caller_saved, machine_callee_saved;
