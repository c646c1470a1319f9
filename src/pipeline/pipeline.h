// The pipeline loop: transform, then commit, which verifies and checks. It knows the rows of
// passes.def and no pass by name.
#pragma once

#include "pipeline/commit.h"
#include "pipeline/steps.h"

// The untrusted half of a pass: a new function and the hint for the checker, both in the arena;
// NULL if it has nothing to change. `bodies` are for passes that copy them; NULL if there are none.
// The output shares nothing with the input; inside of an excursion that is checked as one it may.
typedef Func *PassTransform(Arena *arena, const Bodies *bodies, const Func *func, void **hint);

// A function that is to go through the steps.
typedef struct {
    Sym symbol;   // NO_SYM: there are no more
    bool resumed; // the function goes on from the form in which it was offered
} Task;

// The way of a function after a step that has put bodies in the place of its calls.
typedef struct {
    bool offered; // the form that it has now may be copied by functions that come later
    bool once;    // OfferedBody.once
    bool waits;   // the function does not go on until another task says so; only if it was offered
} PlanAdvice;

// The plan for a program. The pipeline does not rely on the plan: it only copies bodies that it has
// made itself, whatever the plan asks for.
typedef struct {
    Task (*next)(void *context);
    PlanAdvice (*advise)(void *context, const Func *func);
    // Whether the function at hand, which an excursion has changed, is worth another round through
    // all steps: bodies could replace more calls. NULL: it never is.
    bool (*again)(void *context, const Func *func, const Bodies *bodies, Arena *scratch);
    void *context;
} Planner;

// Statistics of the functions that went through a step, or were finished.
typedef struct {
    uint64_t functions, changed, rejected;
    uint64_t plain;    // that the plain transform was tried on
    uint64_t left_out; // that the step was due for, but that lacked the form or properties it needs
    uint64_t size_before, size_after; // of these functions, in units of their bodies (forms.def)
    double transform_seconds, verify_seconds, check_seconds; // of processor time
} PassStats;

// A report to a history: a function begins, or a step has changed it.
typedef struct {
    uint32_t step; // step_count: the function begins, perhaps anew
    bool resumed;  // when a function begins: it goes on from the form in which it was offered
    bool
        inside; // of an excursion that is checked as one, so that nobody has judged the step by itself
    bool checked;         // false if nothing is
    const Func *given;    // to the transform, or with which it begins
    const Func *compared; // the function with which the output was compared
    const Func *after;    // the output; NULL: there was nothing to do
    const void *hint;
    const Bodies *bodies; // that the transform could copy; NULL: none
    Verdict verdict;
    double transform_seconds, verify_seconds, check_seconds; // 0 unless it is timed
} StepReport;

// The data on which a plan depends.
typedef struct {
    uint32_t level;   // -O
    bool small;       // only functions whose copies make no more code than their calls
    bool marked_only; // only functions that are marked always_inline may be copied
    bool may_wait;    // functions may or must not wait
    const bool *runs; // by pass: the pass runs at the level, or on request; NULL: nobody knows
} PlanOptions;

typedef struct {
    PassTransform *const *transforms; // one per pass
    PassTransform *const
        *plain; // the fallback for a necessary pass whose output was rejected or that made none;
                // NULL, or NULL for a pass: no fallback
    CheckMode check;
    bool verify_inside;     // excursions that are checked as one are verified step by step
    const Refuter *refuter; // of second opinions: finds proofs, which are checked
    uint32_t level;         // -O
    bool small;             // -Os; for the plan
    bool marked_only;       // for the plan
    bool off[PASS_COUNT];   // passes left out
    bool on[PASS_COUNT];    // passes that run whatever their level
    uint32_t steps;         // the first so many steps run
    Diag *diag;             // rejected passes are warned of here
    Diag *form_diag;        // and forms that are not reached here; NULL: there, too
    const Bodies *bodies; // the bodies that pipeline_run may copy; NULL: none. A program's run has
                          // its own
    // Shown the function before and after each step that was checked and committed, with the hint;
    // may be NULL. An excursion that is checked as a whole is one step, the step of its way out.
    void (*observe)(void *context, uint32_t step, const Func *before, const Func *after,
                    const void *hint);
    // Makes the plan for a program; NULL: functions in the order of symbols,
    // and no bodies are copied.
    Planner (*plan)(Arena *arena, const Program *program, const PlanOptions *options);
    // Shown each function before its first step; again, if it has to start anew. May be NULL.
    void (*begin)(void *context, const Func *func);
    // Shown the form in which a function is offered; may be NULL.
    void (*offer)(void *context, const Func *func);
    // Told that the function that was offered goes on from that form; may be NULL.
    void (*resume)(void *context, const Func *func);
    void *context;
    // Called for every step, whatever its result; nothing of the report outlives the call. May be
    // NULL.
    void (*report)(void *reporter, const StepReport *report);
    void *reporter;
    // The last row: handles each function as the last step leaves it, instead of putting the
    // function into the program; NULL: no such row. A function that waits for ever is not finished.
    void (*finish)(void *finisher, const Func *func);
    void *finisher;
    const char *dump_directory;  // where a rejected pass leaves before, after and reason, or NULL
    PassStats *stats;            // one per step
    PassStats finished;          // of the last row
    uint64_t rounds;             // further rounds of functions through all steps
    bool timed;                  // with times
    uint64_t missed[FORM_COUNT]; // functions that did not reach a form to which steps lead
    struct Progress *progress;   // with the program at hand, or NULL
    Commit *commit;              // the accepted function, and rooms for the output of steps
    Arena *scratch;              // for a look at properties
    Arena *reasons;              // why steps could not run
} Pipeline;

// All steps at -O1 with checks and statistics. pipeline_free releases the memory it works in.
void pipeline_init(Pipeline *pipeline, Arena *arena, PassTransform *const *transforms, Diag *diag);
void pipeline_free(Pipeline *pipeline);

// Runs the steps on one function, which has been verified. A pass whose output is not well-formed,
// or is rejected by its checker, is undone and warned of: the result is right in any case. So is a
// form that the steps lead to and the function does not reach, whatever the reason. If the steps
// that run end in the middle of an excursion that is checked as one, nobody has compared the result
// with anything. The result lives in memory of the pipeline until its next run, or is the input
// itself.
const Func *pipeline_run(Pipeline *pipeline, const Func *func);

// Takes one function along a way of passes, in the order of the way and not of the steps, for a
// reader of the result: the front end warns of a function in SSA, and answers questions there. The
// way enters no excursion. Whether each pass is checked is up to pipeline->check, as in
// pipeline_run.
const Func *pipeline_look(Pipeline *pipeline, const Func *func, const PassId *way, uint32_t count);

// The same for every function of a program, in place, unless functions are finished.
void pipeline_run_program(Pipeline *pipeline, Program *program);

void pipeline_print_stats(Out *out, const Pipeline *pipeline);
