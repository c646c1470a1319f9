#include "elf/note.h"

#include "elf/elf.h"

#include <string.h>

static uint64_t word_at(const uint8_t *bytes) {
    return bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 | (uint64_t)bytes[3] << 24;
}

static uint64_t padded(uint64_t size) {
    return (size + 3) / 4 * 4;
}

// Walks the notes of a section; each is three words (sizes of name and contents, type), name,
// contents.
static bool walk_notes(Arena *arena, const Elf *elf, const ElfSection *section,
                       ObjectNotes *found) {
    enum { HEAD = 12 };
    for (uint64_t at = 0; section->size - at >= HEAD;) {
        const uint8_t *head = section->bytes + at;
        uint64_t name = word_at(head), size = word_at(head + 4), start = HEAD + padded(name);
        uint64_t left = section->size - at, whole = start + padded(size);
        if (whole > left) return false;
        if (name == sizeof NOTE_NAME && memcmp(head + HEAD, NOTE_NAME, sizeof NOTE_NAME) == 0 &&
            word_at(head + 8) == NOTE_TYPE_CERTIFICATE && size == NOTE_BYTES)
            vec_push(arena, &found->at, (uint64_t)(head + start - elf->bytes));
        at += whole;
    }
    return true;
}

static void find_functions(Arena *arena, const Elf *elf, ObjectNotes *found) {
    enum { SYMBOL_RESOLVER = 10 }; // a function that finds out which one is meant
    found->named = elf->symbols != NULL;
    for (uint32_t i = 0; i < elf->symbol_count; i++) {
        const ElfSymbol *symbol = &elf->symbols[i];
        if ((symbol->type == SYMBOL_FUNC || symbol->type == SYMBOL_RESOLVER) &&
            symbol->section != SECTION_UNDEFINED)
            vec_push(arena, &found->functions, symbol->name);
    }
}

bool notes_find(Arena *arena, const char *text, size_t length, ObjectNotes *notes) {
    Elf elf;
    const char *reason;
    uint64_t walked = 0;
    if (!elf_open(&elf, arena, text, length, &reason)) return false;
    *notes = (ObjectNotes){.linked = elf.type != ELF_RELOCATABLE};
    for (uint32_t s = 0; s < elf.section_count; s++) {
        const ElfSection *section = &elf.sections[s];
        if (section->type != SECTION_NOTE || strcmp(section->name, NOTE_SECTION) != 0) continue;
        // Sections may overlap, but not without end.
        walked += section->size;
        if (walked > length || !walk_notes(arena, &elf, section, notes)) return false;
    }
    find_functions(arena, &elf, notes);
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
