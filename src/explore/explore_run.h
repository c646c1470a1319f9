// The recorded runs of an explorer page: main, in the last view of each form.
#pragma once

#include "explore/explore.h"

// Writes the member "run" of the data: an object, or nothing, and false, if there is no main. At
// most so many items of each run are recorded.
bool explore_write_run(Out *out, const ExplorePipeline *pipelines, uint32_t pipeline_count,
                       int argc, char **argv, uint32_t limit);
