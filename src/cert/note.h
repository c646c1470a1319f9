// The tie between an object file and its certificate: a note with the certificate's hash, in the section
// .note.gatecc of the object.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NOTE_SECTION ".note.gatecc"
#define NOTE_NAME    "gatecc"
enum { NOTE_TYPE_CERTIFICATE = 1 };

typedef enum {
    NOTE_FOUND,    // the object has a note with this hash
    NOTE_OTHER,    // it has notes, with other hashes
    NOTE_MISSING,  // it has none
    NOTE_NO_OBJECT // it is no 64-bit little-endian ELF file, or a broken one
} NoteStatus;

// A linked program has the notes of all objects that it was made of; one of them must be right.
NoteStatus note_find(const char *object, size_t length, uint64_t hash);
