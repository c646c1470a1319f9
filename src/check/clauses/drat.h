// Checks proofs that clauses cannot all be true, in the format that solvers write (DRAT).
#pragma once

#include "check/clauses/clauses.h"

// Whether a proof shows that the clauses contradict each other. The proof is text: lines of numbers
// that end with 0. Variable v is the number v + 1, negated variables are negative. A line adds a
// clause, or removes a clause if it starts with d. The steps are carried out on `clauses`. False,
// with the reason, if it does not.
bool drat_check(Clauses *clauses, const char *proof, size_t length, const char **reason);
