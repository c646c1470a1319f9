// Warnings about finished functions, for which paths and values matter more than what is written
// where.
#pragma once

#include "c/lower/lower.h"
#include "c/preprocess/pp.h"

// Where a function is defined.
typedef struct {
    Str name;
    Pos pos; // of its name
    bool returns_pointer;
} FunctionPlace;
typedef struct {
    VEC(FunctionPlace) functions;
    VariablePlaces variables;   // variables of a function follow each other
    SubscriptPlaces subscripts; // the same
} WarningPlaces;

// Whether subscripts and shifts are to be noted.
bool wants_limits(const Pp *pp);
// Warns of all functions of a program that has just been lowered: -Wuninitialized,
// -Wmaybe-uninitialized, and the mistakes of value_mistakes.h and limit_mistakes.h in
// analysis/conditions. Nothing is done if none of these warnings is on. If variables are in memory,
// variables that could be in registers are treated
// as if they were. Passes that were rejected are told to `diag`.
void warn_of_functions(Pp *pp, Diag *diag, const Program *program, const WarningSet *warnings,
                       const WarningPlaces *places, bool variables_in_memory);
