// Replaying a certificate: every form is verified again, and every step is checked again.
#pragma once

#include "base/diag.h"
#include "cert/certificate.h"
#include "check/completeness.h"

//   VALID       every step is right, and every function that is needed ends as allocated machine code
//   INVALID     a form or a step is not, or a function does not; the message names function, pass and reason
//   UNREADABLE  it is no certificate, or not whole
typedef enum { REPLAY_VALID, REPLAY_INVALID, REPLAY_UNREADABLE } ReplayStatus;

typedef struct {
    Diag *diag;   // where the message goes
    bool partial; // functions that are needed may end in other forms than allocated machine code
    FILE *log;    // each function and step is named there, unless it is NULL
    // Shown the first and the last form of each function that was found right; may be NULL.
    void (*done)(void *context, const Func *first, const Func *last);
    // Shown the program when all of it was found right; may be NULL.
    void (*end)(void *context, const Program *program, const Coverage *coverage);
    void *context;
    // Afterwards:
    CertificateClaim claim; // points into the text
    uint64_t steps;
    Coverage coverage; // of a valid certificate
} Replay;

// The text must live as long as the Diag. Only one function is held in memory at a time.
ReplayStatus replay_certificate(Replay *replay, const char *name, const char *text, size_t length);
