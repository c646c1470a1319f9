// __builtin_clear_padding: sets the bits of an object to zero that belong to no member.
//
// Members of a struct follow one another, so a walk through the members clears the gaps between
// them, and a loop goes through arrays. A bit of a union is padding if it is padding in every
// member; a map of all bits of the union finds these bits.
#include "c/lower/lower_private.h"

enum { LONG_DOUBLE_BITS = 80 };

static bool has_padding(const CType *type) {
    while (type->kind == CT_ARRAY) type = type->base;
    return type_is_record(type) || type_is_extended(type) || type_is_complex(type);
}

// ---- Clearing ranges of bits

static void clear_in_byte(Lower *lower, Spot place, uint64_t byte, unsigned first, unsigned end) {
    const CType *type = lower->types->basic[CT_UCHAR];
    int64_t keep = 255 & ~((1 << end) - (1 << first));
    if (place.reversed) keep = 255 & ~((1 << (8 - first)) - (1 << (8 - end)));
    place.reversed = false;
    place = spot_offset(place, byte);
    Operand value = spot_read(lower, &place, type, NO_REG);
    value = emit_binary(lower, OP_AND_I32, value, operand_int(TYPE_I32, keep), NO_REG);
    spot_write(lower, &place, type, value);
}

// Bits are counted from the lowest of each byte; in a place that is `reversed`, from the highest.
static void clear_bits(Lower *lower, Spot place, uint64_t first, uint64_t end) {
    if (first >= end) return;
    uint64_t byte = first / 8, last = end / 8;
    if (byte == last) {
        clear_in_byte(lower, place, byte, first % 8, end % 8);
        return;
    }
    if (first % 8) clear_in_byte(lower, place, byte++, first % 8, 8);
    Spot bytes = spot_offset(place, byte);
    spot_clear(lower, &bytes, last - byte);
    if (end % 8) clear_in_byte(lower, place, last, 0, end % 8);
}

// ---- Unions

static void mark_bits(uint8_t *used, uint64_t first, uint64_t end, bool reversed) {
    for (; first < end; first++)
        used[first / 8] |= (uint8_t)(1u << (reversed ? 7 - first % 8 : first % 8));
}

// Marks the bits of a type that hold something; `at` is where it starts, in bits.
static void mark_used(uint8_t *used, const CType *type, uint64_t at) {
    if (type->kind == CT_ARRAY) {
        for (uint64_t i = 0; i < type->array.count && type->array.counted; i++)
            mark_used(used, type->base, at + i * type->base->size * 8);
    } else if (type_is_record(type) || type_is_complex(type)) {
        for (uint32_t i = 0; i < type->record->members.count; i++) {
            const Member *member = &type->record->members.at[i];
            uint64_t start = at + member->offset * 8;
            if (!member->bitfield)
                mark_used(used, member->type, start);
            else if (member->name)
                mark_bits(used, start + member->bit, start + member->bit + member->width,
                          member->reversed);
        }
    } else {
        mark_bits(used, at, at + (type_is_extended(type) ? LONG_DOUBLE_BITS : type->size * 8),
                  false);
    }
}

static void clear_union(Lower *lower, Spot place, const CType *type) {
    uint8_t *used = ARENA_ARRAY(lower->scratch, uint8_t, (size_t)type->size + 1);
    mark_used(used, type, 0);
    uint64_t bits = type->size * 8, first = 0;
    while (first < bits) {
        uint64_t end = first;
        while (end < bits && !(used[end / 8] >> end % 8 & 1)) end++;
        clear_bits(lower, place, first, end);
        first = end + 1;
    }
}

// ---- Everything else

static void clear_type(Lower *lower, Spot place, const CType *type);

static void clear_struct(Lower *lower, Spot place, const CType *type) {
    uint64_t end = 0;
    Spot whole = place;
    place.reversed = type->record->reversed;
    for (uint32_t i = 0; i < type->record->members.count; i++) {
        const Member *member = &type->record->members.at[i];
        uint64_t start = member->offset * 8 + member->bit;
        if (member->bitfield && !member->name) continue;
        clear_bits(lower, place, end, start);
        end = start + (member->bitfield ? member->width : member->type->size * 8);
        if (!member->bitfield) clear_type(lower, spot_offset(whole, member->offset), member->type);
    }
    clear_bits(lower, place, end, type->size * 8);
}

static void clear_array(Lower *lower, Spot place, const CType *type) {
    Reg at = reg_new(lower, TYPE_I64);
    emit_move(lower, at, emit_address(lower, &place, at));
    Operand end =
        emit_binary(lower, OP_ADD_I64, operand_reg(lower, at), lower_size(lower, type), NO_REG);
    Label top = label_new(lower), body = label_new(lower), out = label_new(lower);
    label_place(lower, top);
    emit_branch(lower, OP_ULT_I64, operand_reg(lower, at), end, body, out);
    label_place(lower, body);
    clear_type(lower, spot_of_reg(at), type->base);
    Operand next =
        emit_binary(lower, OP_ADD_I64, operand_reg(lower, at), lower_size(lower, type->base), at);
    emit_move(lower, at, next);
    emit_jump(lower, top);
    label_place(lower, out);
}

static void clear_type(Lower *lower, Spot place, const CType *type) {
    if (!has_padding(type)) return;
    if (type->kind == CT_ARRAY)
        clear_array(lower, place, type);
    else if (type->kind == CT_UNION)
        clear_union(lower, place, type);
    else if (type_is_extended(type))
        clear_bits(lower, place, LONG_DOUBLE_BITS, type->size * 8);
    else
        clear_struct(lower, place, type);
}

void clear_padding(Lower *lower, Spot place, const CType *type) {
    clear_type(lower, place, type);
}

void lower_clear_padding(Lower *lower, const Expr *expr) {
    Reg address = lower_in_reg(lower, expr->args[0]);
    emit_at_expr(lower, expr);
    clear_type(lower, spot_of_reg(address), expr->args[0]->type->base);
}
