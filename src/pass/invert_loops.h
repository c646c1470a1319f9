// Tests at the end of loops instead of the beginning.
#pragma once

#include "cert/invert_loops.h"

Func *invert_loops(Arena *arena, const Func *func, InvertHint *hint);
