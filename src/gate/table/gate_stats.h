// Counts the gates of a program and the simplifications that they allow, as its functions go
// through the pipeline.
#pragma once

#include "pipeline/pipeline.h"

typedef struct {
    uint64_t branches;   // before the first pass
    uint64_t decided;    // by values or by others before them: son_schedule
    uint64_t straight;   // that make no difference: straighten
    uint64_t selects;    // by if_convert
    uint64_t merged;     // values that gated_gvn finds equal to others and gvn does not
    uint64_t gates;      // of arguments of gammas
    uint64_t simplified; // of these, by gate_simplify
} GateStats;

// Adds the counts of a program, which stays as it is.
void gate_stats_add(GateStats *stats, Pipeline *pipeline, const Program *program);
void gate_stats_sum(GateStats *to, const GateStats *more);
void gate_stats_head(Out *out);
void gate_stats_row(Out *out, const char *group, const GateStats *stats);
