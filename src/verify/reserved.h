// Reserved registers: machine registers that the source has made variables of its own. They belong
// to the whole program, like a global outside of memory. No function of the program has values of
// its own in them, saves them or restores them; only read_register, write_register and machine code
// of the source (asm) get at them, so that what one function writes is what another reads, also one
// that is compiled elsewhere. The stack pointer can be read, but is nobody's variable.
//
// Only registers that a callee preserves can be reserved (callee_saved_regs): the others are where
// calls pass arguments and results, and what instructions need for themselves.
#pragma once

#include "form/program.h"
#include "form/registers.h"

// Whether read_register may name the register.
bool register_is_readable(const Program *program, int64_t reg);
// Whether write_register may.
bool register_is_writable(const Program *program, int64_t reg);
