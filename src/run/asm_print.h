// The state machine of a program, written down: the static functions of Glesner's figure 2, the
// initial state of figure 4 and the rules of figures 5 to 7 for each function (docs/asm.md).
#pragma once

#include "form/program.h"

// The program is in SSA and verified.
void asm_print(Out *out, const Program *program);
