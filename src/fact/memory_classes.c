#include "fact/memory_classes.h"

#include "fact/calls.h"
#include "fact/effects.h"

// The object of a place; ANYWHERE of what may be anywhere but in a private slot.
static uint32_t object_of_place(const MemoryClasses *classes, uint32_t place) {
    return classes->places.places.at[place].object;
}

static void number_objects(Arena *arena, MemoryClasses *classes) {
    const Son *son = classes->func->son;
    const Places *places = &classes->places;
    classes->count = 1 + son->classes.count;
    classes->of = ARENA_ARRAY(arena, uint32_t, places->shared.count);
    classes->shared = ARENA_ARRAY(arena, bool, classes->count);
    classes->shared[MEMORY_REST] = true;
    for (uint32_t k = 1; k < classes->count; k++) {
        MemoryClass row = son->classes.at[k - 1];
        uint32_t object = row.is_slot ? 1 + row.ref : map_get(&places->symbols, row.ref);
        if (object == HASH_NONE) continue; // nothing accesses it any more
        classes->of[object] = k;
        classes->shared[k] = places->shared.at[object];
    }
}

MemoryClasses memory_classes_of(Arena *arena, const Func *func) {
    Places places = places_of(arena, func);
    return memory_classes_at(arena, func, &places);
}

MemoryClasses memory_classes_at(Arena *arena, const Func *func, const Places *places) {
    MemoryClasses classes = {.func = func, .places = *places};
    number_objects(arena, &classes);
    for (uint32_t n = 0; n < func->nodes.count; n++)
        classes.rest_is_all |=
            func->nodes.at[n].kind == I_LOAD && classes.places.target[n] == NO_ID;
    return classes;
}

// The class of an object that is written; if it has none, the rest.
static void write_object(const MemoryClasses *classes, MemoryWrite *write, uint32_t object) {
    if (object == ANYWHERE)
        write->shared = true;
    else
        write->one = classes->of[object];
}

MemoryWrite memory_write_at(const MemoryClasses *classes, Node node) {
    const Instr *instr = func_at(classes->func, node);
    Effects effects = instr_effects(instr);
    MemoryWrite write = {.one = NO_ID};
    if (!instr->succ_count) return write;
    write.all = call_returns_twice(classes->func->program, instr);
    write.shared = effects & MAY_WRITE_SHARED;
    if (!(effects & MAY_WRITE)) return write;
    uint32_t target = classes->places.target[node.i];
    if (!instr_has_address(instr))
        write_object(classes, &write, target);
    else if (target == NO_ID)
        write.all = true;
    else
        write_object(classes, &write, object_of_place(classes, target));
    return write;
}

bool memory_write_touches(const MemoryClasses *classes, MemoryWrite write, uint32_t memory) {
    if (write.all || write.one == memory) return true;
    if (write.shared && classes->shared[memory]) return true;
    return memory == MEMORY_REST && write.one != NO_ID &&
           (classes->shared[write.one] || classes->rest_is_all);
}

uint32_t memory_class_at(const MemoryClasses *classes, Node load) {
    uint32_t target = classes->places.target[load.i];
    return target == NO_ID ? MEMORY_REST : classes->of[object_of_place(classes, target)];
}
