// The untrusted half of passes.def: the table of transforms.
#pragma once

#include "driver/pipeline.h"

extern PassTransform *const transform_table[PASS_COUNT];
