// The pipeline loop: transform, verify, check, commit or keep.
#pragma once

#include "check/check.h"
#include "ir/ir.h"

typedef enum {
#define PASS(name, hint, from, to, needs, gives, keeps, meaning) PASS_##name,
#include "driver/passes.def"
    PASS_COUNT
} PassId;

typedef enum { FORM_RTL, FORM_COUNT } Form;

enum { PROPERTY_NOTHING = 0, PROPERTY_NORMAL = 1 };

typedef struct {
    const char *name;
    const char *meaning;
    Form from, to;
    uint32_t needs, gives, keeps; // PROPERTY_ bits
} PassInfo;

extern const PassInfo pass_table[PASS_COUNT];

PassId pass_named(const char *name); // PASS_COUNT if there is none

// The untrusted half of a pass: a new function and the hint for the checker, both in the arena.
typedef Func *PassTransform(Arena *arena, const Func *func, void **hint);

// What happened to the functions that went through a pass.
typedef struct {
    uint64_t functions, rejected;
    uint64_t nodes_before, nodes_after;
    double transform_seconds, verify_seconds, check_seconds; // of processor time
} PassStats;

typedef enum { CHECK_FAST, CHECK_OFF } CheckMode;

typedef struct {
    PassTransform *const *transforms; // one per pass
    CheckMode check;
    bool off[PASS_COUNT];
    PassId last; // the last pass to run; PASS_COUNT for none, so that the input comes back
    Diag *diag;  // rejected passes are warned of here
    // Shown the function after each pass that was committed; may be NULL.
    void (*observe)(void *context, PassId pass, const Func *func);
    void *context;
    const char
        *dump_directory; // where a rejected pass leaves before, after and reason; NULL for nowhere
    PassStats stats[PASS_COUNT];
} Pipeline;

// Whether the rows of passes.def are in an order that gives each pass what it needs; a reason if
// not.
bool pipeline_consistent(const char **reason);

// Runs the passes on one function. A pass whose output is not well-formed, or is rejected by its
// checker, is undone and warned of: the result is right in any case. The result lives in the arena,
// or is the input itself.
const Func *pipeline_run(Pipeline *pipeline, Arena *arena, const Func *func);

// The same for every function of a program, in place.
void pipeline_run_program(Pipeline *pipeline, Program *program);

void pipeline_print_stats(Out *out, const Pipeline *pipeline);
