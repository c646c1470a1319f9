// Finds claims about ranges (fact/unit_memory.h): of parameters, of results, of hidden objects.
#pragma once

#include "fact/unit_memory.h"

// The other claims are there, as claims of the program. `blurred`: symbols that are written by an
// address.
void unit_find_ranges(Arena *arena, const Program *program, UnitMemory *unit, const bool *blurred);
