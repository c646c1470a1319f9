// The passes on SSA that run only on request, in the place of the excursion into Sea of Nodes that
// does their work otherwise: so they are tested together, too.
#pragma once

#include "pipeline/pipeline.h"

static inline void switch_one_by_one(Pipeline *pipeline) {
    pipeline->off[PASS_son_build] = true;
    for (uint32_t step = 0; step < step_count; step++)
        if (step_at(step).level == LEVEL_REQUEST) pipeline->on[step_at(step).pass] = true;
}
