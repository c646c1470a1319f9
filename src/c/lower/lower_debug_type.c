// Describes types for debuggers. Types that are made of others are the same if their parts are, so
// that each is described once however often the source spells it. Each record and each enum is a
// type of its own.
//
// A record may be completed after its first mention, and may contain itself behind pointers. So its
// members wait in a list: until the end of the function, since a type of a block lives no longer,
// or until the end of the unit if the record is incomplete then.
#include "c/lower/lower_debug.h"

// ---- Sharing

static bool same_type(const DebugType *a, const DebugType *b) {
    return a->kind == b->kind && a->encoding == b->encoding && a->complete == b->complete &&
           a->variadic == b->variadic && str_same(a->name, b->name) && a->base == b->base &&
           a->size == b->size && a->measure == b->measure;
}

// Parameters are those at the end of the list of parts.
static bool same_parts(const Debug *debug, const DebugType *a, const DebugType *b) {
    if (a->part_count != b->part_count) return false;
    for (uint32_t i = 0; i < a->part_count; i++)
        if (debug->parts.at[a->part_at + i].type != debug->parts.at[b->part_at + i].type)
            return false;
    return true;
}

static uint64_t hash_type(const Debug *debug, const DebugType *type) {
    uint64_t hash = hash_add(hash_add(type->kind, type->base), type->size);
    hash = hash_add(hash_add(hash, type->name.i), type->measure);
    for (uint32_t i = 0; i < type->part_count; i++)
        hash = hash_add(hash, debug->parts.at[type->part_at + i].type);
    return hash;
}

static uint32_t shared_type(Lower *lower, DebugType type) {
    Debug *debug = lower->debug;
    Table *table = &lower->debugging.type_table;
    uint64_t hash = hash_type(debug, &type);
    uint32_t id;
    for (uint32_t at = table_first(table, hash); (id = table_id(table, hash, &at)) != HASH_NONE;) {
        const DebugType *known = &debug->types.at[id];
        if (!same_type(known, &type) || !same_parts(debug, known, &type)) continue;
        debug->parts.count -= type.part_count;
        return id;
    }
    id = debug->types.count;
    vec_push(debug->arena, &debug->types, type);
    table_insert(debug->arena, table, hash, id);
    return id;
}

// ---- Kinds

static uint32_t base_type(Lower *lower, const CType *type) {
    static const uint8_t encodings[] = {[CT_BOOL] = DEBUG_BOOLEAN,
                                        [CT_CHAR] = DEBUG_SIGNED_CHARACTER,
                                        [CT_SCHAR] = DEBUG_SIGNED_CHARACTER,
                                        [CT_UCHAR] = DEBUG_UNSIGNED_CHARACTER,
                                        [CT_SHORT] = DEBUG_SIGNED,
                                        [CT_USHORT] = DEBUG_UNSIGNED,
                                        [CT_INT] = DEBUG_SIGNED,
                                        [CT_UINT] = DEBUG_UNSIGNED,
                                        [CT_LONG] = DEBUG_SIGNED,
                                        [CT_ULONG] = DEBUG_UNSIGNED,
                                        [CT_LLONG] = DEBUG_SIGNED,
                                        [CT_ULLONG] = DEBUG_UNSIGNED,
                                        [CT_INT128] = DEBUG_SIGNED,
                                        [CT_UINT128] = DEBUG_UNSIGNED,
                                        [CT_HALF] = DEBUG_FLOATING,
                                        [CT_FLOAT] = DEBUG_FLOATING,
                                        [CT_DOUBLE] = DEBUG_FLOATING,
                                        [CT_LDOUBLE] = DEBUG_FLOATING,
                                        [CT_COMPLEX] = DEBUG_COMPLEX};
    uint8_t encoding = encodings[type->kind];
    if (type_is_complex(type) && type_is_integer(type->base)) encoding = DEBUG_COMPLEX_INTEGER;
    Out name = {0};
    type_print(&name, type);
    Str text = str_intern(&lower->program->strings, name.text, name.length);
    out_free(&name);
    return shared_type(lower, (DebugType){.kind = DEBUG_BASE,
                                          .encoding = encoding,
                                          .name = text,
                                          .size = type->size,
                                          .measure = NO_ID});
}

// The variable that holds the size of an array is a hidden one of the function.
static uint32_t measure_of(Lower *lower, const CType *array) {
    const Decl *decl = array->variable && lower->func ? array->array.size_var : NULL;
    if (!decl || decl->place != IN_SLOT) return NO_ID;
    vec_push(lower->debug->arena, &lower->debug->variables,
             (DebugVariable){.where = DEBUG_IN_SLOT,
                             .place = lower->f->slots.at[decl->number].name,
                             .next = NO_ID});
    return lower->debug->variables.count - 1;
}

static uint32_t pointer_type(Lower *lower, const CType *type, Decl *name) {
    return shared_type(lower, (DebugType){.kind = DEBUG_POINTER,
                                          .base = debug_named_type(lower, type->base, name),
                                          .size = type->size,
                                          .measure = NO_ID});
}

static uint32_t array_type(Lower *lower, const CType *type, Decl *name) {
    uint32_t base = debug_named_type(lower, type->base, name);
    bool counted = type->array.counted;
    return shared_type(lower, (DebugType){.kind = DEBUG_ARRAY,
                                          .complete = counted,
                                          .base = base,
                                          .size = counted ? type->array.count : 0,
                                          .measure = counted ? NO_ID : measure_of(lower, type)});
}

static uint32_t function_type(Lower *lower, const CType *type, Decl *name) {
    Debug *debug = lower->debug;
    uint32_t base = debug_named_type(lower, type->base, name), count = type->func.param_count;
    uint32_t *params = ARENA_ARRAY(lower->scratch, uint32_t, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++)
        params[i] =
            debug_named_type(lower, type->func.params[i].type, type->func.params[i].type_name);
    uint32_t at = debug->parts.count;
    for (uint32_t i = 0; i < count; i++)
        vec_push(debug->arena, &debug->parts, (DebugPart){.type = params[i]});
    return shared_type(lower, (DebugType){.kind = DEBUG_FUNCTION,
                                          .complete = type->func.prototype,
                                          .variadic = type->func.variadic,
                                          .base = base,
                                          .measure = NO_ID,
                                          .part_at = at,
                                          .part_count = count});
}

static uint32_t tagged_type(Lower *lower, const CType *type) {
    Debug *debug = lower->debug;
    type = type->unqualified;
    bool record = type_is_record(type);
    const void *self = record ? (const void *)type->record : (const void *)type;
    uint32_t id = map_get(&lower->debugging.tagged, (uintptr_t)self);
    if (id != HASH_NONE) return id;
    id = debug->types.count;
    const Ident *tag = record ? type->record->tag : type->enumeration.tag;
    vec_push(debug->arena, &debug->types,
             (DebugType){.kind = type->kind == CT_STRUCT  ? DEBUG_STRUCT
                                 : type->kind == CT_UNION ? DEBUG_UNION
                                                          : DEBUG_ENUM,
                         .name = lower_str(lower, tag),
                         .measure = NO_ID});
    map_set(debug->arena, &lower->debugging.tagged, (uintptr_t)self, id);
    vec_push(lower->arena, &lower->debugging.waiting, (WaitingType){.type = type, .id = id});
    return id;
}

static uint32_t qualified_type(Lower *lower, uint32_t id, unsigned qualifiers) {
    static const struct {
        uint8_t qualifier, kind;
    } layers[] = {{Q_ATOMIC, DEBUG_ATOMIC},
                  {Q_RESTRICT, DEBUG_RESTRICT},
                  {Q_VOLATILE, DEBUG_VOLATILE},
                  {Q_CONST, DEBUG_CONST}};
    for (unsigned i = 0; i < sizeof layers / sizeof layers[0]; i++)
        if (qualifiers & layers[i].qualifier)
            id = shared_type(lower,
                             (DebugType){.kind = layers[i].kind, .base = id, .measure = NO_ID});
    return id;
}

static uint32_t describe_type(Lower *lower, const CType *type) {
    if (type->quals && type->unqualified != type)
        return qualified_type(lower, debug_type(lower, type->unqualified), type->quals);
    switch ((CTypeKind)type->kind) {
    case CT_VOID:
    case CT_ERROR: return 0;
    case CT_POINTER: return pointer_type(lower, type, NULL);
    case CT_ARRAY: return array_type(lower, type, NULL);
    case CT_FUNC: return function_type(lower, type, NULL);
    case CT_STRUCT:
    case CT_UNION:
    case CT_ENUM: return tagged_type(lower, type);
    case CT_UNSUPPORTED:
        return shared_type(lower,
                           (DebugType){.kind = DEBUG_UNKNOWN,
                                       .name = str_of(&lower->program->strings, type->unsupported),
                                       .measure = NO_ID});
    default: return base_type(lower, type);
    }
}

// How deep types are is limited, see type_is_excessive.
uint32_t debug_type(Lower *lower, const CType *type) {
    Map *known = &lower->debugging.known;
    uint32_t id = map_get(known, (uintptr_t)type);
    if (id != HASH_NONE) return id;
    id = describe_type(lower, type);
    if (type->complete || type->kind == CT_POINTER)
        map_set(lower->debug->arena, known, (uintptr_t)type, id);
    return id;
}

// ---- Names for types

// A typedef is described after its parts; `number` is free in it and holds its type plus 1.
static void describe_name(Lower *lower, Decl *decl) {
    Debug *debug = lower->debug;
    uint32_t base = debug_named_type(lower, decl->type, decl->type_name);
    decl->number = debug->types.count + 1;
    vec_push(debug->arena, &debug->types,
             (DebugType){.kind = DEBUG_TYPEDEF,
                         .name = lower_str(lower, decl->name),
                         .base = base,
                         .measure = NO_ID});
}

// Names stand for names stand for names, in chains of any length.
uint32_t debug_typedef(Lower *lower, Decl *decl) {
    VEC(Decl *) chain = {0};
    for (Decl *at = decl; at && !at->number; at = at->type_name)
        vec_push(lower->scratch, &chain, at);
    while (chain.count) describe_name(lower, vec_pop(&chain));
    return decl->number - 1;
}

// The name is the name of the innermost part of the type, which is found where the type equals the
// typedef's.
uint32_t debug_named_type(Lower *lower, const CType *type, Decl *name) {
    if (!name || name->type->kind == CT_ERROR) return debug_type(lower, type);
    if (type == name->type) return debug_typedef(lower, name);
    if (type->quals && type->unqualified != type) {
        bool same = type->unqualified == name->type->unqualified;
        uint32_t id =
            same ? debug_typedef(lower, name) : debug_named_type(lower, type->unqualified, name);
        return qualified_type(lower, id, same ? type->quals & ~name->type->quals : type->quals);
    }
    if (type->kind == CT_POINTER) return pointer_type(lower, type, name);
    if (type->kind == CT_ARRAY) return array_type(lower, type, name);
    if (type->kind == CT_FUNC) return function_type(lower, type, name);
    return debug_type(lower, type);
}

// ---- Members

static DebugPart describe_member(Lower *lower, const Member *member) {
    uint64_t bits = 8 * member->offset + member->bit;
    return (DebugPart){.name = lower_str(lower, member->name),
                       .type = debug_named_type(lower, member->type, member->type_name),
                       .value = member->bitfield ? bits : member->offset,
                       .width = member->bitfield ? member->width : 0};
}

// Members behind one of variable size have no place that could be told.
static void complete_record(Lower *lower, const CType *type, uint32_t id) {
    Debug *debug = lower->debug;
    const Record *record = type->record;
    uint32_t count = record->members.count, kept = 0;
    DebugPart *parts = ARENA_ARRAY(lower->scratch, DebugPart, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const Member *member = &record->members.at[i];
        bool padding = member->bitfield && !member->name;
        if (!padding && !member->offset_var) parts[kept++] = describe_member(lower, member);
    }
    DebugType *at = &debug->types.at[id];
    at->complete = true;
    at->size = type->size;
    at->part_at = debug->parts.count;
    at->part_count = kept;
    for (uint32_t i = 0; i < kept; i++) vec_push(debug->arena, &debug->parts, parts[i]);
}

static void complete_enum(Lower *lower, const CType *type, uint32_t id) {
    Debug *debug = lower->debug;
    uint32_t base = debug_type(lower, type->base);
    DebugType *at = &debug->types.at[id];
    at->complete = true;
    at->is_unsigned = type_is_unsigned(type->base);
    at->base = base;
    at->size = type->size;
    at->part_at = debug->parts.count;
    at->part_count = type->enumeration.enumerator_count;
    for (uint32_t i = 0; i < at->part_count; i++) {
        const Decl *decl = type->enumeration.enumerators[i];
        vec_push(debug->arena, &debug->parts,
                 (DebugPart){.name = lower_str(lower, decl->name), .value = decl->enumerator});
    }
}

static void complete_waiting(Lower *lower, bool at_end) {
    while (lower->debugging.waiting.count) {
        WaitingType waiting = vec_pop(&lower->debugging.waiting);
        if (waiting.type->complete && type_is_record(waiting.type))
            complete_record(lower, waiting.type, waiting.id);
        else if (waiting.type->complete)
            complete_enum(lower, waiting.type, waiting.id);
        else if (!at_end && type_is_record(waiting.type))
            vec_push(lower->arena, &lower->debugging.late, waiting);
    }
}

void debug_complete_types(Lower *lower, bool at_end) {
    complete_waiting(lower, at_end);
    if (!at_end) return;
    for (uint32_t i = 0; i < lower->debugging.late.count; i++)
        vec_push(lower->arena, &lower->debugging.waiting, lower->debugging.late.at[i]);
    complete_waiting(lower, true);
}
