// Running Imp: the plain interpreter, and the collecting semantics of Pop et al., section 3.2.
#pragma once

#include "imp/imp.h"

typedef enum { IMP_END_RESULT, IMP_END_WRONG, IMP_END_FUEL } ImpEnd;

// A value that was written: at statement `stmt`, with the counters of the loops around it, from the
// outermost on.
typedef struct {
    uint32_t name;
    uint32_t stmt;
    uint32_t counters; // first of ImpTrace.counters
    uint32_t depth;    // so many
    bool is_element;   // of an array, at `index`; a copy of a whole array is neither
    bool is_copy;
    int64_t index;
    Value value;
} ImpPoint;

// All values at all points, in the order in which they were written.
typedef struct {
    VEC(ImpPoint) points;
    VEC(uint64_t) counters;
} ImpTrace;

// Is told of every value as it is written, in a trace that grows, if `context` is not NULL: see
// ImpRunOptions.watch.
typedef struct ImpState ImpState;

typedef struct {
    uint64_t fuel;         // steps; 0 for no limit
    const int64_t *inputs; // as many as the program has
    bool collect;          // the trace
    // Called in front of each statement, in each iteration of a loop also in front of its test
    // (digit 1), and behind each loop (digit 2), with the counters of the loops around that place.
    void (*watch)(void *context, const ImpState *state, uint32_t stmt, int digit);
    void *watch_context;
} ImpRunOptions;

typedef struct {
    ImpEnd end;
    const char *reason; // WRONG
    Span span;          // ... and where
    uint64_t steps;
    Value *values; // of integers at the end; meaningless if never written
    bool *written;
    Out output; // for out_free
    ImpTrace trace;
} ImpResult;

// Runs a program that imp_verify accepts. The result lives in the arena, but for its output.
void imp_run(Arena *arena, const Imp *imp, const ImpRunOptions *options, ImpResult *result);

// For `watch`.
bool imp_state_value(const ImpState *state, uint32_t name, Value *value); // false: not written
Value imp_state_element(const ImpState *state, uint32_t array, int64_t index);
const uint64_t *imp_state_counters(const ImpState *state, uint32_t *depth);

// The trace as in figure 1: for each name its values at its points (h, k).
void imp_print_trace(Out *out, const Imp *imp, const ImpTrace *trace);
// Whether points come in the order that section 3.1 gives them: by counters first, then by place.
bool imp_points_ascend(Arena *arena, const Imp *imp, const ImpTrace *trace);
