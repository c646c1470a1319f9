// Lowers complex numbers. RTL has none: a value is a pair of operands, a variable whose address is
// not taken two registers, and arguments and results travel in memory as a record of two members
// does.
//
// Products and quotients of floating parts follow C's Annex G as the system compiler has it. A
// product is computed in line; only if a part comes out as a NaN does __mul?c3 of libgcc compute
// it. Quotients are always computed by __div?c3. Quotients of integers take the system compiler's
// steps (a ratio of the divisor's parts, in integers), so that results agree where the division is
// not exact, too.
#include "c/lower/lower_private.h"

// part[1] is without a value if the number is real, which an operand of + - * / may be.
typedef struct {
    Operand part[2];
} ComplexOperand;

static ComplexOperand lower_pair(Lower *lower, const Expr *expr);

// ---- Parts and places

static bool is_real(const ComplexOperand *pair) {
    return pair->part[1].type == TYPE_VOID;
}

// The value of a real expression; something stands for it after an error, or where control cannot
// get to.
static Operand lower_part(Lower *lower, const Expr *expr) {
    Operand value = lower_expr(lower, expr, NO_REG);
    if (value.type == TYPE_VOID) value = operand_reg(lower, reg_new(lower, lower_type(expr->type)));
    return value;
}

static ComplexOperand new_pair(Lower *lower, const CType *part) {
    Type type = lower_type(part);
    Reg real = reg_new(lower, type), imaginary = reg_new(lower, type);
    return (ComplexOperand){{operand_reg(lower, real), operand_reg(lower, imaginary)}};
}

static Spot part_of_place(Spot place, const CType *type, unsigned which) {
    if (!place.in_register) return spot_offset(place, which * type->base->size);
    place.reg.i += which;
    return place;
}

static ComplexOperand read_pair(Lower *lower, const Spot *place, const CType *type) {
    Spot simple =
        place->is_atomic ? atomic_read_record(lower, place, type) : spot_simple(lower, *place);
    ComplexOperand pair;
    for (unsigned i = 0; i < 2; i++) {
        Spot part = part_of_place(simple, type, i);
        pair.part[i] = spot_read(lower, &part, type->base, NO_REG);
    }
    return pair;
}

static void write_pair(Lower *lower, const Spot *place, const CType *type, ComplexOperand pair) {
    if (place->is_atomic) {
        Spot whole = spot_temporary(lower, type);
        write_pair(lower, &whole, type, pair);
        atomic_write_record(lower, place, &whole, type);
        return;
    }
    Spot simple = spot_simple(lower, *place);
    // The second part may be in the register that the first is written to.
    if (simple.in_register && !pair.part[1].constant && pair.part[1].reg.i == simple.reg.i) {
        Reg copy = reg_new(lower, pair.part[1].type);
        emit_move(lower, copy, pair.part[1]);
        pair.part[1] = operand_reg(lower, copy);
    }
    for (unsigned i = 0; i < 2; i++) {
        Spot part = part_of_place(simple, type, i);
        spot_write(lower, &part, type->base, pair.part[i]);
    }
}

static void move_pair(Lower *lower, const ComplexOperand *to, ComplexOperand from) {
    for (unsigned i = 0; i < 2; i++) emit_move(lower, to->part[i].reg, from.part[i]);
}

Spot complex_part(Lower *lower, const Expr *member) {
    const Expr *whole = member->left;
    unsigned which = member->member_offset != 0;
    if (whole->lvalue) return part_of_place(lower_spot(lower, whole), whole->type, which);
    ComplexOperand pair = lower_pair(lower, whole);
    return (Spot){
        .in_register = true, .reg = operand_in_reg(lower, pair.part[which]), .index = NO_REG};
}

Reg complex_registers(Lower *lower, const CType *type, const Ident *name) {
    Reg real = reg_named(lower, lower_type(type->base), name);
    reg_named(lower, lower_type(type->base), name);
    return real;
}

void complex_parameter(Lower *lower, Decl *decl, Reg address) {
    declare_variable(lower, decl);
    const CType *part = decl->type->base;
    for (unsigned i = 0; i < 2; i++) {
        Spot from = spot_offset(spot_of_reg(address), i * part->size);
        spot_read(lower, &from, part, (Reg){decl->number + i});
    }
}

// ---- Operators

// An operator on two parts. Narrow integers are computed as int and cut.
static Operand part_operator(Lower *lower, BinaryOp op, CType *part, Operand a, Operand b) {
    const CType *compute = type_promote(lower->types, part);
    Operand value = lower_operator(lower, op, compute, a, b, NO_REG);
    return lower_convert(lower, value, compute, part, NO_REG);
}

static Operand negate_part(Lower *lower, CType *part, Operand value) {
    Op op = op_of(FAM_NEG, value.type);
    value = emit_unary(lower, op, value, NO_REG);
    return lower_convert(lower, value, type_promote(lower->types, part), part, NO_REG);
}

// Calls a function of libgcc: the four parts of two numbers give a number.
static ComplexOperand call_libgcc(Lower *lower, const char *stem, CType *part,
                                  const ComplexOperand *a, const ComplexOperand *b) {
    Type type = lower_type(part);
    const char *name = arena_printf(lower->scratch, "__%s%cc3", stem, float_letter(type));
    CType *complex = type_complex(lower->types, part);
    PType params[4];
    for (unsigned i = 0; i < 4; i++) params[i] = PTYPE_OF(type);
    Sig sig = program_sig(lower->program, (SigInfo){.result = ptype_of(lower, complex, true),
                                                    .param_count = 4,
                                                    .fixed_count = 4,
                                                    .params = params});
    Sym symbol = program_symbol(lower->program, str_of(&lower->program->strings, name), SYM_FUNC);
    Symbol *at = program_at(lower->program, symbol);
    if (at->sig.i == NO_ID) at->sig = sig;
    Spot result = spot_temporary(lower, complex);
    Reg args[5];
    for (unsigned i = 0; i < 4; i++) args[i] = operand_in_reg(lower, (i < 2 ? a : b)->part[i % 2]);
    args[4] = spot_address(lower, &result);
    emit_call(lower, symbol, sig, NO_REG, args, 5);
    return read_pair(lower, &result, complex);
}

// (a0 + a1 i) (b0 + b1 i) by the rule of school.
static ComplexOperand plain_product(Lower *lower, CType *part, const ComplexOperand *a,
                                    const ComplexOperand *b) {
    Operand product[2][2];
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = 0; k < 2; k++)
            product[i][k] = part_operator(lower, BIN_MUL, part, a->part[i], b->part[i ^ k]);
    return (ComplexOperand){{part_operator(lower, BIN_SUB, part, product[0][0], product[1][0]),
                             part_operator(lower, BIN_ADD, part, product[0][1], product[1][1])}};
}

static ComplexOperand multiply(Lower *lower, CType *part, const ComplexOperand *a,
                               const ComplexOperand *b) {
    ComplexOperand product = plain_product(lower, part, a, b);
    if (type_is_integer(part)) return product;
    Label unordered = label_new(lower), end = label_new(lower);
    Op op = op_of(FAM_UNO, lower_type(part));
    emit_branch(lower, op, product.part[0], product.part[1], unordered, end);
    label_place(lower, unordered);
    move_pair(lower, &product, call_libgcc(lower, "mul", part, a, b));
    label_place(lower, end);
    return product;
}

static Operand magnitude(Lower *lower, CType *part, Operand value) {
    if (type_is_unsigned(part)) return value;
    Type type = value.type;
    Operand sign = emit_binary(lower, op_of(FAM_SAR, type), value,
                               operand_int(TYPE_I32, type == TYPE_I64 ? 63 : 31), NO_REG);
    Operand flipped = emit_binary(lower, op_of(FAM_XOR, type), value, sign, NO_REG);
    return part_operator(lower, BIN_SUB, part, flipped, sign);
}

// One way of dividing integers: by which part of the divisor is smaller (second if the imaginary
// part is).
static ComplexOperand integer_quotient(Lower *lower, CType *part, const ComplexOperand *a,
                                       const ComplexOperand *b, bool second) {
    Operand small = b->part[second], large = b->part[!second];
    Operand ratio = part_operator(lower, BIN_DIV, part, small, large);
    Operand divisor = part_operator(lower, BIN_ADD, part,
                                    part_operator(lower, BIN_MUL, part, small, ratio), large);
    Operand first = a->part[!second], other = a->part[second];
    Operand real = part_operator(lower, BIN_ADD, part,
                                 part_operator(lower, BIN_MUL, part, other, ratio), first);
    Operand product = part_operator(lower, BIN_MUL, part, first, ratio);
    Operand imaginary = second ? part_operator(lower, BIN_SUB, part, other, product)
                               : part_operator(lower, BIN_SUB, part, product, other);
    return (ComplexOperand){{part_operator(lower, BIN_DIV, part, real, divisor),
                             part_operator(lower, BIN_DIV, part, imaginary, divisor)}};
}

static ComplexOperand divide(Lower *lower, CType *part, const ComplexOperand *a,
                             const ComplexOperand *b) {
    if (!type_is_integer(part)) return call_libgcc(lower, "div", part, a, b);
    Label then = label_new(lower), otherwise = label_new(lower), end = label_new(lower);
    ComplexOperand quotient = new_pair(lower, part);
    Operand real = magnitude(lower, part, b->part[0]);
    Operand imaginary = magnitude(lower, part, b->part[1]);
    emit_branch(lower, comparison_op(BIN_LT, part), real, imaginary, then, otherwise);
    label_place(lower, then);
    move_pair(lower, &quotient, integer_quotient(lower, part, a, b, false));
    emit_jump(lower, end);
    label_place(lower, otherwise);
    move_pair(lower, &quotient, integer_quotient(lower, part, a, b, true));
    label_place(lower, end);
    return quotient;
}

// Operators with one real operand; a real dividend has been made complex.
static ComplexOperand mixed_operator(Lower *lower, BinaryOp op, CType *part,
                                     const ComplexOperand *a, const ComplexOperand *b) {
    ComplexOperand result;
    result.part[0] = part_operator(lower, op, part, a->part[0], b->part[0]);
    if (op == BIN_ADD || op == BIN_SUB) {
        result.part[1] = is_real(b) ? a->part[1] : b->part[1];
        if (op == BIN_SUB && is_real(a)) result.part[1] = negate_part(lower, part, b->part[1]);
    } else {
        result.part[1] = part_operator(lower, op, part, a->part[!is_real(a)], b->part[!is_real(b)]);
    }
    return result;
}

static ComplexOperand complex_operator(Lower *lower, BinaryOp op, CType *part,
                                       const ComplexOperand *a, const ComplexOperand *b) {
    if (is_real(a) || is_real(b)) return mixed_operator(lower, op, part, a, b);
    if (op == BIN_MUL) return multiply(lower, part, a, b);
    if (op == BIN_DIV) return divide(lower, part, a, b);
    return (ComplexOperand){{part_operator(lower, op, part, a->part[0], b->part[0]),
                             part_operator(lower, op, part, a->part[1], b->part[1])}};
}

// An operand of an operator, complex or real.
static ComplexOperand lower_operand(Lower *lower, const Expr *expr) {
    if (type_is_complex(expr->type)) return lower_pair(lower, expr);
    return (ComplexOperand){{lower_part(lower, expr), NO_OPERAND}};
}

// A chain of operators to the left, which may be as long as the source.
static ComplexOperand pair_of_chain(Lower *lower, const Expr *expr) {
    uint32_t bottom = lower->spine.count;
    for (; expr->kind == EX_BINARY && type_is_complex(expr->type); expr = expr->left)
        vec_push(lower->arena, &lower->spine, expr);
    ComplexOperand value = lower_operand(lower, expr);
    while (lower->spine.count > bottom) {
        const Expr *top = vec_pop(&lower->spine);
        ComplexOperand right = lower_operand(lower, top->right);
        emit_at_expr(lower, top);
        value = complex_operator(lower, top->op, top->type->base, &value, &right);
    }
    return value;
}

static ComplexOperand pair_of_unary(Lower *lower, const Expr *expr) {
    CType *part = expr->type->base;
    ComplexOperand value = lower_pair(lower, expr->left);
    emit_at_expr(lower, expr);
    if (expr->kind == EX_NEG) value.part[0] = negate_part(lower, part, value.part[0]);
    value.part[1] = negate_part(lower, part, value.part[1]);
    return value;
}

static ComplexOperand convert_pair(Lower *lower, ComplexOperand value, const CType *from,
                                   const CType *to) {
    for (unsigned i = 0; i < 2; i++)
        if (value.part[i].type != TYPE_VOID)
            value.part[i] = lower_convert(lower, value.part[i], from, to, NO_REG);
    return value;
}

// ---- Assignment

static ComplexOperand pair_of_assignment(Lower *lower, const Expr *expr) {
    const CType *type = expr->left->type;
    Spot place = lower_spot(lower, expr->left);
    ComplexOperand value = lower_pair(lower, expr->right);
    emit_at_expr(lower, expr);
    write_pair(lower, &place, type, value);
    return place.in_register ? read_pair(lower, &place, type) : value;
}

// The new value of left op= right, in the type of the operator.
static ComplexOperand assign_operator(Lower *lower, const Expr *expr, const Spot *place,
                                      const ComplexOperand *right) {
    const CType *type = expr->left->type;
    CType *part = expr->compute->base;
    ComplexOperand old;
    if (type_is_complex(type)) {
        old = convert_pair(lower, read_pair(lower, place, type), type->base, part);
    } else {
        Operand real = spot_read(lower, place, type, NO_REG);
        old = (ComplexOperand){{lower_convert(lower, real, type, part, NO_REG), NO_OPERAND}};
        if (expr->op == BIN_DIV) old.part[1] = lower_zero(lower, part, NO_REG);
    }
    return complex_operator(lower, expr->op, part, &old, right);
}

// The places that an update reads and writes: the place itself, or, if it is atomic, the places of
// the loop.
typedef struct {
    Spot from, to;
    AtomicLoop loop;
    bool atomic;
} Update;

static Update begin_update(Lower *lower, const Expr *expr, const Spot *place) {
    Update update = {.from = *place, .to = *place, .atomic = place->is_atomic};
    emit_at_expr(lower, expr);
    if (!update.atomic) return update;
    update.loop = atomic_loop_begin(lower, place, expr->left->type);
    update.from = update.loop.expected;
    update.to = update.loop.desired;
    return update;
}

static void end_update(Lower *lower, const Update *update) {
    if (update->atomic) atomic_loop_end(lower, &update->loop);
}

static ComplexOperand pair_of_assign_op(Lower *lower, const Expr *expr) {
    const CType *type = expr->left->type;
    Spot place = spot_simple(lower, lower_spot(lower, expr->left));
    ComplexOperand right = lower_operand(lower, expr->right);
    Update update = begin_update(lower, expr, &place);
    ComplexOperand value = assign_operator(lower, expr, &update.from, &right);
    value = convert_pair(lower, value, expr->compute->base, type->base);
    write_pair(lower, &update.to, type, value);
    end_update(lower, &update);
    return place.in_register ? read_pair(lower, &place, type) : value;
}

Operand complex_assign_to_real(Lower *lower, const Expr *expr, Reg dest) {
    const CType *type = expr->left->type;
    Spot place = spot_simple(lower, lower_spot(lower, expr->left));
    ComplexOperand right = lower_operand(lower, expr->right);
    Update update = begin_update(lower, expr, &place);
    ComplexOperand value = assign_operator(lower, expr, &update.from, &right);
    Operand real = lower_convert(lower, value.part[0], expr->compute->base, type, NO_REG);
    spot_write(lower, &update.to, type, real);
    end_update(lower, &update);
    if (place.in_register) return operand_reg(lower, place.reg);
    return place.bitfield ? bitfield_value(lower, &place, type, real, dest) : real;
}

// ++ and -- step the real part.
static ComplexOperand pair_of_step(Lower *lower, const Expr *expr) {
    bool post = expr->kind == EX_POST_INC || expr->kind == EX_POST_DEC;
    bool down = expr->kind == EX_PRE_DEC || expr->kind == EX_POST_DEC;
    const CType *type = expr->left->type;
    CType *part = type->base;
    Spot place = spot_simple(lower, lower_spot(lower, expr->left));
    Update update = begin_update(lower, expr, &place);
    ComplexOperand old = read_pair(lower, &update.from, type);
    Type reg = lower_type(part);
    ComplexOperand value = old;
    if (part->kind == CT_HALF) {
        value.part[0] = half_stepped(lower, part, old.part[0], down, NO_REG);
    } else {
        Operand one = type_is_int(reg) ? operand_int(reg, 1) : emit_float(lower, reg, 1, NO_REG);
        value.part[0] = part_operator(lower, down ? BIN_SUB : BIN_ADD, part, old.part[0], one);
    }
    if (post && place.in_register) {
        Reg copy = reg_new(lower, reg);
        emit_move(lower, copy, old.part[0]);
        old.part[0] = operand_reg(lower, copy);
    }
    write_pair(lower, &update.to, type, value);
    end_update(lower, &update);
    if (post) return old;
    return place.in_register ? read_pair(lower, &place, type) : value;
}

// ---- Values

static ComplexOperand pair_of_conditional(Lower *lower, const Expr *expr) {
    ComplexOperand to = new_pair(lower, expr->type->base);
    Label end = label_new(lower);
    for (;;) {
        Label then = label_new(lower), otherwise = label_new(lower);
        if (expr->middle) {
            lower_condition(lower, expr->left, then, otherwise);
            label_place(lower, then);
            move_pair(lower, &to, lower_pair(lower, expr->middle));
        } else {
            move_pair(lower, &to, lower_pair(lower, expr->left));
            Label more = label_new(lower);
            const CType *part = expr->type->base;
            const CType *tested = part->kind == CT_HALF ? lower->types->basic[CT_FLOAT] : part;
            Operand zero = lower_zero(lower, tested, NO_REG);
            Op op = comparison_op(BIN_NE, tested);
            emit_branch(lower, op, half_extended(lower, to.part[0], part), zero, then, more);
            label_place(lower, more);
            emit_branch(lower, op, half_extended(lower, to.part[1], part), zero, then, otherwise);
            label_place(lower, then);
        }
        emit_jump(lower, end);
        label_place(lower, otherwise);
        if (expr->right->kind != EX_COND) break;
        expr = expr->right;
    }
    move_pair(lower, &to, lower_pair(lower, expr->right));
    label_place(lower, end);
    return to;
}

static ComplexOperand pair_of_cast(Lower *lower, const Expr *expr) {
    const Expr *constant =
        expr->cast == CAST_READ ? lower_complex_constant(lower, expr->left) : NULL;
    if (constant) return lower_pair(lower, constant);
    if (expr->cast != CAST_ARITHMETIC) return lower_pair(lower, expr->left);
    ComplexOperand value = lower_pair(lower, expr->left);
    emit_at_expr(lower, expr);
    return convert_pair(lower, value, expr->left->type->base, expr->type->base);
}

static ComplexOperand pair_of_statements(Lower *lower, const Expr *expr) {
    Unwind *before;
    const Expr *last = statement_expression_open(lower, expr, &before);
    ComplexOperand value = last ? lower_pair(lower, last) : new_pair(lower, expr->type->base);
    statement_expression_close(lower, before);
    return value;
}

// A value that something else puts into memory.
static ComplexOperand pair_through_memory(Lower *lower, const Expr *expr) {
    Spot place = spot_temporary(lower, expr->type);
    if (expr->kind == EX_CALL)
        lower_call(lower, expr, true, &place, NO_REG);
    else
        lower_va_arg(lower, expr, &place, NO_REG);
    return read_pair(lower, &place, expr->type);
}

static ComplexOperand pair_of_any(Lower *lower, const Expr *expr) {
    switch ((ExprKind)expr->kind) {
    case EX_COMPLEX: {
        Operand real = lower_part(lower, expr->left);
        return (ComplexOperand){{real, lower_part(lower, expr->right)}};
    }
    case EX_CAST: return pair_of_cast(lower, expr);
    case EX_NEG:
    case EX_NOT: return pair_of_unary(lower, expr);
    case EX_BINARY: return pair_of_chain(lower, expr);
    case EX_COND: return pair_of_conditional(lower, expr);
    case EX_ASSIGN: return pair_of_assignment(lower, expr);
    case EX_ASSIGN_OP: return pair_of_assign_op(lower, expr);
    case EX_PRE_INC:
    case EX_PRE_DEC:
    case EX_POST_INC:
    case EX_POST_DEC: return pair_of_step(lower, expr);
    case EX_CALL:
    case EX_VA_ARG: return pair_through_memory(lower, expr);
    case EX_STATEMENT: return pair_of_statements(lower, expr);
    default: {
        Spot place = lower_spot(lower, expr);
        return read_pair(lower, &place, expr->type);
    }
    }
}

// The value of a complex expression.
static ComplexOperand lower_pair(Lower *lower, const Expr *expr) {
    if (!type_is_complex(expr->type) || !lower_enter(lower, expr))
        return new_pair(lower, type_is_complex(expr->type) ? expr->type->base
                                                           : lower->types->basic[CT_INT]);
    while (expr->kind == EX_COMMA) {
        lower_effect(lower, expr->left);
        expr = expr->right;
    }
    emit_at_expr(lower, expr);
    ComplexOperand value = pair_of_any(lower, expr);
    return value;
}

void complex_into(Lower *lower, const Expr *expr, const Spot *dest) {
    write_pair(lower, dest, expr->type, lower_pair(lower, expr));
}

void complex_initialize(Lower *lower, const Spot *place, const CType *type, const Init *init) {
    if (init && init->count) {
        complex_into(lower, init->pieces[init->count - 1].value, place);
        return;
    }
    Operand zero = lower_zero(lower, type->base, NO_REG);
    write_pair(lower, place, type, (ComplexOperand){{zero, zero}});
}

// A value that nobody wants: reading a volatile or atomic object is an effect, reading another is
// none.
void complex_effect(Lower *lower, const Expr *expr) {
    bool read = expr->kind == EX_CAST && expr->cast == CAST_READ;
    bool matters = read && expr->left->type->quals & (Q_VOLATILE | Q_ATOMIC);
    if (read && expr->left->kind == EX_VAR && !matters) return;
    if (expr->kind == EX_CALL) {
        Spot place = spot_temporary(lower, expr->type);
        lower_call(lower, expr, false, &place, NO_REG);
    } else {
        lower_pair(lower, expr);
    }
}

Spot complex_in_memory(Lower *lower, const Expr *expr) {
    if (expr->kind == EX_CAST && expr->cast == CAST_READ) {
        Spot place = lower_spot(lower, expr->left);
        sanitize_access_once(lower, &place, false);
        if (!place.in_register && !place.is_volatile && !place.is_atomic && !place.reversed)
            return place;
        Spot copy = spot_temporary(lower, expr->type);
        write_pair(lower, &copy, expr->type, read_pair(lower, &place, expr->type));
        return copy;
    }
    Spot place = spot_temporary(lower, expr->type);
    complex_into(lower, expr, &place);
    return place;
}

// ---- Truth and comparisons

// The condition for two numbers to differ: one of two comparisons.
typedef struct {
    Op op;
    Operand left[2], right[2];
} Difference;

static Difference lower_difference(Lower *lower, const Expr *expr) {
    bool comparison = !type_is_complex(expr->type);
    ComplexOperand left = lower_pair(lower, comparison ? expr->left : expr), right;
    const CType *part = comparison ? expr->left->type->base : expr->type->base;
    if (comparison) {
        right = lower_pair(lower, expr->right);
    } else {
        Operand zero = lower_zero(lower, part, NO_REG);
        right = (ComplexOperand){{zero, zero}};
    }
    emit_at_expr(lower, expr);
    return (Difference){.op = comparison_op(BIN_NE, part),
                        .left = {left.part[0], left.part[1]},
                        .right = {right.part[0], right.part[1]}};
}

static Operand difference_value(Lower *lower, const Difference *d, Reg dest) {
    Operand real = emit_binary(lower, d->op, d->left[0], d->right[0], NO_REG);
    Operand imaginary = emit_binary(lower, d->op, d->left[1], d->right[1], NO_REG);
    return emit_binary(lower, OP_OR_I32, real, imaginary, dest);
}

Operand complex_to_bool(Lower *lower, const Expr *expr, Reg dest) {
    Difference difference = lower_difference(lower, expr);
    return difference_value(lower, &difference, dest);
}

Operand complex_compare(Lower *lower, const Expr *expr, Reg dest) {
    Difference difference = lower_difference(lower, expr);
    if (expr->op == BIN_NE) return difference_value(lower, &difference, dest);
    Operand differ = difference_value(lower, &difference, NO_REG);
    return emit_binary(lower, OP_XOR_I32, differ, operand_int(TYPE_I32, 1), dest);
}

void complex_branch(Lower *lower, const Expr *expr, Label then, Label otherwise) {
    Difference d = lower_difference(lower, expr);
    Label more = label_new(lower);
    if (!type_is_complex(expr->type) && expr->op == BIN_EQ) {
        Label swap = then;
        then = otherwise;
        otherwise = swap;
    }
    emit_branch(lower, d.op, d.left[0], d.right[0], then, more);
    label_place(lower, more);
    emit_branch(lower, d.op, d.left[1], d.right[1], then, otherwise);
}
