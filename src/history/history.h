// The history of functions, step by step, with reasons: the source of gate explore, gate explain,
// gate diff and the remarks of gatecc.
//
// A history watches a pipeline. It keeps each function after each step, and a description of each
// step: a link from each *item* of the new function to an item of the old function, and *remarks*,
// one for each change, with the reason. The reasons are read off the hints that the checkers have
// judged; the history never guesses a reason that no hint gives. Only people depend on the history.
//
// Each item (text/print/print_items.h) has an *identity*, a number that no other item of the same
// function has in any form. The item keeps the identity as long as steps say that it is the same:
// from C to machine code.
#pragma once

#include "pipeline/pipeline.h"
#include "text/print/print_items.h"

// ---- What a step did

typedef enum {
    REMARK_REMOVED,  // nothing needs it, or no way leads there
    REMARK_MERGED,   // something else has its value
    REMARK_FOLDED,   // its value is a constant
    REMARK_REPLACED, // something cheaper has its value
    REMARK_MOVED,    // to another place
    REMARK_COPIED,   // done in several places
    REMARK_ADDED,
    REMARK_DECIDED, // a branch or check that always goes one way
    REMARK_INLINED, // a body in the place of a call
    REMARK_SPLIT,   // a variable in memory that is in registers now
    REMARK_FORM,    // it is the same in another form
    REMARK_PLACED,  // it has a machine register or a spill
    REMARK_KEPT,    // a change that was tried and not made, with the reason
    REMARK_SPILLED, // a value goes to memory because there is no register, or comes back
    REMARK_KIND_COUNT
} RemarkKind;

typedef struct {
    uint8_t kind;           // RemarkKind
    uint32_t before, after; // items of the function before and after; NO_ID where there is none
    uint32_t other;   // an item of the old function that is the reason ("equal to ..."); NO_ID
    uint32_t loc;     // in the source; 0 if unknown
    const char *text; // one line in words: "equal to %3.1, computed at node 5, which dominates"
} Remark;

// How a step was judged.
//   UNCHANGED  there was nothing to do
//   ACCEPTED   by the checker of its pass
//   INSIDE     not checked by itself: the step that leads out of its excursion is checked for the
//              whole excursion
//   REJECTED   undone
//   UNCHECKED  by --check=off
typedef enum {
    STEP_UNCHANGED,
    STEP_ACCEPTED,
    STEP_INSIDE,
    STEP_REJECTED,
    STEP_UNCHECKED
} StepVerdict;

typedef struct {
    uint32_t step; // of the pipeline
    StepVerdict verdict;
    const char *reason;      // REJECTED: why, with the place, in a line; else NULL
    const char *established; // ACCEPTED: what the checker has established, in a line
    const char *hint;        // in words, a few lines; NULL if there is none
    // The step whose output was compared with this step's, NO_ID for the start: `then` and remarks
    // call its function the function before. It is the last step that was not rejected; for the way
    // out of an excursion that is checked as a whole, the last step before the excursion.
    uint32_t before;
    const Func *
        func; // after it, of which nobody else knows; UNCHANGED: as before. REJECTED: what was rejected
    FuncItems items; // of it
    const uint32_t
        *then; // per item: its item of the old function, or the item of which it is a copy; NO_ID:
               // none
    const uint32_t *identity; // per item
    VEC(Remark) remarks;
    uint64_t size_before, size_after;
    double transform_seconds, verify_seconds, check_seconds;
} HistoryStep;

typedef struct {
    Sym symbol;
    const Func *start; // as the front end made it
    FuncItems items;   // of it
    const uint32_t *identity;
    VEC(HistoryStep) steps; // in the order in which they were taken
    // The steps of an attempt that was given up, from the first step on, if one of them was
    // rejected: the function has started anew without the pass that had led there.
    VEC(HistoryStep) given_up;
    uint32_t identities; // so many
} FunctionHistory;

typedef struct History History;

// For the functions of one program; those of one name only, unless that is NULL.
History *history_new(Arena *arena, const Program *program, const char *only);
// Makes the history watch a pipeline; other watchers go on watching it.
void history_watch(History *history, Pipeline *pipeline);
void history_free(History *history);
// For callers that need only remarks, of one function after the other: hints are not put into
// words, and a function can be forgotten when its remarks have been read. To be said before the
// pipeline runs.
void history_be_brief(History *history);
void history_forget(History *history, Sym symbol); // its start is NULL then

uint32_t
history_count(const History *history); // functions that have begun, in the order of the source
const FunctionHistory *history_at(const History *history, uint32_t function);
const FunctionHistory *history_of(const History *history, Sym symbol); // NULL if there is none
// The function with which a step was compared, with its items and identities.
typedef struct {
    const Func *func;
    const FuncItems *items;
    const uint32_t *identity;
} HistoryState;
HistoryState history_before(const FunctionHistory *function, uint32_t step);
HistoryState history_after(const FunctionHistory *function, uint32_t step); // NO_ID: the start
const char *remark_kind_name(RemarkKind kind);                              // "merged"
