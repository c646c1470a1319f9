// Checks for undefined behaviour (-fsanitize=). Each check stands right before the operation that
// would go wrong. A check that traps is a `check` instruction, which passes may remove if they can
// show that the check holds. A check that reports is a branch to a call (lower_report.c).
// Conditions that hold at first sight are not checked.
//
// gcc has checks at the same places: test/sanitize/mistakes.sh compares.
#include "c/lower/lower_private.h"

static bool sanitizes(const Lower *lower, Sanitizer kind) {
    return lower->checks >> kind & 1;
}

void sanitize_begin(Lower *lower) {
    lower->checks = lower->sanitize.on & ~lower->func->attributes->no_sanitize;
    if (lower->sanitize.traps_overflow) lower->checks |= SANITIZE_BIT(OVERFLOW);
    lower->reports.at = NULL; // it is in the scratch arena
    lower->reports.count = lower->reports.capacity = 0;
}

// ---- Checks

static ReportData about(const CType *first, const CType *second) {
    return (ReportData){.types = {first, second}};
}

// A kind of check at a place: the action if it fails.
typedef struct {
    Sanitizer kind;
    const char *handler;
    ReportData data;
    Operand values[2];
    uint32_t value_count;
    Sym object; // made of the data when it is first needed
    bool made;
} Guard;

// Ends the program, or reports, unless a comparison holds.
static void require(Lower *lower, Guard *guard, Op op, Operand a, Operand b) {
    Value result;
    if (a.constant && b.constant &&
        op_eval(op, value_immediate(a.type, a.imm), value_immediate(b.type, b.imm), (Value){0},
                &result) &&
        result.bits)
        return;
    if (lower->sanitize.trap >> guard->kind & 1) {
        emit_check(lower, operand_in_reg(lower, emit_binary(lower, op, a, b, NO_REG)));
        return;
    }
    if (!guard->made) guard->object = report_object(lower, &guard->data);
    guard->made = true;
    CheckReport report = {.handler = guard->handler,
                          .object = guard->object,
                          .value_count = guard->value_count,
                          .recovers = lower->sanitize.recover >> guard->kind & 1,
                          .good = label_new(lower),
                          .bad = label_new(lower)};
    for (uint32_t i = 0; i < guard->value_count; i++) report.values[i] = guard->values[i];
    emit_branch(lower, op, a, b, report.good, report.bad);
    label_place(lower, report.good);
    report_later(lower, report);
}

static Operand zero_of(Operand value) {
    return operand_int(value.type, 0);
}

static bool is_constant(Operand value, int64_t number) {
    return value.constant && value.imm == number;
}

// ---- Arithmetic

// Whether a type is one whose arithmetic can overflow. Bit-fields are passed over.
static bool overflows(const CType *type) {
    return type_is_integer(type) && !type_is_unsigned(type) && !type->width && type->size >= 4;
}

static int64_t least(Type type) {
    return type == TYPE_I64 ? INT64_MIN : INT32_MIN;
}

static Guard arithmetic_guard(Sanitizer kind, const char *handler, const CType *type, Operand a,
                              Operand b) {
    return (Guard){.kind = kind,
                   .handler = handler,
                   .data = about(type->unqualified, NULL),
                   .values = {a, b},
                   .value_count = 2};
}

static void require_exact(Lower *lower, BinaryOp op, const CType *type, Operand a, Operand b) {
    static const struct {
        const char *handler;
        OpFamily fits;
    } rows[] = {[BIN_ADD] = {"add_overflow", FAM_NADDO},
                [BIN_SUB] = {"sub_overflow", FAM_NSUBO},
                [BIN_MUL] = {"mul_overflow", FAM_NMULO}};
    Guard guard = arithmetic_guard(SANITIZE_OVERFLOW, rows[op].handler, type, a, b);
    if (a.type == TYPE_WIDE) {
        require(lower, &guard, OP_EQ_I32, wide_overflows(lower, op, a, b),
                operand_int(TYPE_I32, 0));
        return;
    }
    bool neutral = is_constant(b, op == BIN_MUL) || (op == BIN_MUL && is_constant(b, 0)) ||
                   (op == BIN_ADD && is_constant(a, 0)) || (op == BIN_MUL && is_constant(a, 1));
    if (!neutral) require(lower, &guard, op_of(rows[op].fits, a.type), a, b);
}

// Where neither operand is a constant that forbids it: the least number by -1.
static void require_quotient(Lower *lower, const CType *type, Operand a, Operand b) {
    Guard guard = arithmetic_guard(SANITIZE_OVERFLOW, "divrem_overflow", type, a, b);
    Operand other_a, other_b;
    if (a.type == TYPE_WIDE) {
        Operand high =
            emit_binary(lower, OP_XOR_I64, wide_high(a), operand_int(TYPE_I64, INT64_MIN), NO_REG);
        other_a = emit_binary(lower, OP_OR_I64, wide_low(a), high, NO_REG);
        other_b = emit_binary(lower, OP_AND_I64, wide_low(b), wide_high(b), NO_REG);
        other_b = emit_unary(lower, OP_NOT_I64, other_b, NO_REG);
    } else {
        int64_t lowest = least(a.type);
        if ((a.constant && a.imm != lowest) || (b.constant && b.imm != -1)) return;
        if (b.constant) {
            require(lower, &guard, op_of(FAM_NE, a.type), a, operand_int(a.type, lowest));
            return;
        }
        if (a.constant) {
            require(lower, &guard, op_of(FAM_NE, b.type), b, operand_int(b.type, -1));
            return;
        }
        other_a =
            emit_binary(lower, op_of(FAM_XOR, a.type), a, operand_int(a.type, lowest), NO_REG);
        other_b = emit_unary(lower, op_of(FAM_NOT, b.type), b, NO_REG);
    }
    Operand either = emit_binary(lower, op_of(FAM_OR, other_a.type), other_a, other_b, NO_REG);
    require(lower, &guard, op_of(FAM_NE, either.type), either, zero_of(either));
}

static void check_division(Lower *lower, const CType *type, Operand a, Operand b) {
    bool integer = type_is_integer(type);
    Sanitizer kind = integer ? SANITIZE_DIVIDE : SANITIZE_FLOAT_DIVIDE;
    if (sanitizes(lower, kind)) {
        Guard guard = arithmetic_guard(kind, "divrem_overflow", type, a, b);
        Operand divisor = b.type == TYPE_WIDE ? wide_bits(lower, b) : b;
        Operand zero = integer ? zero_of(divisor) : emit_float(lower, divisor.type, 0, NO_REG);
        require(lower, &guard, op_of(FAM_NE, divisor.type), divisor, zero);
    }
    if (overflows(type) && sanitizes(lower, SANITIZE_OVERFLOW) && !lower->sanitize.wraps)
        require_quotient(lower, type, a, b);
}

// A count in at most 64 bits; a count of 128 bits that does not fit becomes a large one.
static Operand plain_count(Lower *lower, Operand count) {
    if (count.type != TYPE_WIDE) return count;
    Operand high =
        emit_binary(lower, OP_NE_I64, wide_high(count), operand_int(TYPE_I64, 0), NO_REG);
    high = emit_unary(lower, OP_ZEXT_I64, high, NO_REG);
    high = emit_binary(lower, OP_SHL_I64, high, operand_int(TYPE_I32, 63), NO_REG);
    return emit_binary(lower, OP_OR_I64, wide_low(count), high, NO_REG);
}

// That a << count neither loses a bit nor changes the sign: all of its bits from the one that
// becomes the sign on are 0.
static void require_base(Lower *lower, Guard *guard, Operand a, Operand count) {
    int64_t top = a.type == TYPE_WIDE ? 127 : a.type == TYPE_I64 ? 63 : 31;
    if (count.type != TYPE_I32) count = emit_unary(lower, OP_TRUNC_I32, count, NO_REG);
    Operand distance = emit_binary(lower, OP_SUB_I32, operand_int(TYPE_I32, top), count, NO_REG);
    Operand lost;
    if (a.type == TYPE_WIDE) {
        CType *natural = lower->types->basic[CT_UINT128];
        distance = emit_binary(lower, OP_AND_I32, distance, operand_int(TYPE_I32, top), NO_REG);
        lost = wide_bits(lower, wide_operator(lower, BIN_SHR, natural, a, distance));
    } else {
        lost = emit_binary(lower, op_of(FAM_SHR, a.type), a, distance, NO_REG);
    }
    if (!sanitizes(lower, SANITIZE_SHIFT_EXPONENT)) {
        // With a count that is too large the base is not checked.
        Operand large = emit_binary(lower, OP_UGT_I32, count, operand_int(TYPE_I32, top), NO_REG);
        Operand some = lower_to_bool(lower, lost, NO_REG);
        Operand none = emit_binary(lower, OP_XOR_I32, some, operand_int(TYPE_I32, 1), NO_REG);
        lost = emit_binary(lower, OP_OR_I32, large, none, NO_REG);
        require(lower, guard, OP_NE_I32, lost, operand_int(TYPE_I32, 0));
        return;
    }
    require(lower, guard, op_of(FAM_EQ, lost.type), lost, zero_of(lost));
}

static void check_shift(Lower *lower, BinaryOp op, const CType *type, Operand a,
                        const CType *count_type, Operand count) {
    Guard guard = arithmetic_guard(SANITIZE_SHIFT_EXPONENT, "shift_out_of_bounds", type, a, count);
    guard.data.types[1] = count_type;
    Operand plain = plain_count(lower, count);
    int64_t bits = a.type == TYPE_WIDE ? 128 : a.type == TYPE_I64 ? 64 : 32;
    if (type->width) bits = type->width;
    if (sanitizes(lower, SANITIZE_SHIFT_EXPONENT))
        require(lower, &guard, op_of(FAM_ULT, plain.type), plain, operand_int(plain.type, bits));
    guard.kind = SANITIZE_SHIFT_BASE;
    if (op == BIN_SHL && overflows(type) && sanitizes(lower, SANITIZE_SHIFT_BASE) &&
        !lower->sanitize.wraps && !lower->sanitize.c90)
        require_base(lower, &guard, a, plain);
}

void sanitize_negation(Lower *lower, const CType *type, Operand value) {
    type = type_scalar(type);
    if (!sanitizes(lower, SANITIZE_OVERFLOW) || lower->sanitize.wraps || !overflows(type)) return;
    Guard guard = {.kind = SANITIZE_OVERFLOW,
                   .handler = "negate_overflow",
                   .data = about(type->unqualified, NULL),
                   .values = {value},
                   .value_count = 1};
    if (value.type == TYPE_WIDE) {
        Operand high = emit_binary(lower, OP_XOR_I64, wide_high(value),
                                   operand_int(TYPE_I64, INT64_MIN), NO_REG);
        value = emit_binary(lower, OP_OR_I64, wide_low(value), high, NO_REG);
        require(lower, &guard, OP_NE_I64, value, operand_int(TYPE_I64, 0));
        return;
    }
    require(lower, &guard, op_of(FAM_NE, value.type), value,
            operand_int(value.type, least(value.type)));
}

void sanitize_operator(Lower *lower, BinaryOp op, const CType *type, Operand a,
                       const CType *right_type, Operand b) {
    if (!lower->checks || a.type == TYPE_VOID || b.type == TYPE_VOID) return;
    type = type_scalar(type);
    switch (op) {
    case BIN_ADD:
    case BIN_SUB:
    case BIN_MUL:
        if (op == BIN_SUB && a.type != TYPE_WIDE && is_constant(a, 0))
            sanitize_negation(lower, type, b);
        else if (overflows(type) && sanitizes(lower, SANITIZE_OVERFLOW) && !lower->sanitize.wraps)
            require_exact(lower, op, type, a, b);
        break;
    case BIN_DIV:
    case BIN_MOD: check_division(lower, type, a, b); break;
    case BIN_SHL:
    case BIN_SHR: check_shift(lower, op, type, a, type_scalar(right_type), b); break;
    default: break;
    }
}

// ---- Pointers

// p + offset neither passes the end of the address space nor its start. By a constant that is a
// bound on p. Otherwise the space is moved down by half of it, so that p is a signed number, and
// the check is overflow of a signed sum.
void sanitize_pointer_sum(Lower *lower, Operand pointer, Operand offset) {
    if (!sanitizes(lower, SANITIZE_POINTER) || is_constant(offset, 0)) return;
    Guard guard = {.kind = SANITIZE_POINTER,
                   .handler = "pointer_overflow",
                   .values = {pointer},
                   .value_count = 2};
    if (!(lower->sanitize.trap >> SANITIZE_POINTER & 1))
        guard.values[1] = emit_binary(lower, OP_ADD_I64, pointer, offset, NO_REG);
    if (offset.constant && offset.imm > 0) {
        require(lower, &guard, OP_ULE_I64, pointer, operand_int(TYPE_I64, ~offset.imm));
    } else if (offset.constant) {
        Operand distance = operand_int(TYPE_I64, (int64_t)(0 - (uint64_t)offset.imm));
        require(lower, &guard, OP_UGE_I64, pointer, distance);
    } else {
        Operand moved =
            emit_binary(lower, OP_XOR_I64, pointer, operand_int(TYPE_I64, INT64_MIN), NO_REG);
        require(lower, &guard, OP_NADDO_I64, moved, offset);
    }
}

static bool is_subscripted_array(const Expr *sum) {
    return sum->kind == EX_BINARY && sum->subscript && sum->left->kind == EX_CAST &&
           sum->left->cast == CAST_DECAY && sum->left->left->type->kind == CT_ARRAY;
}

// Whether a member at an offset is the last of a record, or of the last anonymous record in it.
static bool is_last_member(const CType *type, uint64_t offset) {
    const Record *record = type->record;
    for (uint32_t i = 0; i < record->members.count; i++) {
        const Member *member = &record->members.at[i];
        if (type->kind == CT_STRUCT && member->offset > offset) return false;
        bool inside = offset >= member->offset && offset - member->offset < member->type->size;
        if (!member->name && type_is_record(member->type) && inside &&
            !is_last_member(member->type, offset - member->offset))
            return false;
    }
    return true;
}

bool array_may_be_longer(const Expr *array) {
    if (array->kind != EX_MEMBER) return false;
    const Expr *base = array;
    for (;;) {
        if (base->kind == EX_MEMBER)
            base = base->left;
        else if (base->kind == EX_DEREF && is_subscripted_array(base->left))
            base = base->left->left->left;
        else
            break;
    }
    if (base->kind != EX_DEREF) return false;
    for (; array->kind == EX_MEMBER; array = array->left)
        if (!is_last_member(array->left->type, array->member_offset)) return false;
    return true;
}

// The bound of an index: the number of elements. Where the size of an element is known at run time
// only, bytes are compared. False if the array has no known end.
static bool find_bound(Lower *lower, const CType *type, Operand *index, Operand *bound) {
    if (type->array.counted) {
        *bound = operand_int(TYPE_I64, (int64_t)type->array.count);
        return type->array.count != 0;
    }
    if (!type->array.size_var) return false;
    Operand element = lower_size(lower, type->base), size = lower_size(lower, type);
    if (element.constant && element.imm == 0) return false;
    *bound = size;
    if (element.constant)
        *bound = emit_binary(lower, OP_DIVU_I64, size, element, NO_REG);
    else
        *index = emit_binary(lower, OP_MUL_I64, *index, element, NO_REG);
    return true;
}

// The type of a subscript before it was converted.
static const CType *written_type(const Expr *index) {
    while (index->kind == EX_CAST && index->cast == CAST_ARITHMETIC &&
           type_is_integer(index->left->type))
        index = index->left;
    return index->type;
}

bool sanitize_subscript(Lower *lower, const Expr *sum, Operand index, bool address) {
    if (!sanitizes(lower, SANITIZE_BOUNDS) || index.type == TYPE_VOID || !is_subscripted_array(sum))
        return false;
    const Expr *array = sum->left->left;
    Operand compared = index, bound;
    bool longer = array_may_be_longer(array) && !sanitizes(lower, SANITIZE_BOUNDS_STRICT);
    if (longer || !find_bound(lower, array->type, &compared, &bound)) return false;
    Guard guard = {.kind = SANITIZE_BOUNDS,
                   .handler = "out_of_bounds",
                   .data = about(array->type, written_type(sum->right)),
                   .values = {index},
                   .value_count = 1};
    require(lower, &guard, address ? OP_ULE_I64 : OP_ULT_I64, compared, bound);
    return true;
}

void sanitize_count(Lower *lower, const Expr *product, Operand count) {
    if (!sanitizes(lower, SANITIZE_VLA) || !product->bound) return;
    const CType *type = type_scalar(written_type(product->left));
    Guard guard = {.kind = SANITIZE_VLA,
                   .handler = "vla_bound_not_positive",
                   .data = about(type, NULL),
                   .values = {count},
                   .value_count = 1};
    require(lower, &guard, type_is_unsigned(type) ? OP_NE_I64 : OP_GT_I64, count, zero_of(count));
}

// ---- Accesses

// The object at the pointer, or behind a member of it: its pointer is tested when it is accessed,
// or when the address of a member is taken. Subscripts and members of a named object need no test,
// nor do those of an object whose pointer is tested.
void guard_pointee(Lower *lower, Spot *place, const Expr *lvalue) {
    const Expr *pointer = lvalue->left;
    const CType *type = lvalue->type;
    bool same = is_subscripted_array(pointer) || pointer->kind == EX_ADDR ||
                (pointer->kind == EX_CAST && pointer->cast == CAST_DECAY);
    if (!(lower->checks & (SANITIZE_BIT(NULL_POINTER) | SANITIZE_BIT(ALIGNMENT))) || same ||
        type->kind == CT_FUNC || type->kind == CT_VOID || place->in_register)
        return;
    sanitize_address(lower, place);
    place->guard = (SpotGuard){.type = type,
                               .base = place->base,
                               .scale = place->scale,
                               .reg = place->reg,
                               .index = place->index,
                               .ref = place->ref,
                               .offset = place->offset};
}

// Whether the address is known to be a multiple of a power of two.
static bool is_aligned(const Lower *lower, const SpotGuard *guard, uint32_t align) {
    if (guard->offset % align || (guard->scale && guard->scale % align)) return false;
    if (guard->base == BASE_SLOT) return lower->f->slots.at[guard->ref].align >= align;
    if (guard->base == BASE_SYMBOL)
        return program_at(lower->program, (Sym){guard->ref})->align >= align;
    return guard->base == BASE_NONE && !guard->scale;
}

enum { KIND_LOAD, KIND_STORE, KIND_MEMBER = 3 };

// The pointer before a subscript is added, if it is as well aligned then: a null pointer with a
// subscript is a mistake, too, and a pointer that stays the same in a loop is tested once.
static Operand tested_pointer(Lower *lower, const SpotGuard *from, uint32_t align) {
    bool base = from->base == BASE_REG && from->offset % align == 0 && from->scale % align == 0;
    Spot place = {.base = from->base,
                  .scale = base ? 0 : from->scale,
                  .reg = from->reg,
                  .index = from->index,
                  .ref = from->ref,
                  .offset = base ? 0 : from->offset};
    return emit_address(lower, &place, NO_REG);
}

static void check_pointee(Lower *lower, const SpotGuard *from, unsigned kind) {
    uint32_t align = sanitizes(lower, SANITIZE_ALIGNMENT) ? from->type->align : 1;
    bool named = from->base == BASE_SLOT || from->base == BASE_SYMBOL;
    bool null = sanitizes(lower, SANITIZE_NULL_POINTER) && !named;
    bool aligned = align <= 1 || is_aligned(lower, from, align);
    if (!null && aligned) return;
    Operand pointer = tested_pointer(lower, from, align);
    uint8_t bits = 0;
    while ((uint32_t)1 << bits < align) bits++;
    Guard guard = {.kind = SANITIZE_NULL_POINTER,
                   .handler = "type_mismatch_v1",
                   .data = {.types = {from->type}, .bytes = {bits, (uint8_t)kind}, .byte_count = 2},
                   .values = {pointer},
                   .value_count = 1};
    if (null) require(lower, &guard, OP_NE_I64, pointer, operand_int(TYPE_I64, 0));
    if (aligned) return;
    guard.kind = SANITIZE_ALIGNMENT;
    Operand rest =
        emit_binary(lower, OP_AND_I64, pointer, operand_int(TYPE_I64, align - 1), NO_REG);
    require(lower, &guard, OP_EQ_I64, rest, operand_int(TYPE_I64, 0));
}

void sanitize_access(Lower *lower, const Spot *place, bool stores) {
    if (!place->guard.type) return;
    check_pointee(lower, &place->guard,
                  place->guard.member ? KIND_MEMBER
                  : stores            ? KIND_STORE
                                      : KIND_LOAD);
}

void sanitize_access_once(Lower *lower, Spot *place, bool stores) {
    sanitize_access(lower, place, stores);
    place->guard.type = NULL;
}

void sanitize_address(Lower *lower, Spot *place) {
    if (place->guard.type && place->guard.member) sanitize_access(lower, place, false);
    place->guard.type = NULL;
}

// A _Bool is 0 or 1.
void sanitize_bool(Lower *lower, const CType *type, Operand value) {
    if (!sanitizes(lower, SANITIZE_BOOL) || type_scalar(type)->kind != CT_BOOL) return;
    Guard guard = {.kind = SANITIZE_BOOL,
                   .handler = "load_invalid_value",
                   .data = about(type_scalar(type), NULL),
                   .values = {value},
                   .value_count = 1};
    require(lower, &guard, OP_ULE_I32, value, operand_int(TYPE_I32, 1));
}

// ---- Functions

void sanitize_bits_argument(Lower *lower, bool leading, Operand value) {
    if (!sanitizes(lower, SANITIZE_BUILTIN)) return;
    Guard guard = {.kind = SANITIZE_BUILTIN,
                   .handler = "invalid_builtin",
                   .data = {.bytes = {leading}, .byte_count = 1}};
    if (value.type == TYPE_WIDE) value = wide_bits(lower, value);
    require(lower, &guard, op_of(FAM_NE, value.type), value, zero_of(value));
}

void sanitize_argument(Lower *lower, const Decl *callee, uint32_t i, const Expr *arg, Reg reg) {
    if (!sanitizes(lower, SANITIZE_NONNULL) || !callee || arg->type->kind != CT_POINTER) return;
    bool promised = i < 64 && callee->attributes->nonnull >> i & 1;
    if (!promised && !callee->attributes->all_nonnull) return;
    if (arg->kind == EX_ADDR || (arg->kind == EX_CAST && arg->cast == CAST_DECAY)) return;
    Guard guard = {.kind = SANITIZE_NONNULL,
                   .handler = "nonnull_arg",
                   .data = {.second_place = true, .has_number = true, .number = i + 1}};
    require(lower, &guard, OP_NE_I64, operand_reg(lower, reg), operand_int(TYPE_I64, 0));
}

void sanitize_result(Lower *lower, Operand value) {
    if (!sanitizes(lower, SANITIZE_RETURNS_NONNULL) || value.type != TYPE_I64 ||
        !lower->func->attributes->returns_nonnull || lower->func->type->base->kind != CT_POINTER)
        return;
    Guard guard = {.kind = SANITIZE_RETURNS_NONNULL,
                   .handler = "nonnull_return_v1",
                   .data = {.no_place = true},
                   .value_count = 1};
    if (!(lower->sanitize.trap >> SANITIZE_RETURNS_NONNULL & 1)) {
        Sym here = report_object(lower, &(ReportData){0});
        Spot place = {.base = BASE_SYMBOL, .ref = here.i, .reg = NO_REG, .index = NO_REG};
        guard.values[0] = emit_address(lower, &place, NO_REG);
    }
    require(lower, &guard, OP_NE_I64, value, operand_int(TYPE_I64, 0));
}

void lower_unreachable(Lower *lower) {
    bool traps = lower->sanitize.trap >> SANITIZE_UNREACHABLE & 1;
    if (sanitizes(lower, SANITIZE_UNREACHABLE) && !traps) {
        CheckReport report = {.handler = "builtin_unreachable",
                              .object = report_object(lower, &(ReportData){0}),
                              .ends = true,
                              .bad = label_new(lower)};
        emit_jump(lower, report.bad);
        report_later(lower, report);
        return;
    }
    Builtin end = sanitizes(lower, SANITIZE_UNREACHABLE) ? BI_TRAP : BI_UNREACHABLE;
    emit_builtin(lower, end, NO_REG, NULL, 0, 0);
}
