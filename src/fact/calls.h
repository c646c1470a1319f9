// Says what a call may do besides returning once, for every form.
//
// A call *returns twice* if, after its first return, control may come to the code behind the call
// again, with another result, while the calling function is still active: by longjmp to a buffer
// that setjmp has filled in, or in the parent after vfork. Only a marked call can return twice: the
// symbol of a direct call carries the mark, or the signature of any call. A second return to an
// unmarked call is a wrong step (rtl_jump.c), so transformations need to think of marked calls
// only.
//
// The state of the program at a second return:
//
//   * Memory, private slots included, has its present contents: everything stored since the first
//     return is there.
//   * Registers of RTL, of SSA and of the unbounded machine form have the values they had at the
//     call. So every fact about registers holds behind the call each time it returns.
//   * In the allocated machine form, spills are memory. Machine registers that the callee must
//     preserve have the values they had at the call; the others are destroyed, as by any call.
//     __builtin_setjmp restores the registers of the frame only: a call of __builtin_setjmp
//     destroys all others.
#pragma once

#include "form/program.h"

typedef struct MachInstr MachInstr; // mach.h

// Whether functions of that name, unless they are static functions of the program, are known to
// return twice: then the program has to mark them (the verifier's rule `flags`).
bool name_returns_twice(const char *name);

// Whether calls by that name are no calls, but code that the emitter writes in their place.
bool name_is_code(const char *name);
// Whether a symbol is the function that gatecc knows by that name. A function that the program
// defines itself is an ordinary function, whatever its name.
bool symbol_is_known_as(const Program *program, Sym symbol, const char *name);

// Whether calls of a function by its name may return twice.
static inline bool symbol_returns_twice(const Symbol *symbol) {
    return symbol->flags & SYMF_RETURNS_TWICE;
}
// Whether calls with a signature may.
static inline bool sig_returns_twice(const SigInfo *sig) {
    return sig->returns_twice;
}
// Whether an instruction is a call through a pointer, which is its first argument.
static inline bool calls_through_pointer(const Instr *instr) {
    return instr->kind == I_CALL && instr->ref == NO_ID;
}
// Whether a call by the name of a symbol does what a call through its address does: an alias, an
// indirect function or a symbol that is replaced leads to the same function either way. The two
// differ only if the name marks its calls as returning twice.
bool symbol_is_callable_by_name(const Symbol *symbol);
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
