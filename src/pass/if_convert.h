// If-conversion: gammas with two arguments that are cheap to compute become selects.
#pragma once

#include "cert/if_convert.h"

// The function with selects after those joins; NULL if there are none. The operators of the two ways are
// done again after the join; the branch and what it leads to stay for dead_code and straighten to remove.
Func *if_convert(Arena *arena, const Func *func, IfConvertHint *hint);
