// Obligations about gates as SMT-LIB text, for other solvers to give their opinion.
//
//   TWO_RAIL     as checkers read them: "is 1" is a monotone function of two variables for each
//                atom
//   LUKASIEWICZ  as Herklotz et al. put them, with the implication of Lukasiewicz's three-valued
//                logic, which asks for more: what it accepts is true, but it does not accept all
//                that is true
#pragma once

#include "check/clauses/obligations.h"
#include "hint/hints_gsa.h"

typedef enum { SMT_NONE, SMT_TWO_RAIL, SMT_LUKASIEWICZ } SmtEncoding;

// The encoding of that name; SMT_NONE if there is none.
SmtEncoding smt_encoding_named(const char *name);

// The start of a text of several functions.
void smt_print_start(Out *out);

// For each obligation a question to which `unsat` is the answer if it holds.
void smt_print(Out *out, const Gsa *gsa, const Obligation *obligations, uint32_t count,
               SmtEncoding encoding);

// The same for all obligations of the matrix check of a function, whose gates were built with this
// hint.
void smt_print_matrix(Out *out, const Func *func, const GatePaths *hint, SmtEncoding encoding);
