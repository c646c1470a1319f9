// Slices of the functions of one C file, from its text to the text of the slice and back to RTL.
#pragma once

#include "c/units.h"
#include "driver/compile.h"
#include "fact/slice_variables.h"
#include "slice/kept_units.h"
#include "slice/slice.h"
#include "slice/slice_text.h"

// A C file that was compiled to be sliced.
typedef struct {
    Arena *arena;
    const char *path;
    CompileOptions options;
    Units units;
    Program *program;
    SliceCalls calls;
} SliceSource;

// Compiles the file. False after diagnostics.
bool slice_source_read(SliceSource *source, Arena *arena, Diag *diag, const char *path,
                       const CompileOptions *options);
// Compiles the text of a slice in place of the file.
bool slice_source_again(SliceSource *after, const SliceSource *before, const SliceText *text,
                        Arena *arena, Diag *diag);

// What is asked for, of one function.
typedef struct {
    uint32_t function; // index in units.functions
    uint32_t unit;     // the statement; 0: the function's exits
    bool effects;      // at the exits: all that can be seen from outside
    // What the value of is asked for, numbers of slice_variables.h; at the exits the result comes along.
    VEC(uint32_t) variables;
} SliceCriterion;

// A function at work.
typedef struct {
    SliceSource *source;
    const UnitFunction *function;
    const Func *func;
    SliceVariables variables;
    SliceDemand *demand;
    KeptUnits *kept;
    VEC(Node) places;     // where something is asked for
    VEC(uint32_t) wanted; // and what, in front of each of them
} FunctionSlice;

void slice_function_begin(FunctionSlice *slice, SliceSource *source, uint32_t function);
// Finds what stays. The criterion's variables are those of slice->variables.
void slice_function_run(FunctionSlice *slice, const SliceCriterion *criterion);
// Adds the units that stay to a set of all units of the file.
void slice_function_units(const FunctionSlice *slice, Bits *kept);

// For each node of the slice's function the node of the original that it is, or NO_NODE. False if the text of the slice was
// lowered to something else.
bool slice_function_match(const FunctionSlice *slice, const SliceSource *after, Arena *arena,
                          Node **old, const char **reason);
