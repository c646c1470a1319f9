// Watching runs: reports of a run to people, in the words of the source and of the form that they
// asked for.
//   watch_place.c   where frames stand, and texts of values
//   report.c        how a run failed: place, reason, the objects concerned, the calls
//   watch_origin.c  where an undefined value came from
//   watch_items.c   the items that are executed, one after the other
//   trace.c         each item as a line
//   watch_record.c  each item as numbers, for later display
//   step.c          a person decides when to go on
// No interpreter depends on these files: interpreters report, and need no answer (RunObserver in
// run/world/run.h).
#pragma once

#include "run/rtl_interpreter.h"

// ---- Places

// Facts of the source that later forms lack: made from the program as it was read, before any pass.
typedef struct WatchSource {
    const Program *program;
    const Sym *owner; // by location: its function of the source; NO_SYM if there is none or several
    uint32_t count;   // of locations
    const Str **names; // by symbol: the names of its parameters, or NULL
} WatchSource;

WatchSource *watch_source(Arena *arena, const Program *program);

// The place of a frame: a site of the function as it was given, which is not always the function
// that runs.
typedef struct {
    const Func *func;
    Site site;    // NO_SITE before the first and inside of what has none
    uint32_t loc; // 0 if unknown
} WatchPlace;

WatchPlace watch_place(const CallFrame *frame);
// The same for a step of its code.
WatchPlace watch_place_of(const CallFrame *frame, const DecodedStep *step);
// The kind of the items (text/print/print_items.h) that sites of a function are.
uint8_t watch_site_kind(const Func *func);
// "t.c:5:12"; nothing if the location is unknown.
void watch_print_loc(Out *out, const Program *program, uint32_t loc);

// ---- Values

// As a C programmer would write the value; "undefined" if a bit of it is. A pointer is an object
// and an offset.
void watch_print_value(Out *out, const World *world, Type type, Value value);
// "a = &main.a, n = 3": what the function of a frame was called with.
void watch_print_arguments(Out *out, const Interpreter *in, const WatchSource *source,
                           const CallFrame *frame);
// "'a' of main", "the 8 bytes of malloc"
void watch_print_object(Out *out, const Object *object);
// The name of the callee of the call at which a frame stands, if it is no function of the program;
// else NULL.
const char *watch_library_call(const Interpreter *in, const CallFrame *frame);
// "in f (n = 3) at t.c:5:12": frame number `index`, counted from the outermost.
void watch_print_frame(Out *out, const Interpreter *in, const WatchSource *source, uint32_t index);
// All frames, innermost first, a line each; of very many only the first and the last.
void watch_print_frames(Out *out, const Interpreter *in, const WatchSource *source);

// ---- Reports (report.c)

typedef struct {
    Arena *arena;
    const WatchSource *source;
    const Diag *sources; // that has texts of sources; others are read again
    bool colour;
    Out text; // filled when the run ends otherwise than by its result; for out_free
} WatchReport;

// For RunObserver.end, with a WatchReport.
void watch_report(void *context, Interpreter *in);

// ---- Origins (origin.c)

typedef enum {
    ORIGIN_UNKNOWN,
    ORIGIN_VARIABLE, // `reg` of the frame was never given a value
    ORIGIN_MEMORY,   // bytes at `address` were never given a value; they were loaded at `loc`
    ORIGIN_CALL,     // the call at `loc` returned it
} OriginKind;

typedef struct {
    OriginKind kind;
    const CallFrame *frame;
    Reg reg;
    uint64_t address, size;
    uint32_t loc;
} WatchOrigin;

// Where the undefined value came from that the step at which the top frame stands reads.
WatchOrigin watch_origin(const Interpreter *in);
