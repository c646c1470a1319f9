// Slices of a C file that follow calls: --calls and --whole-program.
#pragma once

#include "slice/program_demand.h"
#include "slice/source/slice_criterion.h"

typedef struct {
    SliceSource *source;
    ProgramDemand *demand;
    KeptUnits **kept;   // by symbol; NULL if nothing of it was asked for
    uint32_t *function; // symbol -> its function of the units, or NO_ID
} SliceProgram;

void slice_program_begin(SliceProgram *program, SliceSource *source);
// The function that is asked about, and its variables. False if the function has to stay as it is.
bool slice_program_root(SliceProgram *program, FunctionSlice *root, uint32_t function);
// Finds the remaining parts of the function and of its callees; with `start`, also the nodes by
// which it is reached from there when the program runs; NO_SYM: without these. False if it is not
// reached. Yields all functions that are sliced, the root first.
bool slice_program_run(SliceProgram *program, FunctionSlice *root, const SliceCriterion *criterion,
                       Sym start, FunctionSlice **slices, uint32_t *count);
