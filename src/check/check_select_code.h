#pragma once

#include "cert/select.h"
#include "check/check.h"

Verdict check_select_code(Arena *arena, const Func *before, const Func *after,
                          const SelectHint *hint);
