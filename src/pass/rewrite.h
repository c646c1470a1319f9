// Rewrites definitions and conditions by the rules of rules.def, until none applies.
#pragma once

#include "cert/rewrite.h"

Func *rewrite(Arena *arena, const Func *func, RewriteHint *hint);
