// The texts of warnings about indices, places, divisors and shift counts.
#pragma once

#include "analysis/conditions/limit_mistakes.h"
#include "c/lower/lower.h"

void limit_index_words(Out *out, const LimitMistake *mistake, const SubscriptPlace *place);
// `name` of the object, or "" and the function that allocated it.
void limit_bounds_words(Out *out, const LimitMistake *mistake, const char *name,
                        const char *allocator);
void limit_operator_words(Out *out, const LimitMistake *mistake, const Instr *instr);
