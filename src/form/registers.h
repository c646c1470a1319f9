// Machine registers are small numbers here. The model of a target gives each register its name and
// its purpose (target/model.h). The machine with the most registers in targets.def decides how
// large a set of registers is: no number has to be raised for a larger machine, and a set costs no
// more than it must.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t MachineReg;

// The numbers of registers and of classes of the machines: the size of a member is the number of
// that machine, the size of the union the largest.
union MachineRegCounts {
#define TARGET(name, registers, classes) char name[registers];
#include "form/targets.def"
};
union MachineClassCounts {
#define TARGET(name, registers, classes) char name[classes];
#include "form/targets.def"
};

// No machine has more registers than a set can hold. As a register: none.
enum {
    MACHINE_REG_WORDS = (sizeof(union MachineRegCounts) + 63) / 64,
    MACHINE_REG_LIMIT = 64 * MACHINE_REG_WORDS
};

// A register in a structure. If a machine has more registers than the type has values, the
// assertion asks for a wider type, and nothing else changes.
typedef uint8_t StoredReg;
_Static_assert(MACHINE_REG_LIMIT <= (StoredReg)~0, "a wider StoredReg is needed");

// A set of machine registers: register r is bit r % 64 of word r / 64.
typedef struct {
    uint64_t words[MACHINE_REG_WORDS];
} MachineRegSet;

#define NO_REGS ((MachineRegSet){{0}})

static inline bool regs_has(MachineRegSet set, MachineReg reg) {
    return set.words[reg / 64] >> reg % 64 & 1;
}
static inline void regs_add(MachineRegSet *set, MachineReg reg) {
    set->words[reg / 64] |= (uint64_t)1 << reg % 64;
}
static inline void regs_remove(MachineRegSet *set, MachineReg reg) {
    set->words[reg / 64] &= ~((uint64_t)1 << reg % 64);
}
static inline MachineRegSet regs_of(MachineReg reg) {
    MachineRegSet set = NO_REGS;
    regs_add(&set, reg);
    return set;
}
static inline MachineRegSet regs_or(MachineRegSet a, MachineRegSet b) {
    for (uint32_t k = 0; k < MACHINE_REG_WORDS; k++) a.words[k] |= b.words[k];
    return a;
}
static inline MachineRegSet regs_and(MachineRegSet a, MachineRegSet b) {
    for (uint32_t k = 0; k < MACHINE_REG_WORDS; k++) a.words[k] &= b.words[k];
    return a;
}
static inline MachineRegSet regs_without(MachineRegSet a, MachineRegSet b) {
    for (uint32_t k = 0; k < MACHINE_REG_WORDS; k++) a.words[k] &= ~b.words[k];
    return a;
}
static inline void regs_add_all(MachineRegSet *set, MachineRegSet others) {
    *set = regs_or(*set, others);
}
static inline bool regs_any(MachineRegSet set) {
    uint64_t all = 0;
    for (uint32_t k = 0; k < MACHINE_REG_WORDS; k++) all |= set.words[k];
    return all != 0;
}
static inline bool regs_meet(MachineRegSet a, MachineRegSet b) {
    return regs_any(regs_and(a, b));
}
static inline bool regs_equal(MachineRegSet a, MachineRegSet b) {
    return !regs_any(regs_without(a, b)) && !regs_any(regs_without(b, a));
}

// The least register of a set from one on; MACHINE_REG_LIMIT if there is none. A loop over a set:
//   for (MachineReg reg = 0; (reg = regs_next(set, reg)) < MACHINE_REG_LIMIT; reg++)
static inline MachineReg regs_next(MachineRegSet set, MachineReg from) {
    for (uint32_t k = from / 64; k < MACHINE_REG_WORDS; k++, from = 64 * k) {
        uint64_t rest = set.words[k] & ~(uint64_t)0 << from % 64;
        if (rest) return 64 * k + (uint32_t)__builtin_ctzll(rest);
    }
    return MACHINE_REG_LIMIT;
}
// The registers below one.
static inline MachineRegSet regs_below(MachineReg limit) {
    MachineRegSet set = NO_REGS;
    for (MachineReg reg = 0; reg < limit; reg++) regs_add(&set, reg);
    return set;
}
static inline uint32_t regs_count(MachineRegSet set) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < MACHINE_REG_WORDS; k++)
        count += (uint32_t)__builtin_popcountll(set.words[k]);
    return count;
}
