// gate explain FILE:LINE: what became of a line. The chains are those of history/explain.h; this file finds the line and runs the
// pipeline, explain_print.c writes.
#include "driver/explain_print.h"
#include "driver/gate_session.h"
#include "driver/load.h"

#include <errno.h>
#include <stdlib.h>

// A number at the end of a text, behind a character; the text is cut off there. False if there is none.
static bool cut_number(char *text, char before, uint32_t *number) {
    char *at = strrchr(text, before), *end;
    if (!at || at == text || at[1] < '0' || at[1] > '9') return false;
    errno = 0;
    unsigned long value = strtoul(at + 1, &end, 10);
    if (*end || errno || value == 0 || value > UINT32_MAX) return false;
    *number = (uint32_t)value;
    *at = '\0';
    return true;
}

// FILE:LINE, FILE:LINE:COLUMN, FILE:FIRST-LAST, or FILE alone.
static bool parse_place(GateSession *session, ExplainPlace *place) {
    const char *given = session->options.file;
    char *text = arena_text(session->arena, given, strlen(given));
    uint32_t number;
    *place = (ExplainPlace){.first = 1, .last = UINT32_MAX};
    place->file = text;
    char *whole = arena_text(session->arena, given, strlen(given));
    if (cut_number(text, '-', &place->last) && cut_number(text, ':', &place->first))
        return place->first <= place->last ||
               gate_usage("%u-%u are no lines: the first comes after the last", place->first,
                          place->last);
    place->file = whole;
    place->last = UINT32_MAX;
    if (cut_number(whole, ':', &number)) {
        place->first = place->last = number;
        if (cut_number(whole, ':', &place->first)) {
            place->last = place->first;
            place->column = number;
        }
        return true;
    }
    return session->options.functions.names.count ||
           gate_usage("explain needs a line, as %s:LINE, or --function", given);
}

// Functions that nothing needs are not compiled, as gatecc does not; others are kept in the history.
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
    if (!parse_place(session, &place)) return EXIT_USAGE;
    session->options.file = place.file;
    Program *program = session_load(session, &status);
    if (!program) return status;
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
