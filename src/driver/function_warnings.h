// Warnings about finished functions, for which paths and values matter more than what is written where.
#pragma once

#include "c/pp.h"
#include "form/program.h"

// Warns of all functions of a program that has just been lowered: -Wuninitialized,
// -Wmaybe-uninitialized. If variables are in memory, those that could be in registers are treated as if they were.
void warn_of_functions(Pp *pp, Diag *diag, const Program *program, const WarningSet *warnings,
                       bool variables_in_memory);
