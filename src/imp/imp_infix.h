// The infix operators of Imp, as in C, on integers of 64 bits: what parser and printer share.
#pragma once

#include "imp/imp.h"

typedef struct {
    const char *text;
    uint8_t kind; // ImpExprKind
    uint16_t op;  // IMP_OPERATOR
    uint8_t rank; // an operator that binds more strongly has a larger rank
} ImpInfix;

enum { INFIX_COUNT = 18, INFIX_CHOICE_RANK = 0, INFIX_PREFIX_RANK = 11, INFIX_ATOM_RANK = 12 };

extern const ImpInfix infix_table[INFIX_COUNT];
// The row of an expression, or NULL.
const ImpInfix *infix_of(const ImpExpr *expr);
