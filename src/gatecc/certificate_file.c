#include "gatecc/certificate_file.h"

#include "certify/certify.h"
#include "elf/note.h"
#include "system/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

CertificateClaim certificate_note(const Out *text, Digest hash) {
    CertificateClaim claim = {.digests[DIGEST_CERTIFICATE] = hash};
    size_t first = strlen(CERTIFICATE_FIRST_LINE), end = text->length - CERTIFICATE_LAST_LINE;
    certificate_claim(text->text, &first, &end, &claim);
    return claim;
}

// Where the note of a fresh object is; 0 after a message.
static uint64_t find_note(Arena *arena, const char *object, Digest *digest) {
    char *text;
    size_t length;
    ObjectNotes notes;
    if (!read_file(arena, object, &text, &length)) {
        fprintf(stderr, "gatecc: error: cannot read '%s': %s\n", object, strerror(errno));
        return 0;
    }
    if (!notes_find(arena, text, length, &notes) || notes.at.count != 1) {
        fprintf(stderr, "gatecc: error: the assembler left no place in the object where it could "
                        "say which certificate it has\n");
        return 0;
    }
    *digest = note_object_digest(text, length, notes.at.at[0]);
    return notes.at.at[0];
}

static bool fill_note(const char *object, uint64_t at, const Digest *digests) {
    int file = open(object, O_WRONLY | O_CLOEXEC);
    bool good = file >= 0 && pwrite(file, digests, NOTE_BYTES, (off_t)at) == NOTE_BYTES;
    if (file >= 0) good = close(file) == 0 && good;
    if (!good) fprintf(stderr, "gatecc: error: cannot write '%s': %s\n", object, strerror(errno));
    return good;
}

bool certificate_write(Arena *arena, Out *text, const char *path, const char *object) {
    Digest digest, hash = {{0}};
    uint64_t note = find_note(arena, object, &digest);
    if (note) hash = certify_end(text, &digest);
    if (!note || !fill_note(object, note, certificate_note(text, hash).digests)) {
        out_free(text);
        return false;
    }
    return output_write(arena, text, path);
}
