// Trusted: this file decides what is committed. It knows the checkers; the transforms come from
// outside, as a table of functions, and nothing about them is relied upon.
#include "driver/pipeline.h"

#include "check/check_normalize.h"
#include "ir/text.h"
#include "ir/verify.h"

#include <errno.h>
#include <string.h>
#include <time.h>

const PassInfo pass_table[PASS_COUNT] = {
#define PASS(id, hint, f, t, n, g, k, m)                                                           \
    [PASS_##id] = {.name = #id,                                                                    \
                   .meaning = m,                                                                   \
                   .from = FORM_##f,                                                               \
                   .to = FORM_##t,                                                                 \
                   .needs = PROPERTY_##n,                                                          \
                   .gives = PROPERTY_##g,                                                          \
                   .keeps = PROPERTY_##k},
#include "driver/passes.def"
};

PassId pass_named(const char *name) {
    PassId pass = 0;
    while (pass < PASS_COUNT && strcmp(pass_table[pass].name, name) != 0) pass++;
    return pass;
}

bool pipeline_consistent(const char **reason) {
    uint32_t properties = PROPERTY_NOTHING;
    Form form = FORM_RTL;
    for (PassId pass = 0; pass < PASS_COUNT; pass++) {
        const PassInfo *info = &pass_table[pass];
        if (info->from != form || (info->needs & ~properties) != 0) {
            *reason = info->name;
            return false;
        }
        form = info->to;
        properties = (properties & info->keeps) | info->gives;
    }
    return true;
}

static Verdict run_checker(PassId pass, Arena *arena, const Func *before, const Func *after,
                           const void *hint) {
    switch (pass) {
#define PASS(name, Hint, from, to, needs, gives, keeps, meaning)                                   \
    case PASS_##name:                                                                              \
        return check_##name(arena, before, after, (const Hint *)hint);
#include "driver/passes.def"
    case PASS_COUNT: break;
    }
    return (Verdict){.node = NO_NODE, .reason = "the pass has no checker"};
}

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// Whether the output of a pass is well-formed; if not, the first complaint is the reason.
static Verdict well_formed(Arena *arena, const Func *func) {
    Complaints complaints = {.arena = arena};
    if (verify_func(&complaints, func)) return VERDICT_ACCEPTED;
    const Complaint *first = &complaints.list.at[0];
    return (Verdict){
        .node = first->node,
        .reason = arena_printf(arena, "not well-formed: %s: %s", first->rule, first->message)};
}

// Leaves what a developer needs to look into a rejection: the two functions and the reason.
static void dump(Pipeline *pipeline, PassId pass, const Func *before, const Func *after,
                 const Verdict *verdict) {
    const char *stages[] = {"before", "after"};
    const Func *funcs[] = {before, after};
    for (int i = 0; i < 2; i++) {
        Out text = {0}, path = {0};
        out_printf(&text, "// pass %s, function %s, %s; rejected: %s\n", pass_table[pass].name,
                   func_name(before), stages[i], verdict->reason);
        func_print(&text, funcs[i], &(PrintOptions){0});
        out_printf(&path, "%s/%s-%s-%s.rtl%c", pipeline->dump_directory, func_name(before),
                   pass_table[pass].name, stages[i], '\0');
        if (!out_commit(&text, path.text))
            diag_warning(pipeline->diag, SPAN_NONE, "cannot write %s: %s", path.text,
                         strerror(errno));
        out_free(&text);
        out_free(&path);
    }
}

static void warn_rejected(Pipeline *pipeline, PassId pass, const Func *before, const Func *after,
                          const Verdict *verdict) {
    Out place = {0};
    if (verdict->node.i != NO_ID) out_printf(&place, " at node %u", verdict->node.i);
    out_char(&place, '\0');
    diag_warning(pipeline->diag, SPAN_NONE,
                 "pass %s was undone for function '%s'%s: %s [-Wrejected-pass]",
                 pass_table[pass].name, func_name(before), place.text, verdict->reason);
    out_free(&place);
    if (pipeline->dump_directory) dump(pipeline, pass, before, after, verdict);
}

// One pass on one function: the new function, or NULL if it was rejected.
static const Func *run_pass(Pipeline *pipeline, PassId pass, Arena *arena, const Func *before) {
    PassStats *stats = &pipeline->stats[pass];
    void *hint = NULL;
    double start = processor_seconds();
    const Func *after = pipeline->transforms[pass](arena, before, &hint);
    double transformed = processor_seconds(), verified = transformed, checked = transformed;
    Verdict verdict = VERDICT_ACCEPTED;
    if (pipeline->check != CHECK_OFF) {
        Arena *scratch = arena_new("check");
        verdict = well_formed(scratch, after);
        verified = processor_seconds();
        if (verdict.accepted) verdict = run_checker(pass, scratch, before, after, hint);
        checked = processor_seconds();
        if (!verdict.accepted) warn_rejected(pipeline, pass, before, after, &verdict);
        arena_free(scratch);
    }
    stats->functions++;
    stats->rejected += !verdict.accepted;
    stats->nodes_before += before->nodes.count;
    stats->nodes_after += after->nodes.count;
    stats->transform_seconds += transformed - start;
    stats->verify_seconds += verified - transformed;
    stats->check_seconds += checked - verified;
    return verdict.accepted ? after : NULL;
}

const Func *pipeline_run(Pipeline *pipeline, Arena *arena, const Func *func) {
    uint32_t properties = PROPERTY_NOTHING;
    Form form = FORM_RTL;
    for (PassId pass = 0; pass < PASS_COUNT && pipeline->last != PASS_COUNT; pass++) {
        if (pass > pipeline->last) break;
        const PassInfo *info = &pass_table[pass];
        // A pass that was undone or switched off may leave later ones without what they need.
        if (pipeline->off[pass] || info->from != form || (info->needs & ~properties)) continue;
        const Func *after = run_pass(pipeline, pass, arena, func);
        if (!after) continue;
        func = after;
        form = info->to;
        properties = (properties & info->keeps) | info->gives;
        if (pipeline->observe) pipeline->observe(pipeline->context, pass, func);
    }
    return func;
}

void pipeline_run_program(Pipeline *pipeline, Program *program) {
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        if (!func) continue;
        func = pipeline_run(pipeline, program->arena, func);
        program->symbols.at[i].func = func;
    }
}

void pipeline_print_stats(Out *out, const Pipeline *pipeline) {
    out_printf(out, "%-12s %9s %8s %10s %10s %10s %10s %10s\n", "pass", "functions", "rejected",
               "nodes in", "nodes out", "run s", "verify s", "check s");
    for (PassId pass = 0; pass < PASS_COUNT; pass++) {
        const PassStats *stats = &pipeline->stats[pass];
        if (!stats->functions) continue;
        out_printf(out, "%-12s %9llu %8llu %10llu %10llu %10.6f %10.6f %10.6f\n",
                   pass_table[pass].name, (unsigned long long)stats->functions,
                   (unsigned long long)stats->rejected, (unsigned long long)stats->nodes_before,
                   (unsigned long long)stats->nodes_after, stats->transform_seconds,
                   stats->verify_seconds, stats->check_seconds);
    }
}
