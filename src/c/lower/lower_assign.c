// Assignments, ++ and --. The place is evaluated once; a variable in a register is written by the
// very operator that computes its new value. Where the place is memory, no destination is handed
// down, since it may be a register that the address needs.
#include "c/lower/lower_private.h"

// The value of an assignment that stored `value`.
static Operand stored_value(Lower *lower, const Spot *place, const CType *type, Operand value,
                            bool wanted, Reg dest) {
    if (!wanted) return NO_OPERAND;
    if (place->in_register) return spot_read(lower, place, type, NO_REG);
    return place->bitfield ? bitfield_value(lower, place, type, value, dest) : value;
}

Operand lower_assign(Lower *lower, const Expr *expr, bool wanted, Reg dest) {
    const CType *type = expr->left->type;
    if (type_is_record(type)) {
        lower_record(lower, expr);
        return NO_OPERAND;
    }
    Spot place = lower_spot(lower, expr->left);
    uint32_t before = lower->f->nodes.count;
    if (place.in_register) {
        lower_into(lower, expr->right, place.reg);
        coverage_assigned(lower, before, expr->right, expr->at);
        return spot_read(lower, &place, type, NO_REG);
    }
    Operand value = lower_expr(lower, expr->right, NO_REG);
    if (value.type == TYPE_VOID) return value;
    coverage_belongs(lower, before, expr->right, expr->at);
    emit_at_expr(lower, expr);
    spot_write(lower, &place, type, value);
    if (expr->left->kind == EX_VAR && expr->right->kind == EX_CALL)
        coverage_variable(lower, expr->left->decl);
    return stored_value(lower, &place, type, value, wanted, dest);
}

// The type that an operator's result has before it is cut to the width of a bit-field's type.
static const CType *uncut(Lower *lower, const CType *type) {
    return type->width ? lower->types->basic[type->kind] : type;
}

// The amount that ++ and -- add, as an operand of the register's type.
Operand step_amount(Lower *lower, const Expr *expr, const CType *type, bool down) {
    Type reg = lower_type(type);
    if (!type_is_int(reg)) return emit_float(lower, reg, down ? -1 : 1, NO_REG);
    int64_t step = type->kind == CT_POINTER ? expr->step : 1;
    if (expr->right) {
        Operand size = lower_expr(lower, expr->right, NO_REG);
        return down ? emit_unary(lower, OP_NEG_I64, size, NO_REG) : size;
    }
    return operand_int(reg, down ? -step : step);
}

static Operand wide_stepped(Lower *lower, const CType *type, Operand old, bool down) {
    BinaryOp op = down ? BIN_SUB : BIN_ADD;
    Operand one = wide_constant(wide_unsigned(1));
    sanitize_operator(lower, op, type, old, type, one);
    return wide_operator(lower, op, type, old, one);
}

static Operand stepped(Lower *lower, const Expr *expr, Operand old, bool down, Reg to) {
    const CType *type = type_scalar(expr->left->type);
    if (type->kind == CT_BOOL)
        return down ? emit_binary(lower, OP_XOR_I32, old, operand_int(TYPE_I32, 1), to)
                    : operand_int(TYPE_I32, 1);
    if (old.type == TYPE_WIDE) return wide_stepped(lower, type, old, down);
    if (type->kind == CT_HALF) return half_stepped(lower, type, old, down, to);
    Operand amount = step_amount(lower, expr, type, down);
    Type reg = lower_type(type);
    Op op = op_of(FAM_ADD, reg);
    const CType *compute = type->size < 4 ? lower->types->basic[CT_INT] : uncut(lower, type);
    if (type->kind == CT_POINTER)
        sanitize_pointer_sum(lower, old, amount);
    else if (type->size >= 4 && type_is_integer(type) && !(type->quals & Q_ATOMIC))
        sanitize_operator(lower, down ? BIN_SUB : BIN_ADD, type, old, type, operand_int(reg, 1));
    Operand value = emit_binary(lower, op, old, amount, compute == type ? to : NO_REG);
    return lower_convert(lower, value, compute, type, to);
}

Operand updated_value(Lower *lower, const Expr *expr, Operand old, Operand right, Reg to) {
    bool down = expr->kind == EX_PRE_DEC || expr->kind == EX_POST_DEC;
    if (expr->kind != EX_ASSIGN_OP) return stepped(lower, expr, old, down, to);
    const CType *type = expr->left->type, *compute = expr->compute;
    const CType *computed = uncut(lower, compute);
    bool direct = convert_is_free(computed, type);
    old = lower_convert(lower, old, type, compute, NO_REG);
    // Sums of atomic objects wrap around.
    bool wraps = type->quals & Q_ATOMIC && (expr->op == BIN_ADD || expr->op == BIN_SUB);
    if (!wraps) sanitize_operator(lower, expr->op, compute, old, expr->right->type, right);
    Operand value = lower_operator(lower, expr->op, compute, old, right, direct ? to : NO_REG);
    return lower_convert(lower, value, computed, type, to);
}

Operand lower_assign_op(Lower *lower, const Expr *expr, bool wanted, Reg dest) {
    if (type_is_complex(expr->compute)) return complex_assign_to_real(lower, expr, dest);
    const CType *type = expr->left->type;
    Spot place = lower_spot(lower, expr->left);
    Operand right = lower_expr(lower, expr->right, NO_REG);
    emit_at_expr(lower, expr);
    sanitize_access_once(lower, &place, false);
    if (place.is_atomic) return atomic_update(lower, expr, &place, right, wanted);
    Operand old = spot_read(lower, &place, type, NO_REG);
    Operand value = updated_value(lower, expr, old, right, place.in_register ? place.reg : NO_REG);
    if (value.type == TYPE_VOID) return value;
    spot_write(lower, &place, type, value);
    return stored_value(lower, &place, type, value, wanted, dest);
}

Operand lower_step(Lower *lower, const Expr *expr, bool wanted, Reg dest) {
    bool post = expr->kind == EX_POST_INC || expr->kind == EX_POST_DEC;
    bool down = expr->kind == EX_PRE_DEC || expr->kind == EX_POST_DEC;
    const CType *type = expr->left->type;
    Spot place = lower_spot(lower, expr->left);
    emit_at_expr(lower, expr);
    sanitize_access_once(lower, &place, false);
    if (place.is_atomic) return atomic_update(lower, expr, &place, NO_OPERAND, wanted);
    Operand old = spot_read(lower, &place, type, NO_REG);
    if (post && wanted && place.in_register) {
        bool usable = dest.i != NO_ID && dest.i != place.reg.i;
        Reg copy = reg_or_new(lower, usable ? dest : NO_REG, old.type);
        emit_move(lower, copy, old);
        emit_move(
            lower, place.reg,
            stepped(lower, expr, operand_of_reg(lower, old.type, place.reg), down, place.reg));
        return operand_of_reg(lower, old.type, copy);
    }
    Operand value = stepped(lower, expr, old, down, place.in_register ? place.reg : NO_REG);
    spot_write(lower, &place, type, value);
    if (post) return wanted ? old : NO_OPERAND;
    return stored_value(lower, &place, type, value, wanted, dest);
}
