#include "test/gen/step_damage.h"

#include "form/gsa/gsa.h"
#include "form/mach/mach.h"

#include <string.h>

// ---- Hints

typedef VEC(char) AnyVec; // every vector of a hint has this shape

static void copy_vector(Arena *arena, AnyVec *vec, size_t element) {
    if (!vec->count) return;
    char *at = arena_alloc(arena, vec->count * element);
    memcpy(at, vec->at, vec->count * element);
    vec->at = at;
    vec->capacity = vec->count;
}

static void copy_lists(Arena *arena, const AnyVec *vec, const HintField *field) {
    for (uint32_t i = 0; i < vec->count; i++) {
        char *element = vec->at + i * field->element, *list;
        uint32_t count;
        memcpy(&list, element + field->member, sizeof list);
        memcpy(&count, element + field->count_at, sizeof count);
        if (!count) continue;
        char *copy = arena_alloc(arena, count * field->width);
        memcpy(copy, list, count * field->width);
        memcpy(element + field->member, &copy, sizeof copy);
    }
}

void *hint_copy(Arena *arena, PassId pass, const void *hint) {
    const HintShape *shape = hint_shapes[pass];
    char *copy = arena_alloc(arena, shape->size);
    memcpy(copy, hint, shape->size);
    for (uint32_t f = 0; f < shape->count; f++) {
        const HintField *field = &shape->fields[f];
        AnyVec *vec = (AnyVec *)(void *)(copy + field->at);
        if (field->kind != HINT_COLUMN && field->kind != HINT_LISTS) continue;
        // The members of one vector stand next to each other.
        if (f == 0 || shape->fields[f - 1].at != field->at) copy_vector(arena, vec, field->element);
        if (field->kind == HINT_LISTS) copy_lists(arena, vec, field);
    }
    return copy;
}

bool hint_change_number(Random *random, const HintField *field, void *hint, uint64_t to) {
    char *at = (char *)hint + field->at;
    if (field->kind == HINT_BITS || field->kind == HINT_LISTS) return false;
    if (field->kind == HINT_COLUMN) {
        AnyVec *vec = (AnyVec *)(void *)at;
        if (!vec->count) return false;
        at = vec->at + random_below(random, vec->count) * field->element + field->member;
    }
    uint64_t old = hint_number(at, field->width);
    memcpy(at, &to, field->width); // little-endian
    return hint_number(at, field->width) != old;
}

bool hint_change_length(Arena *arena, const HintField *field, void *hint, bool more) {
    if (field->kind != HINT_COLUMN) return false;
    AnyVec *vec = (AnyVec *)(void *)((char *)hint + field->at);
    if (!more) return vec->count && vec->count--;
    char *longer = arena_alloc(arena, (vec->count + 1) * field->element);
    memset(longer, 0, (vec->count + 1) * field->element);
    if (vec->count) memcpy(longer, vec->at, vec->count * field->element);
    vec->at = longer;
    vec->capacity = ++vec->count;
    return true;
}

// ---- Code

typedef struct {
    char *at;
    size_t size; // of an element
    uint32_t count;
} Elements;

#define ELEMENTS(vec) ((Elements){(char *)(vec).at, sizeof *(vec).at, (vec).count})

static Elements elements_of(Random *random, Func *func) {
    if (func->mach)
        return random_chance(random, 1, 6) ? ELEMENTS(func->mach->lists)
                                           : ELEMENTS(func->mach->code);
    uint32_t choice = random_below(random, 8);
    if (func->gsa && choice == 0) return ELEMENTS(func->gsa->merges);
    if (func->gsa && choice == 1) return ELEMENTS(func->gsa->merge_args);
    if (func->gsa && choice == 2) return ELEMENTS(func->gsa->etas);
    if (func->gsa && choice == 3) return ELEMENTS(func->gsa->atoms);
    if (choice == 0) return ELEMENTS(func->phis);
    if (choice == 1) return ELEMENTS(func->phi_args);
    return ELEMENTS(func->nodes);
}

// A `bool` with another value than 0 or 1 cannot be read at all.
static void mend(bool *truth) {
    unsigned char byte;
    memcpy(&byte, truth, 1);
    *truth = byte & 1;
}

static void mend_bools(Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        mend(&func->nodes.at[n].immediate);
        mend(&func->nodes.at[n].automatic);
    }
    if (func->gsa)
        for (uint32_t i = 0; i < func->gsa->atoms.count; i++)
            mend(&func->gsa->atoms.at[i].immediate);
    if (func->mach)
        for (uint32_t i = 0; i < func->mach->code.count; i++) {
            mend(&func->mach->code.at[i].addressed);
            mend(&func->mach->code.at[i].tested);
            mend(&func->mach->code.at[i].checked);
        }
}

bool code_change_bytes(Random *random, Func *func) {
    Elements elements = elements_of(random, func);
    if (!elements.count) return false;
    size_t width = (size_t)1 << random_below(random, 3);
    size_t at = random_below(random, (uint32_t)(elements.size / width)) * width;
    char *to = elements.at + random_below(random, elements.count) * elements.size + at, old[4];
    const char *from = elements.at + random_below(random, elements.count) * elements.size + at;
    memcpy(old, to, width);
    if (random_chance(random, 2, 3))
        memcpy(to, from, width);
    else
        *to = (char)(*to ^ 1 << random_below(random, 3));
    bool changed = memcmp(old, to, width) != 0;
    mend_bools(func);
    return changed;
}
