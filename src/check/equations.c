#include "check/equations.h"

static uint32_t *fill(Arena *arena, uint32_t count) {
    uint32_t *list = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) list[i] = NO_ID;
    return list;
}

Equations equations_new(Arena *arena, uint32_t regs, uint32_t spills) {
    return (Equations){.arena = arena,
                       .first = {fill(arena, regs), fill(arena, MACHINE_COUNT + spills)}};
}

void equations_clear(Equations *set) {
    while (set->members.count) equations_remove(set, set->members.at[set->members.count - 1]);
}

static uint32_t key_of(const Equation *equation, int side) {
    return side ? equation->place : equation->reg;
}

static void link(Equations *set, uint32_t id, int side) {
    Equation *equation = &set->pool.at[id];
    uint32_t *first = &set->first[side][key_of(equation, side)];
    equation->previous[side] = NO_ID;
    equation->next[side] = *first;
    if (*first != NO_ID) set->pool.at[*first].previous[side] = id;
    *first = id;
}

static void unlink(Equations *set, uint32_t id, int side) {
    Equation *equation = &set->pool.at[id];
    uint32_t next = equation->next[side], previous = equation->previous[side];
    if (next != NO_ID) set->pool.at[next].previous[side] = previous;
    if (previous != NO_ID)
        set->pool.at[previous].next[side] = next;
    else
        set->first[side][key_of(equation, side)] = next;
}

// Walks the two lists in step, so that the shorter one decides how long it takes.
uint32_t equations_find(const Equations *set, uint32_t reg, uint32_t place) {
    uint32_t a = equations_of_reg(set, reg), b = equations_of_place(set, place);
    while (a != NO_ID && b != NO_ID) {
        if (set->pool.at[a].place == place) return a;
        if (set->pool.at[b].reg == reg) return b;
        a = equations_next(set, a, false);
        b = equations_next(set, b, true);
    }
    return NO_ID;
}

void equations_add(Equations *set, uint32_t reg, uint32_t place) {
    if (equations_find(set, reg, place) != NO_ID) return;
    uint32_t id = set->pool.count;
    if (set->unused.count)
        id = vec_pop(&set->unused);
    else
        vec_push(set->arena, &set->pool, (Equation){0});
    set->pool.at[id] = (Equation){.reg = reg, .place = place, .position = set->members.count};
    vec_push(set->arena, &set->members, id);
    link(set, id, 0);
    link(set, id, 1);
}

void equations_remove(Equations *set, uint32_t id) {
    uint32_t position = set->pool.at[id].position, last = vec_pop(&set->members);
    unlink(set, id, 0);
    unlink(set, id, 1);
    if (last != id) {
        set->members.at[position] = last;
        set->pool.at[last].position = position;
    }
    vec_push(set->arena, &set->unused, id);
}

void equations_move_place(Equations *set, uint32_t from, uint32_t to) {
    if (from == to) return;
    for (uint32_t id; (id = equations_of_place(set, from)) != NO_ID;) {
        uint32_t reg = set->pool.at[id].reg;
        equations_remove(set, id);
        equations_add(set, reg, to);
    }
}

void equations_move_reg(Equations *set, uint32_t from, uint32_t to) {
    if (from == to) return;
    for (uint32_t id; (id = equations_of_reg(set, from)) != NO_ID;) {
        uint32_t place = set->pool.at[id].place;
        equations_remove(set, id);
        equations_add(set, to, place);
    }
}

void equations_exchange_places(Equations *set, uint32_t a, uint32_t b) {
    if (a == b) return;
    uint32_t first = equations_of_place(set, a);
    set->first[1][a] = equations_of_place(set, b);
    set->first[1][b] = first;
    for (uint32_t id = set->first[1][a]; id != NO_ID; id = equations_next(set, id, true))
        set->pool.at[id].place = a;
    for (uint32_t id = set->first[1][b]; id != NO_ID; id = equations_next(set, id, true))
        set->pool.at[id].place = b;
}
