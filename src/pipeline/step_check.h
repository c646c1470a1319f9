// Verdicts on steps that are checked one by one.
#pragma once

#include "check/passes.h"

// As pass_check; rows STEPPED have a checker here.
Verdict step_check(PassId pass, Arena *arena, const Bodies *bodies, const Func *before,
                   const Func *after, const void *hint);
