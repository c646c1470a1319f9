// Forged outputs of passes, written as changes of their text: each row of a test's table says which
// fragments of the honest output become which, and why the checker must refuse the result.
#pragma once

#include "check/check.h"

enum { MAX_EDITS = 6 };

// A fragment of a function's text and what stands there instead.
typedef struct {
    const char *from, *to;
} Edit;

// The function "f" of a text.
const Func *forge_parse(Arena *arena, Form form, const char *text);

// The function, of any form, with its text changed: each fragment must occur exactly once at its
// turn. Registers keep their numbers; new ones come after all others. Ends the test if the result
// cannot be read.
Func *forge_edit(Arena *arena, const Func *func, const Edit *edits);

// A text changed: each fragment must occur exactly once at its turn.
const char *forge_text(Arena *arena, const char *text, const Edit *edits);

// The function "f" of a text, as another form of the function: with the same numbers for the same
// registers, and in the same program, whose symbols and signatures the text must have in the same
// order.
Func *forge_read(Arena *arena, const Func *func, Form form, const char *text);

// The register of a text ("%x.1").
Reg forge_reg(const Func *func, const char *name);

// An output to forge. The hint is of the type that the checker takes.
typedef struct {
    Arena *arena; // holds all of it
    const Func *before;
    Func *after;
    void *hint;
    Verdict (*check)(Arena *arena, const Func *before, const Func *after, const void *hint);
    // The checker is the values kernel, by what the pass knows (pass/values/values_hint.h). Its
    // reasons are tried elsewhere (forge/son_schedule.c), and it understands more than passes do:
    // what it accepts has to behave as before.
    bool by_values;
} Forgery;

typedef Forgery ForgeStart(void); // an honest one

// Ends the test if the checker rejects the honest output.
void forge_expect_accepted(Forgery *forgery, const char *what);
// Ends the test unless the checker rejects, for a reason that has the fragment in it; then frees
// the forgery.
void forge_expect_rejected(Forgery *forgery, const char *what, const char *reason);
// Whether the verifier, which stands before every checker, lets the output pass.
bool forge_is_well_formed(const Forgery *forgery);

// ---- Tables of forgeries

typedef struct {
    const char *reason;
    Edit edits[MAX_EDITS];
} CodeForgery;

// Each is well-formed, so that nothing but the checker stands in its way, and is rejected for its
// reason.
void forge_codes(ForgeStart *start, const CodeForgery *forgeries, uint32_t count);

// What no pass from SSA to SSA may change around the code. The function has two parameters of type
// i32, a slot and a third register.
void forge_frames(ForgeStart *start);

typedef struct {
    const char *what;
    void (*damage)(Forgery *forgery);
    const char *reason;
} HintForgery;

void forge_hints(ForgeStart *start, const HintForgery *forgeries, uint32_t count);

// A join with three ways in, and the edits that leave it two, from a node that comes after it: the
// phi then has fewer arguments than before.
extern const char forge_three_ways[];
extern const Edit forge_two_ways[MAX_EDITS];

// SSA in normal form, loop-closed: a loop (header 3, latch 14) with two exits, 15 and 19, around a
// join of three ways, 12; behind it a join of the exits, 23, and a switch.
extern const char forge_closed_loop[];
