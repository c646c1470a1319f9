// Uses of variables that have no value, found in SSA form: version 0 of a register that is no
// parameter is what the variable holds before anything is assigned to it.
#pragma once

#include "form/program.h"

typedef struct {
    Reg reg;        // version 0 of the variable
    Reg held;       // the register that is used
    Node node;      // the instruction that uses it; of several the first in the source
    bool sometimes; // a phi leads there: on other ways the variable has been assigned
    // Of such a use: no condition stands between the place where the ways meet and the use, but for
    // that of a loop which the use is in. A condition often excludes the mistakes behind it.
    bool plain;
} UninitializedUse;

typedef VEC(UninitializedUse) UninitializedUses;

// One use of each named register that is used without a value, in the order of registers. A use
// that always finds the register without a value is preferred to a use that sometimes does. Copying
// a register to itself, as `int x = x;` does to silence such warnings, is no use. Linear.
typedef struct {
    UninitializedUses uses;
    UninitializedUses all; // every use that sometimes finds none, in the order of nodes
    const bool *may;       // by register: it may hold the value of a variable that has none
} UninitializedFacts;
UninitializedFacts uninitialized_uses(Arena *arena, const Func *ssa);

// Whether a call is known not to come back: its function is declared so, or is small and always
// ends in such a call.
bool never_comes_back(const Program *program, const Instr *instr);
