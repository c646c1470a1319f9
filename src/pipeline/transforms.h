// The untrusted half of passes.def: the table of transforms.
#pragma once

#include "pipeline/pipeline.h"

extern PassTransform *const transform_table[PASS_COUNT];
// Simpler ones, for passes that every function has to go through.
extern PassTransform *const plain_transform_table[PASS_COUNT];

// Puts these into a copy of the table.
void transform_select_plain(PassTransform **table);
// Puts the construction of a flavour of SSA ("minimal", "semi-pruned" or "pruned") into a copy of the
// table; false if there is none of that name.
bool transform_select_ssa(PassTransform **table, const char *flavour);
