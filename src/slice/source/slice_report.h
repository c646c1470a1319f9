// The output of gate slice.
#pragma once

#include "slice/source/slice_criterion.h"

typedef enum { SLICE_SOURCE, SLICE_LINES, SLICE_IMP, SLICE_JSON } SliceFormat;

// The options of a slice's output.
typedef struct {
    SliceFormat format;
    const char *certificate; // where that goes, or NULL
    const char *assume;      // a condition that holds when the function is entered, or NULL
    bool forward;            // the influenced statements instead
    bool once;               // the function is assumed not to be called again while it runs
    bool calls;              // functions that are called are sliced, too
    bool whole_program;      // ... and those that lead there from main
    bool why;                // instead: why a line is in the slice
    uint32_t why_line;
} SliceWanted;

// Slices one function, compiles the slice again and has it checked. False after a message.
bool slice_one(SliceSource *source, Diag *diag, const SliceQuestion *question,
               const SliceWanted *wanted, Out *out);
// Slices every function of the file; the table goes to `out`, the functions to the folder, if there
// is one.
bool slice_each(SliceSource *source, Diag *diag, const SliceQuestion *question,
                const SliceWanted *wanted, const char *folder, Out *out);
// How JSON begins: file, function and criterion. `assume` may be NULL.
void slice_json_head(Out *out, const FunctionSlice *slice, const SliceQuestion *question,
                     const char *assume);
// One statement as JSON, in a list; *first says whether it is the first.
void slice_json_statement(Out *out, const Units *units, uint32_t unit, bool *first);
