// Shows on a run that code generation is right: definitions 1 and 2 of Glesner (docs/papers.md),
// for a program in SSA and the result of mach0_build.
//
// Both machines run the program: SSA as the state machine (asm_machine.h), mach0 as itself.
// Whenever a machine has evaluated a block, it reports the block and the values of the block's
// operations and phis: value(op) in one machine, reg_table(reg_assign(op)) in the other. These
// values must be the same, block for block, in every call of every function; then the next blocks
// are the same, too, as the end of the block comes next.
//
// Machines cannot wait for each other, as a library function may call the program back. So each run
// is summed up: a hash over all blocks so far, kept now and then. If two runs differ, both are
// repeated to find the first block that differs, and once more to find the difference.
#pragma once

#include "hint/hints_mach.h"
#include "run/world/run.h"

typedef struct {
    const Func *ssa, *mach0; // NULL where a symbol has no body
    const Mach0Hint *hint;
} LockstepPair;

typedef struct {
    uint64_t blocks; // that both evaluated, one after the other
    uint64_t values; // compared with registers
    // The place where the runs part; `func` is NULL if they agree.
    const Func *func;
    uint64_t at;            // so many blocks agree
    const char *difference; // one line; lives in the arena
    RunResult ssa, mach0;   // of the two runs; outputs are for out_free
} LockstepResult;

// The program and its options; it runs at least twice.
typedef struct {
    Program *program;
    const LockstepPair *pairs; // for each symbol
    int argc;                  // main is called with these,
    char **argv;
    Sym symbol; // or, if it is not NO_SYM, this function with these values
    const Value *args;
    uint32_t arg_count;
    RunOptions
        options; // of both runs; way and watch are set here. Of its choice the seed and kind count for SSA
    void (*again)(void); // called before each run; may be NULL
} LockstepRun;

// True if the machines agree in every value, the trace and the end. If one machine goes wrong, the
// other ends in the same block, perhaps otherwise, in one of its orders.
bool lockstep_run(Arena *arena, const LockstepRun *what, LockstepResult *result);
