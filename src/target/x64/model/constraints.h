// The constraints of x86-64 on the places of an instruction.
//
// Each operand has a class and perhaps a fixed register; some may be spills, which the instruction
// then reads or writes as memory. The allocator obeys, its checker and the verifier ask. Derived
// from sequences.def, which gives each operator its shape, and from the calling convention
// (sysv.h).
#pragma once

#include "form/mach.h"
#include "target/x64/model/sysv.h"

typedef enum {
    MC_GENERAL, // a general register
    MC_VECTOR,  // an xmm register
    MC_STACK    // a spill always: f80
} MachClass;

MachClass mach_class_of(Type type);
// Which registers of a class may be allocated: not rsp, nor those that are reserved or by which the
// frame is found.
// Takes time in the size of the function.
MachineRegSet mach_class_set(const Func *func, MachClass reg_class);

extern const MachineRegSet caller_saved_regs, callee_saved_regs;

// ---- What an instruction can be, whatever its places: asked by the selector and the verifier

// Whether a source may be what is at the address, of that chunk (the other operands being set).
bool mach_takes_memory(const MachInstr *instr, unsigned source, Chunk chunk);
// Whether a source may be an immediate of that value (the other operands being set).
bool mach_takes_immediate(const MachInstr *instr, unsigned source, int64_t value);

// ---- What an instruction asks of its places

typedef enum { MO_USE, MO_DEF } MachRole;

typedef struct {
    Place *place;      // of the instruction (or its list), so that it can be replaced
    uint8_t role;      // MachRole
    uint8_t reg_class; // MachClass
    uint8_t type;      // Type of the value
    uint8_t fixed;     // MachineReg, or MACHINE_REG_COUNT if any of the class
    bool spill_ok;     // may be a spill (see one_memory below); with MC_STACK it is one of 16 bytes
    bool address;      // base or index of the address
    bool over;         // a use that is read before anything is written: the result may be there
    bool early; // a result that is written before all operands are read: differs from every use,
                // but for a tied one
} MachOperand;

typedef struct {
    VEC(MachOperand) operands; // results first; then sources, base and index, arguments
    MachineRegSet clobbers; // destroyed before the operands are read: no operand is there, and no
                            // result unless it is fixed there
    MachineRegSet
        killed;        // destroyed after the operands are read, before results are written (calls)
    uint8_t tied;      // operand (index above) that the result had best share its place with;
                       // NO_SOURCE if none. If it does not, it is copied there first, so the result
                       // must then differ from all other uses that are not over
    uint8_t swappable; // operand that may take the tied one's part instead; NO_SOURCE if none
    bool one_memory; // at most one operand in all, an address included, may be in memory, the tied
                     // one aside if the result is a register. A result with a tied operand may be
                     // a spill only if it is that one's own and no other operand is in memory.
                     // Operands of MC_STACK do not count
    const Convention *convention; // of a call, of PARAMS and RETURN; else what was there before
} MachConstraints;

// The constraints of an instruction. With a mutable function the places can be changed through it.
// The constraints are zero at first; what is there from another instruction is replaced, its memory
// used again, so that one variable does for a function.
void mach_constraints(Arena *arena, const Func *func, const MachInstr *instr,
                      MachConstraints *constraints);

// Whether an instruction of the allocated state, whose constraints these are, obeys; the reason if
// not. Every place is in range.
bool mach_obeys(const Func *func, const MachInstr *instr, const MachConstraints *constraints,
                const char **reason);
