// Types and functions that the parts of the folder share.
#pragma once

#include "message/message.h"

// A message with its notes. Sorting moves these; the parts stay.
typedef struct Message {
    DiagMessage told;
    struct Message *notes, *last_note, *next; // a list of notes
    uint32_t number;                          // in order of arrival
} Message;

// How a column was found last: most look-ups go on from there.
typedef struct {
    uint32_t source, line_start, offset, column;
} ColumnCache;

typedef struct {
    const char *error, *warning, *note, *locus, *quote, *insert, *remove;
    const char *file, *hunk, *added, *gone; // of a patch
} Colours;

struct Messages {
    Diag *diag;
    const MessageOptions *options;
    const char *main_file;
    Arena *arena; // of what waits
    VEC(Message *) held;
    VEC(Fixit) fixits; // all, for a patch
    VEC(Span) seen;    // #include lines that were told
    const char *function;
    Span last_shown; // whose source line was shown last
    ColumnCache cache;
    Colours colours;
    uint32_t width; // columns in which a source line may be shown
    uint32_t number;
    bool stopped;                                            // the limit of errors has been told
    void (*sink)(void *context, const DiagMessage *message); // the earlier sink
    void *sink_context;
};

typedef struct {
    const char *file;
    uint32_t line, column, byte_column, display_column; // column as the options count it
} MessagePlace;
// Where an offset is; .column counts as the options say.
MessagePlace message_place(Messages *messages, uint32_t source, uint32_t offset);
const Source *message_source(const Messages *messages, Span span);

// ---- message_width.c

// The character that begins at text, at most length bytes long, and its bytes; MALFORMED and 1 if
// it is none.
enum { MALFORMED = 0xffffffff };
uint32_t message_decode(const char *text, uint32_t length, uint32_t *code);
uint32_t message_width(uint32_t code); // columns on a terminal; control characters count as one
// Whether a character must not reach a terminal as it is.
bool message_must_escape(uint32_t code);

// ---- message_colour.c

void message_colours(Messages *messages); // as GCC_COLORS says
void message_start_colour(Messages *messages, Out *out, const char *colour);
void message_stop_colour(Messages *messages, Out *out, const char *colour);

// ---- message_text.c

void message_show_text(Messages *messages, const Message *message);
// Copies text, what a terminal must not see made harmless.
void message_safe_text(Out *out, const char *text, size_t length);

// ---- message_excerpt.c

void message_show_excerpt(Messages *messages, const DiagMessage *message);
// One character of a source as an excerpt shows it: its bytes, and the next column.
uint32_t message_put_character(const MessageOptions *options, Out *out, const Source *source,
                               uint32_t at, uint32_t *column);
const char *message_colour_of(const Messages *messages, Severity severity);

// ---- message_fixit.c

void message_show_fixits(Messages *messages, const DiagMessage *message);
void message_show_patch(Messages *messages);

// ---- message_json.c, message_sarif.c

void message_json_text(Out *out, const char *text, size_t length); // with quotes
void message_json(Messages *messages, Out *out);
void message_sarif(Messages *messages, Out *out);
