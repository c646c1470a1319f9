// Just as much of ELF as is needed to find a section by its name and to walk the notes in it. Every
// offset and size is compared with the length of the file before it is used.
#include "cert/note.h"

#include <string.h>

typedef struct {
    const unsigned char *bytes;
    uint64_t length;
} NotePiece;

// A little-endian number of so many bytes; the caller knows that they are there.
static uint64_t number_at(NotePiece piece, uint64_t at, uint32_t bytes) {
    uint64_t number = 0;
    for (uint32_t i = bytes; i-- > 0;) number = number << 8 | piece.bytes[at + i];
    return number;
}

static bool cut(NotePiece whole, uint64_t at, uint64_t length, NotePiece *part) {
    if (at > whole.length || length > whole.length - at) return false;
    *part = (NotePiece){.bytes = whole.bytes + at, .length = length};
    return true;
}

// ---- Sections

enum {
    ELF_HEADER = 64,
    SECTION_HEADER = 64,
    SECTION_NOTE = 7,    // SHT_NOTE
    ELF_RELOCATABLE = 1, // ET_REL
};

// The header of a section and its contents.
static bool section(NotePiece object, uint64_t index, NotePiece *header, NotePiece *contents) {
    uint64_t table = number_at(object, 0x28, 8);
    return index < UINT64_MAX / SECTION_HEADER / 2 && table < UINT64_MAX / 2 &&
           cut(object, table + index * SECTION_HEADER, SECTION_HEADER, header) &&
           cut(object, number_at(*header, 0x18, 8), number_at(*header, 0x20, 8), contents);
}

static bool is_named(NotePiece names, uint64_t at, const char *name) {
    NotePiece text;
    return cut(names, at, strlen(name) + 1, &text) && memcmp(text.bytes, name, text.length) == 0;
}

// ---- Notes

static uint64_t padded(uint64_t size) {
    return (size + 3) / 4 * 4;
}

// Walks the notes of a section; each is three words (sizes of name and contents, type), name, contents.
static bool walk_notes(Arena *arena, NotePiece object, NotePiece notes, ObjectNotes *found) {
    NotePiece head, name, contents;
    for (uint64_t at = 0; cut(notes, at, 12, &head);) {
        uint64_t name_size = number_at(head, 0, 4), size = number_at(head, 4, 4);
        if (!cut(notes, at + 12, name_size, &name) ||
            !cut(notes, at + 12 + padded(name_size), size, &contents))
            return false;
        if (is_named(name, 0, NOTE_NAME) && number_at(head, 8, 4) == NOTE_TYPE_CERTIFICATE &&
            size == NOTE_BYTES)
            vec_push(arena, &found->at, (uint64_t)(contents.bytes - object.bytes));
        at += 12 + padded(name_size) + padded(size);
    }
    return true;
}

bool notes_find(Arena *arena, const char *text, size_t length, ObjectNotes *notes) {
    static const unsigned char magic[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
    NotePiece object = {.bytes = (const unsigned char *)text, .length = length};
    NotePiece header, names, contents;
    if (length < ELF_HEADER || memcmp(text, magic, sizeof magic) != 0 ||
        number_at(object, 0x3a, 2) != SECTION_HEADER ||
        !section(object, number_at(object, 0x3e, 2), &header, &names))
        return false;
    *notes = (ObjectNotes){.linked = number_at(object, 0x10, 2) != ELF_RELOCATABLE};
    for (uint64_t i = 1; i < number_at(object, 0x3c, 2); i++)
        // What a section that is all zero claims to hold is not in the file: it is passed over.
        if (section(object, i, &header, &contents) && number_at(header, 4, 4) == SECTION_NOTE &&
            is_named(names, number_at(header, 0, 4), NOTE_SECTION) &&
            !walk_notes(arena, object, contents, notes))
            return false;
    return true;
}

Digest note_object_digest(const char *text, size_t length, uint64_t note) {
    static const char zeros[NOTE_BYTES] = {0};
    Sha256 sha = sha256_begin();
    sha256_add(&sha, text, note);
    sha256_add(&sha, zeros, NOTE_BYTES);
    sha256_add(&sha, text + note + NOTE_BYTES, length - note - NOTE_BYTES);
    return sha256_end(&sha);
}
