#include "form/son.h"

#include <string.h>

Son *son_new(Arena *arena) {
    Son *son = ARENA_NEW(arena, Son);
    son->version_count = 1;
    return son;
}

#define COPY(to, from, field)                                                                      \
    ((from)->field.count                                                                           \
         ? (void)memcpy(vec_extend(arena, &(to)->field, (from)->field.count), (from)->field.at,    \
                        (from)->field.count * sizeof *(from)->field.at)                            \
         : (void)0)

Son *son_clone(Arena *arena, const Son *son) {
    Son *clone = ARENA_NEW(arena, Son);
    clone->version_count = son->version_count;
    clone->trail = son->trail;
    COPY(clone, son, floating);
    COPY(clone, son, classes);
    COPY(clone, son, makes);
    COPY(clone, son, reads);
    COPY(clone, son, memory_phis);
    COPY(clone, son, memory_phi_at);
    COPY(clone, son, memory_args);
    return clone;
}

// ---- Memory phis

static void fill_index(Func *func, uint32_t until) {
    Son *son = func->son;
    while (son->memory_phi_at.count < until)
        vec_push(func->arena, &son->memory_phi_at, son->memory_phis.count);
}

void son_add_memory_phi(Func *func, Node join, uint32_t memory, uint32_t version,
                        const uint32_t *args, uint32_t count) {
    Son *son = func->son;
    fill_index(func, join.i + 1);
    MemoryPhi phi = {.memory = memory, .version = version, .args_at = son->memory_args.count};
    vec_push(func->arena, &son->memory_phis, phi);
    if (count)
        memcpy(vec_extend(func->arena, &son->memory_args, count), args, count * sizeof *args);
}

void son_end_memory(Func *func) {
    Son *son = func->son;
    if (son->memory_phis.count) fill_index(func, func->nodes.count + 1);
    while (son->makes.count < func->nodes.count) vec_push(func->arena, &son->makes, NO_ID);
    while (son->reads.count < func->nodes.count) vec_push(func->arena, &son->reads, NO_ID);
}
