// Register allocation: from unbounded to allocated machine code.
#pragma once

#include "cert/allocate.h"
#include "target/x64/model/constraints.h"

// The function with machine registers and spills instead of its registers, and the hint that tells
// what each instruction was before. Both live in the arena. NULL if only the next will do.
Func *allocate(Arena *arena, const Func *func, AllocateHint *hint);

// The same, but each register has a spill of its own throughout and is in a machine register only
// while an instruction needs it there: slow code, quickly made and easily seen to be right. Functions
// with calls that return twice are always done so.
Func *allocate_plain(Arena *arena, const Func *func, AllocateHint *hint);

// Like allocate, with only the usable registers for values that live longer than one instruction.
// For tests, which want functions that are short of registers.
Func *allocate_within(Arena *arena, const Func *func, MachineSet usable, AllocateHint *hint);
