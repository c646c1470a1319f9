// How much value numbering finds in a program: Table 1 of Barthe et al. (docs/papers.md).
#pragma once

#include "pipeline/pipeline.h"

// Operators of all functions in SSA after copy_prop, and how many of them go.
typedef struct {
    uint64_t operators;
    uint64_t local;              // by lvn
    uint64_t global_after_local; // by gvn after lvn
    uint64_t global;             // by gvn alone
} NumberingStats;

// Adds the counts of a program in RTL or SSA. The pipeline says how passes are checked; this
// function chooses the passes.
void numbering_stats_add(NumberingStats *stats, Pipeline *pipeline, const Program *program);
void numbering_stats_sum(NumberingStats *to, const NumberingStats *more);
void numbering_stats_head(Out *out);
void numbering_stats_row(Out *out, const char *group, const NumberingStats *stats);
