#include "test/gen/step_damage.h"

#include "test/gen/parts.h"

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

// The parts that code is made of, and how often each is drawn beside the instructions.
static const struct {
    const char *name;
    uint32_t weight;
} drawn[] = {{"func->nodes", 8}, {"func->phis", 1},      {"func->phi_args", 1},
             {"gsa->merges", 1}, {"gsa->merge_args", 1}, {"gsa->etas", 1},
             {"gsa->atoms", 1},  {"mach->code", 8},      {"mach->lists", 2}};

static uint32_t weight_of(const Part *part) {
    for (uint32_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++)
        if (part->count && strcmp(part->name, drawn[i].name) == 0) return drawn[i].weight;
    return 0;
}

static const Part *draw_part(Random *random, const Part *parts, uint32_t count) {
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; i++) total += weight_of(&parts[i]);
    if (!total) return NULL;
    uint32_t left = random_below(random, total);
    const Part *part = parts;
    while (left >= weight_of(part)) left -= weight_of(part++);
    return part;
}

bool code_change_field(Random *random, Func *func) {
    Part parts[MOST_PARTS];
    const Part *part = draw_part(random, parts, parts_of(func, parts));
    if (!part) return false;
    const Field *field = &part->fields[random_below(random, part->field_count)];
    char *to = part_field(part, random_below(random, part->count), field);
    const char *from = part_field(part, random_below(random, part->count), field);
    if (memcmp(from, to, field->size) != 0 && random_chance(random, 2, 3))
        memcpy(to, from, field->size);
    else
        *to = (char)(*to ^ 1 << (field->values ? 0 : random_below(random, 3)));
    return true;
}
