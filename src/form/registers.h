// Machine registers are small numbers here. The model of a target gives each register its name and
// its purpose (target/model.h).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t MachineReg;

// A set of machine registers.
typedef uint64_t MachineRegSet;
#define MACHINE_REG_BIT(reg) ((MachineRegSet)1 << (reg))

// No machine has more registers than a set can hold. As a register: none.
enum { MACHINE_REG_LIMIT = 8 * sizeof(MachineRegSet) };
