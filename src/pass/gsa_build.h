// From loop-closed SSA to gated SSA.
#pragma once

#include "cert/gsa_build.h"

// The gated form of a function in normal form; NULL if its graph has not that form. The copies that
// close_loops put behind landing pads become etas.
Func *gsa_build(Arena *arena, const Func *func, GsaBuildHint *hint);
