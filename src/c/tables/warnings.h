// The warnings of the front end and of finished functions, and which of them are on.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum {
#define WARNING(id, name, group, text) WARN_##id,
#include "c/tables/warnings.def"
#undef WARNING
    WARN_COUNT
} Warning;

typedef struct WarningSet {
    bool on[WARN_COUNT];
    bool error[WARN_COUNT];    // -Werror=name
    bool off[WARN_COUNT];      // -Wno-name
    bool named[WARN_COUNT];    // by its own name, on or off: groups and families do not change it
    uint8_t level[WARN_COUNT]; // -Wname=LEVEL; 0 if none was given
    bool plain[WARN_COUNT];    // -Wno-error=name: no error in spite of -Werror
    bool all_errors;           // -Werror
    bool none;                 // -w
    bool extra, unused;        // -Wextra, -Wunused, for those that need both
    bool system_headers;       // -Wsystem-headers: those count like others
} WarningSet;

void warnings_init(WarningSet *set); // the default
// Takes the text after -W ("all", "no-unused-variable", "error=format"); false if it is unknown.
bool warnings_option(WarningSet *set, const char *text);
void warnings_none(WarningSet *set); // -w
// Sets one warning (or several by the name of a family) as #pragma GCC diagnostic does; false if it
// is unknown.
typedef enum { LEVEL_IGNORED, LEVEL_WARNING, LEVEL_ERROR } WarningLevel;
bool warnings_set(WarningSet *set, const char *name, WarningLevel level);
// The level of a warning by its name; a warning without a name (NULL) is on unless all are off.
WarningLevel warnings_level(const WarningSet *set, const char *name);
const char *warning_name(Warning warning);
// The description of a warning, and the option that turns it on: "" by default, "-Wall", ..., or
// its own name.
const char *warning_text(Warning warning);
const char *warning_group(Warning warning);
