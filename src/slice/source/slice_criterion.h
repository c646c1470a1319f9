// From what somebody asks for in words to what a slice begins with.
#pragma once

#include "slice/source/slice_source.h"

typedef struct {
    bool has_line;
    uint32_t line;
    const char *function; // or NULL
    const char *variable; // or NULL
} SliceQuestion;

// The function that is asked about. False after a message. If it is a statement that does nothing,
// the file is compiled again (slice_source_mark).
bool slice_find_function(SliceSource *source, Diag *diag, const SliceQuestion *question,
                         SliceCriterion *criterion);
// The root that a pointer of this name is in the function (slice_cells.h): a parameter or a
// variable that is set once. NO_REG if there is none.
Reg slice_find_root(const FunctionSlice *slice, const char *name);
// The rest of the criterion, once the function's variables are known. False after a message.
bool slice_find_variable(const FunctionSlice *slice, Diag *diag, const SliceQuestion *question,
                         SliceCriterion *criterion);
