// The checker of what is claimed about the memory of a whole unit (fact/unit_memory.h).
#pragma once

#include "check/check.h"
#include "fact/unit_memory.h"

// Whether the claims agree with the declarations. If so, the program has these claims from now on;
// they hold once each function was found right, too. Until then they are only assumed.
Verdict check_unit(Arena *arena, Program *program, UnitMemory *claims);
// Whether the claims of its program allow for what a function does in its first form.
Verdict check_unit_function(Arena *arena, const Func *func);
