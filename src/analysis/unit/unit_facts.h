// Finds what can be claimed about the memory of a unit (fact/unit_memory.h).
#pragma once

#include "fact/unit_memory.h"

// The claims about a program all of whose functions have their first form; NULL if they would be of
// no use. During the search the
// program has claims that nobody has checked; afterwards it has none.
UnitMemory *unit_facts_of(Arena *arena, Program *program);
