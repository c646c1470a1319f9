// C types as RTL sees them: register types and memory chunks of scalars, and signatures, in which
// the machine says how aggregates are passed.
#include "c/lower/lower_private.h"

#include "c/parse/declare.h"

static const struct {
    Type type;
    Chunk chunk;
} scalars[CT_COUNT] = {
    [CT_BOOL] = {TYPE_I32, CHUNK_U8},     [CT_CHAR] = {TYPE_I32, CHUNK_I8},
    [CT_SCHAR] = {TYPE_I32, CHUNK_I8},    [CT_UCHAR] = {TYPE_I32, CHUNK_U8},
    [CT_SHORT] = {TYPE_I32, CHUNK_I16},   [CT_USHORT] = {TYPE_I32, CHUNK_U16},
    [CT_INT] = {TYPE_I32, CHUNK_I32},     [CT_UINT] = {TYPE_I32, CHUNK_I32},
    [CT_LONG] = {TYPE_I64, CHUNK_I64},    [CT_ULONG] = {TYPE_I64, CHUNK_I64},
    [CT_LLONG] = {TYPE_I64, CHUNK_I64},   [CT_ULLONG] = {TYPE_I64, CHUNK_I64},
    [CT_HALF] = {TYPE_I32, CHUNK_U16}, // its bits
    [CT_FLOAT] = {TYPE_F32, CHUNK_F32},   [CT_DOUBLE] = {TYPE_F64, CHUNK_F64},
    [CT_LDOUBLE] = {TYPE_F80, CHUNK_F80}, [CT_POINTER] = {TYPE_I64, CHUNK_I64},
    [CT_INT128] = {TYPE_WIDE, CHUNK_I64}, [CT_UINT128] = {TYPE_WIDE, CHUNK_I64}, // each half
};

// A long double may be a double by another name.
static unsigned format_of(const CType *scalar) {
    return type_is_double(scalar) ? CT_DOUBLE : scalar->kind;
}

Type lower_type(const CType *type) {
    return scalars[format_of(type_scalar(type))].type;
}

char float_letter(Type type) {
    return type == TYPE_F32 ? 's' : type == TYPE_F64 ? 'd' : 'x';
}

Chunk chunk_of(const CType *type) {
    const CType *scalar = type_scalar(type);
    return scalar->kind == CT_CHAR && scalar->unsigned_char ? CHUNK_U8
                                                            : scalars[format_of(scalar)].chunk;
}

Chunk chunk_to_store(Chunk chunk) {
    return chunk == CHUNK_U8 ? CHUNK_I8 : chunk == CHUNK_U16 ? CHUNK_I16 : chunk;
}

EffectiveType effective_of(const CType *type) {
    static const uint8_t types[CT_COUNT] = {
        [CT_BOOL] = EFFECTIVE_BOOL,       [CT_SHORT] = EFFECTIVE_SHORT,
        [CT_USHORT] = EFFECTIVE_SHORT,    [CT_INT] = EFFECTIVE_INT,
        [CT_UINT] = EFFECTIVE_INT,        [CT_LONG] = EFFECTIVE_LONG,
        [CT_ULONG] = EFFECTIVE_LONG,      [CT_LLONG] = EFFECTIVE_LLONG,
        [CT_ULLONG] = EFFECTIVE_LLONG,    [CT_HALF] = EFFECTIVE_HALF,
        [CT_FLOAT] = EFFECTIVE_FLOAT,     [CT_DOUBLE] = EFFECTIVE_DOUBLE,
        [CT_LDOUBLE] = EFFECTIVE_LDOUBLE, [CT_POINTER] = EFFECTIVE_POINTER};
    return (EffectiveType)types[type_scalar(type)->kind];
}

static bool notes_may_alias(const AttributeNote *notes) {
    for (; notes; notes = notes->next)
        if (strcmp(attribute_row_name(notes->row), "may_alias") == 0) return true;
    return false;
}

bool type_may_alias(const CType *type) {
    const CType *plain = type->unqualified;
    if (notes_may_alias(plain->notes)) return true;
    if (type_is_record(type)) return notes_may_alias(type->record->notes);
    return type->kind == CT_ENUM && notes_may_alias(plain->enumeration.notes);
}

bool type_has_union(const CType *type) {
    while (type->kind == CT_ARRAY) type = type->base;
    if (type->kind == CT_UNION) return true;
    for (uint32_t i = 0; type->kind == CT_STRUCT && i < type->record->members.count; i++)
        if (type_has_union(type->record->members.at[i].type)) return true;
    return false;
}

bool passed_as_aggregate(const CType *type) {
    return type_is_record(type) || type_is_complex(type);
}

// ---- Parameters and results

static ParamType aggregate(const Lower *lower, const CType *type, bool result) {
    ParamType param = {.type = TYPE_VOID, .size = type->size, .align = type->align};
    uint8_t part[PARTS_LIMIT] = {TYPE_VOID};
    param.parts = (uint8_t)lower->types->language->aggregate_parts(type, result, part);
    for (unsigned i = 0; i < param.parts; i++) param.part[i] = part[i];
    return param;
}

CType *type_passed(CType *type) {
    while (type->kind == CT_UNION && type->record->transparent && type->record->members.count)
        type = type->record->members.at[0].type;
    return type;
}

PType ptype_of(Lower *lower, const CType *type, bool result) {
    if (type->kind == CT_ARRAY) return PTYPE_OF(TYPE_I64); // va_list, seen as a parameter
    if (!passed_as_aggregate(type) && lower_type(type) != TYPE_WIDE)
        return PTYPE_OF(type_as_passed(type));
    if (type_is_record(type) && type->record->size_var) return PTYPE_OF(TYPE_I64); // its address
    if (type->size == 0) return PTYPE_VOID;
    return program_ptype(lower->program, aggregate(lower, type, result));
}

bool result_in_memory(Lower *lower, const CType *type) {
    if (!type_is_record(type)) return false;
    PType id = ptype_of(lower, type, true);
    const ParamType *info = program_ptype_info(lower->program, id);
    return ptype_is_aggregate(info) && info->parts == 0;
}

// ---- Signatures

static CType *promoted(Lower *lower, CType *type) {
    if (type_is_promoted_float(type)) return lower->types->basic[CT_DOUBLE];
    return type_is_integer(type) ? type_promote(lower->types, type) : type;
}

CType *type_of_parameter(Lower *lower, const CType *func, const Decl *param, uint32_t i) {
    if (func->func.prototype && i < func->func.param_count)
        return type_passed(func->func.params[i].type);
    return promoted(lower, param->type);
}

// A number that compatible types have in common (C11 6.2.7). Qualifiers count for nothing, and
// neither does the kind of integer or floating type: an enum is compatible with one of these.
static uint64_t shape_of(const CType *type) {
    if (type_is_integer(type) || type->kind == CT_ENUM) return CT_INT;
    if (type_is_floating(type)) return CT_DOUBLE;
    if (!type_is_record(type)) return type->kind;
    const Ident *tag = type->record->tag;
    return hash_add(type->kind, tag ? hash_bytes(tag->text, tag->length) : 0);
}

static uint64_t shape_as_passed(const CType *type) {
    return type->kind == CT_POINTER ? hash_add(CT_POINTER, shape_of(type->base)) : shape_of(type);
}

uint16_t class_of_function(const Lower *lower, const CType *func) {
    bool told = lower->units && lower->strict_aliasing && func->func.prototype;
    if (!told) return 0;
    uint64_t hash = hash_add(shape_as_passed(func->base), func->func.variadic);
    for (uint32_t i = 0; i < func->func.param_count; i++) {
        CType *type = func->func.params[i].type;
        if (type->kind == CT_UNION) return 0; // it may be transparent
        hash = hash_add(hash, shape_as_passed(type));
    }
    return (uint16_t)(1 + hash % UINT16_MAX);
}

Sig sig_of(Lower *lower, const CType *func, Decl *const *params, uint32_t count) {
    if (!params) count = func->func.prototype ? func->func.param_count : 0;
    PType *types = ARENA_ARRAY(lower->scratch, PType, (size_t)count + 1);
    SigInfo sig = {.result = ptype_of(lower, func->base, true),
                   .variadic = func->func.variadic,
                   .params = types,
                   .c_type = class_of_function(lower, func)};
    if (result_in_memory(lower, func->base)) {
        sig.result = PTYPE_OF(TYPE_I64);
        types[sig.param_count++] = PTYPE_OF(TYPE_I64);
    }
    for (uint32_t i = 0; i < count; i++) {
        const Decl *param = params ? params[i] : NULL;
        PType type = ptype_of(lower, type_of_parameter(lower, func, param, i), false);
        if (type.i != PTYPE_VOID.i) types[sig.param_count++] = type;
    }
    sig.fixed_count = sig.param_count;
    return program_sig(lower->program, sig);
}

// ---- Sizes

Operand lower_size(Lower *lower, const CType *type) {
    Decl *variable = type_is_record(type)     ? type->record->size_var
                     : type->kind == CT_ARRAY ? type->array.size_var
                                              : NULL;
    if (variable) {
        Spot place = spot_of_decl(lower, variable);
        return spot_read(lower, &place, variable->type, NO_REG);
    }
    if (type->kind != CT_ARRAY || (type->array.counted && type->size))
        return operand_int(TYPE_I64, (int64_t)type->size);
    Operand element = lower_size(lower, type->base);
    return emit_binary(lower, OP_MUL_I64, element,
                       operand_int(TYPE_I64, (int64_t)type->array.count), NO_REG);
}

Operand lower_element_size(Lower *lower, const CType *pointer) {
    const CType *element = pointer->base;
    if (element->kind == CT_VOID || element->kind == CT_FUNC) return operand_int(TYPE_I64, 1);
    return lower_size(lower, element);
}
