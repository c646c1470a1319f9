// Hints for the values kernel that say nothing clever, for tests that add a claim of their own:
// nodes and registers of `after` are those of `before` with the same numbers.
#pragma once

#include "hint/hints_values.h"

// Every register is itself, or the constant, the address or the operator of one argument that sets
// it; every condition is its operator on these; a load that stays is what its place holds.
ValuesHint *plain_values(Arena *arena, const Func *before, const Func *after);

uint32_t plain_add(Arena *arena, ValuesHint *hint, HintValue value, const uint32_t *args);

// A load of `before` that is an operator in `after`: it is claimed to yield what that computes.
void plain_forward(Arena *arena, const Func *before, const Func *after, Node load,
                   ValuesHint *hint);
