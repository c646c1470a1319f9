// Messages about calls that remain in the end: calls of functions that are declared with the
// attributes error and warning. A call is known by its location, which no other call has; passes
// keep the location, and a pass that removes the call removes the location everywhere. Copies that
// the front end makes have notes of their own.
#pragma once

#include "form/program.h"

typedef struct {
    uint32_t loc;       // of the call
    bool fatal;         // error, not warning
    const char *callee; // its name
    const char *message;
    const char *function; // in which the call stands in the source
    uint32_t outer;       // the note of the copy's place; NO_ID: it is no copy
} CallNote;

// Where a function was copied to.
typedef struct {
    const char *into; // name of the function
    uint32_t loc;     // of the call that it takes the place of
    uint32_t outer;   // the copy of that call's own function; NO_ID: it is none
} CopyNote;

typedef struct {
    VEC(CallNote) calls;
    VEC(CopyNote) copies;
    Map of_loc; // location -> one of `calls`
} CallNotes;
