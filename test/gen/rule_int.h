// Rules as questions about integers, for products and quotients of full width.
#pragma once

#include "test/gen/rule_smt.h"

// Appends what a row says of values that are defined in all bits, as integers: variables v0.. (by
// TERM_ number less TERM_X), `from`, `to`, and the assertion that `from` can be computed and the
// condition holds. The goal is (= from to), with (to_good).
void rule_int(Out *out, const RuleInfo *rule);
// Whether all operators of the row are among those that can be said so.
bool rule_is_integral(const RuleInfo *rule);
