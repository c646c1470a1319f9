// Decides whether the outcome of a comparison follows from known outcomes of other comparisons.
#pragma once

#include "form/program.h"

// op(a, b), or op(a, imm) if b is NO_REG; it is known to hold, or known not to.
typedef struct {
    Op op;
    Reg a, b;
    int64_t imm;
    bool holds;
} Comparison;

// The fact that holds if a branch goes a way, the index of a successor: the condition of a COND
// holds or does not; the register of a SWITCH equals a case. False if there is no such way, or it
// is a default.
bool comparison_of_way(const Func *func, Node branch, uint32_t way, Comparison *result);

// Whether a comparison speaks about the same register or registers, in either order, as the goal.
bool comparison_concerns(const Comparison *fact, const Comparison *goal);

// True if the goal holds whenever all facts hold and registers are defined. All facts concern the
// goal. False means nothing. Takes time in proportion to the square of the number of facts.
bool comparison_follows(const Comparison *facts, uint32_t count, const Comparison *goal);
