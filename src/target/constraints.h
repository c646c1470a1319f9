// The constraints of a machine on the places of an instruction.
//
// Each operand has a class and perhaps a fixed register; some may be spills, which the instruction
// then reads or writes as memory. The allocator obeys, its checker and the verifier ask.
#pragma once

#include "form/mach.h"
#include "target/convention.h"

// Classes of registers: those of the target, from 0, and values that are never in a register. The
// first class holds integers and addresses. The machine with the most classes in targets.def
// decides how large tables of classes are.
enum { CLASS_GENERAL, CLASS_MEMORY = sizeof(union MachineClassCounts), CLASS_LIMIT };
typedef uint8_t MachClass;
_Static_assert(CLASS_LIMIT <= (MachClass)~0, "a wider MachClass is needed");

// ---- What an instruction asks of its places

typedef enum { MO_USE, MO_DEF } MachRole;

typedef struct {
    Place *place; // of the instruction (or its list), so that it can be replaced
    uint8_t role; // MachRole
    MachClass reg_class;
    uint8_t type;    // Type of the value
    StoredReg fixed; // MACHINE_REG_LIMIT if any of the class
    bool spill_ok; // may be a spill (see one_memory below); with CLASS_MEMORY it is one of 16 bytes
    bool address;  // base or index of the address
    bool over;     // a use that is read before anything is written: the result may be there
    bool early;    // a result that is written before all operands are read: differs from every use,
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
                     // Operands of CLASS_MEMORY do not count
    const Convention *convention; // of a call, of PARAMS and RETURN; else what was there before
} MachConstraints;

// Whether an instruction of the allocated state, whose constraints these are, obeys; the reason if
// not. Every place is in range.
bool mach_obeys(const Func *func, const MachInstr *instr, const MachConstraints *constraints,
                const char **reason);
