// Finds the properties of passes.def from a function alone. The pipeline relies on these answers,
// and never on a pass's own claims about its result.
#pragma once

#include "check/passes.h"

// Whether a function has the properties; the reason if not. In almost linear time.
Verdict check_properties(Arena *arena, const Func *func, uint32_t properties);

// The properties of `before` that surely carry over to `after`, found without looking at all of it.
uint32_t properties_kept(const Func *before, const Func *after, uint32_t properties);
