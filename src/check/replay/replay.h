// Replaying a certificate: every form is verified again, and every step is checked again.
#pragma once

#include "base/diag.h"
#include "cert/certificate.h"
#include "check/replay/completeness.h"

//   VALID       every step is right, and every function that is needed ends as allocated machine
//               code
//   INVALID     a form or a step is not, or a function does not; the message names function, pass
//               and reason
//   UNREADABLE  it is no certificate, or not whole
typedef enum { REPLAY_VALID, REPLAY_INVALID, REPLAY_UNREADABLE } ReplayStatus;

typedef enum { ENCODING_NONE, ENCODING_BINARY, ENCODING_TEXT } Encoding;

typedef struct {
    Diag *diag;   // where the message goes
    bool partial; // functions that are needed may end in other forms than allocated machine code
    // Any of these may be NULL. Called with the claim of the certificate before the certificate is
    // checked;
    void (*begin)(void *context, const CertificateClaim *claim);
    // each form before it is checked, with the name of the pass: NULL for the form that a function
    // starts with, or goes on from;
    void (*form)(void *context, const char *pass, const Func *func);
    // the first and the last form of each function that was found right;
    void (*done)(void *context, const Func *first, const Func *last);
    // at the end of a valid certificate, the declarations.
    void (*end)(void *context, const Program *program, const Coverage *coverage);
    void *context;
    // Where the certificate is written, in an encoding; or NULL. Steps are not checked then, but
    // forms are verified.
    Out *out;
    Encoding encoding;
    // Afterwards:
    CertificateClaim claim; // points into the text
    uint64_t steps;
    Coverage coverage; // of a valid certificate
} Replay;

// The text must live as long as the Diag. Only one function is held in memory at a time.
ReplayStatus replay_certificate(Replay *replay, const char *name, const char *text, size_t length);
