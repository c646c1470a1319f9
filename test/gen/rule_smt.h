// Rules as questions to SMT solvers.
#pragma once

#include "base/out.h"
#include "fact/rules.h"

// The widths at which a question is asked: 32 and 64, or others, for what takes solvers too long.
typedef struct {
    uint32_t i32, i64;
} SmtWidths;

#define SMT_FULL ((SmtWidths){.i32 = 32, .i64 = 64})
// A row of either width made of numbers of k bits. One for i32 that goes through i64 has twice as many
// there; in one for i64 counts and truth values have as many.
SmtWidths smt_scaled(const RuleInfo *rule, uint32_t k);

// Appends commands that ask for values for which the rule is wrong: the answer should be "unsat".
// Without a condition, or with another right-hand side, it may be "sat".
void rule_smt(Out *out, const RuleInfo *rule, SmtWidths widths);

// The type of each variable of a rule, TYPE_VOID for those that do not occur.
void rule_types(const RuleInfo *rule, Type types[TERM_VARIABLES]);
