// Trusted: this file decides what is committed. It knows the checkers; the transforms come from
// outside, as a table of functions, and nothing about them is relied upon.
#include "driver/pipeline.h"

#include "check/check_matrix.h"
#include "ir/mach.h"
#include "ir/text.h"

#include <errno.h>
#include <string.h>
#include <time.h>

// ---- Steps

static const Step steps[] = {
#define LEVEL_0            0
#define LEVEL_1            1
#define LEVEL_2            2
#define STEP(lowest, name) {.pass = PASS_##name, .level = LEVEL_##lowest},
#include "driver/passes.def"
};

const uint32_t step_count = sizeof steps / sizeof steps[0];

Step step_at(uint32_t step) {
    Step result = steps[step];
    result.run = 1;
    for (uint32_t i = 0; i < step; i++) result.run += steps[i].pass == result.pass;
    return result;
}

const char *step_name(Arena *arena, uint32_t step) {
    Step info = step_at(step);
    const char *name = pass_table[info.pass].name;
    return info.run == 1 ? name : arena_printf(arena, "%s.%u", name, info.run);
}

uint32_t step_named(const char *name) {
    const char *dot = strchr(name, '.');
    size_t length = dot ? (size_t)(dot - name) : strlen(name);
    for (uint32_t i = 0; i < step_count; i++) {
        Step step = step_at(i);
        const char *pass = pass_table[step.pass].name;
        char run[16];
        snprintf(run, sizeof run, "%u", step.run);
        if (strlen(pass) == length && memcmp(pass, name, length) == 0 &&
            strcmp(dot ? dot + 1 : "1", run) == 0)
            return i;
    }
    return step_count;
}

bool pipeline_consistent(const char **reason) {
    uint32_t properties = PROPERTY_NOTHING;
    Form form = FORM_RTL;
    for (uint32_t i = 0; i < step_count; i++) {
        const PassInfo *info = &pass_table[steps[i].pass];
        if (steps[i].level == LEVEL_REQUEST && info->from == info->to) continue;
        if (info->from != form || (info->needs & ~properties) != 0) {
            *reason = info->name;
            return false;
        }
        form = info->to;
        properties = (properties & info->keeps) | info->gives;
    }
    return true;
}

void pipeline_init(Pipeline *pipeline, Arena *arena, PassTransform *const *transforms, Diag *diag) {
    *pipeline = (Pipeline){.transforms = transforms,
                           .level = 1,
                           .steps = step_count,
                           .diag = diag,
                           .stats = ARENA_ARRAY(arena, PassStats, step_count),
                           .work = {arena_new("function"), arena_new("function")},
                           .scratch = arena_new("check")};
}

void pipeline_free(Pipeline *pipeline) {
    for (int i = 0; i < 2; i++) arena_free(pipeline->work[i]);
    arena_free(pipeline->scratch);
}

// ---- One step

// The second opinion of --check=matrix on gates.
static Verdict run_matrix_check(const Pipeline *pipeline, PassId pass, const Func *before,
                                const Func *after, const void *hint) {
    if (pipeline->check != CHECK_MATRIX || pass != PASS_gsa_build) return VERDICT_ACCEPTED;
    Obligations obligations;
    Verdict verdict =
        check_gsa_build_by_matrix(pipeline->scratch, before, after, hint, &obligations);
    return verdict.accepted ? obligations_settle(&obligations, pipeline->refuter) : verdict;
}

// Asking for the time is a system call, and there are many steps: it is 0 unless somebody wants to know.
static double processor_seconds(const Pipeline *pipeline) {
    struct timespec now;
    if (!pipeline->timed) return 0;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
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
        out_printf(&path, "%s/%s-%s-%s.%s%c", pipeline->dump_directory, func_name(before),
                   pass_table[pass].name, stages[i], form_name(funcs[i]->form), '\0');
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

// The verdict on the output of a step.
static Verdict judge(Pipeline *pipeline, PassId pass, PassStats *stats, const Func *before,
                     const Func *after, const void *hint) {
    if (pipeline->check == CHECK_OFF) return VERDICT_ACCEPTED;
    Arena *scratch = pipeline->scratch;
    arena_reset(scratch);
    double start = processor_seconds(pipeline);
    Verdict verdict = pass_verify(pass, scratch, before, after);
    double verified = processor_seconds(pipeline);
    if (verdict.accepted) verdict = pass_check(pass, scratch, before, after, hint);
    if (verdict.accepted) verdict = run_matrix_check(pipeline, pass, before, after, hint);
    stats->verify_seconds += verified - start;
    stats->check_seconds += processor_seconds(pipeline) - verified;
    if (!verdict.accepted) warn_rejected(pipeline, pass, before, after, &verdict);
    return verdict;
}

// One step on one function: the new function, or the old one if there was nothing to do; NULL if the
// new one was rejected.
static const Func *run_transform(Pipeline *pipeline, uint32_t step, PassTransform *transform,
                                 Arena *arena, const Func *before) {
    PassId pass = steps[step].pass;
    PassStats *stats = &pipeline->stats[step];
    void *hint = NULL;
    double start = processor_seconds(pipeline);
    Func *after = transform(arena, before, &hint);
    stats->transform_seconds += processor_seconds(pipeline) - start;
    stats->nodes_before += before->nodes.count;
    stats->nodes_after += after ? after->nodes.count : before->nodes.count;
    if (!after) return before;
    func_keep_cache(after);
    bool accepted = judge(pipeline, pass, stats, before, after, hint).accepted;
    stats->changed += accepted;
    stats->rejected += !accepted;
    if (!accepted) return NULL;
    if (pipeline->observe) pipeline->observe(pipeline->context, step, before, after, hint);
    return after;
}

// The same by the plain transform, if the pass has one and the other's output was rejected.
static const Func *run_step(Pipeline *pipeline, uint32_t step, Arena *arena, const Func *before) {
    PassId pass = steps[step].pass;
    pipeline->stats[step].functions++;
    const Func *after = run_transform(pipeline, step, pipeline->transforms[pass], arena, before);
    if (after || !pipeline->plain || !pipeline->plain[pass]) return after;
    arena_reset(arena);
    return run_transform(pipeline, step, pipeline->plain[pass], arena, before);
}

static bool wanted(const Pipeline *pipeline, const Step *step) {
    return pipeline->on[step->pass] ||
           (!pipeline->off[step->pass] && step->level <= pipeline->level);
}

// The form in which the steps leave a function if none is undone.
static Form form_after(const Pipeline *pipeline, Form form) {
    for (uint32_t i = 0; i < pipeline->steps; i++) {
        const PassInfo *info = &pass_table[steps[i].pass];
        if (wanted(pipeline, &steps[i]) && info->from == form) form = info->to;
    }
    return form;
}

// ---- Functions that wait

// How far a program has come. Functions that may turn out not to be needed wait, in the form in which they
// are offered, until a function that is needed mentions them.
struct Progress {
    const Plan *plan;
    Arena *arena;
    bool waits;       // optional functions do
    bool resumed;     // those that waited go on
    bool *needed;     // by symbol
    VEC(Sym) waiting; // needed, but not done yet
};

// What calls of the function may be replaced by from now on, if the plan thinks it is worth it.
static void offer(Pipeline *pipeline, const Func *func) {
    Program *program = func->program;
    Symbol *symbol = program_at(program, func->symbol);
    const Plan *plan = pipeline->progress->plan;
    if (pipeline->progress->resumed || func->nodes.count > plan->most[func->symbol.i]) return;
    symbol->once = plan->once[func->symbol.i];
    symbol->body = func == symbol->func ? func : func_clone(func, program->arena);
    if (pipeline->offer) pipeline->offer(pipeline->context, func);
}

// Whether a function has come to where it waits.
static bool is_put_off(const Pipeline *pipeline, const Func *func) {
    const struct Progress *progress = pipeline->progress;
    return progress && progress->waits && !progress->resumed &&
           progress->plan->optional[func->symbol.i] &&
           program_at(func->program, func->symbol)->body;
}

static void note_mentioned(struct Progress *progress, const Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Sym symbol = instr_symbol(&func->nodes.at[n]);
        if (symbol.i == NO_ID || progress->needed[symbol.i]) continue;
        progress->needed[symbol.i] = true;
        if (progress->plan->optional[symbol.i])
            vec_push(progress->arena, &progress->waiting, symbol);
    }
}

// Calls have been inlined as far as they will be.
static void settle_calls(Pipeline *pipeline, const Func *func) {
    if (!pipeline->progress) return;
    offer(pipeline, func);
    if (!is_put_off(pipeline, func)) note_mentioned(pipeline->progress, func);
}

// What has been allocated is at the end of its way; text may start there.
static bool is_done(const Func *func) {
    return func->mach && func->mach->allocated;
}

static const Func *run_steps(Pipeline *pipeline, const Func *func) {
    uint32_t properties = PROPERTY_NOTHING;
    if (pipeline->begin) pipeline->begin(pipeline->context, func);
    for (uint32_t i = 0, turn = 0; i < pipeline->steps; i++) {
        const PassInfo *info = &pass_table[steps[i].pass];
        // A pass that was undone or switched off may leave later ones without what they need.
        if (!wanted(pipeline, &steps[i]) || info->from != func->form || is_done(func) ||
            (info->needs & ~properties))
            continue;
        arena_reset(pipeline->work[turn]);
        const Func *after = run_step(pipeline, i, pipeline->work[turn], func);
        bool inlined = steps[i].pass == PASS_inline_calls;
        if (inlined) settle_calls(pipeline, after ? after : func);
        if (inlined && is_put_off(pipeline, func)) return func;
        if (!after) continue;
        if (after != func) {
            turn = !turn;
            properties &= info->keeps;
        }
        properties |= info->gives;
        func = after;
    }
    return func;
}

// The same without a pass that makes a form from which the way back was undone.
static const Func *run_without(Pipeline *pipeline, PassId pass, const Func *func) {
    bool on = pipeline->on[pass], off = pipeline->off[pass];
    pipeline->on[pass] = false;
    pipeline->off[pass] = true;
    const Func *after = pipeline_run(pipeline, func);
    pipeline->on[pass] = on;
    pipeline->off[pass] = off;
    return after;
}

const Func *pipeline_run(Pipeline *pipeline, const Func *func) {
    const Func *after = run_steps(pipeline, func);
    if (after->form == form_after(pipeline, func->form) || after->form == func->form) return after;
    if (after->form == FORM_GSA) {
        pipeline->ungated++;
        return run_without(pipeline, PASS_gsa_build, func);
    }
    return after->form == FORM_SSA ? run_without(pipeline, PASS_ssa_build, func) : after;
}

static void run_symbol(Pipeline *pipeline, Symbol *symbol, const Func *func) {
    const Func *after = func ? pipeline_run(pipeline, func) : NULL;
    if (!after || is_put_off(pipeline, func)) return;
    if (pipeline->take)
        pipeline->take(pipeline->taker, after);
    else if (after != symbol->func)
        symbol->func = func_clone(after, func->program->arena);
}

// The functions that waited and are needed, and those that they need in turn.
static void run_waiting(Pipeline *pipeline, Program *program) {
    struct Progress *progress = pipeline->progress;
    progress->resumed = true;
    while (progress->waits && progress->waiting.count) {
        Symbol *symbol = program_at(program, vec_pop(&progress->waiting));
        if (!symbol->body) continue; // it did not have to wait
        if (pipeline->resume) pipeline->resume(pipeline->context, symbol->body);
        run_symbol(pipeline, symbol, symbol->body);
    }
}

static bool inlines(const Pipeline *pipeline) {
    uint32_t step = 0;
    while (steps[step].pass != PASS_inline_calls) step++;
    return pipeline->plan && wanted(pipeline, &steps[step]) && step < pipeline->steps;
}

void pipeline_run_program(Pipeline *pipeline, Program *program) {
    for (uint32_t i = 0; i < program->symbols.count; i++) program->symbols.at[i].body = NULL;
    if (!inlines(pipeline)) {
        for (uint32_t i = 0; i < program->symbols.count; i++)
            run_symbol(pipeline, &program->symbols.at[i], program->symbols.at[i].func);
        return;
    }
    Arena *arena = arena_new("plan");
    Plan plan = pipeline->plan(arena, program, pipeline->level);
    struct Progress progress = {.plan = &plan,
                                .arena = arena,
                                .waits = pipeline->take != NULL,
                                .needed = ARENA_ARRAY(arena, bool, program->symbols.count)};
    pipeline->progress = &progress;
    for (uint32_t i = 0; i < plan.count; i++) {
        Symbol *symbol = program_at(program, plan.order[i]);
        run_symbol(pipeline, symbol, symbol->func);
    }
    run_waiting(pipeline, program);
    pipeline->progress = NULL;
    arena_free(arena);
}

void pipeline_print_stats(Out *out, const Pipeline *pipeline) {
    out_printf(out, "%-14s %9s %8s %8s %9s %9s %9s %9s %9s\n", "step", "functions", "changed",
               "rejected", "nodes in", "nodes out", "run s", "verify s", "check s");
    Arena *arena = arena_new("statistics");
    for (uint32_t i = 0; i < step_count; i++) {
        const PassStats *stats = &pipeline->stats[i];
        if (!stats->functions) continue;
        out_printf(out, "%-14s %9llu %8llu %8llu %9llu %9llu %9.6f %9.6f %9.6f\n",
                   step_name(arena, i), (unsigned long long)stats->functions,
                   (unsigned long long)stats->changed, (unsigned long long)stats->rejected,
                   (unsigned long long)stats->nodes_before, (unsigned long long)stats->nodes_after,
                   stats->transform_seconds, stats->verify_seconds, stats->check_seconds);
    }
    if (pipeline->ungated)
        out_printf(out, "%llu functions went without gates, as the warnings say\n",
                   (unsigned long long)pipeline->ungated);
    arena_free(arena);
}
