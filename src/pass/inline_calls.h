// Calls replaced by the bodies of what they call.
#pragma once

#include "cert/inline_calls.h"

Func *inline_calls(Arena *arena, const Func *func, InlineHint *hint);
