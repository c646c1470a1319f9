// The untrusted half of passes.def: the table of transforms.
#pragma once

#include "driver/pipeline.h"

extern PassTransform *const transform_table[PASS_COUNT];
// The plain variants of those that must not fail, for Pipeline.plain; NULL for the others.
extern PassTransform *const transform_plain_table[PASS_COUNT];

// Puts the construction of a flavour of SSA ("minimal", "semi-pruned" or "pruned") into a copy of the
// table; false if there is none of that name.
bool transform_select_ssa(PassTransform **table, const char *flavour);
