#pragma once

#include "pipeline/pipeline.h"

// The plan for a program: callees before callers; small functions may be copied anywhere, static ones
// that are called once even if they are large.
Plan plan_inlining(Arena *arena, const Program *program, uint32_t level);
