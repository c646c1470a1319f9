// Bit-fields of any width and position, packed ones that lie across storage units included. Only
// the bytes that hold bits of the field are touched, in pieces of 8, 4, 2 and 1 bytes, so that an
// access never leaves the record and never writes a neighbouring member. With
// -fstrict-volatile-bitfields a volatile field is accessed by its whole storage unit instead, by
// one load or store of that size.
#include "c/lower/lower_private.h"

// A field as bytes: `bytes` of them from `first`; the field starts at bit `start` of the first
// byte, or of the storage unit.
typedef struct {
    Spot first;
    uint32_t start, width, bytes;
    Type wide; // the type in which it is put together
    bool is_signed;
    bool reversed; // bits are counted from the highest one of the first byte
} Field;

static Field field_of(const Spot *place, const CType *type) {
    Field field = {.first = spot_offset(*place, place->bit / 8u),
                   .start = place->bit % 8u,
                   .width = place->width,
                   .reversed = place->reversed,
                   .is_signed = !type_is_unsigned(type)};
    field.bytes = (field.start + field.width + 7) / 8;
    if (place->in_unit && place->is_volatile) {
        field.first = *place;
        field.start = place->bit;
        field.bytes = (uint32_t)type->size;
    }
    field.first.bitfield = field.first.reversed = false;
    field.wide = field.bytes > 4 ? TYPE_I64 : TYPE_I32;
    return field;
}

static uint32_t piece_size(uint32_t bytes) {
    return bytes >= 8 ? 8 : bytes >= 4 ? 4 : bytes >= 2 ? 2 : 1;
}

static Chunk piece_chunk(uint32_t size, bool is_signed) {
    switch (size) {
    case 1: return is_signed ? CHUNK_I8 : CHUNK_U8;
    case 2: return is_signed ? CHUNK_I16 : CHUNK_U16;
    case 4: return CHUNK_I32;
    default: return CHUNK_I64;
    }
}

static uint32_t type_width(Type type) {
    return type == TYPE_I64 ? 64 : 32;
}

static uint64_t low_bits(uint32_t count) {
    return count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
}

static Operand shift(Lower *lower, Op i32, Operand value, uint32_t by, Reg dest) {
    return emit_binary(lower, op_for(i32, value.type), value, operand_int(TYPE_I32, by), dest);
}

static Operand mask(Lower *lower, Operand value, uint64_t bits, Reg dest) {
    return emit_binary(lower, op_of(FAM_AND, value.type), value,
                       operand_int(value.type, (int64_t)bits), dest);
}

// The low `width` bits of a value, extended.
static Operand extend_bits(Lower *lower, Operand value, uint32_t width, bool is_signed, Reg dest) {
    uint32_t spare = type_width(value.type) - width;
    if (spare == 0) return value;
    if (!is_signed) return mask(lower, value, low_bits(width), dest);
    return shift(lower, OP_SAR_I32, shift(lower, OP_SHL_I32, value, spare, NO_REG), spare, dest);
}

static Operand resize(Lower *lower, Operand value, Type type, bool is_signed, Reg dest) {
    if (value.type == type) return value;
    if (type == TYPE_I32) return emit_unary(lower, OP_TRUNC_I32, value, dest);
    return emit_unary(lower, is_signed ? OP_SEXT_I64 : OP_ZEXT_I64, value, dest);
}

Operand reverse_bytes(Lower *lower, Operand value, uint32_t size, Reg dest) {
    if (size == 1) return value;
    if (size == 2) return emit_unary(lower, OP_BSWAP_I16, value, dest);
    return emit_unary(lower, size == 4 ? OP_BSWAP_I32 : OP_BSWAP_I64, value, dest);
}

// A field within one piece: one load, and at most two operators.
static Operand read_single(Lower *lower, const Field *field, Reg dest) {
    uint32_t end = field->start + field->width;
    bool at_top = end == field->bytes * 8;
    bool plain = at_top && field->start == 0;
    Chunk chunk = piece_chunk(field->bytes, at_top && field->is_signed);
    Operand value = emit_load(lower, &field->first, chunk, plain ? dest : NO_REG);
    if (at_top)
        return shift(lower, field->is_signed ? OP_SAR_I32 : OP_SHR_I32, value, field->start, dest);
    if (!field->is_signed) {
        value = shift(lower, OP_SHR_I32, value, field->start, NO_REG);
        return mask(lower, value, low_bits(field->width), dest);
    }
    uint32_t width = type_width(field->wide);
    value = shift(lower, OP_SHL_I32, value, width - end, NO_REG);
    return shift(lower, OP_SAR_I32, value, width - field->width, dest);
}

// The bit of the field that is the lowest one of the piece of `size` bytes at `at`; negative if the
// piece begins with bits of others.
static int32_t lowest_bit(const Field *field, uint32_t at, uint32_t size) {
    if (!field->reversed) return (int32_t)(at * 8) - (int32_t)field->start;
    uint32_t behind = field->bytes * 8 - field->start - field->width; // bits of others, at the end
    return (int32_t)((field->bytes - at - size) * 8) - (int32_t)behind;
}

static Operand read_pieces(Lower *lower, const Field *field, Reg dest) {
    Operand whole = operand_int(field->wide, 0);
    for (uint32_t at = 0, size; at < field->bytes; at += size) {
        size = piece_size(field->bytes - at);
        Spot place = spot_offset(field->first, at);
        Operand piece = emit_load(lower, &place, piece_chunk(size, false), NO_REG);
        if (field->reversed) piece = reverse_bytes(lower, piece, size, NO_REG);
        piece = resize(lower, piece, field->wide, false, NO_REG);
        int32_t low = lowest_bit(field, at, size);
        piece = shift(lower, OP_SHR_I32, piece, low < 0 ? (uint32_t)-low : 0, NO_REG);
        piece = shift(lower, OP_SHL_I32, piece, low > 0 ? (uint32_t)low : 0, NO_REG);
        whole = emit_binary(lower, op_of(FAM_OR, field->wide), piece, whole, NO_REG);
    }
    return extend_bits(lower, whole, field->width, field->is_signed, dest);
}

Operand bitfield_read(Lower *lower, const Spot *place, const CType *type, Reg dest) {
    Spot simple = spot_simple(lower, *place);
    Field field = field_of(&simple, type);
    Type result = lower_type(type);
    Reg last = field.wide == result ? dest : NO_REG;
    bool single = piece_size(field.bytes) == field.bytes && !field.reversed;
    Operand value = single ? read_single(lower, &field, last) : read_pieces(lower, &field, last);
    return resize(lower, value, result, field.is_signed, dest);
}

// Replaces `length` bits from bit `low` of a piece by the low bits of a value.
static void write_piece(Lower *lower, const Spot *place, uint32_t size, uint32_t low,
                        uint32_t length, Operand value, bool reversed) {
    if (length < size * 8) {
        uint64_t bits = low_bits(length);
        value = mask(lower, value, bits, NO_REG);
        value = shift(lower, OP_SHL_I32, value, low, NO_REG);
        Operand old = emit_load(lower, place, piece_chunk(size, false), NO_REG);
        if (reversed) old = reverse_bytes(lower, old, size, NO_REG);
        old = mask(lower, old, ~(bits << low), NO_REG);
        value = emit_binary(lower, op_of(FAM_OR, old.type), old, value, NO_REG);
    }
    if (reversed) value = reverse_bytes(lower, value, size, NO_REG);
    emit_store(lower, place, piece_chunk(size, true), value);
}

void bitfield_write(Lower *lower, const Spot *place, const CType *type, Operand value) {
    Spot simple = spot_simple(lower, *place);
    Field field = field_of(&simple, type);
    value = resize(lower, value, field.wide, false, NO_REG);
    for (uint32_t at = 0, size; at < field.bytes; at += size) {
        size = piece_size(field.bytes - at);
        int32_t lowest = lowest_bit(&field, at, size);
        uint32_t first = lowest > 0 ? (uint32_t)lowest : 0; // bit of the value
        uint32_t low = lowest < 0 ? (uint32_t)-lowest : 0;  // where it is in the piece
        uint32_t length = size * 8 - low;
        if (length > field.width - first) length = field.width - first;
        Operand part = shift(lower, OP_SHR_I32, value, first, NO_REG);
        part = resize(lower, part, size == 8 ? TYPE_I64 : TYPE_I32, false, NO_REG);
        Spot piece = spot_offset(field.first, at);
        write_piece(lower, &piece, size, low, length, part, field.reversed);
    }
}

Operand bitfield_value(Lower *lower, const Spot *place, const CType *type, Operand value,
                       Reg dest) {
    if (value.type == TYPE_WIDE) return wide_bitfield_value(lower, place, type, value);
    return extend_bits(lower, value, place->width, !type_is_unsigned(type), dest);
}
