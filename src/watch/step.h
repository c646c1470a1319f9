// A debugger for every form: the run stops before an item, and a person, or a script, says what to
// do. Going back is running again from the start, with the same input, up to the item that was
// asked for.
#pragma once

#include "watch/watch_items.h"

typedef struct {
    Arena *arena;
    const WatchSource *source;
    const Diag *sources; // that has texts of sources
    FILE *commands;      // the commands, a line each
    FILE *to;            // the output of the debugger
    bool prompts;        // a person is asked
    const char *input;   // the input of the program; NULL: none
} StepOptions;

// Runs main as rtl_run does. Output of the program goes to standard output when the run stops. The
// observer of the run options is not looked at, but for its end.
void step_run(const StepOptions *options, const Program *program, int argc, char **argv,
              const RunOptions *run, RunResult *result);
