// Instruction selection: RTL to the machine form with unbounded registers.
#pragma once

#include "cert/select.h"

// Whether there is code for a function: its slots must not take more than a gigabyte.
bool select_code_is_possible(const Func *func);
// NULL if that is not so. Operators, addresses, constants and loads are folded into the instructions that use
// them wherever x86-64 can do so and it pays.
Func *select_code(Arena *arena, const Func *func, SelectHint *hint);
// The same without folding: one instruction for each of RTL, in its order. Easier to check, slower.
Func *select_code_plain(Arena *arena, const Func *func, SelectHint *hint);
