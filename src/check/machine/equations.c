#include "check/machine/equations.h"

static uint64_t key(uint32_t major, uint32_t minor) {
    return (uint64_t)major << 32 | minor;
}

void equations_add(Equations *now, uint32_t reg, uint32_t place) {
    now->set.side[0] = keys_put(&now->keys, now->set.side[0], key(reg, place));
    now->set.side[1] = keys_put(&now->keys, now->set.side[1], key(place, reg));
}

void equations_remove(Equations *now, uint32_t reg, uint32_t place) {
    now->set.side[0] = keys_drop(&now->keys, now->set.side[0], key(reg, place));
    now->set.side[1] = keys_drop(&now->keys, now->set.side[1], key(place, reg));
}

static uint32_t partner(Equations *now, int side, uint32_t of, uint32_t from) {
    uint64_t next = keys_next(&now->keys, now->set.side[side], key(of, from));
    return next != NO_KEY && next >> 32 == of ? (uint32_t)next : NO_ID;
}

uint32_t equations_place_of(Equations *now, uint32_t reg, uint32_t from) {
    return partner(now, 0, reg, from);
}

uint32_t equations_reg_in(Equations *now, uint32_t place, uint32_t from) {
    return partner(now, 1, place, from);
}

uint32_t equations_next_place(Equations *now, uint32_t from) {
    uint64_t next = keys_next(&now->keys, now->set.side[1], key(from, 0));
    return next == NO_KEY ? NO_ID : (uint32_t)(next >> 32);
}

bool equations_next(Equations *now, uint32_t *reg, uint32_t *place) {
    uint64_t next = keys_next(&now->keys, now->set.side[0], key(*reg, *place));
    if (next == NO_KEY) return false;
    *reg = (uint32_t)(next >> 32);
    *place = (uint32_t)next;
    return true;
}

void equations_move_place(Equations *now, uint32_t from, uint32_t to) {
    if (from == to) return;
    for (uint32_t reg; (reg = equations_reg_in(now, from, 0)) != NO_ID;) {
        equations_remove(now, reg, from);
        equations_add(now, reg, to);
    }
}

void equations_move_reg(Equations *now, uint32_t from, uint32_t to) {
    if (from == to) return;
    for (uint32_t place; (place = equations_place_of(now, from, 0)) != NO_ID;) {
        equations_remove(now, from, place);
        equations_add(now, to, place);
    }
}

// By way of a place that nothing else is in.
void equations_exchange_places(Equations *now, uint32_t a, uint32_t b) {
    const uint32_t meanwhile = NO_ID - 1;
    equations_move_place(now, a, meanwhile);
    equations_move_place(now, b, a);
    equations_move_place(now, meanwhile, b);
}

void equations_join(Equations *now, const EquationSet *other) {
    for (int side = 0; side < 2; side++)
        now->set.side[side] = keys_union(&now->keys, now->set.side[side], other->side[side]);
}

EquationSet equations_keep(Equations *now) {
    keys_keep(&now->keys);
    return now->set;
}
