#include "driver/gate_run.h"

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
                        .trace = options->trace == TRACE_EVENTS || options->trace == TRACE_ALL,
                        .way = options->way,
                        .no_input = choice->kind == ASM_STEP,
                        .choice = *choice};
}

// What the program reads instead of standard input, if that was asked for.
static bool redirect_input(const GateOptions *options) {
    if (!options->input || freopen(options->input, "r", stdin)) return true;
    fprintf(stderr, "gate: cannot read %s: %s\n", options->input, strerror(errno));
    return false;
}

static bool is_asked_for(void *context, const Func *func) {
    const GateOptions *options = context;
    return functions_have(&options->functions, func);
}

int gate_run(GateSession *session) {
    int status;
    if (session->options.view.view) return run_view(session);
    session->wants_words = true;
    const Program *program = session_load_after(session, &status);
    if (!program) return status;
    if (!redirect_input(&session->options)) return EXIT_USAGE;
    AsmChoice *choice = &session->options.state_machine.choice;
    choice->list = session->options.trace;
    Watching watching = {.report = report_of(session)};
    Trace trace = {.kind = session->options.trace,
                   .source = session->words,
                   .to = stderr,
                   .wanted = is_asked_for,
                   .wanted_context = &session->options};
    if (trace.kind >= TRACE_CALLS) {
        WatchHooks hooks = trace_hooks(session->arena, &trace);
        watching.items = watch_items_new(session->arena, &hooks);
    }
    RunObserver observer = observer_of(&watching);
    RunOptions options = run_options_of(session);
    options.observer = &observer;
    RunResult result = {0};
    rtl_run(session->arena, program, session->options.argc, session->options.argv, &options,
            &result);
    out_flush(&watching.report.text, stderr);
    out_free(&watching.report.text);
    status = exit_status_told(program, session->options.file, &result.behaviour);
    return asm_tell(choice, &result.report, status);
}
