// gate compare --lockstep: SSA and mach0 side by side (run/lockstep.h).
#pragma once

#include "form/program.h"
#include "gate/gate_asm.h"

typedef struct {
    const AsmOptions *machine; // the seeds
    uint64_t fuel;
    int argc;
    char **argv;
} LockstepOptions;

// A row for each seed, for a program in SSA. False if machines differ, or code could not be
// generated, which is told.
bool gate_lockstep(Arena *arena, Program *program, const LockstepOptions *options, Diag *diag,
                   Out *out);
