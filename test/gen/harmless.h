// For checkers that understand more than the passes that they check: a forgery that is accepted
// must do no harm.
#pragma once

#include "check/check.h"

// Ends the test if what was accepted behaves differently.
void forge_expect_harmless(Arena *arena, Verdict verdict, const Func *before, const Func *after,
                           const char *what);
