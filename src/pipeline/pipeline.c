// The loop over the steps. Nothing here is believed: an output becomes the function only if
// commit.c takes it. This file plans, runs transforms, tries again, waits, counts and tells.
#include "pipeline/pipeline.h"

#include "analysis/unit/unit_facts.h"
#include "check/properties.h"
#include "pass/fact_kinds.h"
#include "text/text.h"

#include <errno.h>
#include <string.h>
#include <time.h>

void pipeline_init(Pipeline *pipeline, Arena *arena, PassTransform *const *transforms, Diag *diag) {
    *pipeline = (Pipeline){.transforms = transforms,
                           .level = 1,
                           .steps = step_count,
                           .diag = diag,
                           .stats = ARENA_ARRAY(arena, PassStats, step_count),
                           .commit = commit_new(arena),
                           .scratch = arena_new("properties"),
                           .reasons = arena_new("reasons")};
}

void pipeline_free(Pipeline *pipeline) {
    commit_free(pipeline->commit);
    arena_free(pipeline->scratch);
    arena_free(pipeline->reasons);
}

// ---- A function that runs through the steps

// What a function has become.
typedef struct {
    const Func *func;
    uint32_t room;       // where it is (commit.h); COMMIT_ROOMS if it came from outside
    uint32_t properties; // that it is known to have
    uint64_t tried;      // passes that have had this very function already, as bits
} ReachedFunction;

_Static_assert(PASS_COUNT <= 64, "a set of passes is a word");

// A run of a function through the steps.
typedef struct {
    ReachedFunction now;
    ReachedFunction
        start; // of the excursion, checked as one, that it is on; no function if it is on none
    const Excursion *stuck; // from which no step led back
    bool waits;             // it has been offered and does not go on for now
    uint32_t rounds;        // times that it went back to the first step
    const char *reason;     // why a step could not run, or did not make another form
} FunctionRun;

// The room for the output of a pass. All that is made inside of an excursion is in the same one
// until it is over, so that passes there may share what they know.
static uint32_t room_for(Pipeline *pipeline, const FunctionRun *run, PassId pass) {
    bool goes_on = (run->start.func && !pass_leads_out(pass)) ||
                   (pass_is_inner(pass) && !excursion_entered_by(pass));
    if (goes_on && run->now.room != COMMIT_ROOMS) return run->now.room;
    return commit_room(pipeline->commit, run->now.room);
}

// Whether the excursion that a pass stands inside of starts with functions of a form.
static bool form_starts(Form form, PassId pass) {
    return pass_table[excursion_around(pass)->way_in].from == form;
}

// Whether a function goes on, or starts, an excursion that is checked as one if it takes a pass.
// What was given in a form inside of one has nothing to be compared with in the end: if its steps
// have checkers, they are asked.
static bool is_inside(const Pipeline *pipeline, const FunctionRun *run, PassId pass) {
    if (!pass_is_stepped(pass)) return pass_is_inner(pass);
    return (pipeline->check == CHECK_FAST || pipeline->check == CHECK_OFF) &&
           (run->start.func || form_starts(run->now.func->form, pass));
}

// What the output of a pass is compared with.
static const Func *compared(const FunctionRun *run, PassId pass) {
    return pass_leads_out(pass) && run->start.func ? run->start.func : run->now.func;
}

// ---- One step

// How far a program has come.
struct Progress {
    Planner planner;
    bool resumed; // the function at hand goes on from what was offered
};

// What a transform has made, in a room.
typedef struct {
    const Func *func;
    void *hint;
    uint32_t room;
} StepOutput;

// Asking for the time is a system call, and there are many steps: it is 0 unless somebody wants to
// know.
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

// The verdict on the output of a step. Inside of an excursion that is checked as one nothing has to
// be right yet, and nothing is taken; the verifier has a look at it if somebody wants that.
static Verdict judge(Pipeline *pipeline, PassId pass, bool inside, const Func *before,
                     StepOutput output, PassStats *stats) {
    Verdict verdict = VERDICT_ACCEPTED;
    CommitTimes times = {0};
    if (!inside) {
        verdict = commit_take(pipeline->commit, pass, output.room, output.func, output.hint,
                              pipeline->timed ? &times : NULL);
    } else if (pipeline->verify_inside && pipeline->check != CHECK_OFF) {
        double start = seconds_now(pipeline);
        arena_reset(pipeline->scratch);
        verdict = pass_verify(pass, pipeline->scratch, before, output.func);
        times.verify_seconds = seconds_now(pipeline) - start;
    }
    stats->verify_seconds += times.verify_seconds;
    stats->check_seconds += times.check_seconds;
    if (!verdict.accepted) warn_rejected(pipeline, pass, before, output.func, &verdict);
    return verdict;
}

// Tells of a step; the times are what was added to the statistics since.
static void tell(const Pipeline *pipeline, StepReport report, const PassStats *since) {
    const PassStats *now = &pipeline->stats[report.step];
    if (!pipeline->report) return;
    report.bodies = commit_bodies(pipeline->commit);
    report.checked = pipeline->check != CHECK_OFF;
    report.transform_seconds = now->transform_seconds - since->transform_seconds;
    report.verify_seconds = now->verify_seconds - since->verify_seconds;
    report.check_seconds = now->check_seconds - since->check_seconds;
    pipeline->report(pipeline->reporter, &report);
}

// One step on one function: the output. Its function is that of before if there was nothing to do,
// and NULL if the output was rejected.
static StepOutput run_transform(Pipeline *pipeline, const FunctionRun *run, uint32_t step,
                                PassTransform *transform) {
    PassId pass = step_pass(step);
    const Func *given = run->now.func, *before = compared(run, pass);
    bool inside = is_inside(pipeline, run, pass);
    PassStats *stats = &pipeline->stats[step], since = *stats;
    StepReport report = {.step = step, .inside = inside, .given = given, .compared = before};
    StepOutput output = {.room = room_for(pipeline, run, pass)};
    double start = seconds_now(pipeline);
    Func *after = transform(commit_arena(pipeline->commit, output.room),
                            commit_bodies(pipeline->commit), given, &output.hint);
    stats->transform_seconds += seconds_now(pipeline) - start;
    stats->size_before += func_size(given);
    stats->size_after += func_size(after ? after : given);
    output.func = after ? after : given;
    if (!after) {
        tell(pipeline, report, &since);
        return output;
    }
    func_keep_cache(after);
    if (!inside) after->trail = NULL; // what it leads to does not live as long
    report.verdict = judge(pipeline, pass, inside, before, output, stats);
    report.after = after;
    report.hint = output.hint;
    tell(pipeline, report, &since);
    bool accepted = report.verdict.accepted;
    stats->changed += accepted;
    stats->rejected += !accepted;
    if (accepted && pipeline->observe && !inside)
        pipeline->observe(pipeline->context, step, before, after, output.hint);
    if (!accepted) output.func = NULL;
    return output;
}

// The same by the plain transform, if the pass has one and the other's output was rejected or there
// was none.
static StepOutput run_step(Pipeline *pipeline, const FunctionRun *run, uint32_t step) {
    PassId pass = step_pass(step);
    pipeline->stats[step].functions++;
    StepOutput output = run_transform(pipeline, run, step, pipeline->transforms[pass]);
    bool made = output.func && output.func != run->now.func;
    if (made || !pipeline->plain || !pipeline->plain[pass]) return output;
    pipeline->stats[step].plain++;
    return run_transform(pipeline, run, step, pipeline->plain[pass]);
}

static bool may_run(const Pipeline *pipeline, PassId pass) {
    return pipeline->on[pass] || !pipeline->off[pass];
}

static bool wanted(const Pipeline *pipeline, uint32_t step) {
    PassId pass = step_pass(step);
    return pipeline->on[pass] || (!pipeline->off[pass] && step_level(step) <= pipeline->level);
}

static void warn_missed(Pipeline *pipeline, const Func *func, Form form, const char *reason) {
    pipeline->missed[form]++;
    diag_warning(pipeline->form_diag ? pipeline->form_diag : pipeline->diag, SPAN_NONE,
                 "function '%s' does not reach the form %s: %s [-Wform-not-reached]",
                 func_name(func), form_name(form), reason);
}

// The excursion that the function is on has come to nothing.
static void turn_back(Pipeline *pipeline, FunctionRun *run, const char *reason) {
    if (run->now.func->form != run->start.func->form)
        warn_missed(pipeline, run->start.func, run->now.func->form, reason);
    run->now = run->start;
    run->start.func = NULL;
}

// Why there is no other function after a pass: it made none, or it was undone.
static void note_failure(Pipeline *pipeline, FunctionRun *run, PassId pass, bool undone) {
    const PassInfo *info = &pass_table[pass];
    if (info->from != info->to || undone)
        run->reason = arena_printf(pipeline->reasons, "pass %s %s", info->name,
                                   undone ? "was undone" : "makes nothing of it");
    if (undone && run->start.func)
        turn_back(pipeline, run,
                  pass_leads_out(pass) ? "there is no way back from it" : run->reason);
}

// Inside of an excursion that is checked as one, what a row says is good enough.
static uint32_t properties_said(const PassInfo *info, uint32_t properties) {
    return (properties & info->keeps) | info->gives;
}

// Runs a step; whether the function is another one now.
static bool take_step(Pipeline *pipeline, FunctionRun *run, uint32_t step) {
    PassId pass = step_pass(step);
    StepOutput output = run_step(pipeline, run, step);
    const Func *after = output.func;
    run->now.tried |= (uint64_t)1 << pass;
    if (!after || after == run->now.func) {
        note_failure(pipeline, run, pass, !after);
        return false;
    }
    bool inside = is_inside(pipeline, run, pass);
    if (inside && !run->start.func && form_starts(run->now.func->form, pass)) run->start = run->now;
    ReachedFunction before = pass_leads_out(pass) && run->start.func ? run->start : run->now;
    if (pass_leads_out(pass)) run->start.func = NULL;
    run->now = (ReachedFunction){.func = after, .room = output.room};
    run->now.properties = inside ? properties_said(&pass_table[pass], before.properties)
                                 : properties_kept(before.func, after, before.properties);
    return true;
}

// The first step of a pass that gives properties to a function as it is, and does not need them all
// itself; step_count if none is to run.
static uint32_t step_that_gives(const Pipeline *pipeline, const FunctionRun *run,
                                uint32_t properties) {
    for (uint32_t i = 0; i < step_count; i++) {
        const PassInfo *info = &pass_table[step_pass(i)];
        bool gives = (properties & ~info->gives) == 0 && (properties & ~info->needs) != 0 &&
                     info->from == run->now.func->form && info->to == info->from;
        if (gives && wanted(pipeline, i) && !(run->now.tried >> step_pass(i) & 1)) return i;
    }
    return step_count;
}

// Whether the function has properties, as it shows itself, whatever the passes before are said to
// give or keep.
static bool has(Pipeline *pipeline, FunctionRun *run, uint32_t properties) {
    if ((properties & ~run->now.properties) == 0) return true;
    arena_reset(pipeline->scratch);
    Verdict verdict = check_properties(pipeline->scratch, run->now.func, properties);
    if (verdict.accepted)
        run->now.properties |= properties;
    else
        run->reason = arena_text(pipeline->reasons, verdict.reason, strlen(verdict.reason));
    return verdict.accepted;
}

// Sees to it that the function has the properties that a pass needs: if it has not, the pass that
// gives them runs, which may need others in turn.
static bool establish(Pipeline *pipeline, FunctionRun *run, uint32_t for_step) {
    uint32_t needs = pass_table[step_pass(for_step)].needs;
    double start = seconds_now(pipeline);
    bool good = has(pipeline, run, needs);
    pipeline->stats[for_step].verify_seconds += seconds_now(pipeline) - start;
    if (good) return true;
    const char *reason = run->reason;
    uint32_t step = step_that_gives(pipeline, run, needs);
    if (step < step_count && establish(pipeline, run, step) && take_step(pipeline, run, step))
        return has(pipeline, run, needs);
    run->reason = reason;
    return false;
}

// Calls have been replaced by bodies as far as they will be.
static void settle_calls(Pipeline *pipeline, FunctionRun *run) {
    if (!pipeline->progress) return;
    const Planner *planner = &pipeline->progress->planner;
    PlanAdvice advice = planner->advise(planner->context, run->now.func);
    bool offered = advice.offered && commit_offer(pipeline->commit, advice.once);
    if (offered && pipeline->offer) pipeline->offer(pipeline->context, run->now.func);
    run->waits = offered && advice.waits;
}

// Whether a step can be taken by the function as it is; the reason if not.
static bool can_run(Pipeline *pipeline, FunctionRun *run, uint32_t step) {
    const PassInfo *info = &pass_table[step_pass(step)];
    run->reason = "another form before that is not reached";
    if (run->now.func->form != info->from || !establish(pipeline, run, step)) return false;
    if (pass_compares(step_pass(step)) == info->from || run->start.func ||
        pipeline->check == CHECK_OFF)
        return true;
    run->reason = arena_printf(
        pipeline->reasons, "it was given in the form %s, so that there is nothing to compare with",
        form_name(info->from));
    return false;
}

// Takes a function through a step that is due.
static void run_due(Pipeline *pipeline, FunctionRun *run, uint32_t step) {
    const PassInfo *info = &pass_table[step_pass(step)];
    const Excursion *excursion = excursion_left_by(step_pass(step));
    if (!can_run(pipeline, run, step)) {
        pipeline->stats[step].left_out++;
    } else {
        take_step(pipeline, run, step);
        if (info->sees == PASS_SEES_BODIES) settle_calls(pipeline, run);
    }
    bool is_there = run->now.func->form == info->from;
    if (pass_leads_out(step_pass(step)) && run->start.func && (is_there || info->from == info->to))
        turn_back(pipeline, run, "there is no way back from it");
    if (run->now.func->form == info->to || info->from == info->to) return;
    if (!excursion || (excursion->as_one && is_there && !run->start.func))
        warn_missed(pipeline, run->now.func, info->to, run->reason);
    else if (is_there && run->start.func)
        turn_back(pipeline, run, "there is no way back from it");
    else if (is_there)
        run->stuck = excursion;
}

// Whether a function goes back once it has taken a step, if that leads into an excursion that is
// checked as one and the steps that run do not end before.
static bool comes_back(const Pipeline *pipeline, const FunctionRun *run, uint32_t step) {
    const Excursion *excursion = excursion_around(step_pass(step));
    if (!excursion || !is_inside(pipeline, run, step_pass(step)) || run->start.func ||
        !form_starts(run->now.func->form, step_pass(step)) || may_run(pipeline, excursion->way_out))
        return true;
    while (step < pipeline->steps && step_pass(step) != excursion->way_out) step++;
    return step == pipeline->steps;
}

// Whether it is a step's turn. Who is on an excursion that is checked as one goes the way out
// whatever the level.
static bool is_due(const Pipeline *pipeline, const FunctionRun *run, uint32_t step) {
    PassId pass = step_pass(step);
    bool must =
        pass_leads_out(pass) && (run->start.func || pass_compares(pass) != pass_table[pass].from);
    return must ? may_run(pipeline, pass) : wanted(pipeline, step);
}

// The step that leads from a form to the first form, if it is to run; step_count if none is.
static uint32_t step_back(const Pipeline *pipeline, Form form) {
    for (uint32_t i = 0; i < pipeline->steps; i++) {
        const PassInfo *info = &pass_table[step_pass(i)];
        if (info->from == form && info->to == FORM_FIRST && form != FORM_FIRST &&
            wanted(pipeline, i))
            return i;
    }
    return step_count;
}

enum { MOST_ROUNDS = 3 };

// Whether a function goes back to the first step: an excursion has changed it so that the plan asks
// for another round. It takes the first form at once, whatever steps there would be before.
static bool goes_round(Pipeline *pipeline, FunctionRun *run, uint32_t step) {
    if (!pipeline->progress || !pass_leads_out(step_pass(step)) || run->start.func ||
        run->rounds == MOST_ROUNDS)
        return false;
    const Planner *planner = &pipeline->progress->planner;
    uint32_t back = step_back(pipeline, run->now.func->form);
    arena_reset(pipeline->scratch);
    if (back == step_count || !planner->again ||
        !planner->again(planner->context, run->now.func, commit_bodies(pipeline->commit),
                        pipeline->scratch))
        return false;
    run_due(pipeline, run, back);
    if (run->now.func->form != FORM_FIRST) return false;
    run->rounds++;
    pipeline->rounds++;
    return true;
}

static FunctionRun begin(Pipeline *pipeline, const Func *func) {
    arena_reset(pipeline->reasons);
    commit_begin(pipeline->commit,
                 &(CommitRules){.check = pipeline->check,
                                .refuter = pipeline->refuter,
                                .bodies = pipeline->bodies},
                 func);
    if (pipeline->begin) pipeline->begin(pipeline->context, func);
    if (pipeline->report)
        pipeline->report(pipeline->reporter, &(StepReport){.step = step_count,
                                                           .given = func,
                                                           .resumed = pipeline->progress &&
                                                                      pipeline->progress->resumed});
    return (FunctionRun){.now = {.func = func, .room = COMMIT_ROOMS}};
}

// Takes a function through all steps, or until it is stuck or waits. It may end in the middle of an
// excursion only if the steps do. What is final when it comes stays as it is.
static FunctionRun run_steps(Pipeline *pipeline, const Func *func) {
    FunctionRun run = begin(pipeline, func);
    Form asked = func->form; // the form that the function has if all goes as it should
    bool final = func_is_final(func);
    uint32_t next = 0;
    while (next < pipeline->steps && !final && !run.stuck && !run.waits) {
        uint32_t step = next++;
        const PassInfo *info = &pass_table[step_pass(step)];
        if (!is_due(pipeline, &run, step) || info->from != asked) continue;
        if (!comes_back(pipeline, &run, step)) {
            warn_missed(pipeline, run.now.func, info->to, "there is no way back from it");
            continue;
        }
        run_due(pipeline, &run, step);
        asked = info->to;
        if (!goes_round(pipeline, &run, step)) continue;
        asked = FORM_FIRST;
        next = 0;
    }
    return run;
}

static FunctionRun run_anew(Pipeline *pipeline, const Func *func);

// The same without a pass that makes a form from which there is no way back. What was offered on
// the way is forgotten: nobody has copied it yet.
static FunctionRun run_without(Pipeline *pipeline, PassId pass, const Func *func) {
    bool on = pipeline->on[pass], off = pipeline->off[pass];
    warn_missed(pipeline, func, pass_table[pass].to, "there is no way back from it");
    pipeline->on[pass] = false;
    pipeline->off[pass] = true;
    if (pipeline->progress && !pipeline->progress->resumed) commit_withdraw(pipeline->commit);
    FunctionRun run = run_anew(pipeline, func);
    pipeline->on[pass] = on;
    pipeline->off[pass] = off;
    return run;
}

static FunctionRun run_anew(Pipeline *pipeline, const Func *func) {
    FunctionRun run = run_steps(pipeline, func);
    if (!run.stuck || run.now.func->form == func->form) return run;
    return run_without(pipeline, run.stuck->way_in, func);
}

const Func *pipeline_run(Pipeline *pipeline, const Func *func) {
    return run_anew(pipeline, func).now.func;
}

const Func *pipeline_look(Pipeline *pipeline, const Func *func, const PassId *way, uint32_t count) {
    FunctionRun run = begin(pipeline, func);
    for (uint32_t i = 0; i < count; i++) run_due(pipeline, &run, step_first(way[i]));
    return run.now.func;
}

// ---- A program

static void finish(Pipeline *pipeline) {
    double start = seconds_now(pipeline);
    pipeline->finished.functions++;
    if (!commit_finish(pipeline->commit, pipeline->finish, pipeline->finisher))
        diag_error(pipeline->diag, SPAN_NONE, "function '%s' is not one of the program",
                   func_name(commit_accepted(pipeline->commit)));
    pipeline->finished.transform_seconds += seconds_now(pipeline) - start;
}

static void run_symbol(Pipeline *pipeline, const Func *func) {
    if (!func) return;
    FunctionRun run = run_anew(pipeline, func);
    if (run.waits) return;
    if (pipeline->finish)
        finish(pipeline);
    else
        commit_keep(pipeline->commit, run.now.func);
}

static void run_task(Pipeline *pipeline, const Program *program, Task task) {
    const Func *body = body_of(commit_bodies(pipeline->commit), task.symbol).rtl;
    pipeline->progress->resumed = task.resumed;
    if (task.resumed && body && pipeline->resume) pipeline->resume(pipeline->context, body);
    run_symbol(pipeline, task.resumed ? body : program_at(program, task.symbol)->func);
}

// A plan may leave out what nothing needs, and nothing else.
static void check_complete(Pipeline *pipeline, const Program *program) {
    if (!pipeline->finish) return; // every function is still in the program
    Sym missing = commit_missing(pipeline->commit);
    if (missing.i != NO_ID)
        diag_error(pipeline->diag, SPAN_NONE, "function '%s' is needed, but was left out",
                   program_text(program, program_at(program, missing)->name));
}

// Whether a step is to run that copies bodies.
static bool copies_bodies(const Pipeline *pipeline) {
    for (uint32_t i = 0; i < pipeline->steps; i++)
        if (pass_table[step_pass(i)].sees == PASS_SEES_BODIES && wanted(pipeline, i)) return true;
    return false;
}

// Functions in the order of the plan, which is made here.
static void run_plan(Pipeline *pipeline, Program *program, Arena *arena) {
    bool *runs = ARENA_ARRAY(arena, bool, PASS_COUNT);
    for (uint32_t i = 0; i < pipeline->steps; i++) runs[step_pass(i)] |= wanted(pipeline, i);
    struct Progress progress = {
        .planner = pipeline->plan(arena, program,
                                  &(PlanOptions){.level = pipeline->level,
                                                 .small = pipeline->small,
                                                 .marked_only = pipeline->marked_only,
                                                 .may_wait = pipeline->finish != NULL,
                                                 .runs = runs})};
    const Planner *planner = &progress.planner;
    pipeline->progress = &progress;
    for (Task task = planner->next(planner->context); task.symbol.i != NO_ID;
         task = planner->next(planner->context))
        run_task(pipeline, program, task);
    check_complete(pipeline, program);
    pipeline->progress = NULL;
}

// Whether every function has its first form, so that something can be said about the whole unit.
static bool is_first_program(const Program *program) {
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        if (unit_has_claims(symbol) && (!symbol->func || symbol->func->form != FORM_FIRST))
            return false;
    }
    return true;
}

// What is known about the memory of the program.
static void claim_memory(Pipeline *pipeline, Program *program) {
    bool wanted =
        pipeline->level && fact_is_wanted(program, FACT_unit) && is_first_program(program);
    UnitMemory *claims = wanted ? unit_facts_of(program->arena, program) : NULL;
    Verdict verdict = commit_claim(pipeline->commit, program, claims);
    if (!verdict.accepted)
        diag_warning(pipeline->diag, SPAN_NONE,
                     "facts about the memory of the unit were undone: %s [-Wrejected-pass]",
                     verdict.reason);
}

void pipeline_run_program(Pipeline *pipeline, Program *program) {
    Arena *arena = arena_new("plan");
    claim_memory(pipeline, program);
    bool planned = pipeline->plan && copies_bodies(pipeline);
    commit_open(pipeline->commit, program, planned, arena);
    if (planned)
        run_plan(pipeline, program, arena);
    else
        for (uint32_t i = 0; i < program->symbols.count; i++)
            run_symbol(pipeline, program->symbols.at[i].func);
    commit_close(pipeline->commit);
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
    if (pipeline->rounds)
        out_printf(out, "further rounds: %llu\n", (unsigned long long)pipeline->rounds);
    for (Form form = 0; form < FORM_COUNT; form++)
        if (pipeline->missed[form])
            out_printf(out, "%s: not reached by %llu functions\n", form_name(form),
                       (unsigned long long)pipeline->missed[form]);
    arena_free(arena);
}
