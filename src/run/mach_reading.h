// A machine function together with the RTL function that says what it means (mach_reading.c), for
// programs that show the machine function while the RTL function runs.
#pragma once

#include "form/mach.h"

typedef struct MachReading {
    const Func *of;   // the machine function
    const Func *func; // its meaning
    // Of each node: its instruction; NO_ID before the first instruction.
    const uint32_t *instr_of;
    // Allocated: the registers that stand for machine registers (NO_REG if they do not occur) and
    // for spills.
    const Reg *machine, *spill;
} MachReading;

const MachReading *mach_reading_of(Arena *arena, const Func *func);
// The register that stands for a place; NO_REG if there is none.
Reg mach_reading_reg(const MachReading *reading, Place place);
