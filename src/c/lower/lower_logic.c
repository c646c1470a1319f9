// Conditions and the expressions that branch. A condition goes straight to the labels that its
// outcome selects; only where its value is wanted does it become a register.
#include "c/lower/lower_private.h"

static void test_value(Lower *lower, Operand value, Label then, Label otherwise) {
    if (value.type == TYPE_VOID) return;
    if (value.type == TYPE_WIDE) value = wide_bits(lower, value);
    if (type_is_int(value.type)) {
        emit_branch(lower, op_of(FAM_NE, value.type), value, operand_int(value.type, 0), then,
                    otherwise);
        return;
    }
    Operand zero = emit_float(lower, value.type, 0, NO_REG);
    emit_branch(lower, op_of(FAM_NE, value.type), value, zero, then, otherwise);
}

// a && b && c, or a || b || c: each operand in turn either decides or leads to the next.
static void chain_condition(Lower *lower, const Expr *expr, Label then, Label otherwise,
                            Pos locus) {
    uint32_t bottom = lower->spine.count;
    ExprKind kind = expr->kind;
    if (!locus) locus = expr->at;
    for (; expr->kind == kind; expr = expr->left) vec_push(lower->arena, &lower->spine, expr);
    while (lower->spine.count > bottom) {
        Label more = label_new(lower);
        coverage_locus(lower, locus);
        if (kind == EX_AND)
            lower_condition(lower, expr, more, otherwise);
        else
            lower_condition(lower, expr, then, more);
        label_place(lower, more);
        expr = vec_pop(&lower->spine);
        locus = expr->at;
        expr = expr->right;
    }
    coverage_locus(lower, locus);
    lower_condition(lower, expr, then, otherwise);
}

static void compare_condition(Lower *lower, const Expr *expr, Label then, Label otherwise,
                              Pos locus) {
    if (type_is_complex(expr->left->type)) {
        complex_branch(lower, expr, then, otherwise);
        return;
    }
    Operand a = lower_expr(lower, expr->left, NO_REG);
    Operand b = lower_expr(lower, expr->right, NO_REG);
    emit_at_expr(lower, expr);
    if (locus) emit_at(lower, locus);
    if (a.type == TYPE_VOID || b.type == TYPE_VOID) return;
    if (a.type == TYPE_WIDE) {
        test_value(lower, wide_compare(lower, expr->op, expr->left->type, a, b), then, otherwise);
        return;
    }
    emit_branch(lower, comparison_op(expr->op, expr->left->type), a, b, then, otherwise);
}

static void conditional_condition(Lower *lower, const Expr *expr, Label then, Label otherwise) {
    Label yes = label_new(lower), no = label_new(lower);
    coverage_locus(lower, expr->at);
    lower_condition(lower, expr->left, yes, no);
    label_place(lower, yes);
    lower_condition(lower, expr->middle, then, otherwise);
    label_place(lower, no);
    lower_condition(lower, expr->right, then, otherwise);
}

// Whether a cast keeps zero and nonzero apart.
static bool keeps_zero(const Expr *cast) {
    if (cast->cast == CAST_TO_BOOL || cast->cast == CAST_SAME) return true;
    const CType *from = type_scalar(cast->left->type), *to = type_scalar(cast->type);
    return (cast->cast == CAST_ARITHMETIC || cast->cast == CAST_POINTER) && from->kind != CT_HALF &&
           to->kind != CT_HALF && type_is_int(lower_type(from)) && type_is_int(lower_type(to)) &&
           to->size >= from->size;
}

static const Expr *strip_condition(const Expr *expr, Label *then, Label *otherwise) {
    for (;;) {
        if (expr->kind == EX_CAST && keeps_zero(expr)) {
            expr = expr->left;
        } else if (expr->kind == EX_LOGICAL_NOT) {
            Label swap = *then;
            *then = *otherwise;
            *otherwise = swap;
            expr = expr->left;
        } else {
            return expr;
        }
    }
}

void lower_condition(Lower *lower, const Expr *expr, Label then, Label otherwise) {
    if (!lower_enter(lower, expr)) return;
    Pos locus = coverage_take_locus(lower);
    expr = strip_condition(expr, &then, &otherwise);
    while (expr->kind == EX_COMMA) {
        lower_effect(lower, expr->left);
        expr = strip_condition(expr->right, &then, &otherwise);
    }
    emit_at_expr(lower, expr);
    if (expr->kind == EX_AND || expr->kind == EX_OR)
        chain_condition(lower, expr, then, otherwise, locus);
    else if (expr->kind == EX_BINARY && binary_is_comparison(expr->op))
        compare_condition(lower, expr, then, otherwise, locus);
    else if (expr->kind == EX_COND && expr->middle)
        conditional_condition(lower, expr, then, otherwise);
    else if (expr->kind == EX_FLOAT)
        emit_jump(lower, expr->floating != 0 ? then : otherwise);
    else if (type_is_complex(expr->type))
        complex_branch(lower, expr, then, otherwise);
    else {
        Operand value = lower_expr(lower, expr, NO_REG);
        if (locus) emit_at(lower, locus);
        test_value(lower, value, then, otherwise);
    }
}

// ---- Values

static Operand logical_not(Lower *lower, const Expr *expr, Reg dest) {
    Operand value = type_is_complex(expr->left->type) ? complex_to_bool(lower, expr->left, NO_REG)
                                                      : lower_expr(lower, expr->left, NO_REG);
    emit_at_expr(lower, expr);
    if (value.type == TYPE_VOID) return value;
    if (value.type == TYPE_WIDE) value = wide_bits(lower, value);
    if (type_is_int(value.type))
        return emit_binary(lower, op_of(FAM_EQ, value.type), value, operand_int(value.type, 0),
                           dest);
    Operand zero = emit_float(lower, value.type, 0, NO_REG);
    return emit_binary(lower, op_of(FAM_EQ, value.type), value, zero, dest);
}

Operand lower_logic(Lower *lower, const Expr *expr, Reg dest) {
    while (expr->kind == EX_LOGICAL_NOT && expr->left->kind == EX_LOGICAL_NOT &&
           expr->left->left->kind == EX_LOGICAL_NOT)
        expr = expr->left->left; // !!!x is !x
    const Expr *inner = expr;
    while (inner->kind == EX_LOGICAL_NOT) inner = inner->left;
    if (inner->kind != EX_AND && inner->kind != EX_OR) return logical_not(lower, expr, dest);
    Label then = label_new(lower), otherwise = label_new(lower), end = label_new(lower);
    Reg to = reg_or_new(lower, dest, TYPE_I32);
    lower_condition(lower, expr, then, otherwise);
    emit_at_expr(lower, expr);
    label_place(lower, then);
    emit_move(lower, to, operand_int(TYPE_I32, 1));
    emit_jump(lower, end);
    label_place(lower, otherwise);
    emit_move(lower, to, operand_int(TYPE_I32, 0));
    label_place(lower, end);
    return operand_reg(lower, to);
}

// The test of a ?: and its value if the test is not zero; without a middle operand this is the
// tested value.
static void conditional_test(Lower *lower, const Expr *expr, Reg to, Label then, Label otherwise) {
    if (expr->middle) {
        coverage_locus(lower, expr->at);
        lower_condition(lower, expr->left, then, otherwise);
        label_place(lower, then);
        uint32_t before = lower->f->nodes.count;
        bool nested = expr->middle->kind == EX_COND && expr->middle->type->kind != CT_VOID;
        if (nested)
            emit_move(lower, to, lower_expr(lower, expr->middle, NO_REG));
        else
            lower_into(lower, expr->middle, to);
        coverage_assigned(lower, before, expr->middle, expr->at);
        return;
    }
    Operand value = lower_expr(lower, expr->left, NO_REG);
    test_value(lower, half_extended(lower, value, expr->left->type), then, otherwise);
    label_place(lower, then);
    value = lower_convert(lower, value, expr->left->type, expr->type, to);
    if (value.type != TYPE_VOID) emit_move(lower, to, value);
}

typedef struct {
    Reg to;
    Label end;
} LogicValue;

// Each nested conditional has a register and an end of its own: where two ways meet a choice can do
// without branches (see if_convert), where many meet it cannot.
Operand lower_conditional(Lower *lower, const Expr *expr, Reg dest) {
    Type type = lower_type(expr->type);
    VEC(LogicValue) choices = {0};
    for (;; expr = expr->right) {
        Reg to = reg_or_new(lower, choices.count ? NO_REG : dest, type);
        LogicValue choice = {.to = to, .end = label_new(lower)};
        vec_push(lower->scratch, &choices, choice);
        Label then = label_new(lower), otherwise = label_new(lower);
        conditional_test(lower, expr, to, then, otherwise);
        emit_jump(lower, choice.end);
        label_place(lower, otherwise);
        if (expr->right->kind != EX_COND) break;
    }
    uint32_t before = lower->f->nodes.count;
    lower_into(lower, expr->right, choices.at[choices.count - 1].to);
    coverage_assigned(lower, before, expr->right, expr->at);
    for (uint32_t i = choices.count - 1; i > 0; i--) {
        label_place(lower, choices.at[i].end);
        if (type != TYPE_VOID)
            emit_move(lower, choices.at[i - 1].to, operand_of_reg(lower, type, choices.at[i].to));
    }
    label_place(lower, choices.at[0].end);
    return operand_of_reg(lower, type, choices.at[0].to);
}
