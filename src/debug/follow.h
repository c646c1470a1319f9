// The follower: finds the variables of the source in the machine code of an optimized function.
//
// The follower watches the pipeline, and learns from the accepted hints, step by step: which node
// of an earlier form each node performs, and which register has the value of which. Only debuggers
// depend on the follower, so it cannot change code. Where a step does not say enough, the follower
// loses the variable and never guesses.
//
// The *source form* is the function right after ssa_build. There each variable has one version at
// each node, and each version is a register. From then on the follower keeps, for the present form,
//   - for each node its position: the node of the source form at which the function is, seen from
//     there;
//   - for each register of the source form its holder: the register or place that has the same
//     value, wherever the holder has been set.
// In SSA, a value that dominates a node is the same on every path to the node; so if the holder of
// a version dominates a node, the holder has the value of the variable. Machine code is followed by
// places (follow_places.c).
#pragma once

#include "assembly/debug_source.h"
#include "assembly/debug_values.h"
#include "pipeline/pipeline.h"

typedef struct Follower Follower;

// For the functions of one program, which debug describes.
Follower *follower_new(Arena *arena, const Program *program, const Debug *debug);
void follower_free(Follower *follower);
// Makes it watch a pipeline.
void follower_watch(Follower *follower, Pipeline *pipeline);
void follower_unwatch(Pipeline *pipeline);
// The description of the function that has just gone through the steps; NULL if there is none. It
// lives until the next one begins.
const DebugCode *follower_finish(Follower *follower, const Func *func);
