// Machine registers are small numbers here. The model of a target gives each register its name and
// its purpose (target/model.h).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t MachineReg;

// A set of machine registers. A machine with more registers than a set has bits needs a wider type
// here, and with it a higher MACHINE_REG_LIMIT and other builtins below (TARGET_SIZES in
// target/model.h asserts).
typedef uint64_t MachineRegSet;
#define MACHINE_REG_BIT(reg) ((MachineRegSet)1 << (reg))

// No machine has more registers than a set can hold. As a register: none.
enum { MACHINE_REG_LIMIT = 8 * sizeof(MachineRegSet) };

// The least register of a set that has some; how many it has.
_Static_assert(sizeof(MachineRegSet) == sizeof(unsigned long long), "the builtins take all bits");
static inline MachineReg machine_regs_first(MachineRegSet set) {
    return (MachineReg)__builtin_ctzll(set);
}
static inline uint32_t machine_regs_count(MachineRegSet set) {
    return (uint32_t)__builtin_popcountll(set);
}
