// The layout of messages about sources: as text with the source lines, as JSON or as SARIF; in the
// order of the source; with changes that would mend a mistake.
//
// Messages are the sink of a Diag. Warnings are often found long after their place has been read
// (an unused variable at the end of its block, an uninitialized variable when the whole unit has
// been lowered). So messages wait, and are shown sorted by place. As long as there is no error, all
// messages of a unit appear at its end. After the first error, waiting messages appear at the end
// of each external declaration, since a user with mistakes in a large file wants to see them soon.
// Notes stay with the message that they follow.
#pragma once

#include "base/diag.h"

typedef enum { MESSAGES_TEXT, MESSAGES_JSON, MESSAGES_SARIF } MessageFormat;

typedef struct {
    MessageFormat format;
    bool to_file;            // of JSON and SARIF: to a file beside the source
    bool no_caret;           // -fno-diagnostics-show-caret
    bool no_line_numbers;    // -fno-diagnostics-show-line-numbers
    bool no_option;          // -fno-diagnostics-show-option
    bool no_column;          // -fno-show-column
    bool byte_columns;       // -fdiagnostics-column-unit=byte
    bool escape_bytes;       // -fdiagnostics-escape-format=bytes
    bool every_line;         // -fdiagnostics-show-location=every-line
    bool parseable_fixits;   // -fdiagnostics-parseable-fixits
    bool patch;              // -fdiagnostics-generate-patch
    uint32_t column_origin;  // -fdiagnostics-column-origin=
    uint32_t tabstop;        // -ftabstop=
    uint32_t margin;         // -fdiagnostics-minimum-margin-width=
    uint32_t message_length; // -fmessage-length=, 0: lines are not broken
    bool plain;              // -fdiagnostics-plain-output: no colours either
    bool limit_given;        // the limit of errors is one that was asked for
    bool fatal_errors;       // by -Wfatal-errors
} MessageOptions;

typedef struct Messages Messages;

void message_defaults(MessageOptions *options);
// Whether the environment forbids colours: GCC_COLORS is empty, or, unless they are asked for on
// the command line, NO_COLOR has a value.
bool messages_no_colours(bool asked_for);
// Takes over the messages of a Diag that are about the unit whose main file is named. The options
// live as long.
Messages *messages_open(Diag *diag, const MessageOptions *options, const char *main_file);
// An external declaration has been read: shows the waiting messages if the user should see them
// soon. Without Messages does nothing.
void messages_settle(Diag *diag);
// Shows what waits. Without Messages does nothing.
void messages_flush(Diag *diag);
// Shows what is left and gives the Diag back.
void messages_close(Messages *messages);
