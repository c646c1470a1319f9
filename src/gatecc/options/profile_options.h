// Options that have a program count what it runs through, or that make use of such counts:
// --coverage, -fprofile-...
#pragma once

#include "base/arena.h"
#include "c/profile/coverage.h"
#include "c/profile/instrument.h"

typedef struct {
    CoverageOptions coverage;
    const char *directory; // -fprofile-dir=, -fprofile-generate=: where counts are written; or NULL
    const char *used;      // -fprofile-use=: where counts are read, a directory or a file; or NULL
    const char *prefix;    // -fprofile-prefix-path=: what is left out of names there; or NULL
    const char *note;      // -fprofile-note=: the file of notes; or NULL
    bool prefers_atomic;   // -fprofile-update=prefer-atomic: atomic where there are threads
    bool threads;          // -pthread
    Instrument instrument; // -finstrument-functions and its exceptions
    bool entry_calls;      // -pg, -p: functions call a function that counts when they are entered
    const char *dump_base, *dump_directory,
        *dump_ending; // -dumpbase, -dumpdir, -dumpbase-ext; or NULL
} ProfileOptions;

// Reads one of these options. False after a message.
bool profile_option(ProfileOptions *options, Arena *arena, const char *text);
