#pragma once

#include "cert/gate_simplify.h"
#include "check/check.h"

Verdict check_gate_simplify(Arena *arena, const Func *before, const Func *after,
                            const GateSimplifyHint *hint);
