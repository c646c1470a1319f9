#pragma once

#include "pipeline/pipeline.h"

// The plan for a program: callees before callers; small functions may be copied anywhere, static ones
// that are called once even if they are large. If functions may wait, those that are not needed once all calls of
// them have been replaced do so, until it turns out that one is needed after all.
Planner plan_inlining(Arena *arena, const Program *program, uint32_t level, bool may_wait);
