// A run as lines: each item that is executed, or each call.
#pragma once

#include "watch/watch_items.h"

typedef enum { TRACE_NONE, TRACE_EVENTS, TRACE_CALLS, TRACE_ALL } TraceKind;

typedef struct {
    TraceKind kind; // CALLS or ALL
    const WatchSource *source;
    bool (*wanted)(void *context, const Func *func); // which functions; NULL: all
    void *wanted_context;
    FILE *to;
    WatchTexts *texts;
    uint64_t lines;
} Trace;

// Hooks that write the lines. The Trace lives as long as they are used.
WatchHooks trace_hooks(Arena *arena, Trace *trace);
