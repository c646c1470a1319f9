// Verdicts on steps that are checked one by one.
#pragma once

#include "check/passes.h"

// As pass_check; passes with the kernel GATES have a checker here, too.
Verdict step_check(PassId pass, Arena *arena, const Bodies *bodies, const Func *before,
                   const Func *after, const void *hint);
