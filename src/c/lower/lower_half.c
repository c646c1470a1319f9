// Lowers 16-bit floating-point numbers. RTL has no registers for them, and arithmetic on them is
// done in float (see type_evaluated), so this file only moves and converts. A value is its bits in
// an i32, extended with zeros. Conversions call the functions of the compiler's library that the
// system compiler calls; these raise the same exceptions. Arguments and results travel in the low
// bits of a vector register: as an f32 with these bits.
#include "base/half.h"
#include "c/lower/lower_private.h"

Type type_as_passed(const CType *type) {
    return type->kind == CT_HALF ? TYPE_F32 : lower_type(type);
}

Operand half_as_passed(Lower *lower, Operand bits) {
    return emit_unary(lower, OP_BITS_F32_I32, bits, NO_REG);
}

Operand half_that_arrives(Lower *lower, Operand passed, Reg dest) {
    Operand bits = emit_unary(lower, OP_BITS_I32_F32, passed, NO_REG);
    return emit_unary(lower, OP_ZEXT16_I32, bits, dest);
}

Operand emit_number(Lower *lower, const CType *type, long double value, Reg dest) {
    if (type->kind == CT_HALF) return operand_int(TYPE_I32, half_of(value));
    return emit_float(lower, lower_type(type), value, dest);
}

// ---- Conversions

static Operand from_half(Lower *lower, Operand bits, const CType *to, Reg dest) {
    Operand value = half_as_passed(lower, bits);
    Type type = lower_type(to);
    const char *name = "__extendhfsf2";
    if (type == TYPE_WIDE)
        name = type_is_unsigned(to) ? "__fixunshfti" : "__fixhfti";
    else if (!type_is_int(type))
        name = arena_printf(lower->scratch, "__extendhf%cf2", float_letter(type));
    Type result = type_is_int(type) ? TYPE_F32 : type;
    value = call_compiler_library(lower, name, result, &value, 1);
    if (!type_is_int(type)) return value;
    return lower_convert(lower, value, lower->types->basic[CT_FLOAT], to, dest);
}

// An integer goes through a type that has all its values: there is one rounding.
static CTypeKind wide_enough(const CType *integer) {
    return integer->size < 4 ? CT_FLOAT : integer->size == 4 ? CT_DOUBLE : CT_LDOUBLE;
}

static Operand to_half(Lower *lower, Operand value, const CType *from, Reg dest) {
    const char *name;
    if (value.type == TYPE_WIDE) {
        name = type_is_unsigned(from) ? "__floatuntihf" : "__floattihf";
    } else {
        if (type_is_int(value.type)) {
            const CType *via = lower->types->basic[wide_enough(from)];
            value = lower_convert(lower, value, from, via, NO_REG);
        }
        name = arena_printf(lower->scratch, "__trunc%cfhf2", float_letter(value.type));
    }
    value = call_compiler_library(lower, name, TYPE_F32, &value, 1);
    return half_that_arrives(lower, value, dest);
}

Operand half_convert(Lower *lower, Operand value, const CType *from, const CType *to, Reg dest) {
    if (from->kind == to->kind) return value;
    return from->kind == CT_HALF ? from_half(lower, value, to, dest)
                                 : to_half(lower, value, from, dest);
}

Operand half_extended(Lower *lower, Operand value, const CType *type) {
    if (type->kind != CT_HALF || value.type == TYPE_VOID) return value;
    return half_convert(lower, value, type, lower->types->basic[CT_FLOAT], NO_REG);
}

Operand half_stepped(Lower *lower, const CType *type, Operand old, bool down, Reg dest) {
    Operand value = half_extended(lower, old, type);
    Operand amount = emit_float(lower, TYPE_F32, down ? -1 : 1, NO_REG);
    value = emit_binary(lower, OP_ADD_F32, value, amount, NO_REG);
    return half_convert(lower, value, lower->types->basic[CT_FLOAT], type, dest);
}
