#include "gate/table/numbering_stats.h"

#include <string.h>

static uint64_t count_operators(const Func *func) {
    uint64_t count = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) count += func->nodes.at[n].kind == I_OP;
    return count;
}

// The operators that remain when, after copy_prop, these passes run.
static uint64_t operators_after(Pipeline *pipeline, const Func *func, bool local, bool global) {
    pipeline->on[PASS_lvn] = local;
    pipeline->on[PASS_gvn] = global;
    return count_operators(pipeline_run(pipeline, func));
}

void numbering_stats_add(NumberingStats *stats, Pipeline *pipeline, const Program *program) {
    memset(pipeline->on, 0, sizeof pipeline->on);
    memset(pipeline->off, 1, sizeof pipeline->off);
    pipeline->on[PASS_normalize] = pipeline->on[PASS_ssa_build] = pipeline->on[PASS_copy_prop] =
        true;
    pipeline->steps = step_named("gvn") + 1;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        if (!func) continue;
        uint64_t all = operators_after(pipeline, func, false, false);
        uint64_t local = operators_after(pipeline, func, true, false);
        stats->operators += all;
        stats->local += all - local;
        stats->global_after_local += local - operators_after(pipeline, func, true, true);
        stats->global += all - operators_after(pipeline, func, false, true);
    }
}

void numbering_stats_sum(NumberingStats *to, const NumberingStats *more) {
    to->operators += more->operators;
    to->local += more->local;
    to->global_after_local += more->global_after_local;
    to->global += more->global;
}

void numbering_stats_head(Out *out) {
    out_printf(out, "%10s %10s %10s %10s %9s\n", "operators", "lvn", "then gvn", "gvn alone",
               "removed");
}

void numbering_stats_row(Out *out, const char *group, const NumberingStats *stats) {
    double share = stats->operators ? (double)stats->global / (double)stats->operators : 0;
    out_printf(out, "%10llu %10llu %10llu %10llu %8.1f%%  %s\n",
               (unsigned long long)stats->operators, (unsigned long long)stats->local,
               (unsigned long long)stats->global_after_local, (unsigned long long)stats->global,
               share * 100, group);
}
