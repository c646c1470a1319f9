// Forged outputs of the passes to the machine form: pairs of texts, the second of which is changed,
// and hints as numbers.
#pragma once

#include "test/gen/forge.h"

// A function "f" before a pass and after it, with the hint. Other symbols come in the same order in
// both.
typedef struct {
    Form form; // of the first
    const char *before, *after, *hint;
} MachPair;

typedef struct {
    const MachPair *pair;
    const char *reason; // a part of why it is rejected; NULL: it is accepted
    const char *hint;   // NULL: that of the pair
    Edit edits[MAX_EDITS];
} MachForgery;

// Takes the hint as text.
typedef Verdict MachCheck(Arena *arena, const Func *before, const Func *after, const char *hint);

// Each is well-formed, so that nothing but the checker stands in its way; without a checker, it is
// not.
void mach_forge(MachCheck *check, const MachForgery *forgeries, uint32_t count);

// Numbers, and "-" for NO_ID, up to the end of the text or a "/"; yields where it stopped.
typedef VEC(uint32_t) HintNumbers;
const char *mach_forge_numbers(Arena *arena, const char *text, HintNumbers *numbers);
