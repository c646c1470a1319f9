// Lowers expressions. Each expression becomes an operand: a register, or a constant that the using
// instruction may take as an immediate. A destination register may be given; only the last
// instruction of an expression writes the destination, so it may be a variable that the expression
// reads.
#include "base/deep_stack.h"
#include "c/lower/lower_private.h"

bool lower_enter(Lower *lower, const Expr *expr) {
    if (!stack_is_low(lower->stack_floor)) return true;
    if (!lower->diag->errors)
        pp_report(lower->pp, DIAG_ERROR, NULL, expr->pos, 1,
                  "this expression is nested too deeply");
    return false;
}

// ---- Operators

bool binary_is_comparison(unsigned op) {
    return op >= BIN_EQ && op <= BIN_GE;
}

static bool is_unsigned(const CType *type) {
    return type->kind == CT_POINTER || type_is_unsigned(type);
}

Op comparison_op(BinaryOp op, const CType *type) {
    static const Op as_signed[] = {OP_EQ_I32, OP_NE_I32, OP_LT_I32,
                                   OP_LE_I32, OP_GT_I32, OP_GE_I32};
    static const Op as_unsigned[] = {OP_EQ_I32,  OP_NE_I32,  OP_ULT_I32,
                                     OP_ULE_I32, OP_UGT_I32, OP_UGE_I32};
    unsigned which = (unsigned)op - BIN_EQ;
    return op_for(is_unsigned(type) ? as_unsigned[which] : as_signed[which], lower_type(type));
}

static Op arithmetic_op(BinaryOp op, const CType *type) {
    Type operand = lower_type(type);
    if (!type_is_int(operand)) {
        static const Op floats[] = {OP_ADD_F32, OP_SUB_F32, OP_MUL_F32, OP_DIV_F32};
        return op_for(floats[op], operand);
    }
    bool without_sign = is_unsigned(type);
    Op i32 = OP_ADD_I32;
    switch (op) {
    case BIN_SUB: i32 = OP_SUB_I32; break;
    case BIN_MUL: i32 = OP_MUL_I32; break;
    case BIN_DIV: i32 = without_sign ? OP_DIVU_I32 : OP_DIVS_I32; break;
    case BIN_MOD: i32 = without_sign ? OP_MODU_I32 : OP_MODS_I32; break;
    case BIN_AND: i32 = OP_AND_I32; break;
    case BIN_OR: i32 = OP_OR_I32; break;
    case BIN_XOR: i32 = OP_XOR_I32; break;
    case BIN_SHL: i32 = OP_SHL_I32; break;
    case BIN_SHR: i32 = without_sign ? OP_SHR_I32 : OP_SAR_I32; break;
    default: break;
    }
    return op_for(i32, operand);
}

static Operand pointer_add(Lower *lower, BinaryOp op, const CType *type, Operand pointer,
                           Operand count, Reg dest) {
    Operand offset = emit_binary(lower, OP_MUL_I64, count, lower_element_size(lower, type), NO_REG);
    if (op == BIN_PTR_SUB && (offset.constant || lower->checks)) {
        offset = emit_unary(lower, OP_NEG_I64, offset, NO_REG);
        op = BIN_PTR_ADD;
    }
    if (!lower->in_bounds) sanitize_pointer_sum(lower, pointer, offset);
    lower->in_bounds = false;
    return emit_binary(lower, op == BIN_PTR_ADD ? OP_ADD_I64 : OP_SUB_I64, pointer, offset, dest);
}

static Operand pointer_difference(Lower *lower, const CType *type, Operand a, Operand b, Reg dest) {
    Operand size = lower_element_size(lower, type);
    if (size.constant && (size.imm == 0 || size.imm == 1))
        return emit_binary(lower, OP_SUB_I64, a, b, dest);
    Operand bytes = emit_binary(lower, OP_SUB_I64, a, b, NO_REG);
    if (size.constant && (size.imm & (size.imm - 1)) == 0) {
        int64_t shift = 0;
        while ((int64_t)1 << shift != size.imm) shift++;
        return emit_binary(lower, OP_SAR_I64, bytes, operand_int(TYPE_I32, shift), dest);
    }
    return emit_binary(lower, OP_DIVS_I64, bytes, size, dest);
}

Operand lower_operator(Lower *lower, BinaryOp op, const CType *type, Operand a, Operand b,
                       Reg dest) {
    if (a.type == TYPE_VOID || b.type == TYPE_VOID) return NO_OPERAND;
    if (op == BIN_PTR_ADD || op == BIN_PTR_SUB) return pointer_add(lower, op, type, a, b, dest);
    if (op == BIN_PTR_DIFF) return pointer_difference(lower, type, a, b, dest);
    if (a.type == TYPE_WIDE) return wide_operator(lower, op, type, a, b);
    if (binary_is_comparison(op)) return emit_binary(lower, comparison_op(op, type), a, b, dest);
    bool is_shift = op == BIN_SHL || op == BIN_SHR;
    bool is_told = b.constant || b.assumed; // the parser warns of constants
    if (is_shift && b.type == TYPE_I64) b = emit_unary(lower, OP_TRUNC_I32, b, NO_REG);
    if (is_shift && lower->subscripts && !is_told) note_shift(lower, b, a.type);
    return emit_binary(lower, arithmetic_op(op, type), a, b, dest);
}

// The checks of one operator of a chain.
static void check_chain(Lower *lower, const Expr *expr, Operand left, Operand right) {
    if (expr->bound)
        sanitize_count(lower, expr, left);
    else if (expr->op == BIN_PTR_ADD)
        lower->in_bounds = sanitize_subscript(lower, expr, right, true);
    else
        sanitize_operator(lower, expr->op, expr->left->type, left, expr->right->type, right);
}

static void check_folded(Lower *lower, const Expr *shift) {
    Operand left = lower_expr(lower, shift->left, NO_REG);
    Operand right = lower_expr(lower, shift->right, NO_REG);
    emit_at_expr(lower, shift);
    check_chain(lower, shift, left, right);
}

// A chain of operators to the left, a + b + c + ..., which may be as long as the source.
static Operand lower_chain(Lower *lower, const Expr *expr, Reg dest) {
    uint32_t bottom = lower->spine.count;
    for (; expr->kind == EX_BINARY && !type_is_complex(expr->left->type); expr = expr->left)
        vec_push(lower->arena, &lower->spine, expr);
    if (lower->coverage) emit_at_expr(lower, lower->spine.at[lower->spine.count - 1]);
    Operand value = lower_expr(lower, expr, NO_REG);
    while (lower->spine.count > bottom) {
        const Expr *top = vec_pop(&lower->spine);
        if (lower->coverage) emit_at_expr(lower, top);
        Operand right = lower_expr(lower, top->right, NO_REG);
        emit_at_expr(lower, top);
        if (lower->checks) check_chain(lower, top, value, right);
        if (lower->subscripts) note_subscript(lower, top, NULL, right);
        value = lower_operator(lower, top->op, top->left->type, value, right,
                               lower->spine.count == bottom ? dest : NO_REG);
        if (lower->marks_members && top->op == BIN_PTR_ADD)
            value = lower_mark_element(lower, top, value);
    }
    return value;
}

static Operand lower_unary(Lower *lower, const Expr *expr, Reg dest) {
    Operand value = lower_expr(lower, expr->left, NO_REG);
    emit_at_expr(lower, expr);
    if (value.type == TYPE_VOID) return value;
    if (expr->kind == EX_NEG) sanitize_negation(lower, expr->left->type, value);
    if (value.type == TYPE_WIDE) return wide_unary(lower, expr->kind, value);
    if (expr->kind == EX_NOT) return emit_unary(lower, op_of(FAM_NOT, value.type), value, dest);
    Op op = op_of(FAM_NEG, value.type);
    return emit_unary(lower, op, value, dest);
}

// ---- Casts

static bool is_boolean(const Expr *expr) {
    return (expr->kind == EX_BINARY && binary_is_comparison(expr->op)) || expr->kind == EX_AND ||
           expr->kind == EX_OR || expr->kind == EX_LOGICAL_NOT;
}

// The address of a function: the address of a symbol, or the contents of a pointer.
static Operand function_address(Lower *lower, const Expr *designator, Reg dest) {
    if (designator->kind == EX_DEREF) return lower_expr(lower, designator->left, dest);
    Spot place = lower_spot(lower, designator);
    return emit_address(lower, &place, dest);
}

static Operand marked_address(Lower *lower, const Expr *lvalue, const Spot *place, Reg dest) {
    if (!lower->marks_members) return emit_address(lower, place, dest);
    return lower_mark_member(lower, lvalue, emit_address(lower, place, NO_REG), dest);
}

// The value that a constant variable has for good; NULL for other lvalues.
static const Expr *initial_value(const Lower *lower, const Expr *lvalue) {
    if (lvalue->kind != EX_VAR || lower->in_memory || lower->any_rounding) return NULL;
    const Decl *decl = lvalue->decl;
    bool constant = (decl->type->quals & (Q_CONST | Q_VOLATILE | Q_ATOMIC)) == Q_CONST;
    if (!constant || !decl->init || decl->init->count != 1 || decl->attributes->weak ||
        (decl->external && lower->defaults.replaceable))
        return NULL;
    return decl->init->pieces[0].value;
}

static bool is_number(const Expr *expr) {
    return expr->kind == EX_INT || expr->kind == EX_FLOAT;
}

const Expr *lower_complex_constant(const Lower *lower, const Expr *lvalue) {
    if (!type_is_complex(lvalue->type)) return NULL;
    const Expr *value = initial_value(lower, lvalue);
    bool same = value && value->kind == EX_COMPLEX && is_number(value->left) &&
                is_number(value->right) && value->type->unqualified == lvalue->type->unqualified;
    return same ? value : NULL;
}

// The value of a floating variable or part of a variable that is a constant, if that is known;
// integers are found by the passes.
static const Expr *constant_of_variable(const Lower *lower, const Expr *lvalue) {
    if (!type_is_floating(lvalue->type)) return NULL;
    const Expr *value;
    if (lvalue->kind == EX_MEMBER) {
        const Expr *whole = lower_complex_constant(lower, lvalue->left);
        value = !whole ? NULL : lvalue->member_offset ? whole->right : whole->left;
    } else {
        value = initial_value(lower, lvalue);
    }
    bool same = value && value->kind == EX_FLOAT && value->type->kind == lvalue->type->kind;
    return same ? value : NULL;
}

// A variable that is counted belongs where it is used.
static bool has_place(const Lower *lower, const Expr *expr) {
    while (lower->coverage && expr->kind == EX_CAST && expr->pos == expr->left->pos)
        expr = expr->left; // nobody wrote it
    return !lower->coverage || expr->kind != EX_VAR;
}

// Whether a floating type has too few digits for some integers of another type: the passes may know
// which integer it is.
static bool may_round(const CType *from, const CType *to) {
    if (!type_is_integer(from) || !type_is_floating(to)) return false;
    CTypeKind kind = type_scalar(to)->kind;
    return from->size > (kind == CT_HALF ? 1 : kind == CT_FLOAT ? 2 : 4);
}

static Operand lower_cast(Lower *lower, const Expr *expr, Reg dest) {
    const Expr *left = expr->left;
    switch ((CastKind)expr->cast) {
    case CAST_READ:
    case CAST_DECAY: {
        if (expr->cast == CAST_DECAY) note_decay(lower, expr);
        const Expr *constant = constant_of_variable(lower, left);
        if (constant) return emit_number(lower, left->type, constant->floating, dest);
        Spot place = lower_spot(lower, left);
        if (has_place(lower, expr)) emit_at_expr(lower, expr);
        if (expr->cast == CAST_DECAY) {
            sanitize_address(lower, &place);
            return marked_address(lower, left, &place, dest);
        }
        Operand value = spot_read(lower, &place, left->type, dest);
        if (left->kind == EX_VAR) coverage_variable(lower, left->decl);
        return value;
    }
    case CAST_FUNC: return function_address(lower, left, dest);
    case CAST_SAME: return lower_expr(lower, left, dest);
    case CAST_VOID:
    case CAST_UNION: lower_effect(lower, left); return NO_OPERAND;
    case CAST_TO_BOOL:
        if (type_is_complex(left->type)) return complex_to_bool(lower, left, dest);
        if (is_boolean(left)) return lower_expr(lower, left, dest);
        break;
    default: break;
    }
    Operand value =
        lower_expr(lower, left, convert_is_free(left->type, expr->type) ? dest : NO_REG);
    if (lower->any_rounding && may_round(left->type, expr->type))
        value = lower_through_slot(lower, left->type, value);
    if (has_place(lower, expr)) emit_at_expr(lower, expr);
    return lower_convert(lower, value, left->type, expr->type, dest);
}

// ---- All expressions

Operand lower_va_arg(Lower *lower, const Expr *expr, const Spot *into, Reg dest) {
    if (!into && lower_type(expr->type) == TYPE_WIDE) {
        Spot place = spot_temporary(lower, expr->type);
        lower_va_arg(lower, expr, &place, NO_REG);
        return wide_read(lower, &place, expr->type);
    }
    Reg args[2] = {lower_in_reg(lower, expr->left)};
    emit_at_expr(lower, expr);
    if (into) {
        PType type = ptype_of(lower, expr->type, false);
        if (type.i == PTYPE_VOID.i) return NO_OPERAND;
        if (type_is_record(expr->type) && expr->type->record->size_var) {
            Reg address = reg_new(lower, TYPE_I64);
            emit_va_arg(lower, type, address, args, 1);
            Spot from = spot_of_reg(address);
            record_copy(lower, into, &from, expr->type);
            return NO_OPERAND;
        }
        args[1] = spot_address(lower, into);
        emit_va_arg(lower, type, NO_REG, args, 2);
        return NO_OPERAND;
    }
    // A type that no argument can have is passed promoted.
    CType *type = type_is_promoted_float(expr->type) ? lower->types->basic[CT_DOUBLE] : expr->type;
    bool free = convert_is_free(type, expr->type);
    Type register_type = type_as_passed(type);
    Reg to = reg_or_new(lower, free && type->kind != CT_HALF ? dest : NO_REG, register_type);
    emit_va_arg(lower, PTYPE_OF(register_type), to, args, 1);
    if (type->kind == CT_HALF) return half_that_arrives(lower, operand_reg(lower, to), dest);
    CType *passed = type_scalar(type)->size < 4 ? lower->types->basic[CT_INT] : type;
    return lower_convert(lower, operand_reg(lower, to), passed, expr->type, dest);
}

static Operand lower_number(Lower *lower, const Expr *expr, Reg dest) {
    Operand value = emit_number(lower, expr->type, expr->floating, dest);
    return lower->any_rounding ? lower_through_slot(lower, expr->type, value) : value;
}

static Operand lower_any(Lower *lower, const Expr *expr, Reg dest) {
    if (has_place(lower, expr)) emit_at_expr(lower, expr);
    switch ((ExprKind)expr->kind) {
    case EX_INT:
        if (expr->right && lower->checks) check_folded(lower, expr->right);
        return operand_int(lower_type(expr->type), (int64_t)expr->integer);
    case EX_WIDE: return wide_constant(expr->wide);
    case EX_FLOAT: return lower_number(lower, expr, dest);
    case EX_LABEL: return operand_int(TYPE_I64, label_address(lower, expr->label));
    case EX_FUNC: return function_address(lower, expr, dest);
    case EX_ADDR: {
        if (expr->left->type->kind == CT_FUNC) return function_address(lower, expr->left, dest);
        // &s.member[i] is s.member + i
        if (lower->marks_members && expr->left->kind == EX_DEREF && !lower->checks)
            return lower_expr(lower, expr->left->left, dest);
        Spot place = lower_spot(lower, expr->left);
        emit_at_expr(lower, expr);
        sanitize_address(lower, &place);
        return marked_address(lower, expr->left, &place, dest);
    }
    case EX_CAST: return lower_cast(lower, expr, dest);
    case EX_NEG:
    case EX_NOT: return lower_unary(lower, expr, dest);
    case EX_BINARY:
        if (type_is_complex(expr->left->type)) return complex_compare(lower, expr, dest);
        return lower_chain(lower, expr, dest);
    case EX_LOGICAL_NOT:
    case EX_AND:
    case EX_OR: return lower_logic(lower, expr, dest);
    case EX_COND: return lower_conditional(lower, expr, dest);
    case EX_ASSIGN: return lower_assign(lower, expr, true, dest);
    case EX_ASSIGN_OP: return lower_assign_op(lower, expr, true, dest);
    case EX_PRE_INC:
    case EX_PRE_DEC:
    case EX_POST_INC:
    case EX_POST_DEC: return lower_step(lower, expr, true, dest);
    case EX_CALL: return lower_call(lower, expr, true, NULL, dest);
    case EX_STATEMENT: return lower_statement_expression(lower, expr, true, dest);
    case EX_VA_ARG: return lower_va_arg(lower, expr, NULL, dest);
    case EX_BUILTIN: return lower_builtin(lower, expr, true, dest);
    case EX_SIZEOF_VLA: return lower_size(lower, expr->of);
    case EX_VAR:
    case EX_MEMBER:
    case EX_DEREF:
    case EX_COMPOUND: {
        Spot place = lower_spot(lower, expr);
        return spot_read(lower, &place, expr->type, dest);
    }
    case EX_STRING: {
        Spot place = lower_spot(lower, expr);
        return emit_address(lower, &place, dest);
    }
    case EX_COMPLEX:
    case EX_COMMA:
    case EX_ERROR: break;
    }
    return NO_OPERAND;
}

// Lowers the left operands of commas for their effects; yields the last operand.
static const Expr *lower_commas(Lower *lower, const Expr *expr) {
    uint32_t bottom = lower->spine.count;
    while (expr->kind == EX_COMMA) {
        vec_push(lower->arena, &lower->spine, expr->right);
        expr = expr->left;
    }
    while (lower->spine.count > bottom) {
        lower_effect(lower, expr);
        expr = vec_pop(&lower->spine);
    }
    return expr;
}

Operand lower_expr(Lower *lower, const Expr *expr, Reg dest) {
    if (expr->type->kind == CT_VOID || passed_as_aggregate(expr->type)) {
        lower_effect(lower, expr);
        return NO_OPERAND;
    }
    if (!lower_enter(lower, expr)) return NO_OPERAND;
    while (expr->kind == EX_COMMA) expr = lower_commas(lower, expr);
    Operand value = lower_any(lower, expr, dest);
    return value;
}

Reg lower_in_reg(Lower *lower, const Expr *expr) {
    return operand_in_reg(lower, lower_expr(lower, expr, NO_REG));
}

void lower_into(Lower *lower, const Expr *expr, Reg dest) {
    Operand value = lower_expr(lower, expr, dest);
    if (value.type != TYPE_VOID) emit_move(lower, dest, value);
}

// ---- Effects

static void conditional_effect(Lower *lower, const Expr *expr) {
    Label end = label_new(lower);
    for (;;) {
        Label then = label_new(lower), otherwise = label_new(lower);
        coverage_locus(lower, expr->at);
        lower_condition(lower, expr->left, then, otherwise);
        label_place(lower, then);
        if (expr->middle) lower_effect(lower, expr->middle);
        emit_jump(lower, end);
        label_place(lower, otherwise);
        expr = expr->right;
        while (expr->kind == EX_CAST && expr->cast == CAST_VOID) expr = expr->left;
        if (expr->kind != EX_COND) break;
    }
    lower_effect(lower, expr);
    label_place(lower, end);
}

static void logic_effect(Lower *lower, const Expr *expr) {
    Label more = label_new(lower), end = label_new(lower);
    if (expr->kind == EX_AND)
        lower_condition(lower, expr->left, more, end);
    else
        lower_condition(lower, expr->left, end, more);
    label_place(lower, more);
    lower_effect(lower, expr->right);
    label_place(lower, end);
}

// A value that nobody wants. Reading a volatile or atomic object is an effect.
static void read_effect(Lower *lower, const Expr *expr) {
    const Expr *left = expr->left;
    bool matters = left->type->quals & (Q_VOLATILE | Q_ATOMIC);
    if (left->kind == EX_VAR && !matters) return;
    Spot place = lower_spot(lower, left);
    emit_at_expr(lower, expr);
    if ((place.is_volatile || place.is_atomic) && lower_type(left->type) != TYPE_VOID)
        spot_read(lower, &place, left->type, NO_REG);
}

static void record_effect(Lower *lower, const Expr *expr) {
    if (expr->kind == EX_CALL && expr->type->size == 0)
        lower_call(lower, expr, false, NULL, NO_REG);
    else
        lower_record(lower, expr);
}

static void effect_of(Lower *lower, const Expr *expr) {
    emit_at_expr(lower, expr);
    if (type_is_complex(expr->type)) {
        complex_effect(lower, expr);
        return;
    }
    switch ((ExprKind)expr->kind) {
    case EX_CAST:
        if (expr->cast == CAST_READ)
            read_effect(lower, expr);
        else
            lower_effect(lower, expr->left);
        break;
    case EX_COND: conditional_effect(lower, expr); break;
    case EX_AND:
    case EX_OR: logic_effect(lower, expr); break;
    case EX_LOGICAL_NOT:
    case EX_NEG:
    case EX_NOT: lower_effect(lower, expr->left); break;
    case EX_ASSIGN: lower_assign(lower, expr, false, NO_REG); break;
    case EX_ASSIGN_OP: lower_assign_op(lower, expr, false, NO_REG); break;
    case EX_PRE_INC:
    case EX_PRE_DEC:
    case EX_POST_INC:
    case EX_POST_DEC: lower_step(lower, expr, false, NO_REG); break;
    case EX_CALL:
        if (type_is_record(expr->type))
            record_effect(lower, expr);
        else
            lower_call(lower, expr, false, NULL, NO_REG);
        break;
    case EX_STATEMENT: lower_statement_expression(lower, expr, false, NO_REG); break;
    case EX_BUILTIN: lower_builtin(lower, expr, false, NO_REG); break;
    case EX_VAR: break;
    case EX_ADDR:
    case EX_DEREF:
    case EX_MEMBER: lower_effect(lower, expr->left); break;
    default:
        if (type_is_record(expr->type))
            record_effect(lower, expr);
        else if (expr->type->kind != CT_VOID)
            lower_any(lower, expr, NO_REG);
    }
}

void lower_effect(Lower *lower, const Expr *expr) {
    if (!lower_enter(lower, expr)) return;
    while (expr->kind == EX_COMMA) expr = lower_commas(lower, expr);
    effect_of(lower, expr);
}
