// Dead code: definitions that nothing needs.
#pragma once

#include "cert/dead_code.h"

// The function without operators, loads and phis whose results are never needed, not even by one
// another; NULL if there are none.
Func *dead_code(Arena *arena, const Func *func, DeadCodeHint *hint);
