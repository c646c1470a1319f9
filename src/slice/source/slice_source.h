// Slices of the functions of one C file, from its text to the text of the slice and back to RTL.
#pragma once

#include "c/compile/compile.h"
#include "c/parse/units.h"
#include "fact/slice/slice_variables.h"
#include "hint/hints_slice.h"
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
// Compiles the file again, with a node for a statement that does nothing. Units keep their numbers,
// and nothing else does.
void slice_source_mark(SliceSource *source, uint32_t unit);
// Compiles the text of a slice in place of the file.
bool slice_source_again(SliceSource *after, const SliceSource *before, const SliceText *text,
                        Arena *arena, Diag *diag);

// A request about one function.
typedef struct {
    uint32_t function; // index in units.functions
    uint32_t unit;     // the statement; 0: the function's exits
    uint32_t declared; // the unit that declares the variable, or 0: it stays
    bool effects;      // at the exits: all that can be seen from outside
    // The variables whose values are requested, numbers of slice_variables.h. At the exits, if
    // there are none, the result is.
    VEC(uint32_t) variables;
} SliceCriterion;

// A function at work.
typedef struct {
    SliceSource *source;
    const UnitFunction *function;
    const Func *func;
    SliceVariables variables;
    const uint32_t
        *way; // node -> the only successor that is assumed to be taken, or NO_ID; or NULL
    SliceDemand *demand;
    KeptUnits *kept;
    VEC(SlicePoint) points; // the requests at a statement
    VEC(uint32_t) exits;    // and at all exits
    VEC(SliceApart) apart;  // assumed
    bool once;              // assumed not to be called again while it runs
    SliceWorldSet outputs;  // the variables that have their old values for callers
} FunctionSlice;

void slice_function_begin(FunctionSlice *slice, SliceSource *source, uint32_t function);
// Asks for what the criterion says.
void slice_function_ask(FunctionSlice *slice, const SliceCriterion *criterion);
// Finds what stays. The criterion's variables are those of slice->variables.
void slice_function_run(FunctionSlice *slice, const SliceCriterion *criterion);
// Adds the units that stay to a set of all units of the file.
void slice_function_units(const FunctionSlice *slice, Bits *kept);

// Has the slices checked, with a hint that is left for a certificate. NULL, or the reason why they
// are rejected.
const char *slice_check(const FunctionSlice *slices, uint32_t count, const SliceSource *after,
                        Arena *arena, const SliceHint **hint);
