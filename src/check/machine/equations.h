// A set of equations "place p holds register v", looked up by either side.
//
// The checker of register allocation carries such sets backward through the blocks. The sets of
// different blocks share their common parts (key_set.h), so that all of them together take memory
// for the changes that instructions make, not for all live registers.
#pragma once

#include "check/machine/key_set.h"
#include "form/mach.h"

// The equations at a point, as keys: by register, then place; by place, then register.
typedef struct {
    KeySet side[2];
} EquationSet;

#define NO_EQUATIONS ((EquationSet){{NO_KEYS, NO_KEYS}})

typedef struct {
    KeySets keys;
    EquationSet set; // at the point where the checker is
} Equations;

// Machine registers come first, then spills.
static inline uint32_t equations_place(Place place) {
    return place_is_spill(place) ? MACHINE_REG_LIMIT + place_index(place) : place_index(place);
}

static inline Equations equations_new(Arena *arena) {
    return (Equations){.keys = {.arena = arena}, .set = NO_EQUATIONS};
}
static inline uint32_t equations_set_count(const Equations *now, const EquationSet *set) {
    return keys_count(&now->keys, set->side[0]);
}
static inline uint32_t equations_count(const Equations *now) {
    return equations_set_count(now, &now->set);
}
void equations_add(Equations *now, uint32_t reg, uint32_t place);
void equations_remove(Equations *now, uint32_t reg, uint32_t place);

// The first place from a number on that holds a register; the first register from a number on that
// a place holds; NO_ID if there is none.
uint32_t equations_place_of(Equations *now, uint32_t reg, uint32_t from);
uint32_t equations_reg_in(Equations *now, uint32_t place, uint32_t from);

// The first place from a number on that holds something; NO_ID if there is none.
uint32_t equations_next_place(Equations *now, uint32_t from);
// The first equation from (reg, place) on, by register, then place.
bool equations_next(Equations *now, uint32_t *reg, uint32_t *place);

// Every equation of one place becomes an equation of another; every equation of one register, an
// equation of another.
void equations_move_place(Equations *now, uint32_t from, uint32_t to);
void equations_move_reg(Equations *now, uint32_t from, uint32_t to);
void equations_exchange_places(Equations *now, uint32_t a, uint32_t b);

// Adds those of another point.
void equations_join(Equations *now, const EquationSet *other);
// The equations of this point, which stay as they are.
EquationSet equations_keep(Equations *now);
