// A set of equations "place p holds register v", looked up by either side.
//
// What the checker of register allocation carries backward through a block. Each equation is on two
// lists, so that all of one register or of one place are found without searching.
#pragma once

#include "base/vec.h"
#include "ir/mach.h"

typedef struct {
    uint32_t reg, place;           // the place by its number here, see equations_place
    uint32_t next[2], previous[2]; // on the list of the register, of the place; NO_ID at the ends
    uint32_t position;             // in `members`
} Equation;

typedef struct {
    Arena *arena;
    VEC(Equation) pool;
    VEC(uint32_t) members; // ids of those in the set
    VEC(uint32_t) unused;  // ids that may be used again
    uint32_t *first[2];    // by register, by place
} Equations;

// Machine registers come first, then spills.
static inline uint32_t equations_place(Place place) {
    return place_is_spill(place) ? MACHINE_COUNT + place_index(place) : place_index(place);
}

Equations equations_new(Arena *arena, uint32_t regs, uint32_t spills);
void equations_clear(Equations *set);
// Adds one unless it is there already.
void equations_add(Equations *set, uint32_t reg, uint32_t place);
void equations_remove(Equations *set, uint32_t id);
// The id of the equation, or NO_ID.
uint32_t equations_find(const Equations *set, uint32_t reg, uint32_t place);

// The first of a register or a place, and those after it; NO_ID at the end.
static inline uint32_t equations_of_reg(const Equations *set, uint32_t reg) {
    return set->first[0][reg];
}
static inline uint32_t equations_of_place(const Equations *set, uint32_t place) {
    return set->first[1][place];
}
static inline uint32_t equations_next(const Equations *set, uint32_t id, bool of_place) {
    return set->pool.at[id].next[of_place];
}

// Every equation of one place becomes one of another; of one register, one of another.
void equations_move_place(Equations *set, uint32_t from, uint32_t to);
void equations_move_reg(Equations *set, uint32_t from, uint32_t to);
void equations_exchange_places(Equations *set, uint32_t a, uint32_t b);
