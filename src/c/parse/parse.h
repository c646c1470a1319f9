// Parsing: from tokens to typed trees, one external declaration at a time.
#pragma once

#include "c/preprocess/pp.h"
#include "c/tables/dialect.h"
#include "c/types/ast.h"

typedef struct {
    Pp *pp;
    Types *types; // initialized by the caller
    Arena *arena; // lives as long as the unit: types, declarations, constants
    Diag *diag;
    // Called for each function definition once it is parsed. Its tree lives in `body_arena`, which
    // is reset afterwards.
    void (*function)(void *context, Decl *func);
    // Called for assembler text at file scope.
    void (*assembler)(void *context, const CString *text, uint32_t order);
    // Called for each variable of file scope that is a machine register.
    void (*reserve)(void *context, Decl *variable);
    // Called at the end with every variable with static storage (file scope, block scope, string
    // and compound literal objects), every function that was declared and every typedef name of
    // file scope, in order of declaration.
    void (*finish)(void *context, Decl *const *decls, uint32_t count);
    void *context;
    bool pedantic;
    bool rounding_math; // operations that depend on rounding are computed when the program runs
    bool gnu_inline;    // -fgnu89-inline
    Dialect dialect;
    const char *standard;
    bool short_enums;               // -fshort-enums: as if all were packed
    bool no_trapping_math;          // -fno-trapping-math: nobody asks for exceptions of arithmetic
    bool pack_all;                  // -fpack-struct: as if every structure were packed
    uint32_t pack;                  // -fpack-struct=: what #pragma pack() goes back to
    bool optimize;                  // answers that inlining may give are waited for
    bool exceptions;                // -fexceptions: what unwinds the stack ought to run cleanups
    bool no_builtins;               // -fno-builtin: functions of the library are like any other
    VEC(const char *) not_builtins; // -fno-builtin-NAME
    struct Units *units;            // records the units that can be cut out of the text; or NULL
} ParseOptions;

// Parses a whole translation unit. False if there were errors.
bool parse_unit(const ParseOptions *options);
