// The command line of gatecc.
#pragma once

#include "driver/compile.h"

typedef enum {
    MODE_NONE,
    MODE_PREPROCESS,   // -E
    MODE_DEPENDENCIES, // -M, -MM
    MODE_SYNTAX,       // -fsyntax-only
    MODE_EMIT,         // --emit=FORM
} GateccMode;

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
    const char *certificate;       // --certificate=, or NULL
    bool locations;                // --locations: emit source locations
    uint32_t error_limit;          // -ferror-limit=, 0 for none
    CompileOptions compile;
} GateccOptions;

// What an empty command line gives.
void gatecc_defaults(GateccOptions *options);
// Reads the command line. False after a message on standard error.
bool gatecc_options(GateccOptions *options, Arena *arena, int argc, char **argv);
// Reads one option of the front end (-D, -I, -std=, -W..., ...) at argv[*at], for other programs; *at moves to
// its last word. False if it is none, or after a message, which *told says.
bool gatecc_front_option(GateccOptions *options, Arena *arena, char **argv, int *at, bool *told);

// Text as make wants it in a rule: blanks, $ and # made harmless.
const char *make_quoted(Arena *arena, const char *text);
