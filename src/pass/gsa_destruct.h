// From gated SSA back to SSA.
#pragma once

#include "cert/gsa_destruct.h"

// The SSA form of a gated function; NULL if an argument of a gamma cannot be told for some predecessor.
Func *gsa_destruct(Arena *arena, const Func *func, GsaDestructHint *hint);
