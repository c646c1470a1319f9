#include "gate/gate_run.h"

#include "watch/step.h"
#include "watch/trace.h"

#include <errno.h>
#include <unistd.h>

static int run_view(GateSession *session) {
    int status;
    GateOptions *options = &session->options;
    options->view.trace = options->trace;
    options->view.fuel = options->fuel;
    options->view.argc = options->argc;
    options->view.argv = options->argv;
    if (view_of_file(options->file))
        return view_run_file(session->arena, &session->diag, options->file, &options->view);
    const Program *program = session_load_after(session, &status);
    return program ? view_run(session->arena, &session->diag, program, &options->view) : status;
}

// Who watches the run: a report of how it ended, and perhaps a trace.
typedef struct {
    WatchReport report;
    WatchItems *items; // NULL if nobody asks for them
    bool stays;        // what is reported is to be seen while the run is still there
} Watching;

static bool watch_step(void *context, Interpreter *in) {
    return watch_items_step(((Watching *)context)->items, in);
}

static bool watch_value(void *context, Interpreter *in, uint32_t which) {
    return watch_items_value(((Watching *)context)->items, in, which);
}

static void watch_end(void *context, Interpreter *in) {
    Watching *watching = context;
    if (watching->items) watch_items_end(watching->items, in);
    watch_report(&watching->report, in);
    if (watching->stays) out_flush(&watching->report.text, stderr);
}

static RunObserver observer_of(Watching *watching) {
    bool items = watching->items;
    return (RunObserver){.step = items ? watch_step : NULL,
                         .value = items ? watch_value : NULL,
                         .end = watch_end,
                         .context = watching};
}

static WatchReport report_of(GateSession *session) {
    return (WatchReport){.arena = session->arena,
                         .source = session->words,
                         .sources = &session->diag,
                         .colour = isatty(STDERR_FILENO)};
}

static RunOptions run_options_of(const GateSession *session) {
    const GateOptions *options = &session->options;
    const AsmChoice *choice = &options->state_machine.choice;
    return (RunOptions){.fuel = options->fuel,
                        .placement = options->placement,
                        .trace = options->trace == TRACE_EVENTS || options->trace == TRACE_ALL,
                        .way = options->way,
                        .strict_aliasing = options->strict_aliasing,
                        .no_input = choice->kind == ASM_STEP,
                        .choice = *choice};
}

// What the program reads instead of standard input, if that was asked for.
static bool redirect_input(const char *input) {
    if (!input || freopen(input, "r", stdin)) return true;
    fprintf(stderr, "gate: cannot read %s: %s\n", input, strerror(errno));
    return false;
}

// Standard input is where commands come from. What the program reads is a file, or nothing.
static bool run_steps(GateSession *session, const Program *program, const RunOptions *run,
                      RunResult *result) {
    const GateOptions *options = &session->options;
    int commands = dup(STDIN_FILENO);
    FILE *stream = commands < 0 ? NULL : fdopen(commands, "r");
    if (!stream) {
        fprintf(stderr, "gate: cannot read commands: %s\n", strerror(errno));
        return false;
    }
    StepOptions how = {.arena = session->arena,
                       .source = session->words,
                       .sources = &session->diag,
                       .commands = stream,
                       .to = stderr,
                       .prompts = isatty(commands),
                       .input = options->input};
    bool good = redirect_input(options->input);
    if (good) step_run(&how, program, options->argc, options->argv, run, result);
    fclose(stream);
    return good;
}

static bool is_asked_for(void *context, const Func *func) {
    const GateOptions *options = context;
    return functions_have(&options->functions, func);
}

static bool run_program(GateSession *session, const Program *program, RunOptions *run,
                        Watching *watching, RunResult *result) {
    const GateOptions *options = &session->options;
    Trace trace = {.kind = options->trace,
                   .source = session->words,
                   .to = stderr,
                   .wanted = is_asked_for,
                   .wanted_context = &session->options};
    bool steps = options->state_machine.step;
    if (trace.kind >= TRACE_CALLS && !steps) {
        WatchHooks hooks = trace_hooks(session->arena, &trace);
        watching->items = watch_items_new(session->arena, &hooks);
    }
    RunObserver observer = observer_of(watching);
    run->observer = &observer;
    if (steps) return run_steps(session, program, run, result);
    if (!redirect_input(options->input)) return false;
    rtl_run(session->arena, program, options->argc, options->argv, run, result);
    return true;
}

int gate_run(GateSession *session) {
    int status;
    GateOptions *options = &session->options;
    AsmChoice *choice = &options->state_machine.choice;
    if (options->view.view && (options->state_machine.step || options->trace >= TRACE_CALLS)) {
        gate_usage("--step and --trace=KIND do not go with %s", options->form);
        return EXIT_USAGE;
    }
    if (options->view.view) return run_view(session);
    if (options->state_machine.step && options->trace) {
        gate_usage("--step and --trace exclude each other");
        return EXIT_USAGE;
    }
    session->wants_words = true;
    const Program *program = session_load_after(session, &status);
    if (!program) return status;
    choice->list = options->trace;
    Watching watching = {.report = report_of(session), .stays = options->state_machine.step};
    RunOptions run = run_options_of(session);
    RunResult result = {0};
    if (!run_program(session, program, &run, &watching, &result)) return EXIT_USAGE;
    out_flush(&watching.report.text, stderr);
    out_free(&watching.report.text);
    status = exit_status_told(program, options->file, &result.behaviour);
    return asm_tell(choice, &result.report, status);
}
