// The properties of passes.def, found from a function alone. The pipeline goes by this and by
// nothing that a pass says of its result.
#pragma once

#include "check/passes.h"

// Whether a function has the properties; the reason if not. In almost linear time.
Verdict check_properties(Arena *arena, const Func *func, uint32_t properties);

// Which of the properties that `before` has are seen to carry over to `after` without looking at
// all of it.
uint32_t properties_kept(const Func *before, const Func *after, uint32_t properties);
