// Interned strings: equal text, equal id. Text may hold any bytes; it is also NUL-terminated.
#pragma once

#include "base/hash.h"
#include "base/vec.h"

typedef struct {
    uint32_t i;
} Str;

#define STR_NONE ((Str){0}) // the empty string is always id 0

typedef struct {
    Arena *arena;
    VEC(struct StrEntry {
        const char *text;
        uint32_t length;
    })
    entries;
    Table table;
} StrTable;

void str_init(StrTable *table, Arena *arena);
Str str_intern(StrTable *table, const char *text, size_t length);
// Whether a text is in the table; if so, its id.
bool str_find(const StrTable *table, const char *text, size_t length, Str *found);
Str str_of(StrTable *table, const char *text); // for NUL-terminated text

static inline const char *str_text(const StrTable *table, Str s) {
    return table->entries.at[s.i].text;
}
static inline uint32_t str_length(const StrTable *table, Str s) {
    return table->entries.at[s.i].length;
}
static inline bool str_same(Str a, Str b) {
    return a.i == b.i;
}
