// How the System V convention carries aggregates: by the classes of their eightbytes.
#include "target/x64/language/language_private.h"

#include "c/types/type.h"
#include "form/types.h"

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
    } else if (type_is_record(type) || type_is_complex(type)) {
        classify_record(type, offset, classes);
    } else if (offset % type_scalar(type)->size != 0) {
        classes[0] = CLASS_MEMORY;
    } else if (type->kind == CT_LDOUBLE) {
        classes[0] = merge(classes[0], CLASS_X87);
        classes[1] = merge(classes[1], CLASS_X87_UP);
    } else if (type_is_wide(type)) {
        for (int i = 0; i < 2; i++) classes[i] = merge(classes[i], CLASS_INTEGER);
    } else {
        bool floating = type_is_floating(type);
        EightbyteClass *eightbyte = &classes[offset / 8];
        *eightbyte = merge(*eightbyte, floating ? CLASS_SSE : CLASS_INTEGER);
    }
}

uint32_t x64_aggregate_parts(const CType *type, bool result, uint8_t part[PARTS_LIMIT]) {
    if (result && type_is_complex(type) && type->base->kind == CT_LDOUBLE) {
        part[0] = part[1] = TYPE_F80;
        return 2;
    }
    if (type->size > 16) return 0;
    EightbyteClass classes[2] = {CLASS_NONE, CLASS_NONE};
    classify(type, 0, classes);
    if (type->size <= 8 && classes[1] != CLASS_MEMORY) classes[1] = CLASS_NONE; // of an empty array
    if (result && classes[0] == CLASS_X87 && classes[1] == CLASS_X87_UP) {
        part[0] = TYPE_F80;
        return 1;
    }
    for (int i = 0; i < 2; i++)
        if (classes[i] == CLASS_MEMORY || classes[i] == CLASS_X87 || classes[i] == CLASS_X87_UP)
            return 0;
    uint32_t count = classes[1] == CLASS_NONE ? 1 : 2; // padding takes no register
    for (uint32_t i = 0; i < count; i++) part[i] = classes[i] == CLASS_SSE ? TYPE_F64 : TYPE_I64;
    return count;
}
