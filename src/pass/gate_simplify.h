// The pass gate_simplify: shorter gates of gammas.
#pragma once

#include "cert/gate_simplify.h"

// NULL if there is nothing to simplify.
Func *gate_simplify(Arena *arena, const Func *func, GateSimplifyHint *hint);
