// Identifiers: one object per name, and the characters beyond ASCII that names may have.
#include "base/spelling.h"
#include "c/preprocess/pp_private.h"

#include <string.h>

void ident_grow(Pp *pp) {
    IdentSlot *old = pp->idents;
    uint32_t old_capacity = pp->ident_capacity;
    pp->ident_capacity = old_capacity ? old_capacity * 2 : 4096;
    pp->idents = ARENA_ARRAY(pp->arena, IdentSlot, pp->ident_capacity);
    for (uint32_t i = 0; i < old_capacity; i++) {
        if (!old[i].ident) continue;
        uint32_t at = old[i].hash & (pp->ident_capacity - 1);
        while (pp->idents[at].ident) at = (at + 1) & (pp->ident_capacity - 1);
        pp->idents[at] = old[i];
    }
}

static Ident *new_ident(Pp *pp, IdentSlot *slot, uint32_t hash, const char *text, size_t length) {
    Ident *ident = ARENA_NEW(pp->arena, Ident);
    ident->name = str_intern(pp->strings, text, length);
    ident->text = str_text(pp->strings, ident->name);
    ident->length = size_to_u32(length, "characters in one name");
    *slot = (IdentSlot){.hash = hash, .ident = ident};
    if (++pp->ident_count > pp->ident_capacity / 2) ident_grow(pp);
    return ident;
}

Ident *ident_find(Pp *pp, const char *text, size_t length, uint32_t hash) {
    hash *= 0x9e3779b1u;
    hash ^= hash >> 15;
    uint32_t at = hash & (pp->ident_capacity - 1);
    for (;; at = (at + 1) & (pp->ident_capacity - 1)) {
        IdentSlot *slot = &pp->idents[at];
        if (!slot->ident) return new_ident(pp, slot, hash, text, length);
        if (slot->hash == hash && slot->ident->length == length &&
            memcmp(slot->ident->text, text, length) == 0)
            return slot->ident;
    }
}

Ident *pp_ident(Pp *pp, const char *name, size_t length) {
    uint32_t hash = 0;
    for (size_t i = 0; i < length; i++) hash = ident_hash(hash, name[i]);
    return ident_find(pp, name, length, hash);
}

uint32_t ident_decode_utf8(const char *p, const char *end, unsigned *length) {
    unsigned char c = (unsigned char)*p;
    unsigned n = c >= 0xf0 && c < 0xf8 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 0;
    if (!n || c >= 0xf8 || (size_t)(end - p) < n) return 0;
    uint32_t code = c & (0xffu >> (n + 1));
    for (unsigned i = 1; i < n; i++) {
        unsigned char next = (unsigned char)p[i];
        if ((next & 0xc0) != 0x80) return 0;
        code = code << 6 | (next & 0x3f);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0;
    *length = n;
    return code;
}

// \uXXXX or \UXXXXXXXX at p; 0 if there is none.
static uint32_t decode_ucn(const char *p, unsigned *length) {
    if (p[0] != '\\' || (p[1] != 'u' && p[1] != 'U')) return 0;
    unsigned digits = p[1] == 'u' ? 4 : 8;
    uint32_t code = 0;
    for (unsigned i = 0; i < digits; i++) {
        char c = p[2 + i];
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                                : 16;
        if (digit == 16 || code >> 28) return 0;
        code = code << 4 | digit;
    }
    *length = digits + 2;
    return code;
}

// Characters that may stand in identifiers: C11, annex D, and $ written as \u0024.
static bool in_identifier(uint32_t code, bool first) {
    static const struct {
        uint32_t from, to;
    } allowed[] = {{0x24, 0x24},     {0xa8, 0xa8},       {0xaa, 0xaa},       {0xad, 0xad},
                   {0xaf, 0xaf},     {0xb2, 0xb5},       {0xb7, 0xba},       {0xbc, 0xbe},
                   {0xc0, 0xd6},     {0xd8, 0xf6},       {0xf8, 0x167f},     {0x1681, 0x180d},
                   {0x180f, 0x1fff}, {0x200b, 0x200d},   {0x202a, 0x202e},   {0x203f, 0x2040},
                   {0x2054, 0x2054}, {0x2060, 0x218f},   {0x2460, 0x24ff},   {0x2776, 0x2793},
                   {0x2c00, 0x2dff}, {0x2e80, 0x2fff},   {0x3004, 0x3007},   {0x3021, 0x302f},
                   {0x3031, 0xd7ff}, {0xf900, 0xfd3d},   {0xfd40, 0xfdcf},   {0xfdf0, 0xfe44},
                   {0xfe47, 0xfffd}, {0x10000, 0x1fffd}, {0x20000, 0x2fffd}, {0x30000, 0xefffd}};
    if (first && ((code >= 0x300 && code <= 0x36f) || (code >= 0x1dc0 && code <= 0x1dff) ||
                  (code >= 0x20d0 && code <= 0x20ff) || (code >= 0xfe20 && code <= 0xfe2f)))
        return false;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (code >= allowed[i].from && code <= allowed[i].to) return (code & 0xffff) < 0xfffe;
    return false;
}

unsigned ident_extended(const char *p, const char *end, bool first, uint32_t *code) {
    unsigned length = 0;
    if ((unsigned char)*p >= 0x80)
        *code = ident_decode_utf8(p, end, &length);
    else if (*p == '\\')
        *code = decode_ucn(p, &length);
    return length && in_identifier(*code, first) ? length : 0;
}

void text_add_utf8(Pp *pp, uint32_t code) {
    char bytes[4];
    size_t n = 0;
    if (code < 0x80) {
        bytes[n++] = (char)code;
    } else if (code < 0x800) {
        bytes[n++] = (char)(0xc0 | code >> 6);
        bytes[n++] = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        bytes[n++] = (char)(0xe0 | code >> 12);
        bytes[n++] = (char)(0x80 | (code >> 6 & 0x3f));
        bytes[n++] = (char)(0x80 | (code & 0x3f));
    } else {
        bytes[n++] = (char)(0xf0 | code >> 18);
        bytes[n++] = (char)(0x80 | (code >> 12 & 0x3f));
        bytes[n++] = (char)(0x80 | (code >> 6 & 0x3f));
        bytes[n++] = (char)(0x80 | (code & 0x3f));
    }
    text_add(pp, bytes, n);
}

uint32_t pp_try_macros(Pp *pp, struct Spelling *spelling) {
    for (uint32_t i = 0; i < pp->ident_capacity; i++) {
        const Ident *ident = pp->idents[i].ident;
        if (ident && ident->macro && ident->text[0] != '_') spelling_try(spelling, ident->text);
    }
    return pp->ident_capacity;
}
