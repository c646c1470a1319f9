// -Wparentheses and -Wlogical-not-parentheses: operators that bind more tightly, or less, than they
// seem to, and assignments where a comparison is likely to be meant.
//
// Operands count as they are written: `flags & FULL == 0` is warned of although FULL == 0 has been
// folded to a number. Of one operator one thing is said, the first of the table that fits.
#include "c/parse/warn.h"

#define WRITTEN_BIT(op) (1u << (WRITTEN_BINARY + BIN_##op))

enum {
    SHIFTS = WRITTEN_BIT(SHL) | WRITTEN_BIT(SHR),
    RELATIONS = WRITTEN_BIT(LT) | WRITTEN_BIT(LE) | WRITTEN_BIT(GT) | WRITTEN_BIT(GE),
    EQUALITIES = WRITTEN_BIT(EQ) | WRITTEN_BIT(NE),
    SUMS = WRITTEN_BIT(ADD) | WRITTEN_BIT(SUB),
    BITS = WRITTEN_BIT(AND) | WRITTEN_BIT(OR) | WRITTEN_BIT(XOR),
};

_Static_assert((unsigned)WRITTEN_BINARY + BIN_COUNT <= 32, "a mask has a bit for each operator");

// An operand with one of the operators `inner` of one of the operators `outer`; on the left first.
static const struct {
    uint32_t outer, inner;
    const char *text; // what parentheses are suggested around; NULL: something else is said
} rows[] = {
    {SHIFTS, WRITTEN_BIT(ADD), "'+' inside"},
    {SHIFTS, WRITTEN_BIT(SUB), "'-' inside"},
    {1u << WRITTEN_LOGICAL_OR, 1u << WRITTEN_LOGICAL_AND, "'&&' within"},
    {WRITTEN_BIT(OR), WRITTEN_BIT(AND) | WRITTEN_BIT(XOR) | SUMS, "arithmetic in operand of"},
    {WRITTEN_BIT(XOR), WRITTEN_BIT(AND) | SUMS, "arithmetic in operand of"},
    {WRITTEN_BIT(AND), WRITTEN_BIT(ADD), "'+' in operand of"},
    {WRITTEN_BIT(AND), WRITTEN_BIT(SUB), "'-' in operand of"},
    {BITS | EQUALITIES, EQUALITIES | RELATIONS, "comparison in operand of"},
    {RELATIONS, RELATIONS, NULL},
};

static bool is_written(const Expr *expr, uint32_t mask) {
    return !expr->parenthesized && mask >> expr->written & 1;
}

static const char *operator_text(Written op) {
    if (op == WRITTEN_LOGICAL_OR) return "||";
    return op == WRITTEN_LOGICAL_AND ? "&&" : binary_text((BinaryOp)(op - WRITTEN_BINARY));
}

static bool warn_of_operand(Parser *parser, Written op, const Expr *left, const Expr *right,
                            Pos at) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!(rows[i].outer >> op & 1)) continue;
        const Expr *operand = is_written(left, rows[i].inner)    ? left
                              : is_written(right, rows[i].inner) ? right
                                                                 : NULL;
        if (!operand) continue;
        Pos pos = operand->at ? operand->at : at;
        if (rows[i].text)
            parser_warn(parser, WARN_PARENTHESES, pos, pos + 1,
                        "suggest parentheses around %s '%s'", rows[i].text, operator_text(op));
        else
            parser_warn(parser, WARN_PARENTHESES, at, at + 1,
                        "comparisons like 'X<=Y<=Z' do not have their mathematical meaning");
        return true;
    }
    return false;
}

static bool is_number(const Expr *expr, uint64_t number) {
    return expr->kind == EX_INT && expr->integer == number;
}

// !a & b, where !(a & b), ~a & b or !a && b may be meant; b is neither a truth value nor one of the
// numbers that stand for these.
static void warn_not_bits(Parser *parser, Written op, const Expr *right, Pos at) {
    const char *text = operator_text(op);
    if (expr_is_truth(right) || is_number(right, 0) || is_number(right, 1)) return;
    parser_warn(parser, WARN_PARENTHESES, at, at + 1,
                "suggest parentheses around operand of '!' or change '%s' to '%s%s' or '!' to '~'",
                text, text, text);
}

// !a == b, where !(a == b) may be meant.
static void warn_not_comparison(Parser *parser, Written op, const Expr *left, const Expr *right,
                                Pos at) {
    const Expr *inner = left->kind == EX_LOGICAL_NOT ? left->left : NULL;
    if (expr_is_truth(right)) return;
    if (inner && (inner->kind == EX_LOGICAL_NOT || inner->type->kind == CT_BOOL)) return;
    if (1u << op & EQUALITIES && is_number(right, 0)) return;
    parser_warn(parser, WARN_LOGICAL_NOT_PARENTHESES, at, at + 1,
                "logical not is only applied to the left hand side of comparison");
}

void warn_precedence(Parser *parser, Written op, const Expr *left, const Expr *right, Pos at) {
    bool told = warn_of_operand(parser, op, left, right, at);
    if (!is_written(left, 1u << WRITTEN_NOT)) return;
    if (1u << op & (EQUALITIES | RELATIONS))
        warn_not_comparison(parser, op, left, right, at);
    else if (1u << op & (WRITTEN_BIT(AND) | WRITTEN_BIT(OR)) && !told)
        warn_not_bits(parser, op, right, at);
}

void warn_assigned_condition(Parser *parser, const Expr *expr) {
    if (expr->kind != EX_ASSIGN || expr->parenthesized) return;
    parser_fix_insert(parser, expr->pos, "(");
    parser_fix_insert(parser, expr->end, ")");
    warn_at_expr(parser, WARN_PARENTHESES, expr,
                 "suggest parentheses around an assignment used as a truth value");
}
