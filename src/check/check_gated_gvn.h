#pragma once

#include "cert/gated_gvn.h"
#include "check/check.h"

Verdict check_gated_gvn(Arena *arena, const Func *before, const Func *after,
                        const GatedGvnHint *hint);
