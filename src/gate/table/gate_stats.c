#include "gate/table/gate_stats.h"

#include "fact/effects.h"
#include "form/gsa.h"

static uint64_t count_branches(const Func *func) {
    uint64_t count = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) count += instr_is_branch(&func->nodes.at[n]);
    return count;
}

static uint64_t count_selects(const Func *func) {
    uint64_t count = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        count += instr->kind == I_OP && instr->op == op_select(reg_type(func, instr->dest));
    }
    return count;
}

static uint64_t count_definitions(const Func *func) {
    uint64_t count = func->gsa->merges.count + func->gsa->etas.count;
    for (uint32_t n = 0; n < func->nodes.count; n++) count += func->nodes.at[n].dest.i != NO_ID;
    return count;
}

static uint64_t count_gates(const Func *func) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < func->gsa->merges.count; i++) {
        const Merge *merge = &func->gsa->merges.at[i];
        if (merge->kind == MERGE_GAMMA) count += merge->arg_count;
    }
    return count;
}

// Merges have kept their places.
static uint64_t count_changed_gates(const Func *before, const Func *after) {
    Arena *arena = arena_new("gates");
    uint64_t count = 0;
    const Gate *then = gsa_import(arena, gsa_clone(arena, before->gsa), after->gsa, NULL);
    for (uint32_t i = 0; i < before->gsa->merge_args.count; i++)
        count +=
            before->gsa->merge_args.at[i].gate.i != then[after->gsa->merge_args.at[i].gate.i].i;
    arena_free(arena);
    return count;
}

static void observe(void *context, uint32_t step, const Func *before, const Func *after,
                    const void *hint) {
    GateStats *stats = context;
    (void)hint;
    switch (step_at(step).pass) {
    case PASS_son_schedule: stats->decided += count_branches(before) - count_branches(after); break;
    case PASS_straighten: stats->straight += count_branches(before) - count_branches(after); break;
    case PASS_if_convert: stats->selects += count_selects(after) - count_selects(before); break;
    case PASS_gated_gvn:
        stats->merged += count_definitions(before) - count_definitions(after);
        break;
    case PASS_gsa_build: stats->gates += count_gates(after); break;
    case PASS_gate_simplify: stats->simplified += count_changed_gates(before, after); break;
    default: break;
    }
}

void gate_stats_add(GateStats *stats, Pipeline *pipeline, const Program *program) {
    pipeline->observe = observe;
    pipeline->context = stats;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        if (!func) continue;
        stats->branches += count_branches(func);
        (void)pipeline_run(pipeline, func);
    }
}

void gate_stats_sum(GateStats *to, const GateStats *more) {
    to->branches += more->branches;
    to->decided += more->decided;
    to->straight += more->straight;
    to->selects += more->selects;
    to->merged += more->merged;
    to->gates += more->gates;
    to->simplified += more->simplified;
}

void gate_stats_head(Out *out) {
    out_printf(out, "%10s %10s %10s %10s %10s %10s %10s\n", "branches", "decided", "straight",
               "selects", "merged", "gates", "simplified");
}

void gate_stats_row(Out *out, const char *group, const GateStats *stats) {
    const uint64_t numbers[] = {stats->branches, stats->decided, stats->straight,  stats->selects,
                                stats->merged,   stats->gates,   stats->simplified};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        out_printf(out, "%s%10llu", i ? " " : "", (unsigned long long)numbers[i]);
    out_printf(out, "  %s\n", group);
}
