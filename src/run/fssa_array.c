// Arrays of functional SSA as values. The newest version of an array has its elements in a table.
// Each older version names the element that the next version has changed, and the element's old
// value. So reading and writing the newest version takes constant time, and programs mostly do
// that; reading an older version takes a step for each write since. A write to an older version
// makes a copy.
#include "run/fssa_run.h"

typedef struct {
    uint64_t index;
    Value value;
} Element;

typedef struct {
    Map places; // index to place in `list`
    VEC(Element) list;
} Elements;

struct FlowArray {
    Elements *elements;      // that all versions share
    struct FlowArray *newer; // NULL if it is the newest
    Element before;          // what the newer one has changed
};

static Value *element(Arena *arena, Elements *elements, uint64_t index) {
    uint32_t place = map_get(&elements->places, index);
    if (place == HASH_NONE) {
        place = elements->list.count;
        map_set(arena, &elements->places, index, place);
        vec_push(arena, &elements->list, (Element){.index = index});
    }
    return &elements->list.at[place].value;
}

Value flow_array_read(const FlowArray *array, uint64_t index) {
    if (!array) return value_i64(0);
    for (; array->newer; array = array->newer)
        if (array->before.index == index) return array->before.value;
    uint32_t place = map_get(&array->elements->places, index);
    return place == HASH_NONE ? value_i64(0) : array->elements->list.at[place].value;
}

// The elements of the newest version, put back step by step to what they are in this one.
static FlowArray *copy_of(Arena *arena, const FlowArray *array) {
    FlowArray *copy = ARENA_NEW(arena, FlowArray);
    VEC(Element) changes = {0};
    copy->elements = ARENA_NEW(arena, Elements);
    if (!array) return copy;
    for (; array->newer; array = array->newer) vec_push(arena, &changes, array->before);
    for (uint32_t i = 0; i < array->elements->list.count; i++) {
        Element from = array->elements->list.at[i];
        *element(arena, copy->elements, from.index) = from.value;
    }
    while (changes.count) {
        Element from = vec_pop(&changes);
        *element(arena, copy->elements, from.index) = from.value;
    }
    return copy;
}

FlowArray *flow_array_write(Arena *arena, FlowArray *array, uint64_t index, Value value) {
    if (!array || array->newer) array = copy_of(arena, array);
    FlowArray *newer = ARENA_NEW(arena, FlowArray);
    Value *place = element(arena, array->elements, index);
    *newer = (FlowArray){.elements = array->elements};
    array->newer = newer;
    array->before = (Element){.index = index, .value = *place};
    *place = value;
    return newer;
}
