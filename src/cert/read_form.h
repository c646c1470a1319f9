// Reading the forms of a function in a certificate, each of which builds on the one before.
#pragma once

#include "form/parse.h"

typedef struct {
    TextParser *parser;
    // So many nodes, registers and the like may yet be taken over from a form into the next: a number
    // that depends on the size of the file, so that a small file cannot make much work.
    uint64_t budget;
} FormReader;

// Reads the lines of a form up to the brace that ends it; the current token is the first of them.
// `before` is the form before it, which was read by the call before, or NULL; the new one lives in the
// arena. NULL after a mistake, which has been reported.
Func *form_read(FormReader *reader, Arena *arena, Sym symbol, Form form, const Func *before);
