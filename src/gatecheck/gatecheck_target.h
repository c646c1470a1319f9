// A file of machine code that certificates belong to: an object, an archive, which is the objects
// in it, or a linked program.
#pragma once

#include "elf/note.h"

typedef struct {
    const char *text; // in the file
    size_t length;
    ObjectNotes notes;
} CodePiece;

typedef struct {
    const char *name;
    const char *certificate; // the path of a certificate that has its code; NULL if it is not
                             // covered
} CodeFunction;

typedef struct {
    const char *path;
    Arena *arena;
    const char *kind; // "object", "archive" or "program"
    VEC(CodePiece) pieces;
    // Known after target_tie (gatecheck_tie.h):
    bool compared; // of every certificate, the bytes of its object were compared
    bool unnamed;  // there are no symbols: its functions are not known
    VEC(CodeFunction) functions;
    uint32_t covered;     // of them
    uint32_t other_notes; // of certificates that were not given
    uint32_t strangers;   // pieces that none of the certificates belongs to
} CodeFile;

// Finds the pieces of the file. Yields NULL, or the mistake in the file.
const char *target_open(CodeFile *target, const char *text, size_t length);
// Whether a piece is an object as an assembler makes it, of one certificate.
bool piece_is_alone(const CodePiece *piece);
// Such a piece with the note of a certificate; NULL if there is none.
const CodePiece *target_piece(const CodeFile *target, const CertificateClaim *claim);
// Whether a note is that of a certificate, as far as its first digest tells.
bool note_is_of(const char *note, const CertificateClaim *claim);
