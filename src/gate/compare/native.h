// Running what gatecc makes of a C file, for comparison with the interpreters.
#pragma once

#include "run/world/run.h"
#include "system/process.h"

typedef struct {
    const char *file;
    const Words *options; // how C is read
    uint32_t level;       // -O
    int argc;             // of the program: its name and arguments
    char **argv;
    size_t most_output; // bytes; a program that writes more is ended
} NativeOptions;

// Compiles and runs a program, twice: once for the output to both streams, in its order; then for
// the output to stderr. Each run starts at the beginning of our standard input. The result has the
// output, the errors and the end, but no events. False, after a message, if there is nothing to
// run.
bool native_run(Arena *arena, const NativeOptions *options, RunResult *result);
