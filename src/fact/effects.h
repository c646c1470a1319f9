// Says what an instruction may do besides setting its destination, for every form. From its effects
// follow whether an instruction may be dropped, executed elsewhere or more often, and moved past
// another instruction.
//
// Each kind of instruction has a set of effects in its row of kinds.def, each builtin in its row of
// builtins.def; an operator may go wrong if its row of ops.def says when it goes right. The
// interpreters (rtl_run.c, rtl_builtin.c, rtl_atomic.c) do nothing that is not in the set. The
// interpreters run one thread; on behalf of other threads, shared memory may change wherever
// accesses are ordered: at an atomic access or a fence.
//
// A *wrong step* lets anything happen from there on. So a transformation may leave a wrong step
// out, but may never introduce one. Reading an undefined register is not a wrong step by itself.
// Using its value is a wrong step
//   * as the condition of a branch, of a switch or of a check,
//   * as an address, as the size of an alloca, as the token of a stack_restore,
//   * as an operand of an operator that may go wrong,
//   * where others see it: in a volatile access, as an argument of an external function, as an
//     operand of atomic_compare.
// An endless run may be wrong as well, without a wrong step: docs/rtl.md, "Endless runs".
#pragma once

#include "form/program.h"

typedef struct MachInstr MachInstr; // mach.h

typedef enum {
    // The bytes at its address. A builtin without an address accesses the bytes at its first
    // arguments: it writes at the first and reads at the second. No such address gets out of sight.
    MAY_READ = 1,
    MAY_WRITE = 2,
    // All memory that others know of: everything but private slots (places.h).
    MAY_READ_SHARED = 4,
    MAY_WRITE_SHARED = 8,
    MAY_GO_WRONG = 16,    // it may be a wrong step
    MAY_STOP = 32,        // the instruction may not go on: it traps, returns, ends the program or
                          // jumps out of it
    MAY_BE_EVENT = 64,    // may add to the trace, which is seen from outside
    MAY_MOVE_STACK = 128, // the lives of objects that alloca gives begin or end
    USES_FRAME = 256,     // the memory of alloca, or variable arguments, of the executing function
    USES_MACHINE = 512,   // reads or writes what no form has a name for: a reserved register
    MAY_SPIN = 1024       // a run that executes it for ever is not wrong for that
} Effect;

typedef uint32_t Effects; // a set

// The effects that the end of the function, or other code, may have.
enum { MAY_BE_ANYTHING = MAY_READ_SHARED | MAY_WRITE_SHARED | MAY_GO_WRONG | MAY_STOP };

extern const uint16_t instr_kind_effects[INSTR_KIND_COUNT]; // kinds.def
extern const uint16_t builtin_effects[BI_COUNT];

// That a call may return twice is not among them: calls.h.
static inline Effects instr_effects(const Instr *instr) {
    if (instr->kind >= INSTR_KIND_COUNT) return MAY_BE_ANYTHING | MAY_BE_EVENT | USES_MACHINE;
    if (instr->kind == I_BUILTIN)
        return builtin_effects[instr->op] | (instr_is_volatile(instr) ? MAY_BE_EVENT : 0);
    if (instr->kind == I_OP) return op_is_partial(instr->op) ? MAY_GO_WRONG : 0;
    return instr_kind_effects[instr->kind];
}

// ---- What follows

// Whether an instruction does anything but set its destination, read memory, choose the way or go
// wrong. An instruction without effect is dropped if nothing reads its destination; an instruction
// that only reads memory moves past everything that has no effect.
static inline bool instr_has_effect(const Instr *instr) {
    return instr_effects(instr) & ~(Effects)(MAY_READ | MAY_GO_WRONG);
}
// Whether leaving an instruction out changes only its destination.
static inline bool instr_is_removable(const Instr *instr) {
    return instr->dest.i != NO_ID && !instr_has_effect(instr);
}
// Whether an instruction sets its destination to a function of its arguments and does nothing else,
// not even go wrong: then it may be executed wherever the arguments are the same, as often as one
// likes.
static inline bool instr_is_total(const Instr *instr) {
    return instr->dest.i != NO_ID && !instr_effects(instr);
}
// Whether control goes on from an instruction one way only, unless that is a wrong step, without an
// event and without the end of an object's life.
static inline bool instr_is_quiet(const Instr *instr) {
    return instr->succ_count == 1 &&
           !(instr_effects(instr) & ~(Effects)(MAY_READ | MAY_WRITE | MAY_GO_WRONG));
}
// Whether machine code has nothing for an instruction: no run of machine code is wrong for being
// endless, so that spin is a nop there.
static inline bool instr_is_idle(const Instr *instr) {
    return instr->kind == I_NOP || instr_effects(instr) == MAY_SPIN;
}
// Whether an instruction chooses between its successors.
static inline bool instr_is_branch(const Instr *instr) {
    return instr->kind == I_COND || instr->kind == I_SWITCH;
}
// Whether control never goes on from an instruction: it returns, traps, or is a wrong step.
static inline bool instr_ends(const Instr *instr) {
    return instr->kind == I_RETURN || (instr->kind == I_BUILTIN && builtin_info(instr->op)->end);
}
// How many of the first arguments are addresses at which an instruction only accesses memory.
uint32_t instr_accessed_args(const Instr *instr);
// Whether an access surely lies in an object that is alive: one that is named in the address, of
// known size.
bool access_is_inside(const Func *func, const Instr *instr);

// ---- Machine code

// The same of a machine instruction of either state. Machine registers that it destroys besides are
// a constraint.
Effects mach_effects(const MachInstr *instr);
// Whether leaving an instruction of the unbounded state out changes only its results.
bool mach_is_removable(const MachInstr *instr);
// Whether an instruction yields the same wherever it is executed: a constant, or an address without
// registers, except the address of stack arguments, which alloca moves.
bool mach_is_constant(const MachInstr *instr);
// Whether an instruction moves the stack pointer.
bool mach_moves_stack(const MachInstr *instr);
