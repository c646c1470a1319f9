// gate compare --lockstep: SSA and mach0 side by side (run/lockstep.h).
#pragma once

#include "driver/gate_asm.h"
#include "form/program.h"

typedef struct {
    const AsmOptions *machine; // the seeds
    uint64_t fuel;
    int argc;
    char **argv;
} LockstepOptions;

// A row for each seed, for a program in SSA. False if machines differ, or code could not be generated, which is told.
bool gate_lockstep(Arena *arena, Program *program, const LockstepOptions *options, Diag *diag,
                   Out *out);
