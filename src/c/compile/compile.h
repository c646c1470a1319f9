// From a C file to a program in RTL: what gatecc and gate share.
#pragma once

#include "assembly/debug_source.h"
#include "c/lower/lower.h"
#include "c/preprocess/pp.h"
#include "c/tables/dialect.h"
#include "c/tables/warnings.h"
#include "form/program.h"

// Whether an object is accessed by its own type only: -fstrict-aliasing, -fno-strict-aliasing, or
// neither; then the level of optimization decides, as in gcc.
typedef enum { ALIASING_BY_LEVEL, ALIASING_STRICT, ALIASING_LOOSE } Aliasing;

typedef struct {
    PpOptions pp;         // arena, diag and strings are filled in
    WarningSet warnings;  // warnings_init gives the default
    const char *standard; // -std=, or NULL
    bool pedantic;
    bool rounding_math;     // the rounding mode is not known: see ParseOptions
    CallNotes *notes;       // to be filled in for call_notes.c, or NULL; likewise
    Debug *debug;           // to be filled in for debuggers, or NULL; lives as long as the program
    SymbolDefaults symbols; // -fvisibility=, -fcommon, -fPIC with -fsemantic-interposition
    LocalOptions locals;    // first values of variables, marks of buffers
    bool short_enums;       // -fshort-enums
    bool pack_all;          // -fpack-struct
    uint32_t pack;          // -fpack-struct=, 0 for none
    SanitizeOptions sanitize; // -fsanitize= and related options
    Dialect dialect;
    SourceOrder *order;       // to be filled in, or NULL; lives as long as the program
    bool ordered;             // -fno-toplevel-reorder: the assembly keeps to it
    bool no_math_errno;       // -fno-math-errno
    bool exceptions;          // -fexceptions
    bool whole_units;         // -fstrict-volatile-bitfields
    bool no_trapping_math;    // -fno-trapping-math
    bool variables_in_memory; // where debuggers find them
    bool no_builtins;         // -fno-builtin
    bool endless_loops;       // -fno-finite-loops
    Aliasing aliasing;
    VEC(const char *) not_builtins; // -fno-builtin-NAME
    CoverageData *coverage;         // the description of counters, filled in for the notes; or NULL
    Instrument *instrument;         // entry and exit of functions are told; or NULL
    struct Units *units;            // of c/parse/units.h: what can be cut out of the text; or NULL
    // Called at the end, while the preprocessor still knows the files that were read; or NULL.
    void (*after)(void *context, Pp *pp);
    void *context;
} CompileOptions;

// The options of a command without options.
void compile_defaults(CompileOptions *options);
// Chooses the machine to compile for.
void compile_for(CompileOptions *options, const Target *target);

// The program in a C file ("-" is standard input), verified. NULL after diagnostics. Warnings and
// errors go to the Diag; the program and the source texts, which the Diag refers to, live in the
// arena.
Program *compile_c(Arena *arena, Diag *diag, const char *path, const CompileOptions *options);
