// The options of gate for SSA run as a state machine (docs/asm.md).
#pragma once

#include "run/world/run.h"

typedef struct {
    AsmChoice choice;
    uint32_t seeds; // compare: with seeds 1 to so many
    bool seeds_given;
    const char *given; // the option that says how to choose, or NULL
    bool
        step; // stop at each item; of the state machine, unless something says how to choose: ask what is to fire
    bool lockstep;     // compare: SSA and mach0, block for block
    const char *other; // another option, which it excludes, or NULL
} AsmOptions;

void asm_defaults(AsmOptions *options);
// Whether the argument is one of these options. *told: the argument is such an option, but has a
// mistake, which was reported.
bool asm_option(AsmOptions *options, const char *argument, bool *told);
// The mistake in what was asked for together, or NULL. `form` is the word for the form, NULL if the
// command takes none.
const char *asm_mistake(Arena *arena, const AsmOptions *options, const char *command, RunWay way,
                        const char *form);
bool asm_seed_given(const AsmOptions *options);
// The seed that was given; 0 if none was.
uint64_t asm_seed(const AsmOptions *options);
// After a run in which all orders were tried: tells on standard error what was found. The exit
// status that the run gets.
int asm_tell(const AsmChoice *choice, const AsmReport *report, int status);
