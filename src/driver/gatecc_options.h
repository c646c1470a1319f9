// The command line of gatecc.
#pragma once

#include "c/pp.h"

typedef enum { MODE_NONE, MODE_PREPROCESS, MODE_DEPENDENCIES } GateccMode;

typedef struct {
    GateccMode mode;
    VEC(const char *) inputs;
    const char *output;   // -o, or NULL
    bool no_line_markers; // -P
    bool dump_macros;     // -dM
    // Dependencies: -M and -MM ask for them instead of output, -MD and -MMD beside it.
    bool dependencies;
    bool dependencies_skip_system; // -MM, -MMD
    bool dependencies_phony;       // -MP
    const char *dependency_file;   // -MF
    VEC(const char *) targets;     // -MT, and -MQ with its quoting done
    bool no_warnings;              // -w
    bool warnings_are_errors;      // -Werror
    PpOptions pp;
} GateccOptions;

// Reads the command line. False after a message on standard error.
bool gatecc_options(GateccOptions *options, Arena *arena, int argc, char **argv);

// Text as make wants it in a rule: blanks, $ and # made harmless.
const char *make_quoted(Arena *arena, const char *text);
