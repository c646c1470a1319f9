// The tie between an object file and its certificate: a note with the digests of the certificate,
// in the section .note.gatecc of the object.
//
// The digest of an object covers all bytes of the file, as the assembler left it, with zeros in
// place of the note's contents. So filling in the note does not change the digest, and every other
// change does.
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include "cert/certificate.h"

#define NOTE_SECTION ".note.gatecc"
#define NOTE_NAME    "gatecc"
// The contents are the digests of a CertificateClaim, in their order.
enum { NOTE_TYPE_CERTIFICATE = 2, NOTE_BYTES = DIGEST_KINDS * DIGEST_BYTES };

typedef struct {
    bool linked;      // it is a program or a shared library, not the output of an assembler or of
                      // "ld -r"
    VEC(uint64_t) at; // where in the file the contents of notes are
    bool named;       // it has a table of symbols
    VEC(const char *) functions; // the names of the functions that it defines
} ObjectNotes;

// The notes of a file, and its functions; a linked program has the notes of all its objects. False
// if the file is no 64-bit little-endian ELF file, or a broken one.
bool notes_find(Arena *arena, const char *text, size_t length, ObjectNotes *notes);
// The digest of a file with a note.
Digest note_object_digest(const char *text, size_t length, uint64_t note);
