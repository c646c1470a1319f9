// Reserved registers: machine registers that the source has made variables of its own. A reserved
// register belongs to the whole program, like a global variable outside of memory. No function of
// the program keeps values of its own in a reserved register, saves or restores it. Only
// read_register, write_register and machine code of the source (asm) access it. So one function
// reads the value that another function writes, even a function that is compiled elsewhere. The
// stack pointer can be read, but is nobody's variable.
//
// Only registers that a callee preserves can be reserved (TargetModel.callee_saved): the other
// registers pass arguments and results of calls, and some instructions need them.
#pragma once

#include "form/program.h"
#include "form/registers.h"

// Whether read_register may name the register.
bool register_is_readable(const Program *program, int64_t reg);
// Whether write_register may.
bool register_is_writable(const Program *program, int64_t reg);
