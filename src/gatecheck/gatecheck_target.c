#include "gatecheck/gatecheck_target.h"

#include <stdlib.h>
#include <string.h>

#define ARCHIVE_START "!<arch>\n"
enum { MEMBER_HEADER = 60, MEMBER_SIZE = 48, MEMBER_DIGITS = 10 };

static bool add_piece(CodeFile *target, const char *text, size_t length) {
    CodePiece piece = {.text = text, .length = length};
    if (!notes_find(target->arena, text, length, &piece.notes)) return false;
    vec_push(target->arena, &target->pieces, piece);
    return true;
}

// Tables of names come first in an archive. Other members are no objects to gatecheck, but may be
// objects to a linker.
static bool is_table(const char *header, uint32_t number) {
    return number < 2 && (memcmp(header, "/ ", 2) == 0 || memcmp(header, "// ", 3) == 0 ||
                          memcmp(header, "/SYM64/ ", 8) == 0);
}

static const char *add_members(CodeFile *target, const char *text, size_t length) {
    size_t at = strlen(ARCHIVE_START);
    for (uint32_t number = 0; length - at >= MEMBER_HEADER; number++) {
        char digits[MEMBER_DIGITS + 1] = {0};
        const char *header = text + at;
        memcpy(digits, header + MEMBER_SIZE, MEMBER_DIGITS);
        uint64_t size = strtoull(digits, NULL, 10);
        at += MEMBER_HEADER;
        if (size > length - at) return "the archive is not whole";
        if (!add_piece(target, text + at, size) && !is_table(header, number))
            return "a member of the archive is not an object file of this machine";
        at += size;
        at += at % 2 && at < length;
    }
    return NULL;
}

const char *target_open(CodeFile *target, const char *text, size_t length) {
    size_t start = strlen(ARCHIVE_START);
    target->kind = "archive";
    if (length >= start && memcmp(text, ARCHIVE_START, start) == 0)
        return add_members(target, text, length);
    if (!add_piece(target, text, length)) return "it is not an object file of this machine";
    target->kind = target->pieces.at[0].notes.linked ? "program" : "object";
    return NULL;
}

bool piece_is_alone(const CodePiece *piece) {
    return !piece->notes.linked && piece->notes.at.count == 1;
}

bool note_is_of(const char *note, const CertificateClaim *claim) {
    return memcmp(note, &claim->digests[DIGEST_CERTIFICATE], DIGEST_BYTES) == 0;
}

const CodePiece *target_piece(const CodeFile *target, const CertificateClaim *claim) {
    for (uint32_t i = 0; i < target->pieces.count; i++) {
        const CodePiece *piece = &target->pieces.at[i];
        if (piece_is_alone(piece) && note_is_of(piece->text + piece->notes.at.at[0], claim))
            return piece;
    }
    return NULL;
}
