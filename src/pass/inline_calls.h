// Calls replaced by the bodies of what they call.
#pragma once

#include "cert/inline_calls.h"

Func *inline_calls(Arena *arena, const Func *func, InlineHint *hint);

// Whether the function of a symbol can be copied to where it is called.
bool inline_is_possible(const Program *program, const Symbol *symbol);
// Replaces the calls that the hint lists, of symbols that have a body.
Func *inline_sites(Arena *arena, const Func *func, const InlineHint *hint);
