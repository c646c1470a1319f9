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
    bool mcount;           // -pg, -p: functions call mcount
    bool fentry;           // -mfentry: they call __fentry__ before anything else
    bool record_mcount;    // -mrecord-mcount: a table has the places of the calls
    bool nop_mcount; // -mnop-mcount: in place of the calls there is nothing that does something
    const char *dump_base, *dump_directory,
        *dump_ending; // -dumpbase, -dumpdir, -dumpbase-ext; or NULL
} ProfileOptions;

// Reads one of these options. False after a message.
bool profile_option(ProfileOptions *options, Arena *arena, const char *text);
