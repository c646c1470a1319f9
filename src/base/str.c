#include "base/str.h"

#include <string.h>

void str_init(StrTable *table, Arena *arena) {
    *table = (StrTable){.arena = arena};
    str_intern(table, "", 0);
}

Str str_intern(StrTable *table, const char *text, size_t length) {
    uint64_t hash = hash_bytes(text, length);
    uint32_t at = table_first(&table->table, hash), id;
    while ((id = table_id(&table->table, hash, &at)) != HASH_NONE) {
        const struct StrEntry *entry = &table->entries.at[id];
        bool same = entry->length == length && (!length || memcmp(entry->text, text, length) == 0);
        if (same) return (Str){id};
    }
    id = table->entries.count;
    vec_push(table->arena, &table->entries,
             (struct StrEntry){.text = arena_text(table->arena, text, length),
                               .length = size_to_u32(length, "characters in one name")});
    table_insert(table->arena, &table->table, hash, id);
    return (Str){id};
}

Str str_of(StrTable *table, const char *text) {
    return str_intern(table, text, strlen(text));
}
