#include "base/str.h"

#include <string.h>

void str_init(StrTable *table, Arena *arena) {
    *table = (StrTable){.arena = arena};
    str_intern(table, "", 0);
}

static bool find(const StrTable *table, uint64_t hash, const char *text, size_t length,
                 Str *found) {
    uint32_t at = table_first(&table->table, hash), id;
    while ((id = table_id(&table->table, hash, &at)) != HASH_NONE) {
        const struct StrEntry *entry = &table->entries.at[id];
        *found = (Str){id};
        if (entry->length == length && (!length || memcmp(entry->text, text, length) == 0))
            return true;
    }
    return false;
}

bool str_find(const StrTable *table, const char *text, size_t length, Str *found) {
    return find(table, hash_bytes(text, length), text, length, found);
}

Str str_intern(StrTable *table, const char *text, size_t length) {
    uint64_t hash = hash_bytes(text, length);
    Str found;
    if (find(table, hash, text, length, &found)) return found;
    uint32_t id = table->entries.count;
    vec_push(table->arena, &table->entries,
             (struct StrEntry){.text = arena_text(table->arena, text, length),
                               .length = size_to_u32(length, "characters in one name")});
    table_insert(table->arena, &table->table, hash, id);
    return (Str){id};
}

Str str_of(StrTable *table, const char *text) {
    return str_intern(table, text, strlen(text));
}
