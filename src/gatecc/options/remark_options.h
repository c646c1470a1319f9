// Which remarks on the work of passes are asked for: gcc's -fopt-info and clang's -Rpass=, with
// their variants.
#pragma once

#include "system/process.h"

// OPTIMIZED  changes that were made
// MISSED     changes that were not made, and costs: calls that are not inlined, spills
// NOTE       the rest: code that only has another form, or a place now
typedef enum { REMARKS_OPTIMIZED = 1, REMARKS_MISSED = 2, REMARKS_NOTE = 4 } RemarkGroup;

// Passes by gcc's names for their kinds.
typedef enum { REMARKS_INLINE = 1, REMARKS_LOOP = 2, REMARKS_REST = 4 } RemarkPasses;

typedef struct {
    unsigned info;    // -fopt-info: RemarkGroups
    unsigned passes;  // of -fopt-info: RemarkPasses; 0 is all
    const char *file; // -fopt-info=FILE; NULL: as messages
    // -Rpass=, -Rpass-missed=, -Rpass-analysis=: expressions for names of passes, or NULL
    const char *optimized, *missed, *analysis;
} RemarkOptions;

// Takes one of the options. False after a message on standard error.
bool remark_option(RemarkOptions *options, const char *text);
bool remarks_are_wanted(const RemarkOptions *options);
