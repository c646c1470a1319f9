// Diagnostics: messages to the user, each with the place in the source that it concerns.
//
//   file:line:column: error: message
//    12 | the source line
//       |     ^~~~
//
// Sources are registered once; a Span names bytes of a source. Messages go to an Out, so that tests
// and the library can capture them. Colours are used only when asked for.
#pragma once

#include "base/out.h"
#include "base/vec.h"

typedef struct {
    uint32_t source; // index into Diag.sources, or DIAG_NO_SOURCE
    uint32_t start;  // first byte
    uint32_t end;    // one past the last byte
} Span;

#define DIAG_NO_SOURCE UINT32_MAX
#define SPAN_NONE      ((Span){.source = DIAG_NO_SOURCE})

typedef enum { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR } Severity;

typedef struct {
    const char *name;
    const char *text;
    uint32_t length;
    VEC(uint32_t) lines; // offset of the first byte of each line; filled on first use
} Source;

// A change of the source that mends the mistake of a message: the text takes the place of the span;
// at a span without bytes the text is inserted.
typedef struct {
    Span span;
    const char *text;
} Fixit;

// A message as a sink gets it. Nothing in it lives longer than the call, but for names and files.
typedef struct {
    Severity severity;
    Span span;
    const char *text;     // without the option
    const char *option;   // the name behind -W, or NULL
    const char *label;    // of a note: its name instead of "note"; or NULL
    bool bare;            // the line of the source is not shown
    bool raised;          // a warning that is an error on request
    bool attached;        // a note that belongs to the previous message
    const char *function; // the function that it is in, or NULL
    // The #include lines that lead to its file, the innermost first: file and offset.
    const Span *inclusions;
    const Fixit *fixits;
    const uint32_t *order; // sorted by these, messages are in the order of the source
    uint32_t inclusion_count, fixit_count, order_count;
} DiagMessage;

typedef struct Diag {
    Arena *arena;
    VEC(Source) sources;
    Out out;      // where messages are collected
    FILE *stream; // where messages go at once, or NULL to keep them in `out`
    bool colour;
    bool warnings_are_errors;
    uint32_t errors;
    uint32_t warnings;
    uint32_t error_limit; // no more than this many errors are shown; 0 means no limit
    // Shows messages in place of diag.c, which has one plain way to do so; or NULL.
    void (*sink)(void *sink_context, const DiagMessage *message);
    void *sink_context;
} Diag;

// Messages go to the stream as they come, with colours if the stream is a terminal; a NULL stream
// collects them.
void diag_init(Diag *diag, Arena *arena, FILE *stream);
void diag_free(Diag *diag);

// Registers a source text, which must live as long as the Diag. Returns its index.
uint32_t diag_source(Diag *diag, const char *name, const char *text, size_t length);

void diag_report(Diag *diag, Severity severity, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The same for a message that is ready. Whether a warning is an error has been decided.
void diag_message(Diag *diag, const DiagMessage *message);
#define diag_error(diag, span, ...)   diag_report((diag), DIAG_ERROR, (span), __VA_ARGS__)
#define diag_warning(diag, span, ...) diag_report((diag), DIAG_WARNING, (span), __VA_ARGS__)
#define diag_note(diag, span, ...)    diag_report((diag), DIAG_NOTE, (span), __VA_ARGS__)

// Line and column (both from 1, columns in bytes) of an offset.
typedef struct {
    uint32_t line;
    uint32_t column;
} LinePlace;
LinePlace diag_place(Diag *diag, uint32_t source, uint32_t offset);
