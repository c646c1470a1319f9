// Conversions: from lvalues to values, promotions, conversion as by assignment, and casts. After
// this every change of type is an EX_CAST, or has been folded into a constant.
#include "c/parse/warn.h"

#include <math.h>
#include <string.h>

// ---- Objects

Decl *root_variable(const Expr *lvalue) {
    while (lvalue->kind == EX_MEMBER) lvalue = lvalue->left;
    return lvalue->kind == EX_VAR || lvalue->kind == EX_COMPOUND ? lvalue->decl : NULL;
}

void decl_mark_used(Decl *decl) {
    decl->used = true;
}

void mark_read(const Expr *lvalue) {
    Decl *decl = root_variable(lvalue);
    if (decl) decl->used = true;
}

void mark_assigned(const Expr *lvalue) {
    Decl *decl = root_variable(lvalue);
    if (decl) decl->assigned = true;
}

void mark_address_taken(const Expr *lvalue) {
    Decl *decl = root_variable(lvalue);
    if (!decl) return;
    decl->used = true;
    decl->address_taken = true;
}

const Member *bitfield_source(const Expr *expr) {
    for (;;) {
        switch (expr->kind) {
        case EX_MEMBER: return expr->member->bitfield ? expr->member : NULL;
        case EX_CAST:
            if (expr->cast != CAST_READ && expr->cast != CAST_SAME) return NULL;
            expr = expr->left;
            break;
        case EX_ASSIGN:
        case EX_ASSIGN_OP:
        case EX_PRE_INC:
        case EX_PRE_DEC:
        case EX_POST_INC:
        case EX_POST_DEC: expr = expr->left; break;
        case EX_COMMA: expr = expr->right; break;
        default: return NULL;
        }
    }
}

void unsupported_type(Parser *parser, const Expr *at, const CType *type) {
    if (parser->discarded > 0) return;
    error_at_expr(parser, at, "values of type %s are not supported", type_text(parser, type));
}

// ---- Values

CType *value_type(Parser *parser, CType *type) {
    if (type->kind <= CT_LDOUBLE && !type->width) return type_plain(parser->types, type);
    if (type_is_complex(type)) return type_complex(parser->types, type->base);
    return type->unqualified;
}

Expr *make_cast(Parser *parser, CastKind kind, Expr *expr, CType *type) {
    Expr *cast = expr_new(parser, EX_CAST, type, expr);
    cast->cast = (uint8_t)kind;
    cast->left = expr;
    return cast;
}

// The pointer to the first element of an array. In an object at a constant address it is a
// constant.
static uint64_t element_size(const CType *type) {
    while (type->kind == CT_ARRAY) type = type->base;
    return type->size;
}

static Expr *decay_array(Parser *parser, Expr *array) {
    CType *type = type_pointer(parser->types, array->type->base);
    mark_address_taken(array);
    if (array->reversed && !parser->subscripted && element_size(array->type) > 1)
        warn_at_expr(parser, WARN_SCALAR_STORAGE_ORDER, array,
                     "address of array with reverse scalar storage order requested");
    Expr *cast = make_cast(parser, CAST_DECAY, array, type);
    AddressConstant address;
    if (array->kind == EX_MEMBER && expr_is_address_constant(cast, &address) && !address.decl &&
        !address.string && !address.label) {
        Expr *constant = expr_int(parser, type, (uint64_t)address.offset, array);
        constant->constant_expression = false;
        return constant;
    }
    return cast;
}

static Expr *value_of_function(Parser *parser, Expr *func) {
    if (func->kind == EX_DEREF) return func->left;
    return make_cast(parser, CAST_FUNC, func, type_pointer(parser->types, func->type));
}

// The number with which a const variable is initialized. Only the initializers of static objects
// (which live as long as the unit does) may use it.
static const Expr *known_value(const Parser *parser, const Expr *expr) {
    if (expr->kind != EX_VAR || parser->body_arena != parser->arena) return NULL;
    const Decl *decl = expr->decl;
    if (decl->type->quals != Q_CONST || !decl->init || decl->init->count != 1) return NULL;
    if (!type_is_arithmetic(decl->type)) return NULL;
    const Expr *value = decl->init->pieces[0].value;
    return expr_is_number(value) ? value : NULL;
}

// Whether the lvalue is a character of a string literal: which one, as in the system compiler, is a
// constant.
static bool known_character(const Expr *expr, uint64_t *value) {
    const CType *type = expr->type;
    if (expr->kind != EX_DEREF || !type_is_integer(type) || type->quals & Q_VOLATILE) return false;
    AddressConstant address;
    if (!expr_is_address_constant(expr->left, &address) || !address.string) return false;
    const CString *string = address.string;
    uint64_t offset = (uint64_t)address.offset;
    if (type->kind == CT_BOOL || type->size != string->element) return false;
    if (offset >= string->size || offset % string->element) return false;
    *value = 0;
    memcpy(value, string->bytes + offset, string->element);
    return true;
}

void mark_value_used(const Expr *expr) {
    while (expr->kind == EX_COMMA) expr = expr->right;
    if (expr->kind == EX_ASSIGN) mark_read(expr->left);
}

Expr *expr_value(Parser *parser, Expr *expr) {
    mark_value_used(expr);
    return expr_unused_value(parser, expr);
}

Expr *expr_unused_value(Parser *parser, Expr *expr) {
    CType *type = expr->type;
    if (!expr->lvalue && type->kind != CT_ARRAY && type->kind != CT_FUNC) {
        if (type->quals) expr->type = value_type(parser, type);
        return expr;
    }
    switch (type->kind) {
    case CT_ERROR: return expr;
    case CT_ARRAY: return decay_array(parser, expr);
    case CT_FUNC: return value_of_function(parser, expr);
    case CT_VOID:
        if (expr->kind == EX_DEREF)
            return make_cast(parser, CAST_VOID, expr->left, parser->types->basic[CT_VOID]);
        break;
    case CT_UNSUPPORTED: unsupported_type(parser, expr, type); return expr_error(parser, expr);
    default: break;
    }
    if (!type->complete) {
        error_at_expr(parser, expr, "%s is an incomplete type: it has no values",
                      type_text(parser, type));
        return expr_error(parser, expr);
    }
    mark_read(expr);
    const Expr *known = known_value(parser, expr);
    if (known) return expr_number(parser, known, expr);
    uint64_t character;
    if (known_character(expr, &character)) {
        Expr *constant = expr_int(parser, value_type(parser, type), character, expr);
        constant->constant_expression = false;
        return constant;
    }
    return make_cast(parser, CAST_READ, expr, value_type(parser, type));
}

// ---- Promotions

CType *promoted_type(Parser *parser, const Expr *value) {
    Types *types = parser->types;
    const Member *field = bitfield_source(value);
    if (field && type_is_integer(field->type)) {
        unsigned bits = type_bits(types->basic[CT_INT]);
        bool is_unsigned = type_is_unsigned(field->type);
        if (field->width < bits || (field->width == bits && !is_unsigned))
            return types->basic[CT_INT];
        if (field->width == bits) return types->basic[CT_UINT];
        if (field->width < type_bits(field->type) && field->type->size == 8)
            return type_narrow(types, field->width, is_unsigned);
    }
    return type_promote(types, value->type);
}

Expr *expr_promote(Parser *parser, Expr *value) {
    if (is_error(value) || !type_is_integer(value->type)) return value;
    return expr_convert(parser, value, promoted_type(parser, value));
}

// Whether an expression is the double that the float result of a call becomes: converted back to
// float, it is that result. So fabs of a float that is assigned to a float is fabsf, as in gcc, of
// a signaling NaN, too.
static bool widens_call(const Parser *parser, const Expr *expr) {
    return parser->options->optimize && expr->kind == EX_CAST && expr->cast == CAST_ARITHMETIC &&
           expr->type->kind == CT_DOUBLE && expr->left->type->kind == CT_FLOAT &&
           (expr->left->kind == EX_CALL || expr->left->kind == EX_BUILTIN);
}

// ---- Conversion without questions

bool is_extended_half(const Expr *expr) {
    const CType *to = expr->type, *from = expr->kind == EX_CAST ? expr->left->type : NULL;
    if (!from || expr->cast != CAST_ARITHMETIC || type_is_complex(to) != type_is_complex(from))
        return false;
    if (type_is_complex(to)) to = to->base, from = from->base;
    return from->kind == CT_HALF && type_is_floating(to);
}

static bool is_choice_of_excess(Parser *parser, const Expr *expr, const CType *type) {
    return expr->kind == EX_COND && expr->middle && expr->type != type &&
           type_meant(parser->types, expr->type) == type;
}

// c ? a : b with excess precision, rounded: each alternative is, and an alternative without excess
// precision stays the same.
static Expr *convert_choice(Parser *parser, const Expr *choice, CType *type) {
    Expr *made = expr_new(parser, EX_COND, type, choice);
    *made = *choice;
    made->type = type;
    made->middle = expr_convert(parser, choice->middle, type);
    made->right = expr_convert(parser, choice->right, type);
    return made;
}

Expr *expr_convert(Parser *parser, Expr *expr, CType *type) {
    type = value_type(parser, type);
    CType *from = expr->type;
    if (from == type || from->kind == CT_ERROR || type->kind == CT_ERROR) return expr;
    // No number changes on the way to a wider type and back.
    if (is_extended_half(expr) && expr->left->type == type) return expr->left;
    if (is_choice_of_excess(parser, expr, type)) return convert_choice(parser, expr, type);
    if (type->kind == CT_BOOL && type_evaluated(parser->types, from) != from)
        expr = expr_convert(parser, expr, type_evaluated(parser->types, from));
    if (type_is_complex(type) || type_is_complex(from)) return convert_complex(parser, expr, type);
    if (widens_call(parser, expr) && expr->left->type == type) return expr->left;
    Expr *folded = fold_cast(parser, expr, type);
    if (folded) return folded;
    CastKind kind = CAST_SAME;
    if (type->kind == CT_VOID)
        kind = CAST_VOID;
    else if (type->kind == CT_BOOL)
        kind = CAST_TO_BOOL;
    else if (type->kind == CT_POINTER || from->kind == CT_POINTER)
        kind = CAST_POINTER;
    else if (type_is_arithmetic(type))
        kind = CAST_ARITHMETIC;
    return make_cast(parser, kind, expr, type);
}

Expr *expr_as_meant(Parser *parser, Expr *value) {
    return expr_convert(parser, value, type_meant(parser->types, value->type));
}

// ---- Null pointers and qualifiers

bool is_null_pointer_constant(const Expr *expr) {
    if (!is_zero_constant(expr) || !expr->constant_expression) return false;
    const CType *type = expr->type;
    if (type->kind != CT_POINTER) return true;
    return type->base->kind == CT_VOID && type->base->quals == 0;
}

// The qualifiers of a pointer's target; those of an array are its elements'.
static unsigned pointee_quals(const CType *pointer) {
    const CType *type = pointer->base;
    while (type->kind == CT_ARRAY) type = type->base;
    return type->quals & ~(unsigned)Q_ATOMIC;
}

static const char *quals_text(unsigned quals) {
    static const char *const names[] = {
        "",           "'const'",          "'volatile'",          "'const volatile'",
        "'restrict'", "'const restrict'", "'volatile restrict'", "'const volatile restrict'",
    };
    return names[quals & 7];
}

// Compatible but for the signedness of integers.
static bool differ_in_sign(const CType *a, const CType *b) {
    a = a->unqualified;
    b = b->unqualified;
    if (!type_is_integer(a) || !type_is_integer(b)) return false;
    if (type_is_character(a) && type_is_character(b)) return true;
    return a->kind != CT_BOOL && b->kind != CT_BOOL && type_rank(a) == type_rank(b);
}

static void check_pointers(Parser *parser, const Expr *expr, const CType *to, const char *what) {
    const CType *from = expr->type;
    const CType *a = to->base, *b = from->base;
    bool is_void = a->kind == CT_VOID || b->kind == CT_VOID;
    bool both_atomic = (a->quals & Q_ATOMIC) == (b->quals & Q_ATOMIC);
    if (!is_void && !(both_atomic && type_compatible_unqualified(a, b))) {
        bool sign = both_atomic && differ_in_sign(a, b);
        warn_at_value(parser, sign ? WARN_POINTER_SIGN : WARN_INCOMPATIBLE_POINTERS, expr,
                      sign ? "%s: %s and %s point to integers of different signedness"
                           : "%s: incompatible pointer types, expected %s, have %s",
                      what, type_text(parser, to), type_text(parser, from));
        return;
    }
    unsigned lost = pointee_quals(from) & ~pointee_quals(to);
    if (lost)
        warn_at_value(parser, WARN_DISCARDED_QUALIFIERS, expr,
                      "%s discards the qualifier %s: expected %s, have %s", what, quals_text(lost),
                      type_text(parser, to), type_text(parser, from));
}

// ---- Conversion as by assignment

// Whether a constant fits into so many bits, with or without a sign.
static bool survives(const Expr *expr, unsigned bits) {
    Wide value;
    if (bits == 128 || (bits == 64 && expr->kind == EX_INT)) return true;
    if (!constant_wide(expr, &value)) return true;
    bool negative = !type_is_unsigned(expr->type) && wide_negative(value);
    return negative ? wide_is_zero(wide_not(wide_shift_right_signed(value, bits - 1)))
                    : wide_is_zero(wide_shift_right(value, bits));
}

// Warns if a constant does not survive a conversion, in either reading of its sign. `width` is that
// of a bit-field, or 0. True if it does not. An assumed value, such as the unknown size of an
// object, is no number that the program wrote.
static bool check_constant(Parser *parser, const Expr *expr, CType *type, unsigned width) {
    if (!evaluated(parser) || !type_is_integer(type) || type->kind == CT_BOOL || expr->assumed)
        return false;
    unsigned bits = width ? width : type_bits(type);
    if (expr->kind == EX_FLOAT) {
        long double value = truncl(expr->floating);
        if (value <= ldexpl(1, (int)bits) - 1 && value >= -ldexpl(1, (int)bits - 1)) return false;
    } else if (!expr_is_number(expr) || !type_is_integer(expr->type) || survives(expr, bits)) {
        return false;
    }
    if (width) {
        warn_at_value(parser, WARN_OVERFLOW, expr,
                      "the value %s does not fit into a bit-field of %u bits",
                      constant_text(parser, expr), width);
        return true;
    }
    Expr *folded = fold_cast(parser, (Expr *)expr, type);
    warn_at_value(parser, WARN_OVERFLOW, expr,
                  "conversion from %s to %s changes the value from %s to %s",
                  type_text(parser, expr->type), type_text(parser, type),
                  constant_text(parser, expr), folded ? constant_text(parser, folded) : "another");
    return true;
}

static Expr *mismatch(Parser *parser, Expr *expr, CType *type, const char *what) {
    if (expr->type->kind == CT_VOID)
        error_at_expr(parser, expr, "%s: a void expression has no value", what);
    else
        error_at_expr(parser, expr, "%s: incompatible types, expected %s, have %s", what,
                      type_text(parser, type), type_text(parser, expr->type));
    return expr_error(parser, expr);
}

// ---- Plan 9

// How many anonymous members of a type there are in a record, and in such members of it; the last
// one's offset.
static unsigned anonymous_members(const CType *record, const CType *type, uint64_t *offset) {
    unsigned count = 0;
    for (uint32_t i = 0; i < record->record->members.count; i++) {
        const Member *member = &record->record->members.at[i];
        if (member->name || member->bitfield || !type_is_record(member->type)) continue;
        uint64_t inner = 0;
        unsigned found = type_compatible_unqualified(member->type, type)
                             ? 1
                             : anonymous_members(member->type, type, &inner);
        if (found) *offset = member->offset + inner;
        count += found;
    }
    return count;
}

// A pointer to a record where a pointer to an anonymous member of it is wanted: the address of that
// member. NULL if there is no such member, or several.
static Expr *anonymous_address(Parser *parser, Expr *expr, CType *type) {
    CType *from = expr->type->base, *to = type->base;
    uint64_t offset = 0;
    if (!parser->options->dialect.plan9_extensions || !type_is_record(from) ||
        !type_is_record(to) || !from->complete || type_compatible_unqualified(from, to))
        return NULL;
    unsigned quals = from->quals & ~to->quals;
    if (quals || anonymous_members(from, to, &offset) != 1) return NULL;
    Types *types = parser->types;
    Expr *bytes = expr_convert(parser, expr, types->char_pointer);
    Expr *sum = expr_new(parser, EX_BINARY, types->char_pointer, expr);
    sum->op = BIN_PTR_ADD;
    sum->left = bytes;
    sum->right = expr_int(parser, types->ptrdiff, offset, expr);
    return expr_convert(parser, offset ? sum : bytes, type);
}

static Expr *assign_to_pointer(Parser *parser, Expr *expr, CType *type, const char *what) {
    if (expr->type->kind == CT_POINTER) {
        Expr *member = anonymous_address(parser, expr, type);
        if (member) return member;
        if (!is_null_pointer_constant(expr) && expr->type != type)
            check_pointers(parser, expr, type, what);
    } else if (!type_is_integer(expr->type)) {
        return mismatch(parser, expr, type, what);
    } else if (!is_null_pointer_constant(expr)) {
        warn_at_value(parser, WARN_INT_CONVERSION, expr,
                      "%s makes a pointer from an integer without a cast: expected %s, have %s",
                      what, type_text(parser, type), type_text(parser, expr->type));
    }
    Expr *converted = expr_convert(parser, expr, type);
    if (converted->kind == EX_INT && converted != expr) converted->constant_expression = false;
    return converted;
}

// The member of a transparent union, or of the target of a union cast, that a value fits.
static const Member *fitting_member(const CType *type, const Expr *expr, bool loose) {
    const Record *record = type->record;
    for (uint32_t i = 0; i < record->members.count; i++) {
        const Member *member = &record->members.at[i];
        if (type_compatible_unqualified(member->type, expr->type)) return member;
    }
    for (uint32_t i = 0; loose && i < record->members.count; i++) {
        const Member *member = &record->members.at[i];
        if (member->type->kind != CT_POINTER) continue;
        if (is_null_pointer_constant(expr)) return member;
        if (expr->type->kind != CT_POINTER) continue;
        const CType *a = member->type->base, *b = expr->type->base;
        if (a->kind == CT_VOID || b->kind == CT_VOID || type_compatible_unqualified(a, b))
            return member;
    }
    return NULL;
}

static Expr *assign_to_record(Parser *parser, Expr *expr, CType *type, const char *what) {
    if (type_compatible_unqualified(expr->type, type)) return expr_convert(parser, expr, type);
    if (type->kind == CT_UNION && type->record->transparent) {
        const Member *member = fitting_member(type, expr, true);
        if (member)
            return make_cast(parser, CAST_UNION, expr_convert(parser, expr, member->type), type);
    }
    return mismatch(parser, expr, type, what);
}

Expr *expr_assign_convert(Parser *parser, Expr *expr, CType *type, const char *what) {
    return expr_assign_width(parser, expr, type, 0, what);
}

Expr *expr_assign_width(Parser *parser, Expr *expr, CType *type, unsigned width, const char *what) {
    expr = expr_value(parser, expr);
    type = value_type(parser, type);
    if (is_error(expr) || type->kind == CT_ERROR) return expr;
    if (type->kind == CT_POINTER) {
        warn_packed_address(parser, expr, type);
        warn_written_string(parser, expr, type);
    }
    if (expr->type == type && !width) return expr;
    if (type->kind == CT_POINTER) return assign_to_pointer(parser, expr, type, what);
    if (type_is_record(type)) return assign_to_record(parser, expr, type, what);
    if (type->kind == CT_UNSUPPORTED || expr->type->kind == CT_UNSUPPORTED) {
        unsupported_type(parser, expr, type->kind == CT_UNSUPPORTED ? type : expr->type);
        return expr_error(parser, expr);
    }
    if (type->kind == CT_VOID && expr->type->kind == CT_VOID) return expr;
    if (!type_is_arithmetic(type) || !type_is_scalar(expr->type))
        return mismatch(parser, expr, type, what);
    if (expr->type->kind == CT_POINTER && type->kind != CT_BOOL) {
        if (!type_is_integer(type) || type->kind == CT_ENUM)
            return mismatch(parser, expr, type, what);
        warn_at_value(parser, WARN_INT_CONVERSION, expr,
                      "%s makes an integer from a pointer without a cast: expected %s, have %s",
                      what, type_text(parser, type), type_text(parser, expr->type));
    }
    warn_enum_conversion(parser, expr, type);
    if (!check_constant(parser, expr, type, width)) warn_conversion(parser, expr, type, width);
    return expr_convert(parser, expr, type);
}

// ---- Casts

static Expr *cast_to_record(Parser *parser, Expr *expr, CType *type) {
    if (type_compatible_unqualified(expr->type, type)) {
        return expr->type == type ? make_cast(parser, CAST_SAME, expr, type)
                                  : expr_convert(parser, expr, type);
    }
    const Member *member = type->kind == CT_UNION ? fitting_member(type, expr, false) : NULL;
    if (member)
        return make_cast(parser, CAST_UNION, expr_convert(parser, expr, member->type), type);
    error_at_expr(parser, expr, "a value of type %s cannot be cast to %s",
                  type_text(parser, expr->type), type_text(parser, type));
    return expr_error(parser, expr);
}

Expr *expr_cast(Parser *parser, Expr *expr, CType *type) {
    expr = expr_value(parser, expr);
    type = value_type(parser, type);
    if (is_error(expr)) return expr;
    if (type->kind == CT_ERROR) return expr_error(parser, expr);
    if (type->kind == CT_UNSUPPORTED) {
        unsupported_type(parser, expr, type);
        return expr_error(parser, expr);
    }
    if (type->kind == CT_VOID)
        return expr->type->kind == CT_VOID ? expr : make_cast(parser, CAST_VOID, expr, type);
    if (type->kind == CT_ARRAY || type->kind == CT_FUNC) {
        error_at_expr(parser, expr, "a cast cannot have %s type %s",
                      type->kind == CT_ARRAY ? "array" : "function", type_text(parser, type));
        return expr_error(parser, expr);
    }
    if (type_is_record(type)) return cast_to_record(parser, expr, type);
    bool floating = type_is_floating(type) || type_is_floating(expr->type) ||
                    type_is_complex(type) || type_is_complex(expr->type);
    bool pointer = type->kind == CT_POINTER || expr->type->kind == CT_POINTER;
    if (!type_is_scalar(expr->type) || (floating && pointer) || !type->complete) {
        error_at_expr(parser, expr, "a value of type %s cannot be cast to %s",
                      type_text(parser, expr->type), type_text(parser, type));
        return expr_error(parser, expr);
    }
    // (void *)0 is a null pointer constant, (T)x is no lvalue and no bit-field any more.
    bool null = is_null_pointer_constant(expr) && type_is_integer(expr->type);
    Expr *cast = expr_convert(parser, expr, type);
    if (cast == expr && bitfield_source(expr))
        cast =
            make_cast(parser, type->kind == CT_BOOL ? CAST_TO_BOOL : CAST_ARITHMETIC, expr, type);
    if (cast->kind == EX_INT && type->kind == CT_POINTER) cast->constant_expression = null;
    return cast;
}
