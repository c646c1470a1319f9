// Conversions between scalar types. Integers of less than 32 bits live in i32 registers, extended
// as their type says; a conversion to such a type restores that form.
#include "c/lower/lower_private.h"

Operand lower_zero(Lower *lower, const CType *type, Reg dest) {
    Type to = lower_type(type);
    if (to == TYPE_WIDE) return wide_constant((Wide){0});
    if (type_is_int(to)) return operand_int(to, 0);
    return emit_float(lower, to, 0, dest);
}

Operand lower_to_bool(Lower *lower, Operand value, Reg dest) {
    if (value.type == TYPE_WIDE) value = wide_bits(lower, value);
    if (type_is_int(value.type))
        return emit_binary(lower, op_of(FAM_NE, value.type), value, operand_int(value.type, 0),
                           dest);
    Operand zero = emit_float(lower, value.type, 0, NO_REG);
    return emit_binary(lower, op_of(FAM_NE, value.type), value, zero, dest);
}

static bool is_unsigned(const CType *type) {
    return type->kind == CT_POINTER || type_is_unsigned(type);
}

// Whether every value of one integer type of at most 32 bits is one of the other.
static bool holds_all(const CType *to, const CType *from) {
    if (to->size >= 4 || from->kind == CT_BOOL) return true;
    if (is_unsigned(to) == is_unsigned(from)) return to->size >= from->size;
    return is_unsigned(from) && to->size > from->size;
}

// Makes an i32 the canonical form of a type of at most 32 bits.
static Operand narrow(Lower *lower, Operand value, const CType *to, Reg dest) {
    if (to->size >= 4) return value;
    bool byte = to->size == 1, zero = is_unsigned(to);
    Op op = byte ? (zero ? OP_ZEXT8_I32 : OP_SEXT8_I32) : (zero ? OP_ZEXT16_I32 : OP_SEXT16_I32);
    return emit_unary(lower, op, value, dest);
}

// Whether every value of an integer type is one of a type that has the width of a bit-field.
static bool fits_width(const CType *to, const CType *from) {
    if (is_unsigned(from) == is_unsigned(to)) return type_bits(from) <= to->width;
    return is_unsigned(from) && type_bits(from) < to->width;
}

// Cuts an i64 to the width of a bit-field's type.
static Operand cut_to_width(Lower *lower, Operand value, const CType *to, Reg dest) {
    Operand distance = operand_int(TYPE_I32, 64 - to->width);
    Operand high = emit_binary(lower, OP_SHL_I64, value, distance, NO_REG);
    return emit_binary(lower, is_unsigned(to) ? OP_SHR_I64 : OP_SAR_I64, high, distance, dest);
}

static Operand integer_to_integer(Lower *lower, Operand value, const CType *from, const CType *to,
                                  Reg dest) {
    Type type = lower_type(to);
    if (type == TYPE_I64) {
        bool cut = to->width && !fits_width(to, from);
        if (value.type != TYPE_I64)
            value = emit_unary(lower, is_unsigned(from) ? OP_ZEXT_I64 : OP_SEXT_I64, value,
                               cut ? NO_REG : dest);
        return cut ? cut_to_width(lower, value, to, dest) : value;
    }
    if (value.type == TYPE_I64) {
        bool last = to->size >= 4;
        return narrow(lower, emit_unary(lower, OP_TRUNC_I32, value, last ? dest : NO_REG), to,
                      dest);
    }
    return holds_all(to, from) ? value : narrow(lower, value, to, dest);
}

static Operand float_to_integer(Lower *lower, Operand value, const CType *to, Reg dest) {
    bool wide = lower_type(to) == TYPE_I64;
    Op op = op_conversion(lower_type(to), value.type, is_unsigned(to) && to->size >= 4);
    bool last = to->size >= 4 && !to->width;
    Operand result = emit_unary(lower, op, value, last ? dest : NO_REG);
    if (to->width) return cut_to_width(lower, result, to, dest);
    return wide ? result : narrow(lower, result, to, dest);
}

static Operand integer_to_float(Lower *lower, Operand value, const CType *from, Type to, Reg dest) {
    Op op = op_conversion(to, value.type, is_unsigned(from) && from->size >= 4);
    return emit_unary(lower, op, value, dest);
}

static Operand float_to_float(Lower *lower, Operand value, Type to, Reg dest) {
    if (value.type == to) return value;
    return emit_unary(lower, op_conversion(to, value.type, false), value, dest);
}

bool convert_is_free(const CType *from, const CType *to) {
    from = type_scalar(from);
    to = type_scalar(to);
    Type type = lower_type(to);
    if ((from->kind == CT_HALF) != (to->kind == CT_HALF)) return false;
    if (to->width && (type != lower_type(from) || !fits_width(to, from))) return false;
    if (type != lower_type(from) || (to->kind == CT_BOOL && from->kind != CT_BOOL)) return false;
    return type != TYPE_I32 || to->size >= 4 || holds_all(to, from);
}

Operand lower_convert(Lower *lower, Operand value, const CType *from, const CType *to, Reg dest) {
    from = type_scalar(from);
    to = type_scalar(to);
    Type type = lower_type(to);
    if (value.type == TYPE_VOID || type == TYPE_VOID) return NO_OPERAND;
    if (to->kind == CT_BOOL && from->kind != CT_BOOL)
        return lower_to_bool(lower, half_extended(lower, value, from), dest);
    if (from->kind == CT_HALF || to->kind == CT_HALF)
        return half_convert(lower, value, from, to, dest);
    if (value.type == TYPE_WIDE || type == TYPE_WIDE)
        return wide_convert(lower, value, from, to, dest);
    if (type_is_int(value.type))
        return type_is_int(type) ? integer_to_integer(lower, value, from, to, dest)
                                 : integer_to_float(lower, value, from, type, dest);
    return type_is_int(type) ? float_to_integer(lower, value, to, dest)
                             : float_to_float(lower, value, type, dest);
}
