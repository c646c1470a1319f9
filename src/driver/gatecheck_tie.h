// What ties certificates to a file of machine code, and which functions of it they cover.
//
// A certificate is tied to an object if the object's note has its digests and, where the certificate was made together with an object
// and the file is such an object, if the bytes of the file have the digest that the certificate tells. In a linked program, a
// library or what "ld -r" makes, bytes have moved: there the note is all there is to see. An archive is the objects in it.
//
// A function of the file is covered if certificates that are tied to it have code for its name, and for as many of that name as the
// file has: two objects may have static functions of one name, and if one of them has no certificate, neither is covered.
#pragma once

#include "cert/note.h"
#include "driver/gatecheck_account.h"

typedef struct {
    const char *name;
    const char *certificate; // the path of one that has its code; NULL if it is not covered
} TargetFunction;

typedef struct {
    const char *path;
    Arena *arena;
    const char *kind; // "object", "archive" or "program"
    bool by_digest;   // every certificate is tied by the digest of its object
    bool unnamed;     // there are no symbols: its functions are not known
    VEC(TargetFunction) functions;
    uint32_t covered;     // of them
    uint32_t other_notes; // of certificates that were not given
    uint32_t unnoted;     // objects of an archive without a note
} Target;

// Looks at the file. NULL, or what is wrong with it: then *readable says whether it can be read.
const char *target_check(Target *target, const char *text, size_t length, const Account *accounts,
                         uint32_t count, bool *readable);
