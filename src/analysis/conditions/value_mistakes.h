// Mistakes that show in the values of a function, found in SSA form: addresses of local variables
// that leave the function, accesses through null, memory that is used after it has been freed,
// recursion without an end. limit_mistakes.h has those that need ranges.
//
// Only certain mistakes count. Certain are values that follow from constants and addresses by
// arithmetic, in code that conditions on constants do not exclude. Certain are also uses that come
// after a call of free on every way. The time is linear but for the dominator tree.
#pragma once

#include "form/program.h"

typedef enum {
    FLAW_NULL,            // accesses memory through a null pointer
    FLAW_RETURNS_LOCAL,   // returns the address of `slot`
    FLAW_USED_AFTER_FREE, // uses `reg`, which `other` has freed
    FLAW_STRING_SHORT,    // copies a string to what `other` gave, `missing` bytes too few
    FLAW_ELEMENT,         // accesses what lies just behind all that `other` gave
    FLAW_NOT_ALLOCATED,   // frees the address of a variable
    FLAW_MISMATCHED,      // gives back what `other`, another kind of function, has given
    FLAW_RECURSION,       // `node` is a call of the function itself, and every way leads to one
} FlawKind;

typedef struct {
    FlawKind kind;
    Node node, other;
    Reg reg; // the pointer; NO_REG if there is none
    // The object, if there is one: a slot or a symbol.
    bool is_slot;
    Slot slot;
    Sym symbol;
    int64_t missing;
} Flaw;

typedef VEC(Flaw) Flaws;

// In the order of nodes, but for recursion, which comes last.
Flaws flaws_of(Arena *arena, const Func *ssa);
