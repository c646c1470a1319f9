// Lowers 128-bit integers. RTL has no registers for them: a value is a pair of i64 operands, the
// low and the high half, and a variable is two registers, the second behind the first. Operations
// that take a few operators are written out. Division, remainder and conversions from and to
// floating point call the functions of the compiler's library that the system compiler calls.
// Arguments and results travel as aggregates, as the calling convention has it.
#include "c/lower/lower_private.h"

// ---- Halves

Operand wide_low(Operand value) {
    return (Operand){
        .type = TYPE_I64, .constant = value.constant, .reg = value.reg, .imm = value.imm};
}

Operand wide_high(Operand value) {
    return (Operand){.type = TYPE_I64,
                     .constant = value.high_constant,
                     .reg = value.high,
                     .imm = value.high_imm};
}

Operand wide_pair(Operand low, Operand high) {
    return (Operand){.type = TYPE_WIDE,
                     .constant = low.constant,
                     .reg = low.reg,
                     .imm = low.imm,
                     .high_constant = high.constant,
                     .high = high.reg,
                     .high_imm = high.imm};
}

Operand wide_constant(Wide value) {
    Operand wide = wide_pair(operand_int(TYPE_I64, (int64_t)value.low),
                             operand_int(TYPE_I64, (int64_t)value.high));
    wide.extended = wide_equal(value, wide_signed(value.low));
    return wide;
}

Operand operand_of_reg(Lower *lower, Type type, Reg reg) {
    if (type != TYPE_WIDE) return operand_reg(lower, reg);
    return wide_pair(operand_reg(lower, reg), operand_reg(lower, (Reg){reg.i + 1}));
}

static Operand op(Lower *lower, Op which, Operand a, Operand b) {
    return emit_binary(lower, which, a, b, NO_REG);
}

static Operand shift(Lower *lower, Op which, Operand value, int64_t by) {
    return emit_binary(lower, which, value, operand_int(TYPE_I32, by), NO_REG);
}

static Operand zero(void) {
    return operand_int(TYPE_I64, 0);
}

static bool is_constant(Operand operand, int64_t value) {
    return operand.constant && operand.imm == value;
}

static Operand choose(Lower *lower, Operand condition, Operand yes, Operand no) {
    Reg args[3] = {operand_in_reg(lower, condition), operand_in_reg(lower, yes),
                   operand_in_reg(lower, no)};
    return emit_ternary(lower, OP_SELECT_I64, args, NO_REG);
}

// The halves may be those of the destination, exchanged.
void wide_move(Lower *lower, Reg dest, Operand from) {
    Operand low = wide_low(from), high = wide_high(from);
    Reg dest_high = {dest.i + 1};
    bool high_first = !high.constant && high.reg.i == dest.i;
    if (high_first && !low.constant && low.reg.i == dest_high.i) {
        Reg copy = reg_new(lower, TYPE_I64);
        emit_move(lower, copy, low);
        low = operand_reg(lower, copy);
    }
    if (high_first) emit_move(lower, dest_high, high);
    emit_move(lower, dest, low);
    if (!high_first) emit_move(lower, dest_high, high);
}

// ---- Memory

// The two parts of a bit-field of more than 64 bits.
static Spot field_part(const Spot *place, unsigned which) {
    Spot part = *place;
    part.width = which ? (uint16_t)(place->width - 64) : 64;
    if (which != place->reversed) // the second one
        part.bit = (uint16_t)(place->bit + place->width - part.width);
    return part;
}

Operand wide_read(Lower *lower, const Spot *place, const CType *type) {
    if (place->in_register) return operand_of_reg(lower, TYPE_WIDE, place->reg);
    CType *half = lower->types->basic[type_is_unsigned(type) ? CT_ULONG : CT_LONG];
    if (place->bitfield && place->width <= 64)
        return wide_convert(lower, bitfield_read(lower, place, half, NO_REG), half, type, NO_REG);
    if (place->bitfield) {
        Spot first = field_part(place, 0), second = field_part(place, 1);
        Operand low = bitfield_read(lower, &first, lower->types->basic[CT_ULONG], NO_REG);
        return wide_pair(low, bitfield_read(lower, &second, half, NO_REG));
    }
    Spot second = spot_offset(*place, 8);
    Operand low = emit_load(lower, place, CHUNK_I64, NO_REG);
    Operand high = emit_load(lower, &second, CHUNK_I64, NO_REG);
    if (!place->reversed) return wide_pair(low, high);
    Operand reversed = reverse_bytes(lower, low, 8, NO_REG);
    return wide_pair(reverse_bytes(lower, high, 8, NO_REG), reversed);
}

void wide_write(Lower *lower, const Spot *place, Operand value) {
    const CType *half = lower->types->basic[CT_ULONG];
    if (place->in_register) {
        wide_move(lower, place->reg, value);
    } else if (place->bitfield && place->width <= 64) {
        bitfield_write(lower, place, half, wide_low(value));
    } else if (place->bitfield) {
        Spot first = field_part(place, 0), second = field_part(place, 1);
        bitfield_write(lower, &first, half, wide_low(value));
        bitfield_write(lower, &second, half, wide_high(value));
    } else {
        Spot second = spot_offset(*place, 8);
        Operand low = wide_low(value), high = wide_high(value);
        if (place->reversed) {
            Operand first = reverse_bytes(lower, high, 8, NO_REG);
            high = reverse_bytes(lower, low, 8, NO_REG);
            low = first;
        }
        emit_store(lower, place, CHUNK_I64, low);
        emit_store(lower, &second, CHUNK_I64, high);
    }
}

Operand wide_bitfield_value(Lower *lower, const Spot *place, const CType *type, Operand value) {
    CType *half = lower->types->basic[type_is_unsigned(type) ? CT_ULONG : CT_LONG];
    if (place->width > 64) {
        Spot second = field_part(place, 1);
        return wide_pair(wide_low(value),
                         bitfield_value(lower, &second, half, wide_high(value), NO_REG));
    }
    Operand low = bitfield_value(lower, place, half, wide_low(value), NO_REG);
    return wide_convert(lower, low, half, type, NO_REG);
}

Reg wide_in_memory(Lower *lower, Operand value) {
    Spot place = spot_temporary(lower, lower->types->basic[CT_INT128]);
    wide_write(lower, &place, value);
    return spot_address(lower, &place);
}

// ---- Arithmetic

static Operand flag_as_i64(Lower *lower, Operand flag) {
    return emit_unary(lower, OP_ZEXT_I64, flag, NO_REG);
}

static Operand add(Lower *lower, Operand a, Operand b) {
    if (is_constant(wide_low(b), 0))
        return wide_pair(wide_low(a), op(lower, OP_ADD_I64, wide_high(a), wide_high(b)));
    Operand low = op(lower, OP_ADD_I64, wide_low(a), wide_low(b));
    Operand carry = flag_as_i64(lower, op(lower, OP_ULT_I64, low, wide_low(b)));
    Operand high = op(lower, OP_ADD_I64, wide_high(a), wide_high(b));
    return wide_pair(low, op(lower, OP_ADD_I64, high, carry));
}

static Operand subtract(Lower *lower, Operand a, Operand b) {
    if (is_constant(wide_low(b), 0))
        return wide_pair(wide_low(a), op(lower, OP_SUB_I64, wide_high(a), wide_high(b)));
    Operand low = op(lower, OP_SUB_I64, wide_low(a), wide_low(b));
    Operand borrow = flag_as_i64(lower, op(lower, OP_ULT_I64, wide_low(a), wide_low(b)));
    Operand high = op(lower, OP_SUB_I64, wide_high(a), wide_high(b));
    return wide_pair(low, op(lower, OP_SUB_I64, high, borrow));
}

// Adds to the high half of a product what the high half of one operand gives with the low half of
// the other.
static Operand add_cross(Lower *lower, Operand high, Operand with, Operand low) {
    Operand factor = wide_high(with);
    if (is_constant(factor, 0)) return high;
    if (with.extended) return op(lower, OP_SUB_I64, high, op(lower, OP_AND_I64, factor, low));
    return op(lower, OP_ADD_I64, high, op(lower, OP_MUL_I64, factor, low));
}

static Operand multiply(Lower *lower, Operand a, Operand b) {
    Operand low = op(lower, OP_MUL_I64, wide_low(a), wide_low(b));
    if (a.extended && b.extended)
        return wide_pair(low, op(lower, OP_MULHS_I64, wide_low(a), wide_low(b)));
    Operand high = op(lower, OP_MULHU_I64, wide_low(a), wide_low(b));
    high = add_cross(lower, high, a, wide_low(b));
    return wide_pair(low, add_cross(lower, high, b, wide_low(a)));
}

static Operand each_half(Lower *lower, Op operation, Operand a, Operand b) {
    Operand high = op(lower, operation, wide_high(a), wide_high(b));
    return wide_pair(op(lower, operation, wide_low(a), wide_low(b)), high);
}

Operand wide_unary(Lower *lower, ExprKind kind, Operand value) {
    if (kind == EX_NEG) return subtract(lower, wide_constant((Wide){0}), value);
    Operand high = emit_unary(lower, OP_NOT_I64, wide_high(value), NO_REG);
    return wide_pair(emit_unary(lower, OP_NOT_I64, wide_low(value), NO_REG), high);
}

// ---- Shifts

// By a constant: the bits that go from one half to the other are known.
static Operand shift_left_by(Lower *lower, Operand value, int64_t by) {
    Operand low = wide_low(value), high = wide_high(value);
    if (by == 0) return value;
    if (by >= 64) return wide_pair(zero(), shift(lower, OP_SHL_I64, low, by - 64));
    Operand over = shift(lower, OP_SHR_I64, low, 64 - by);
    high = op(lower, OP_OR_I64, shift(lower, OP_SHL_I64, high, by), over);
    return wide_pair(shift(lower, OP_SHL_I64, low, by), high);
}

static Operand shift_right_by(Lower *lower, Operand value, int64_t by, bool is_signed) {
    Operand low = wide_low(value), high = wide_high(value);
    Op operation = is_signed ? OP_SAR_I64 : OP_SHR_I64;
    if (by == 0) return value;
    if (by >= 64) {
        Operand filled = is_signed ? shift(lower, OP_SAR_I64, high, 63) : zero();
        return wide_pair(shift(lower, operation, high, by - 64), filled);
    }
    Operand over = shift(lower, OP_SHL_I64, high, 64 - by);
    low = op(lower, OP_OR_I64, shift(lower, OP_SHR_I64, low, by), over);
    return wide_pair(low, shift(lower, operation, high, by));
}

// By a variable count, which is taken modulo 128. Shifting by 63 - count after one more place takes
// the bits over to the other half, also if the count is 0.
static Operand shift_left(Lower *lower, Operand value, Operand by) {
    Operand low = wide_low(value), high = wide_high(value);
    Operand rest = op(lower, OP_XOR_I32, by, operand_int(TYPE_I32, 63));
    Operand over = op(lower, OP_SHR_I64, shift(lower, OP_SHR_I64, low, 1), rest);
    Operand shifted = op(lower, OP_SHL_I64, low, by);
    Operand above = op(lower, OP_OR_I64, op(lower, OP_SHL_I64, high, by), over);
    Operand far = op(lower, OP_AND_I32, by, operand_int(TYPE_I32, 64));
    high = choose(lower, far, shifted, above);
    return wide_pair(choose(lower, far, zero(), shifted), high);
}

static Operand shift_right(Lower *lower, Operand value, Operand by, bool is_signed) {
    Operand low = wide_low(value), high = wide_high(value);
    Operand rest = op(lower, OP_XOR_I32, by, operand_int(TYPE_I32, 63));
    Operand over = op(lower, OP_SHL_I64, shift(lower, OP_SHL_I64, high, 1), rest);
    Operand shifted = op(lower, is_signed ? OP_SAR_I64 : OP_SHR_I64, high, by);
    Operand below = op(lower, OP_OR_I64, op(lower, OP_SHR_I64, low, by), over);
    Operand far = op(lower, OP_AND_I32, by, operand_int(TYPE_I32, 64));
    Operand filled = is_signed ? shift(lower, OP_SAR_I64, high, 63) : zero();
    high = choose(lower, far, filled, shifted);
    return wide_pair(choose(lower, far, shifted, below), high);
}

static Operand shifted(Lower *lower, BinaryOp operation, const CType *type, Operand value,
                       Operand by) {
    bool is_signed = !type_is_unsigned(type);
    if (by.type == TYPE_I64) by = emit_unary(lower, OP_TRUNC_I32, by, NO_REG);
    if (by.constant)
        return operation == BIN_SHL ? shift_left_by(lower, value, by.imm & 127)
                                    : shift_right_by(lower, value, by.imm & 127, is_signed);
    return operation == BIN_SHL ? shift_left(lower, value, by)
                                : shift_right(lower, value, by, is_signed);
}

// ---- Comparisons

Operand wide_bits(Lower *lower, Operand value) {
    return op(lower, OP_OR_I64, wide_low(value), wide_high(value));
}

// a < b: the high halves decide, or, if they are equal, the low ones.
static Operand less(Lower *lower, const CType *type, Operand a, Operand b) {
    Operand high =
        op(lower, type_is_unsigned(type) ? OP_ULT_I64 : OP_LT_I64, wide_high(a), wide_high(b));
    if (is_constant(wide_low(b), 0)) return high;
    Operand same = op(lower, OP_EQ_I64, wide_high(a), wide_high(b));
    Operand low = op(lower, OP_ULT_I64, wide_low(a), wide_low(b));
    return op(lower, OP_OR_I32, high, op(lower, OP_AND_I32, same, low));
}

Operand wide_compare(Lower *lower, BinaryOp operation, const CType *type, Operand a, Operand b) {
    Operand one = operand_int(TYPE_I32, 1);
    switch (operation) {
    case BIN_EQ:
    case BIN_NE: {
        Operand other = wide_bits(lower, each_half(lower, OP_XOR_I64, a, b));
        return op(lower, operation == BIN_EQ ? OP_EQ_I64 : OP_NE_I64, other, zero());
    }
    case BIN_LT: return less(lower, type, a, b);
    case BIN_GT: return less(lower, type, b, a);
    case BIN_LE: return op(lower, OP_XOR_I32, less(lower, type, b, a), one);
    default: return op(lower, OP_XOR_I32, less(lower, type, a, b), one);
    }
}

// ---- Functions of the compiler's library

Operand call_compiler_library(Lower *lower, const char *name, Type result, const Operand *operands,
                              uint32_t count) {
    const CType *wide = lower->types->basic[CT_INT128];
    Reg args[3], to = NO_REG;
    PType types[2], pair = ptype_of(lower, wide, false);
    for (uint32_t i = 0; i < count; i++) {
        bool is_pair = operands[i].type == TYPE_WIDE;
        types[i] = is_pair ? pair : PTYPE_OF(operands[i].type);
        args[i] = is_pair ? wide_in_memory(lower, operands[i]) : operand_in_reg(lower, operands[i]);
    }
    SigInfo sig = {.result = result == TYPE_WIDE ? pair : PTYPE_OF(result),
                   .param_count = count,
                   .fixed_count = count,
                   .params = types};
    Spot place = {0};
    if (result == TYPE_WIDE) {
        place = spot_temporary(lower, wide);
        args[count++] = spot_address(lower, &place);
    } else {
        to = reg_new(lower, result);
    }
    Sig id = program_sig(lower->program, sig);
    Sym symbol = program_symbol(lower->program, str_of(&lower->program->strings, name), SYM_FUNC);
    Symbol *callee = program_at(lower->program, symbol);
    if (callee->sig.i == NO_ID) callee->sig = id;
    emit_call(lower, symbol, id, to, args, count);
    return result == TYPE_WIDE ? wide_read(lower, &place, wide) : operand_reg(lower, to);
}

static Operand divide(Lower *lower, BinaryOp operation, const CType *type, Operand a, Operand b) {
    static const char *const names[2][2] = {{"__divti3", "__udivti3"}, {"__modti3", "__umodti3"}};
    Operand operands[2] = {a, b};
    const char *name = names[operation == BIN_MOD][type_is_unsigned(type)];
    return call_compiler_library(lower, name, TYPE_WIDE, operands, 2);
}

Operand wide_operator(Lower *lower, BinaryOp operation, const CType *type, Operand a, Operand b) {
    if (binary_is_comparison(operation)) return wide_compare(lower, operation, type, a, b);
    switch (operation) {
    case BIN_ADD: return add(lower, a, b);
    case BIN_SUB: return subtract(lower, a, b);
    case BIN_MUL: return multiply(lower, a, b);
    case BIN_DIV:
    case BIN_MOD: return divide(lower, operation, type, a, b);
    case BIN_AND: return each_half(lower, OP_AND_I64, a, b);
    case BIN_OR: return each_half(lower, OP_OR_I64, a, b);
    case BIN_XOR: return each_half(lower, OP_XOR_I64, a, b);
    default: return shifted(lower, operation, type, a, b);
    }
}

// ---- Conversions

// Addresses are extended with their sign, as the system compiler does.
static Operand extend(Lower *lower, Operand value, const CType *from) {
    Operand low = lower_convert(lower, value, from, lower->types->basic[CT_LONG], NO_REG);
    if (type_is_unsigned(from) && from->kind != CT_POINTER) return wide_pair(low, zero());
    Operand wide = wide_pair(low, shift(lower, OP_SAR_I64, low, 63));
    wide.extended = true;
    return wide;
}

static Operand from_float(Lower *lower, Operand value, const CType *to) {
    const char *name = arena_printf(lower->scratch, "__fix%s%cfti",
                                    type_is_unsigned(to) ? "uns" : "", float_letter(value.type));
    return call_compiler_library(lower, name, TYPE_WIDE, &value, 1);
}

static Operand to_float(Lower *lower, Operand value, const CType *from, Type to) {
    const char *name = arena_printf(lower->scratch, "__float%sti%cf",
                                    type_is_unsigned(from) ? "un" : "", float_letter(to));
    return call_compiler_library(lower, name, to, &value, 1);
}

Operand wide_convert(Lower *lower, Operand value, const CType *from, const CType *to, Reg dest) {
    Type type = lower_type(to);
    if (value.type == type) return value;
    if (type != TYPE_WIDE && !type_is_int(type)) return to_float(lower, value, from, type);
    if (type != TYPE_WIDE)
        return lower_convert(lower, wide_low(value), lower->types->basic[CT_LONG], to, dest);
    return type_is_int(value.type) ? extend(lower, value, from) : from_float(lower, value, to);
}
