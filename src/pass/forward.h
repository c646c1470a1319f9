// Loads whose value a register holds already: stored or loaded earlier, and not changed since.
#pragma once

#include "cert/forward.h"

// The function with moves or extensions of registers in place of such loads; NULL if there are none.
Func *forward(Arena *arena, const Func *func, ForwardHint *hint);
