// Forged outputs of passes, written as changes of their text: each row of a test's table says which fragments
// of the honest output become which, and why the checker must refuse the result.
#pragma once

#include "check/check.h"

enum { MAX_EDITS = 6 };

// A fragment of a function's text and what stands there instead.
typedef struct {
    const char *from, *to;
} Edit;

// The function "f" of a text.
const Func *forge_parse(Arena *arena, Form form, const char *text);

// The function with its text changed: each fragment must occur exactly once at its turn. Registers keep their
// numbers; new ones come after all others. Ends the test if the result cannot be read.
Func *forge_edit(Arena *arena, const Func *func, const Edit *edits);

// The register of a text ("%x.1").
Reg forge_reg(const Func *func, const char *name);

// Ends the test unless the verdict is a rejection whose reason has the fragment in it.
void forge_expect(const char *what, const Verdict *verdict, const char *reason);
// Whether the verifier, which stands before every checker, lets a function pass.
bool forge_is_well_formed(Arena *arena, const Func *func);

// What no pass from SSA to SSA may change around the code. The function has two parameters of type i32, a slot
// and a third register.
typedef struct {
    const char *name;
    void (*damage)(Func *after);
    const char *reason;
} FrameForgery;

extern const FrameForgery frame_forgeries[];
extern const uint32_t frame_forgery_count;
