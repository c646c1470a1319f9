// The hints of passes from SSA to SSA, from what they know: explain_KNOWS for each type that a
// row of passes.def with the kernel VALUES names.
#pragma once

#include "hint/hints_values.h"

ValuesHint *explain_ValuesHint(Arena *arena, const Func *before, const Func *after,
                               ValuesHint *hint);
ValuesHint *explain_Numbering(Arena *arena, const Func *before, const Func *after,
                              const Numbering *knows);
ValuesHint *explain_DeadCodeHint(Arena *arena, const Func *before, const Func *after,
                                 const DeadCodeHint *knows);
ValuesHint *explain_SccpHint(Arena *arena, const Func *before, const Func *after,
                             const SccpHint *knows);
ValuesHint *explain_WidenHint(Arena *arena, const Func *before, const Func *after,
                              const WidenHint *knows);
