// Instruction selection: RTL to the machine form with unbounded registers.
#pragma once

#include "cert/select.h"

// Never fails. Operators, addresses, constants and loads are folded into the instructions that use
// them wherever x86-64 can do so and it pays.
Func *select_code(Arena *arena, const Func *func, SelectHint *hint);
// The same without folding: one instruction for each of RTL, in its order. Easier to check, slower.
Func *select_code_plain(Arena *arena, const Func *func, SelectHint *hint);
