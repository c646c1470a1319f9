#pragma once

#include "cert/gated_gvn.h"

// Replaces a gamma, and what is computed from it, by one of an earlier join that selects by the same
// gates from the same values. NULL if there is none.
Func *gated_gvn(Arena *arena, const Func *func, GatedGvnHint *hint);
