// Replaying a certificate: every form is verified again, and every step is checked again.
#pragma once

#include "base/diag.h"
#include "ir/ir.h"

//   VALID       every step is right
//   INVALID     a form or a step is not; the message names function, pass and reason
//   UNREADABLE  it is no certificate, or not whole
typedef enum { REPLAY_VALID, REPLAY_INVALID, REPLAY_UNREADABLE } ReplayStatus;

typedef struct {
    Diag *diag; // where the message goes
    FILE *log;  // each function and step is named there, unless it is NULL
    // Shown the first and the last form of each function that was found right; may be NULL.
    void (*done)(void *context, const Func *first, const Func *last);
    void *context;
    // Afterwards:
    uint64_t hash;
    uint64_t functions, steps;
} Replay;

// The text must live as long as the Diag. Only one function is held in memory at a time.
ReplayStatus replay_certificate(Replay *replay, const char *name, const char *text, size_t length);
