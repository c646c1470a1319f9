// The entries of types. They come first in the unit, and twice: once measured, so that all know
// where the others will be, then written.
#include "assembly/debug.h"

// ---- What is used

void debug_use_type(Assembly *assembly, uint32_t type) {
    struct DebugNotes *notes = assembly->notes;
    if (type && bits_put(&notes->used, type)) vec_push(assembly->arena, &notes->to_use, type);
}

static void use_parts(Assembly *assembly) {
    struct DebugNotes *notes = assembly->notes;
    const Debug *debug = notes->debug;
    while (notes->to_use.count) {
        const DebugType *type = &debug->types.at[vec_pop(&notes->to_use)];
        debug_use_type(assembly, type->base);
        for (uint32_t i = 0; i < type->part_count; i++)
            debug_use_type(assembly, debug->parts.at[type->part_at + i].type);
    }
}

// A name for a type that is used is kept, also if it is written in expressions only.
static void use_names(Assembly *assembly) {
    const Debug *debug = assembly->notes->debug;
    for (uint32_t t = 1; t < debug->types.count; t++) {
        const DebugType *type = &debug->types.at[t];
        bool used = !type->base || bits_has(&assembly->notes->used, type->base);
        if (type->kind == DEBUG_TYPEDEF && used) debug_use_type(assembly, t);
    }
    assembly->notes->to_use.count = 0; // they have no parts that are not used already
}

// ---- Entries

static void put_name(Assembly *assembly, Str name) {
    dwarf_string(&assembly->notes->dwarf, program_text(assembly->program, name));
}

void debug_write_type(Assembly *assembly, uint32_t type) {
    dwarf_number(&assembly->notes->dwarf, assembly->notes->type_offset[type], 4);
}

static void put_base(Assembly *assembly, const DebugType *type) {
    static const uint8_t encodings[] = {[DEBUG_BOOLEAN] = 2,
                                        [DEBUG_SIGNED] = 5,
                                        [DEBUG_UNSIGNED] = 7,
                                        [DEBUG_SIGNED_CHARACTER] = 6,
                                        [DEBUG_UNSIGNED_CHARACTER] = 8,
                                        [DEBUG_FLOATING] = 4,
                                        [DEBUG_COMPLEX] = 3,
                                        [DEBUG_COMPLEX_INTEGER] = 0x80};
    Dwarf *dwarf = &assembly->notes->dwarf;
    dwarf_byte(dwarf, ENTRY_BASE);
    put_name(assembly, type->name);
    dwarf_byte(dwarf, encodings[type->encoding]);
    dwarf_unsigned(dwarf, type->size);
}

unsigned debug_put_spot(const Assembly *assembly, uint8_t *to, unsigned length, FrameSpot spot) {
    to[length++] =
        spot.from == MACHINE_REG_LIMIT
            ? DW_OP_fbreg
            : (uint8_t)(DW_OP_breg0 + assembly->program->target->unwind_numbers[spot.from]);
    return length + dwarf_put_signed(to + length, spot.offset);
}

// The bytes that a type takes, if that is a number.
static uint64_t size_of(const Debug *debug, uint32_t type) {
    uint64_t count = 1;
    for (;; type = debug->types.at[type].base) {
        const DebugType *at = &debug->types.at[type];
        if (at->kind == DEBUG_ARRAY)
            count *= at->size;
        else if (at->kind < DEBUG_CONST || at->kind > DEBUG_ATOMIC)
            return at->kind == DEBUG_TYPEDEF ? 0 : count * at->size;
    }
}

// The number of elements: the size in a variable divided by that of an element. The length of the
// expression; 0 if one of them is not known.
static unsigned put_count(const Assembly *assembly, const DebugType *type, uint8_t *to) {
    const struct DebugNotes *notes = assembly->notes;
    const Debug *debug = notes->debug;
    const DebugType *element = &debug->types.at[type->base];
    if (type->measure == NO_ID || !notes->spots[type->measure].known) return 0;
    unsigned length = debug_put_spot(assembly, to, 0, notes->spots[type->measure]);
    to[length++] = DW_OP_deref;
    if (element->kind == DEBUG_ARRAY && element->measure != NO_ID) {
        if (!notes->spots[element->measure].known) return 0;
        length = debug_put_spot(assembly, to, length, notes->spots[element->measure]);
        to[length++] = DW_OP_deref;
    } else {
        uint64_t size = size_of(debug, type->base);
        if (!size) return 0;
        to[length++] = DW_OP_constu;
        length += dwarf_put_unsigned(to + length, size);
    }
    to[length++] = DW_OP_div;
    return length;
}

static void put_array(Assembly *assembly, const DebugType *type) {
    Dwarf *dwarf = &assembly->notes->dwarf;
    uint8_t count[40];
    unsigned length = put_count(assembly, type, count);
    dwarf_byte(dwarf, ENTRY_ARRAY);
    debug_write_type(assembly, type->base);
    dwarf_byte(dwarf, type->complete ? ENTRY_RANGE
                      : length       ? ENTRY_RANGE_COMPUTED
                                     : ENTRY_RANGE_OPEN);
    if (type->complete) {
        dwarf_unsigned(dwarf, type->size);
    } else if (length) {
        dwarf_unsigned(dwarf, length);
        for (unsigned i = 0; i < length; i++) dwarf_byte(dwarf, count[i]);
    }
    dwarf_byte(dwarf, ENTRY_END);
}

static void put_function(Assembly *assembly, const DebugType *type) {
    Dwarf *dwarf = &assembly->notes->dwarf;
    const DebugPart *params = assembly->notes->debug->parts.at + type->part_at;
    bool open = type->variadic || !type->complete;
    unsigned leaf = !open && !type->part_count;
    dwarf_byte(dwarf, (type->base ? ENTRY_FUNCTION_TYPE : ENTRY_FUNCTION_TYPE_VOID) + leaf);
    dwarf_byte(dwarf, type->complete);
    if (type->base) debug_write_type(assembly, type->base);
    if (leaf) return;
    for (uint32_t i = 0; i < type->part_count; i++) {
        if (!params[i].type) continue;
        dwarf_byte(dwarf, ENTRY_PARAMETER_TYPE);
        debug_write_type(assembly, params[i].type);
    }
    if (open) dwarf_byte(dwarf, ENTRY_ELLIPSIS);
    dwarf_byte(dwarf, ENTRY_END);
}

static void put_member(Assembly *assembly, const DebugPart *member) {
    Dwarf *dwarf = &assembly->notes->dwarf;
    dwarf_byte(dwarf, member->width    ? ENTRY_BITFIELD
                      : member->name.i ? ENTRY_MEMBER
                                       : ENTRY_MEMBER_NAMELESS);
    if (member->name.i) put_name(assembly, member->name);
    debug_write_type(assembly, member->type);
    dwarf_unsigned(dwarf, member->value);
    if (member->width) dwarf_unsigned(dwarf, member->width);
}

static void put_enumerator(Assembly *assembly, const DebugPart *enumerator, bool is_unsigned) {
    Dwarf *dwarf = &assembly->notes->dwarf;
    dwarf_byte(dwarf, is_unsigned ? ENTRY_ENUMERATOR_UNSIGNED : ENTRY_ENUMERATOR);
    put_name(assembly, enumerator->name);
    if (is_unsigned)
        dwarf_unsigned(dwarf, enumerator->value);
    else
        dwarf_signed(dwarf, (int64_t)enumerator->value);
}

static void put_tagged(Assembly *assembly, const DebugType *type) {
    static const uint8_t kinds[] = {
        [DEBUG_STRUCT] = ENTRY_STRUCT, [DEBUG_UNION] = ENTRY_UNION, [DEBUG_ENUM] = ENTRY_ENUM};
    enum { NAMELESS = ENTRY_STRUCT_NAMELESS - ENTRY_STRUCT };
    enum { DECLARED = ENTRY_STRUCT_DECLARED - ENTRY_STRUCT };
    Dwarf *dwarf = &assembly->notes->dwarf;
    const DebugPart *parts = assembly->notes->debug->parts.at + type->part_at;
    unsigned kind = kinds[type->kind];
    dwarf_byte(dwarf, kind + (!type->complete ? DECLARED : type->name.i ? 0 : NAMELESS));
    if (type->complete) dwarf_unsigned(dwarf, type->size);
    if (type->name.i || !type->complete) put_name(assembly, type->name);
    if (!type->complete) return;
    if (type->kind == DEBUG_ENUM) debug_write_type(assembly, type->base);
    for (uint32_t i = 0; i < type->part_count; i++)
        if (type->kind == DEBUG_ENUM)
            put_enumerator(assembly, &parts[i], type->is_unsigned);
        else
            put_member(assembly, &parts[i]);
    dwarf_byte(dwarf, ENTRY_END);
}

// An entry that has one with and one without a type, and perhaps a name or size before it.
static void put_simple(Assembly *assembly, const DebugType *type) {
    static const uint8_t kinds[] = {
        [DEBUG_POINTER] = ENTRY_POINTER,   [DEBUG_CONST] = ENTRY_CONST,
        [DEBUG_VOLATILE] = ENTRY_VOLATILE, [DEBUG_RESTRICT] = ENTRY_RESTRICT,
        [DEBUG_ATOMIC] = ENTRY_ATOMIC,     [DEBUG_TYPEDEF] = ENTRY_TYPEDEF};
    Dwarf *dwarf = &assembly->notes->dwarf;
    dwarf_byte(dwarf, kinds[type->kind] + (type->base ? 0u : 1u));
    if (type->kind == DEBUG_POINTER) dwarf_unsigned(dwarf, type->size);
    if (type->kind == DEBUG_TYPEDEF) put_name(assembly, type->name);
    if (type->base) debug_write_type(assembly, type->base);
}

static void put_type(Assembly *assembly, const DebugType *type) {
    switch ((DebugKind)type->kind) {
    case DEBUG_VOID: break;
    case DEBUG_BASE: put_base(assembly, type); break;
    case DEBUG_ARRAY: put_array(assembly, type); break;
    case DEBUG_FUNCTION: put_function(assembly, type); break;
    case DEBUG_STRUCT:
    case DEBUG_UNION:
    case DEBUG_ENUM: put_tagged(assembly, type); break;
    case DEBUG_UNKNOWN:
        dwarf_byte(&assembly->notes->dwarf, ENTRY_UNKNOWN);
        put_name(assembly, type->name);
        break;
    default: put_simple(assembly, type);
    }
}

static void put_types(Assembly *assembly) {
    struct DebugNotes *notes = assembly->notes;
    for (uint32_t t = 1; t < notes->debug->types.count; t++) {
        if (!bits_has(&notes->used, t)) continue;
        notes->type_offset[t] = notes->dwarf.offset;
        put_type(assembly, &notes->debug->types.at[t]);
    }
}

void debug_write_types(Assembly *assembly) {
    Dwarf *dwarf = &assembly->notes->dwarf;
    use_parts(assembly);
    use_names(assembly);
    uint32_t start = dwarf->offset;
    Out *out = dwarf->out;
    dwarf->out = NULL;
    put_types(assembly);
    dwarf->offset = start;
    dwarf->out = out;
    put_types(assembly);
}
