#include "driver/gate_run.h"

#include "watch/watch.h"

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

int gate_run(GateSession *session) {
    int status;
    if (session->options.view.view) return run_view(session);
    session->wants_words = true;
    const Program *program = session_load_after(session, &status);
    if (!program) return status;
    RunResult result = {0};
    AsmChoice *choice = &session->options.state_machine.choice;
    choice->list = session->options.trace;
    WatchReport report = {.arena = session->arena,
                          .source = session->words,
                          .sources = &session->diag,
                          .colour = isatty(STDERR_FILENO)};
    RunObserver observer = {.end = watch_report, .context = &report};
    RunOptions options = {.fuel = session->options.fuel,
                          .trace = session->options.trace,
                          .way = session->options.way,
                          .no_input = choice->kind == ASM_STEP,
                          .choice = *choice,
                          .observer = &observer};
    rtl_run(session->arena, program, session->options.argc, session->options.argv, &options,
            &result);
    out_flush(&report.text, stderr);
    out_free(&report.text);
    status = exit_status_told(program, session->options.file, &result.behaviour);
    return asm_tell(choice, &result.report, status);
}
