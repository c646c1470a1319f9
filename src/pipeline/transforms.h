// Data that the pipeline is given and need not believe: the table of transforms, and the plan.
#pragma once

#include "analysis/call_graph.h"
#include "pipeline/pipeline.h"

extern PassTransform *const transform_table[PASS_COUNT];
// Simpler ones, for passes that every function has to go through.
extern PassTransform *const plain_transform_table[PASS_COUNT];

// Puts these into a copy of the table.
void transform_select_plain(PassTransform **table);
// Puts variants of passes inside of excursions into a copy of the table: they leave out work that
// only matters if the forms are shown.
void transform_select_bare(PassTransform **table);
// Puts variants into a copy of the table that leave every variable in memory where it is.
void transform_select_faithful(PassTransform **table);
// Puts the construction of a flavour of SSA ("minimal", "semi-pruned" or "pruned") into a copy of
// the table; false if there is none of that name.
bool transform_select_ssa(PassTransform **table, const char *flavour);

// The plan for a program: callees before callers; small functions may be copied anywhere, static
// functions that are called once even if they are large. If functions may wait, functions that are
// not needed once all their calls have been replaced do so, until such a function turns out to be
// needed after all.
Planner plan_inlining(Arena *arena, const Program *program, const PlanOptions *options);
// The most nodes that the body of a function may have to be offered, if nothing else stands against
// that.
uint32_t plan_limit(const Program *program, const CallGraph *graph, Sym sym,
                    const PlanOptions *options);
