// What surrounds the code of a function and that no pass changes.
#pragma once

#include "ir/ir.h"

// How signature, parameters, registers or slots differ; NULL if they do not. New registers at the
// end are no difference.
const char *frame_difference(Arena *arena, const Func *before, const Func *after);
