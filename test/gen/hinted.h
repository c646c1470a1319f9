// Forged excursions for the values kernel: a function, the result of an excursion, and a hint as
// text, so that a forgery is a change of these texts. The hint has one item on a line:
//
//   value old %r | phi N ARG... | load N NODE | OPERATOR [ARG...] [= IMM] [slot N] [symbol N]
//   the next value; NO is NO_ID step FROM TO RULE                      claim %r VALUE FORMED
//   test VALUE decide NODE WAY FIRST COUNT            edge NODE WAY                gated JOIN FIRST
//   row                                    the facts of the next join;  fact PLACE VALUE
//   perform NODE...                        old nodes, or - for none;    new %r VALUE
#pragma once

#include "test/gen/forge.h"

typedef struct {
    const char *before, *after, *hint;
} Excursion;

typedef struct {
    const char *reason;
    Edit code[MAX_EDITS], hint[MAX_EDITS];
} HintedForgery;

// The kernel's verdict on an excursion; `what` names it if its result is not well-formed.
Verdict judge_excursion(Arena *arena, const Excursion *it, const char *what);

// Ends the test unless the kernel accepts the excursion, and rejects each forgery for its reason.
void try_forgeries(const Excursion *it, const HintedForgery *forgeries, uint32_t count);
#define TRY(excursion, forgeries)                                                                  \
    try_forgeries(excursion, forgeries, sizeof forgeries / sizeof forgeries[0])
