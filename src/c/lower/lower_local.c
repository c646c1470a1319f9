// Treats local variables beyond the meaning of the source: the initial contents of variables
// without an initializer, and the classes of variables for the protection of the stack. Both follow
// gcc, so that the same functions are protected and the same bytes are seen.
#include "c/lower/lower_private.h"

#include <string.h>

void lower_locals(Lower *lower, LocalOptions options) {
    lower->locals = options;
    if (!lower->locals.buffer_size) lower->locals.buffer_size = 8;
}

// ---- Buffers

static bool is_character(const CType *type) {
    return type->kind == CT_CHAR || type->kind == CT_SCHAR || type->kind == CT_UCHAR;
}

enum { HAS_ARRAY = 1, HAS_SMALL = 2, HAS_LARGE = 4, HAS_RECORD = 8 };

// The contents of a type; types are never deeper than the stack allows.
static unsigned classify(const Lower *lower, const CType *type) {
    if (type->kind == CT_ARRAY) {
        if (!is_character(type->base)) return HAS_ARRAY;
        bool large = type->variable || type->size >= lower->locals.buffer_size;
        return HAS_ARRAY | (large ? HAS_LARGE : HAS_SMALL);
    }
    if (!type_is_record(type)) return 0;
    unsigned found = HAS_RECORD;
    for (uint32_t i = 0; i < type->record->members.count; i++)
        found |= classify(lower, type->record->members.at[i].type);
    return found;
}

BufferKind buffer_kind(const Lower *lower, const CType *type) {
    if (!lower->locals.mark_buffers) return BUFFER_NONE;
    unsigned found = classify(lower, type);
    bool chars = lower->locals.strict ? (found & (HAS_SMALL | HAS_LARGE)) && !(found & HAS_RECORD)
                                      : (found & HAS_LARGE) != 0;
    return chars ? BUFFER_CHARS : found & HAS_ARRAY ? BUFFER_ARRAY : BUFFER_NONE;
}

void mark_buffer(Lower *lower, Slot slot, BufferKind kind) {
    SlotInfo *info = &lower->f->slots.at[slot.i];
    if (lower->locals.mark_buffers && kind > info->buffer) info->buffer = (uint8_t)kind;
}

// ---- How variables begin

enum { PATTERN = 0xfe };

static bool is_pattern(const Lower *lower, const CType *type) {
    return lower->locals.init == INIT_PATTERN && type_scalar(type)->kind != CT_BOOL;
}

// The number whose bytes are all the pattern; it is a number of its type.
static long double float_of_pattern(Type type) {
    float single;
    double twice;
    long double extended = 0;
    memset(&single, PATTERN, sizeof single);
    memset(&twice, PATTERN, sizeof twice);
    memset(&extended, PATTERN, 10);
    return type == TYPE_F32 ? single : type == TYPE_F64 ? twice : extended;
}

// All bytes of a scalar in a register the same.
static Operand first_value(Lower *lower, const CType *type) {
    if (!is_pattern(lower, type)) return lower_zero(lower, type, NO_REG);
    uint64_t bits = UINT64_MAX / 255 * PATTERN;
    Type of = lower_type(type);
    Operand whole = operand_int(TYPE_I64, (int64_t)bits),
            half = operand_int(TYPE_I32, (int32_t)bits);
    if (type->kind == CT_HALF) return operand_int(TYPE_I32, PATTERN << 8 | PATTERN);
    switch (of) {
    case TYPE_WIDE: return wide_pair(whole, whole);
    case TYPE_I64: return whole;
    case TYPE_F32:
    case TYPE_F64:
    case TYPE_F80: return emit_float(lower, of, float_of_pattern(of), NO_REG);
    default: return lower_convert(lower, half, lower->types->basic[CT_INT], type, NO_REG);
    }
}

static void fill(Lower *lower, const Spot *place, uint64_t size, bool pattern) {
    if (size == 0) return;
    int64_t byte = pattern ? PATTERN : 0;
    Reg args[2] = {spot_address(lower, place), operand_in_reg(lower, operand_int(TYPE_I32, byte))};
    emit_builtin(lower, BI_MEMSET, NO_REG, args, 2, (int64_t)size);
}

// A block whose size is known when the program runs.
static void fill_variable(Lower *lower, const Spot *place, const CType *type) {
    PType address = PTYPE_OF(TYPE_I64), params[3] = {address, PTYPE_OF(TYPE_I32), address};
    SigInfo info = {.result = address, .param_count = 3, .fixed_count = 3, .params = params};
    Sig sig = program_sig(lower->program, info);
    Str name = str_of(&lower->program->strings, "memset");
    Sym symbol = program_symbol(lower->program, name, SYM_FUNC);
    if (program_at(lower->program, symbol)->sig.i == NO_ID)
        program_at(lower->program, symbol)->sig = sig;
    int64_t byte = is_pattern(lower, type) ? PATTERN : 0;
    Reg args[3] = {spot_address(lower, place), operand_in_reg(lower, operand_int(TYPE_I32, byte)),
                   operand_in_reg(lower, lower_size(lower, type))};
    emit_call(lower, symbol, sig, NO_REG, args, 3);
}

// The variable is in a register of its own, or, for a complex number, in several.
static void begin_register(Lower *lower, const Spot *place, const CType *type) {
    const CType *part = type_is_complex(type) ? type->base : type;
    Operand value = first_value(lower, part);
    if (!type_is_complex(type)) {
        spot_write(lower, place, type, value);
        return;
    }
    for (uint32_t i = 0; i < 2; i++) {
        Spot half = *place;
        half.reg.i += i;
        spot_write(lower, &half, part, value);
    }
}

// Padding is zero even if all else is the pattern.
void begin_variable(Lower *lower, Decl *decl, Spot place) {
    if (lower->locals.init == INIT_NONE || decl->attributes->uninitialized ||
        decl->place == IN_MACHINE)
        return;
    place.is_volatile = false;
    lower->automatic = true;
    if (decl->place == IN_POINTER || decl->place == IN_POINTER_SLOT)
        fill_variable(lower, &place, decl->type);
    else if (place.in_register)
        begin_register(lower, &place, decl->type);
    else
        fill(lower, &place, decl->type->size, is_pattern(lower, decl->type));
    if (!place.in_register && is_pattern(lower, decl->type))
        clear_padding(lower, place, decl->type);
    lower->automatic = false;
}

void begin_padding(Lower *lower, const Decl *decl, Spot place) {
    if (lower->locals.init == INIT_NONE || decl->attributes->uninitialized || place.in_register)
        return;
    place.is_volatile = false;
    clear_padding(lower, place, decl->type);
}
