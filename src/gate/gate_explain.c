// gate explain FILE:LINE: what became of a line. The chains are those of history/explanation.h;
// this file finds the line and runs the pipeline, explain_print.c writes.
#include "gate/gate_session.h"
#include "gate/load.h"
#include "history/explain_print.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

// A number at the end of a text, behind a character; the text is cut off there. False if there is
// none.
static bool cut_number(char *text, char before, uint32_t *number) {
    char *at = strrchr(text, before), *end;
    if (!at || at == text || at[1] < '0' || at[1] > '9') return false;
    errno = 0;
    unsigned long value = strtoul(at + 1, &end, 10);
    if (*end || errno || value > UINT32_MAX) return false;
    *number = (uint32_t)value;
    *at = '\0';
    return true;
}

// FILE:FIRST-LAST, FILE:LINE:COLUMN, FILE:LINE, or FILE alone, which gives the lines 1 to the
// greatest number there is.
static void parse_place(GateSession *session, ExplainPlace *place) {
    const char *given = session->options.file;
    char *range = arena_text(session->arena, given, strlen(given));
    char *text = arena_text(session->arena, given, strlen(given));
    uint32_t number;
    *place = (ExplainPlace){.file = range};
    if (cut_number(range, '-', &place->last) && cut_number(range, ':', &place->first)) return;
    *place = (ExplainPlace){.file = text, .first = 1, .last = UINT32_MAX};
    if (!cut_number(text, ':', &number)) return;
    place->column = number;
    if (!cut_number(text, ':', &place->first)) {
        place->column = 0;
        place->first = number;
    }
    place->last = place->first;
}

// FILE:HEADER: lines of a file that FILE includes.
static void find_header(GateSession *session, ExplainPlace *place) {
    const char *colon = strrchr(place->file, ':');
    if (!colon || colon == place->file || !colon[1] || access(place->file, F_OK) == 0) return;
    const char *file = arena_text(session->arena, place->file, (size_t)(colon - place->file));
    if (access(file, F_OK) != 0) return;
    place->given = colon + 1;
    place->file = file;
}

static bool check_place(const GateSession *session, const ExplainPlace *place) {
    const char *given = session->options.file;
    bool whole = place->last == UINT32_MAX;
    // What stands for a line, and is none.
    if (whole && place->given && !strchr(place->given, '.'))
        return gate_usage("%s: '%s' is no line", given, place->given);
    if (!place->first) return gate_usage("%s: lines are counted from 1", given);
    if (place->first > place->last)
        return gate_usage("%s: the first line comes after the last", given);
    return !whole || session->options.functions.names.count ||
           gate_usage("explain needs a line, as %s:LINE, or --function", given);
}

// Functions that nothing needs are not compiled, as gatecc does not; others are kept in the
// history.
static void finish(void *finisher, const Func *func) {
    (void)finisher;
    (void)func;
}

static History *run(GateSession *session, Program *program) {
    History *history = history_new(session->arena, program, NULL);
    Pipeline pipeline;
    if (!session->options.check_given) session->options.check = CHECK_FAST; // as gatecc does
    session_start_pipeline(session, &pipeline, session_all_steps(session, program));
    pipeline.finish = finish;
    history_watch(history, &pipeline);
    pipeline_run_program(&pipeline, program);
    pipeline_free(&pipeline);
    session_show_stats(session, &pipeline);
    return history;
}

int gate_explain(GateSession *session) {
    int status;
    ExplainPlace place;
    parse_place(session, &place);
    find_header(session, &place);
    if (!check_place(session, &place)) return EXIT_USAGE;
    session->options.file = place.file;
    // As gatecc does.
    bool plain = session->options.level == 0;
    session->options.front.compile.variables_in_memory = plain;
    Program *program = session_load(session, &status);
    if (!program) return status;
    program->frame_pointer = plain;
    ExplainRequest request = {.arena = session->arena,
                              .program = program,
                              .place = place,
                              .functions = &session->options.functions,
                              .verbose = session->options.verbose,
                              .json = session->options.json};
    const char *mistake = explain_find_lines(&request);
    if (mistake) {
        gate_usage("%s", mistake);
        return EXIT_USAGE;
    }
    History *history = run(session, program);
    Out out = {0};
    explain_print(&request, history, &out);
    history_free(history);
    status = session_write_output(session, &out);
    return status == EXIT_GOOD && !session_is_good(session) ? EXIT_BAD : status;
}
