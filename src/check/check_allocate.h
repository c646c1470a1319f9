#pragma once

#include "cert/allocate.h"
#include "check/check.h"

Verdict check_allocate(Arena *arena, const Func *before, const Func *after,
                       const AllocateHint *hint);
