// Forged hints for the values kernel. A forgery is a function "f" and a list of commands, with ";"
// between them, that build the hint and change the code. A value is written %x.1 (what the register
// is claimed to be), $x.1 (its contents), 7 or 7L (a constant), a name that was given, !7 (by
// number), or - (none).
//   NAME = OP V V...     a value; "phi N V V" is one of join N, "slot N IMM" an address,
//                        "call @p V V" the result of a function
//   unit                 from now on, what is true of the unit is claimed, too
//   form %r V            the register is formed as V, and claimed to be V
//   set %r V             the register is claimed to be V
//   new %r V             only the register of the same number in `after` is claimed to be V
//   test N V             the condition of node N
//   step V RULE V        a step that holds everywhere
//   counted V V ...      the last step is counted: its first value on each way into the join
//   gate N BRANCH:WAY ...
//                        for each way into the join an edge that control has passed
//   range V LOW HIGH DEFINED WAY WAY
//                        the range of a PHI, with the facts at the ends of its ways
//   arg V K V            the K-th argument of a PHI
//   first N              the first way of the last range
//   bits ZEROS ONES      known bits of the last range
//   signed LEAST MOST    signed ends of the last range
//   fact V PLACE REASON REF FROM FROM FROM
//   local %r V RULE V FACT FACT
//                        a step at the operator that sets the register, or at node N; by "equal",
//                        the last two are a branch and its way
//   decide N WAY FACT    the branch goes this way, because of the fact
//   straight N WAY       the branch becomes a nop
//   shut N WAY FACT      the switch never goes this way, because of the fact
//   ways N WAY VALUE:WAY ...
//                        the switch has these ways, the default first
//   ends FACT ...        the facts at the ends of the ways into a join
//   copy N %r            the operator becomes a copy of a register
//   use N K %r           the K-th argument of node N becomes a register
//   join %r K %r         the K-th argument of the first register's phi becomes the second register
#pragma once

#include "check/check.h"

typedef struct {
    const char *text, *commands, *more, *reason; // no reason: it is accepted
} ForgedValues;

// The verdict on a forgery. Whether the function that the commands leave is well-formed is not
// asked.
Verdict forged_values_verdict(Arena *arena, const ForgedValues *it);

// Ends the test if the verdict is not the one that is given. What was accepted must do no harm.
void forged_values_try(const ForgedValues *it);

#define TRY_FORGED(cases)                                                                          \
    for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases)[0]; i++) forged_values_try(&(cases)[i])
