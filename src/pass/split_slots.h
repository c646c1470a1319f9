#pragma once

#include "cert/split_slots.h"

// The function with registers for the fields of frame slots; NULL if there is nothing to split.
Func *split_slots(Arena *arena, const Func *func, SplitHint *hint);
