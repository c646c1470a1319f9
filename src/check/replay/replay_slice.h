// Replaying the certificate of a slice.
#pragma once

#include "check/replay/replay.h"
#include "hint/hints_slice.h"

typedef struct {
    Arena *arena; // for the programs and the hint
    Diag *diag;   // where the message goes
    // Afterwards:
    Digest hash;
    const Program *before, *after;
    SliceHint hint;
} SliceReplay;

// The text must live as long as the Diag.
ReplayStatus replay_slice(SliceReplay *replay, const char *name, const char *text, size_t length);
// The properties that a valid certificate shows, and its assumptions: lines that start with
// "shown:" and "assumed:".
void slice_report(Out *out, const SliceReplay *replay);
