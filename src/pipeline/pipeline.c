// Trusted: this file decides what is committed. The transforms come from outside, as a table of functions, and so does
// the order in which functions are taken; nothing about either is relied upon. Which body may stand for a call is decided
// here: the form of a function that committed steps have made, at the time when it was offered.
#include "pipeline/pipeline.h"

#include "check/completeness.h"
#include "check/properties.h"
#include "check/second_opinion.h"
#include "form/text.h"

#include <errno.h>
#include <string.h>
#include <time.h>

// ---- Passes and steps

PassId pass_named(const char *name) {
    PassId pass = 0;
    while (pass < PASS_COUNT && strcmp(pass_table[pass].name, name) != 0) pass++;
    return pass;
}

static const Step steps[] = {
#define LEVEL_0                 0
#define LEVEL_1                 1
#define LEVEL_2                 2
#define STEP(lowest, name, why) {.pass = PASS_##name, .level = LEVEL_##lowest, .reason = why},
#include "pipeline/passes.def"
};

// Every pass has a step: the compiler names the one that has none.
#define STEP(lowest, name, why) extern const char a_STEP_row_for_##name;
#include "pipeline/passes.def"
#define PASS(name, ...) _Static_assert(sizeof a_STEP_row_for_##name, #name);
#include "pipeline/passes.def"

// Properties that the checkers of passes establish.
static const uint32_t shown[PASS_COUNT] = {
#define SHOWS(name, property) [PASS_##name] = PROPERTY_##property,
#include "pipeline/passes.def"
};

static const struct Excursion {
    PassId way_in, way_out;
} excursions[] = {
#define EXCURSION(in, out) {PASS_##in, PASS_##out},
#include "pipeline/passes.def"
};

// There is one last row, and somebody to ask for a second opinion.
enum {
    FINISHES = 0
#define FINISH(...) +1
#include "pipeline/passes.def"
    ,
    OPINIONS = 0
#define SECOND_OPINION(...) +1
#include "pipeline/passes.def"
};
_Static_assert(FINISHES == 1, "passes.def has one FINISH row");
_Static_assert(OPINIONS > 0, "passes.def has a SECOND_OPINION row");

const FinishInfo finish_info = {
#define FINISH(id, form, m) .name = #id, .from = FORM_##form, .meaning = m,
#include "pipeline/passes.def"
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

// The excursion that a pass leads back from; NULL if it leads onwards.
static const struct Excursion *excursion_of(PassId way_out) {
    for (size_t i = 0; i < sizeof excursions / sizeof excursions[0]; i++)
        if (excursions[i].way_out == way_out) return &excursions[i];
    return NULL;
}

static bool leads_back(const struct Excursion *excursion) {
    const PassInfo *in = &pass_table[excursion->way_in], *out = &pass_table[excursion->way_out];
    return in->from != in->to && in->from == out->to && in->to == out->from;
}

bool pipeline_consistent(const char **reason) {
    uint32_t properties = PROPERTY_NOTHING;
    Form form = FORM_FIRST;
    uint64_t left = 0; // forms that steps have led away from, as bits
    for (size_t i = 0; i < sizeof excursions / sizeof excursions[0]; i++) {
        *reason = pass_table[excursions[i].way_out].name;
        if (!leads_back(&excursions[i])) return false;
    }
    for (uint32_t i = 0; i < step_count; i++) {
        const PassInfo *info = &pass_table[steps[i].pass];
        if (steps[i].level == LEVEL_REQUEST && info->from == info->to) continue;
        if (info->from != form || (info->needs & ~properties) != 0) {
            *reason = info->name;
            return false;
        }
        bool back = (left >> info->to & 1) && info->to != form;
        if (back && !excursion_of(steps[i].pass)) {
            *reason = info->name;
            return false;
        }
        left |= (uint64_t)1 << form;
        form = info->to;
        properties = (properties & info->keeps) | info->gives;
    }
    *reason = finish_info.name;
    return form == finish_info.from;
}

void pipeline_init(Pipeline *pipeline, Arena *arena, PassTransform *const *transforms, Diag *diag) {
    *pipeline = (Pipeline){.transforms = transforms,
                           .level = 1,
                           .steps = step_count,
                           .diag = diag,
                           .stats = ARENA_ARRAY(arena, PassStats, step_count),
                           .work = {arena_new("function"), arena_new("function")},
                           .scratch = arena_new("check"),
                           .reasons = arena_new("reasons")};
}

void pipeline_free(Pipeline *pipeline) {
    for (int i = 0; i < 2; i++) arena_free(pipeline->work[i]);
    arena_free(pipeline->scratch);
    arena_free(pipeline->reasons);
}

// ---- One step

// How far a program has come.
struct Progress {
    Planner planner;
    Bodies bodies;             // that were offered so far
    bool resumed;              // the function at hand goes on from what was offered
    Completeness completeness; // what was finished, and what that needs
};

static Verdict ask_again(const Pipeline *pipeline, PassId pass, const Func *before,
                         const Func *after, const void *hint) {
    if (pipeline->check != CHECK_MATRIX || !second_opinions[pass]) return VERDICT_ACCEPTED;
    Obligations obligations;
    Verdict verdict = second_opinions[pass](pipeline->scratch, before, after, hint, &obligations);
    return verdict.accepted ? obligations_settle(&obligations, pipeline->refuter) : verdict;
}

static const Bodies *bodies_so_far(const Pipeline *pipeline) {
    return pipeline->progress ? &pipeline->progress->bodies : pipeline->bodies;
}

// Asking for the time is a system call, and there are many steps: it is 0 unless somebody wants to know.
static double seconds_now(const Pipeline *pipeline) {
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
    if (verdict->site.i != NO_ID) out_text(&place, " at ");
    func_print_site(&place, after, verdict->site);
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
    double start = seconds_now(pipeline);
    Verdict verdict = pass_verify(pass, scratch, before, after);
    double verified = seconds_now(pipeline);
    if (verdict.accepted)
        verdict = pass_check(pass, scratch, bodies_so_far(pipeline), before, after, hint);
    if (verdict.accepted) verdict = ask_again(pipeline, pass, before, after, hint);
    stats->verify_seconds += verified - start;
    stats->check_seconds += seconds_now(pipeline) - verified;
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
    double start = seconds_now(pipeline);
    Func *after = transform(arena, bodies_so_far(pipeline), before, &hint);
    stats->transform_seconds += seconds_now(pipeline) - start;
    stats->size_before += func_size(before);
    stats->size_after += func_size(after ? after : before);
    if (!after) return before;
    func_keep_cache(after);
    bool accepted = judge(pipeline, pass, stats, before, after, hint).accepted;
    stats->changed += accepted;
    stats->rejected += !accepted;
    if (!accepted) return NULL;
    if (pipeline->observe) pipeline->observe(pipeline->context, step, before, after, hint);
    return after;
}

// The same by the plain transform, if the pass has one and the other's output was rejected or there was none.
static const Func *run_step(Pipeline *pipeline, uint32_t step, Arena *arena, const Func *before) {
    PassId pass = steps[step].pass;
    pipeline->stats[step].functions++;
    const Func *after = run_transform(pipeline, step, pipeline->transforms[pass], arena, before);
    bool made = after && after != before;
    if (made || !pipeline->plain || !pipeline->plain[pass]) return after;
    arena_reset(arena);
    pipeline->stats[step].plain++;
    return run_transform(pipeline, step, pipeline->plain[pass], arena, before);
}

static bool wanted(const Pipeline *pipeline, const Step *step) {
    return pipeline->on[step->pass] ||
           (!pipeline->off[step->pass] && step->level <= pipeline->level);
}

// ---- A function on its way

// A function on its way through the steps.
typedef struct {
    const Func *func;
    uint32_t properties;           // that it is known to have
    uint64_t tried;                // passes that have had this very function already, as bits
    uint32_t turn;                 // the arena that is free
    const struct Excursion *stuck; // from which no step led back
    bool waits;                    // it has been offered and does not go on for now
    const char *reason;            // why a step could not run, or did not make another form
} Way;

_Static_assert(PASS_COUNT <= 64, "a set of passes is a word");

// Runs a step; whether the function is another one now.
static bool take_step(Pipeline *pipeline, Way *way, uint32_t step) {
    const Func *before = way->func;
    arena_reset(pipeline->work[way->turn]);
    const Func *after = run_step(pipeline, step, pipeline->work[way->turn], before);
    way->tried |= (uint64_t)1 << steps[step].pass;
    if (!after || after == before) {
        const PassInfo *info = &pass_table[steps[step].pass];
        if (info->from != info->to)
            way->reason = arena_printf(pipeline->reasons, "pass %s %s", info->name,
                                       after ? "makes nothing of it" : "was undone");
        return false;
    }
    way->turn = !way->turn;
    way->tried = 0;
    way->properties = properties_kept(before, after, way->properties);
    if (pipeline->check != CHECK_OFF) way->properties |= shown[steps[step].pass];
    way->func = after;
    return true;
}

// The first step of a pass that gives properties to a function as it is, and does not need them all itself;
// step_count if none is to run.
static uint32_t step_that_gives(const Pipeline *pipeline, const Way *way, uint32_t properties) {
    for (uint32_t i = 0; i < step_count; i++) {
        const PassInfo *info = &pass_table[steps[i].pass];
        bool gives = (properties & ~info->gives) == 0 && (properties & ~info->needs) != 0 &&
                     info->from == way->func->form && info->to == info->from;
        if (gives && wanted(pipeline, &steps[i]) && !(way->tried >> steps[i].pass & 1)) return i;
    }
    return step_count;
}

// Whether the function has properties, as it shows itself, whatever the passes before are said to give or keep.
static bool has(Pipeline *pipeline, Way *way, uint32_t properties) {
    if ((properties & ~way->properties) == 0) return true;
    arena_reset(pipeline->scratch);
    Verdict verdict = check_properties(pipeline->scratch, way->func, properties);
    if (verdict.accepted)
        way->properties |= properties;
    else
        way->reason = arena_text(pipeline->reasons, verdict.reason, strlen(verdict.reason));
    return verdict.accepted;
}

// Sees to it that the function has the properties that a pass needs: if it has not, the pass that gives them runs,
// which may need others in turn.
static bool establish(Pipeline *pipeline, Way *way, uint32_t for_step) {
    uint32_t needs = pass_table[steps[for_step].pass].needs;
    double start = seconds_now(pipeline);
    bool good = has(pipeline, way, needs);
    pipeline->stats[for_step].verify_seconds += seconds_now(pipeline) - start;
    if (good) return true;
    const char *reason = way->reason;
    uint32_t step = step_that_gives(pipeline, way, needs);
    if (step < step_count && establish(pipeline, way, step) && take_step(pipeline, way, step))
        return has(pipeline, way, needs);
    way->reason = reason;
    return false;
}

static void warn_missed(Pipeline *pipeline, const Func *func, Form form, const char *reason) {
    pipeline->missed[form]++;
    diag_warning(pipeline->form_diag ? pipeline->form_diag : pipeline->diag, SPAN_NONE,
                 "function '%s' does not reach the form %s: %s [-Wform-not-reached]",
                 func_name(func), form_name(form), reason);
}

// From now on calls of the function may be replaced by what it is now, once and for all. False if its turn is over.
static bool offer(Pipeline *pipeline, const Func *func, bool once) {
    Program *program = func->program;
    const Symbol *symbol = program_at(program, func->symbol);
    OfferedBody *body = &pipeline->progress->bodies.of[func->symbol.i];
    if (body->rtl) return false;
    *body = (OfferedBody){.rtl = func == symbol->func ? func : func_clone(func, program->arena),
                          .once = once};
    if (pipeline->offer) pipeline->offer(pipeline->context, func);
    return true;
}

// Calls have been replaced by bodies as far as they will be.
static void settle_calls(Pipeline *pipeline, Way *way) {
    if (!pipeline->progress) return;
    const Planner *planner = &pipeline->progress->planner;
    PlanAdvice advice = planner->advise(planner->context, way->func);
    bool offered = advice.offered && offer(pipeline, way->func, advice.once);
    way->waits = offered && advice.waits;
}

// Takes a function through a step that is due.
static void run_due(Pipeline *pipeline, Way *way, uint32_t step) {
    const PassInfo *info = &pass_table[steps[step].pass];
    const struct Excursion *excursion = excursion_of(steps[step].pass);
    way->reason = "another form before that is not reached";
    if (way->func->form != info->from || !establish(pipeline, way, step)) {
        pipeline->stats[step].left_out++;
    } else {
        take_step(pipeline, way, step);
        if (info->sees == PASS_SEES_BODIES) settle_calls(pipeline, way);
    }
    if (way->func->form == info->to || info->from == info->to) return;
    if (!excursion)
        warn_missed(pipeline, way->func, info->to, way->reason);
    else if (way->func->form == info->from)
        way->stuck = excursion;
}

// Takes a function through all steps, or until it is stuck or waits.
static Way run_steps(Pipeline *pipeline, const Func *func) {
    Way way = {.func = func};
    Form asked = func->form; // the form that the function has if all goes as it should
    arena_reset(pipeline->reasons);
    if (pipeline->begin) pipeline->begin(pipeline->context, func);
    for (uint32_t i = 0; i < pipeline->steps && !way.stuck && !way.waits; i++) {
        const PassInfo *info = &pass_table[steps[i].pass];
        if (!wanted(pipeline, &steps[i]) || info->from != asked || func_is_final(way.func))
            continue;
        run_due(pipeline, &way, i);
        asked = info->to;
    }
    return way;
}

static Way run_anew(Pipeline *pipeline, const Func *func);

// The same without a pass that makes a form from which there is no way back. What was offered on the way is forgotten:
// nobody has copied it yet.
static Way run_without(Pipeline *pipeline, PassId pass, const Func *func) {
    bool on = pipeline->on[pass], off = pipeline->off[pass];
    warn_missed(pipeline, func, pass_table[pass].to, "there is no way back from it");
    pipeline->on[pass] = false;
    pipeline->off[pass] = true;
    if (pipeline->progress && !pipeline->progress->resumed)
        pipeline->progress->bodies.of[func->symbol.i] = (OfferedBody){0};
    Way way = run_anew(pipeline, func);
    pipeline->on[pass] = on;
    pipeline->off[pass] = off;
    return way;
}

static Way run_anew(Pipeline *pipeline, const Func *func) {
    Way way = run_steps(pipeline, func);
    if (!way.stuck || way.func->form == func->form) return way;
    return run_without(pipeline, way.stuck->way_in, func);
}

const Func *pipeline_run(Pipeline *pipeline, const Func *func) {
    return run_anew(pipeline, func).func;
}

// ---- A program

static void finish(Pipeline *pipeline, const Func *func) {
    double start = seconds_now(pipeline);
    pipeline->finished.functions++;
    pipeline->finish(pipeline->finisher, func);
    if (pipeline->progress) completeness_note(&pipeline->progress->completeness, func);
    pipeline->finished.transform_seconds += seconds_now(pipeline) - start;
}

static void run_symbol(Pipeline *pipeline, Symbol *symbol, const Func *func) {
    if (!func) return;
    Way way = run_anew(pipeline, func);
    if (way.waits) return;
    if (pipeline->finish)
        finish(pipeline, way.func);
    else if (way.func != symbol->func)
        symbol->func = func_clone(way.func, func->program->arena);
}

static void run_task(Pipeline *pipeline, Program *program, Task task) {
    Symbol *symbol = program_at(program, task.symbol);
    const Func *body = body_of(&pipeline->progress->bodies, task.symbol).rtl;
    pipeline->progress->resumed = task.resumed;
    if (task.resumed && body && pipeline->resume) pipeline->resume(pipeline->context, body);
    run_symbol(pipeline, symbol, task.resumed ? body : symbol->func);
}

// A plan may leave out what nothing needs, and nothing else.
static void check_complete(Pipeline *pipeline, const Program *program) {
    if (!pipeline->finish) return; // every function is still in the program
    Sym missing = completeness_missing(&pipeline->progress->completeness);
    if (missing.i != NO_ID)
        diag_error(pipeline->diag, SPAN_NONE, "function '%s' is needed, but was left out",
                   program_text(program, program_at(program, missing)->name));
}

// Whether a step is to run that copies bodies.
static bool copies_bodies(const Pipeline *pipeline) {
    for (uint32_t i = 0; i < pipeline->steps; i++)
        if (pass_table[steps[i].pass].sees == PASS_SEES_BODIES && wanted(pipeline, &steps[i]))
            return true;
    return false;
}

void pipeline_run_program(Pipeline *pipeline, Program *program) {
    if (!pipeline->plan || !copies_bodies(pipeline)) {
        for (uint32_t i = 0; i < program->symbols.count; i++)
            run_symbol(pipeline, &program->symbols.at[i], program->symbols.at[i].func);
        return;
    }
    Arena *arena = arena_new("plan");
    struct Progress progress = {
        .planner = pipeline->plan(arena, program, pipeline->level, pipeline->finish != NULL),
        .bodies = bodies_new(arena, program),
        .completeness = completeness_new(arena, program)};
    const Planner *planner = &progress.planner;
    pipeline->progress = &progress;
    for (Task task = planner->next(planner->context); task.symbol.i != NO_ID;
         task = planner->next(planner->context))
        run_task(pipeline, program, task);
    check_complete(pipeline, program);
    pipeline->progress = NULL;
    arena_free(arena);
}

static void print_stats_row(Out *out, const char *name, const PassStats *stats) {
    if (!stats->functions) return;
    out_printf(out, "%-14s %9llu %8llu %8llu %9llu %9llu %9.6f %9.6f %9.6f\n", name,
               (unsigned long long)stats->functions, (unsigned long long)stats->changed,
               (unsigned long long)stats->rejected, (unsigned long long)stats->size_before,
               (unsigned long long)stats->size_after, stats->transform_seconds,
               stats->verify_seconds, stats->check_seconds);
}

void pipeline_print_stats(Out *out, const Pipeline *pipeline) {
    out_printf(out, "%-14s %9s %8s %8s %9s %9s %9s %9s %9s\n", "step", "functions", "changed",
               "rejected", "size in", "size out", "run s", "verify s", "check s");
    Arena *arena = arena_new("statistics");
    for (uint32_t i = 0; i < step_count; i++)
        print_stats_row(out, step_name(arena, i), &pipeline->stats[i]);
    print_stats_row(out, finish_info.name, &pipeline->finished);
    for (uint32_t i = 0; i < step_count; i++) {
        const PassStats *stats = &pipeline->stats[i];
        if (stats->plain)
            out_printf(out, "%s: the plain variant for %llu functions\n", step_name(arena, i),
                       (unsigned long long)stats->plain);
        if (stats->left_out)
            out_printf(out, "%s: left out for %llu functions\n", step_name(arena, i),
                       (unsigned long long)stats->left_out);
    }
    for (Form form = 0; form < FORM_COUNT; form++)
        if (pipeline->missed[form])
            out_printf(out, "%s: not reached by %llu functions\n", form_name(form),
                       (unsigned long long)pipeline->missed[form]);
    arena_free(arena);
}
