// What a call may do besides returning once: the one place that says so, for every form.
//
// A call *returns twice* if, after it has returned, control may come to what follows it again while
// the function that made it is still active, with another result: by longjmp to what setjmp has
// filled in, in the parent after vfork. Only a call that is marked can: a direct one by the symbol
// that it names, any one by its signature. To return a second time to a call that is not marked is
// a wrong step (rtl_jump.c), so that transformations need to think of the marked ones only.
//
// What is as it was and what is not, at a second return:
//
//   * Memory, private slots included, is as it is then: everything that was stored since is there.
//   * Registers of RTL, of SSA and of the unbounded machine form are what they were at the call. So
//     whatever was known of registers holds behind the call each time it returns.
//   * Of the allocated machine form, spills are memory. Machine registers that belong to the caller
//     are what they were at the call; the others are destroyed, as by any call. __builtin_setjmp
//     brings back those of the frame only: a call of it destroys all others.
#pragma once

#include "form/program.h"

typedef struct MachInstr MachInstr; // mach.h

// Whether functions of that name, if they are not static ones of the program's own, are known to
// return twice: then they have to be marked so (the verifier's rule `flags`).
bool name_returns_twice(const char *name);

// Whether calls by that name are no calls, but code that the emitter writes in their place.
bool name_is_code(const char *name);
// Whether a symbol is the function that gatecc knows by that name. What the program defines itself
// is an ordinary function, whatever it is called.
bool symbol_is_known_as(const Program *program, Sym symbol, const char *name);

// Whether calls of a function by its name may return twice.
static inline bool symbol_returns_twice(const Symbol *symbol) {
    return symbol->flags & SYMF_RETURNS_TWICE;
}
// Whether calls with a signature may.
static inline bool sig_returns_twice(const SigInfo *sig) {
    return sig->returns_twice;
}
// Whether an instruction is a call that may return twice.
bool call_returns_twice(const Program *program, const Instr *instr);
bool mach_call_returns_twice(const Program *program, const MachInstr *instr);
// Whether a function, of any form, has one.
bool func_returns_twice(const Func *func);

// Whether an instruction is a call of a function that is known not to return: control that comes
// back from it goes on all the same.
bool call_never_returns(const Program *program, const Instr *instr);

// Whether an instruction is a call that destroys all machine registers but those of the frame.
bool mach_call_destroys_all(const Program *program, const MachInstr *instr);
