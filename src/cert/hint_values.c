// Between the columns of a hint, as numbers, and its structure: see hints.h.
#include "cert/hints.h"

#include "base/bits.h"
#include "form/program.h"

#include <string.h>

uint64_t hint_most(const HintField *field) {
    return field->kind == HINT_BITS ? UINT32_MAX - 1 : UINT64_MAX >> (64 - 8 * field->width);
}

static void put_number(void *to, size_t width, uint64_t value) {
    uint32_t word = (uint32_t)value;
    uint16_t half = (uint16_t)value;
    switch (width) {
    case 8: memcpy(to, &value, 8); break;
    case 4: memcpy(to, &word, 4); break;
    case 2: memcpy(to, &half, 2); break;
    default: *(uint8_t *)to = (uint8_t)value; break;
    }
}

static bool fail(HintStore *s, const char *problem) {
    s->problem = problem;
    return false;
}

static bool store_column(HintStore *s, const HintField *field, char *hint,
                         const HintValues *values) {
    HintVector vector = hint_vector(hint + field->at);
    bool first = !vector.at;
    if (first && values->count) {
        vector.at = arena_alloc(s->arena, size_mul(values->count, field->element));
        vector.count = vector.capacity = values->count;
        memcpy(hint + field->at, &vector, sizeof vector);
    }
    if (vector.count != values->count)
        return fail(s, "the column is not as long as those before it");
    for (uint32_t i = 0; i < values->count; i++)
        put_number((char *)vector.at + i * field->element + field->member, field->width,
                   values->at[i]);
    return true;
}

static bool store_lists(HintStore *s, const HintField *field, char *hint,
                        const HintValues *values) {
    HintVector vector = hint_vector(hint + field->at);
    uint32_t used = 0;
    char *lists = arena_alloc(s->arena, size_mul(values->count, field->width));
    for (uint32_t i = 0; i < values->count; i++)
        put_number(lists + i * field->width, field->width, values->at[i]);
    for (uint32_t i = 0; i < vector.count; i++) {
        char *element = (char *)vector.at + i * field->element;
        const char *list = lists + used * field->width;
        uint64_t count = hint_number(element + field->count_at, sizeof(uint32_t));
        if (count > values->count - used) return fail(s, "the lists have too few members");
        memcpy(element + field->member, &list, sizeof list);
        used += (uint32_t)count;
    }
    return used == values->count || fail(s, "the lists have too many members");
}

static bool store_bits(HintStore *s, const HintField *field, char *hint, const HintValues *values) {
    uint64_t size = values->count ? values->at[0] : 0;
    // One that is not there is empty. Each value may account for one byte of the set.
    if (size / 8 > s->budget) return fail(s, "the set is larger than this function can need");
    s->budget -= size / 8;
    Bits bits = bits_new(s->arena, (uint32_t)size);
    for (uint32_t i = 1; i < values->count; i++) {
        if (values->at[i] >= size) return fail(s, "a member is out of range");
        bits_add(&bits, (uint32_t)values->at[i]);
    }
    memcpy(hint + field->at, &bits, sizeof bits);
    return true;
}

bool hint_store(HintStore *s, const HintField *field, char *hint, const HintValues *values) {
    switch (field->kind) {
    case HINT_COLUMN: return store_column(s, field, hint, values);
    case HINT_LISTS: return store_lists(s, field, hint, values);
    case HINT_BITS: return store_bits(s, field, hint, values);
    case HINT_NUMBER: break;
    }
    if (values->count > 1) return fail(s, "one number is expected here");
    if (values->count) put_number(hint + field->at, field->width, values->at[0]);
    return true;
}

static void collect_lists(Arena *arena, const HintField *field, const char *element,
                          HintValues *values) {
    const char *list;
    memcpy(&list, element + field->member, sizeof list);
    uint64_t count = hint_number(element + field->count_at, sizeof(uint32_t));
    for (uint64_t k = 0; k < count; k++)
        vec_push(arena, values, hint_number(list + k * field->width, field->width));
}

void hint_collect(Arena *arena, const HintField *field, const void *hint, HintValues *values) {
    const char *from = (const char *)hint + field->at;
    if (field->kind == HINT_NUMBER) {
        vec_push(arena, values, hint_number(from, field->width));
        return;
    }
    if (field->kind == HINT_BITS) {
        Bits bits;
        memcpy(&bits, from, sizeof bits);
        vec_push(arena, values, bits.size);
        for (uint32_t i = bits_next(&bits, 0); i < bits.size; i = bits_next(&bits, i + 1))
            vec_push(arena, values, i);
        return;
    }
    HintVector vector = hint_vector(from);
    for (uint32_t i = 0; i < vector.count; i++) {
        const char *element = (const char *)vector.at + i * field->element;
        if (field->kind == HINT_LISTS)
            collect_lists(arena, field, element, values);
        else
            vec_push(arena, values, hint_number(element + field->member, field->width));
    }
}
