// C types as RTL sees them: register types and memory chunks of scalars, and how the System V
// calling convention carries arguments and results.
#include "c/lower/lower_private.h"

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

const CType *type_scalar(const CType *type) {
    return type->kind == CT_ENUM && type->base ? type->base : type;
}

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

bool passed_as_aggregate(const CType *type) {
    return type_is_record(type) || type_is_complex(type);
}

// ---- Classes of the calling convention

typedef enum {
    CLASS_NONE,
    CLASS_INTEGER,
    CLASS_SSE,
    CLASS_X87,
    CLASS_X87_UP,
    CLASS_MEMORY
} EightbyteClass;

static EightbyteClass merge(EightbyteClass a, EightbyteClass b) {
    if (a == b || b == CLASS_NONE) return a;
    if (a == CLASS_NONE) return b;
    if (a == CLASS_MEMORY || b == CLASS_MEMORY) return CLASS_MEMORY;
    if (a == CLASS_INTEGER || b == CLASS_INTEGER) return CLASS_INTEGER;
    if (a == CLASS_X87 || a == CLASS_X87_UP || b == CLASS_X87 || b == CLASS_X87_UP)
        return CLASS_MEMORY;
    return CLASS_SSE;
}

static void classify(const CType *type, uint64_t offset, EightbyteClass classes[2]);

// A bit-field is as many bits of integer; it may lie across eightbytes only if it is packed, and
// then each has some of it.
static void classify_bits(const Member *member, uint64_t offset, EightbyteClass classes[2]) {
    uint64_t first = (offset * 8 + member->bit) / 64;
    uint64_t last = (offset * 8 + member->bit + member->width - 1u) / 64;
    for (uint64_t i = first; i <= last && i < 2; i++) classes[i] = merge(classes[i], CLASS_INTEGER);
}

// A record is classified by itself before it counts for the one around it: half a long double whose
// other half is merged into something else puts it into memory, whatever the outer one has there.
static void classify_record(const CType *type, uint64_t offset, EightbyteClass classes[2]) {
    const Record *record = type->record;
    EightbyteClass own[2] = {CLASS_NONE, CLASS_NONE};
    for (uint32_t i = 0; i < record->members.count; i++) {
        const Member *member = &record->members.at[i];
        uint64_t at = offset + member->offset;
        if (!member->bitfield)
            classify(member->type, at, own);
        else if (member->width > 0 && member->name)
            classify_bits(member, at, own);
    }
    if (own[1] == CLASS_X87_UP && own[0] != CLASS_X87) own[0] = CLASS_MEMORY;
    for (int i = 0; i < 2; i++) classes[i] = merge(classes[i], own[i]);
}

// An array without elements counts as one of them if it does not start an eightbyte: so does gcc.
static bool is_empty_array_inside(const CType *type, uint64_t offset) {
    return type->kind == CT_ARRAY && type->complete && type->array.count == 0 && offset % 8 != 0;
}

// Adds the classes of an object of at most 16 bytes at an offset into an aggregate.
static void classify(const CType *type, uint64_t offset, EightbyteClass classes[2]) {
    if (is_empty_array_inside(type, offset)) type = type->base;
    if (type->size == 0 || offset >= 16) return;
    if (type->kind == CT_ARRAY) {
        for (uint64_t i = 0; i < type->array.count; i++)
            classify(type->base, offset + i * type->base->size, classes);
    } else if (passed_as_aggregate(type)) {
        classify_record(type, offset, classes);
    } else if (offset % type_scalar(type)->size != 0) {
        classes[0] = CLASS_MEMORY;
    } else if (type->kind == CT_LDOUBLE) {
        classes[0] = merge(classes[0], CLASS_X87);
        classes[1] = merge(classes[1], CLASS_X87_UP);
    } else if (lower_type(type) == TYPE_WIDE) {
        for (int i = 0; i < 2; i++) classes[i] = merge(classes[i], CLASS_INTEGER);
    } else {
        bool floating = type_is_floating(type);
        EightbyteClass *eightbyte = &classes[offset / 8];
        *eightbyte = merge(*eightbyte, floating ? CLASS_SSE : CLASS_INTEGER);
    }
}

static ParamType aggregate(const CType *type, bool result) {
    ParamType param = {.type = TYPE_VOID, .size = type->size, .align = type->align};
    if (result && type_is_complex(type) && type->base->kind == CT_LDOUBLE) {
        param.parts = 2;
        param.part[0] = param.part[1] = TYPE_F80;
    }
    if (type->size > 16) return param;
    EightbyteClass classes[2] = {CLASS_NONE, CLASS_NONE};
    classify(type, 0, classes);
    if (type->size <= 8 && classes[1] != CLASS_MEMORY) classes[1] = CLASS_NONE; // of an empty array
    bool x87 = classes[0] == CLASS_X87 && classes[1] == CLASS_X87_UP;
    if (x87 && result) {
        param.parts = 1;
        param.part[0] = TYPE_F80;
    }
    for (int i = 0; i < 2; i++)
        if (classes[i] == CLASS_MEMORY || classes[i] == CLASS_X87 || classes[i] == CLASS_X87_UP)
            return param;
    param.parts = classes[1] == CLASS_NONE ? 1 : 2; // padding takes no register
    for (int i = 0; i < param.parts; i++)
        param.part[i] = classes[i] == CLASS_SSE ? TYPE_F64 : TYPE_I64;
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
    return program_ptype(lower->program, aggregate(type, result));
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

Sig sig_of(Lower *lower, const CType *func, Decl *const *params, uint32_t count) {
    if (!params) count = func->func.prototype ? func->func.param_count : 0;
    PType *types = ARENA_ARRAY(lower->scratch, PType, (size_t)count + 1);
    SigInfo sig = {.result = ptype_of(lower, func->base, true),
                   .variadic = func->func.variadic,
                   .params = types};
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
