// Rules as questions to SMT solvers.
#pragma once

#include "base/out.h"
#include "fact/rules.h"

// The widths at which a question is asked: 32 and 64, or others, for what takes solvers too long.
typedef struct {
    uint32_t i32, i64;
    bool defined; // all values are defined in all bits
} SmtWidths;

#define SMT_FULL    ((SmtWidths){.i32 = 32, .i64 = 64})
#define SMT_DEFINED ((SmtWidths){.i32 = 32, .i64 = 64, .defined = true})

// Appends commands that ask for values for which the rule is wrong: the answer should be "unsat".
// Without a condition, or with another right-hand side, it may be "sat".
void rule_smt(Out *out, const RuleInfo *rule, SmtWidths widths);

// The type of each variable of a rule, TYPE_VOID for those that do not occur.
void rule_types(const RuleInfo *rule, Type types[TERM_VARIABLES]);
