// Random code in the allocated machine form, of which the interpreter and the machine must agree
// what it does.
//
// Instructions are drawn with all that they may have (operators, immediates, memory by every base,
// an index) and get places that hold what they read, as the constraints of
// target/x64/model/constraints.h want it. Frames are of every kind. What the function leaves in
// places and in memory goes to the global @out at the end.
#pragma once

#include "form/mach.h"
#include "test/gen/random.h"

enum { MACH_CODE_OUT = 1024, MACH_CODE_AREA = 64 };

// The text of a program with so many functions f0, f1, ... that return at once, and a main that
// calls each and prints a hash of @out.
void mach_code_frame(Out *out, uint32_t count);
// Code for such a function, of about so many instructions.
Func *mach_code_func(Arena *arena, Program *program, Random *random, uint32_t index,
                     uint32_t length);
