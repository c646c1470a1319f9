// Functions that report when they are entered and left. -finstrument-functions calls
// __cyg_profile_func_enter and __cyg_profile_func_exit. -pg calls a function that counts; the
// assembler writer adds that call.
#pragma once

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>

typedef VEC(const char *) NameParts;

typedef struct {
    bool functions;      // -finstrument-functions
    NameParts not_files; // functions in files whose name contains one of these are left alone, ...
    NameParts not_functions; // ... and so are functions whose own name has
    // The result: the names of functions with the attribute no_instrument_function.
    Arena *arena;
    NameParts plain;
} Instrument;
