#include "base/hash.h"

#include <string.h>

uint64_t hash_bytes(const void *data, size_t size) {
    const unsigned char *bytes = data;
    uint64_t hash = size * 0x9e3779b97f4a7c15u;
    for (; size >= 8; size -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = (hash ^ word) * 0xd6e8feb86659fd93u;
        hash ^= hash >> 29;
    }
    uint64_t rest = 0;
    if (size) memcpy(&rest, bytes, size);
    return hash_mix(hash ^ rest);
}

// Tables grow when they are three quarters full; maps likewise.
static uint32_t larger_capacity(uint32_t capacity) {
    if (capacity >= (uint32_t)1 << 31) fatal("out of memory (hash table)");
    return capacity ? capacity * 2 : 16;
}

static bool crowded(uint32_t count, uint32_t capacity) {
    return count >= capacity - capacity / 4;
}

uint32_t table_id(const Table *table, uint64_t hash, uint32_t *at) {
    if (!table->capacity) return HASH_NONE;
    for (;;) {
        const struct TableSlot *slot = &table->slots[*at];
        if (slot->id == HASH_NONE) return HASH_NONE;
        *at = (*at + 1) & (table->capacity - 1);
        if (slot->hash == (uint32_t)hash) return slot->id;
    }
}

static void table_place(Table *table, uint32_t hash, uint32_t id) {
    uint32_t at = table_first(table, hash);
    while (table->slots[at].id != HASH_NONE) at = (at + 1) & (table->capacity - 1);
    table->slots[at] = (struct TableSlot){.hash = hash, .id = id};
}

void table_insert(Arena *arena, Table *table, uint64_t hash, uint32_t id) {
    if (crowded(table->count, table->capacity)) {
        Table old = *table;
        table->capacity = larger_capacity(old.capacity);
        table->slots = ARENA_ARRAY(arena, struct TableSlot, table->capacity);
        memset(table->slots, 0xff, table->capacity * sizeof *table->slots);
        for (uint32_t i = 0; i < old.capacity; i++)
            if (old.slots[i].id != HASH_NONE)
                table_place(table, old.slots[i].hash, old.slots[i].id);
    }
    table_place(table, (uint32_t)hash, id);
    table->count++;
}

void table_clear(Table *table) {
    if (table->capacity) memset(table->slots, 0xff, table->capacity * sizeof *table->slots);
    table->count = 0;
}

// The slot that holds a key or where it would go.
static struct MapSlot *map_slot(const Map *map, uint64_t key) {
    uint32_t at = (uint32_t)hash_mix(key) & (map->capacity - 1);
    while (map->slots[at].value != HASH_NONE && map->slots[at].key != key)
        at = (at + 1) & (map->capacity - 1);
    return &map->slots[at];
}

uint32_t map_get(const Map *map, uint64_t key) {
    return map->capacity ? map_slot(map, key)->value : HASH_NONE;
}

void map_set(Arena *arena, Map *map, uint64_t key, uint32_t value) {
    if (crowded(map->count, map->capacity)) {
        Map old = *map;
        map->capacity = larger_capacity(old.capacity);
        map->slots = ARENA_ARRAY(arena, struct MapSlot, map->capacity);
        for (uint32_t i = 0; i < map->capacity; i++) map->slots[i].value = HASH_NONE;
        for (uint32_t i = 0; i < old.capacity; i++)
            if (old.slots[i].value != HASH_NONE) *map_slot(map, old.slots[i].key) = old.slots[i];
    }
    struct MapSlot *slot = map_slot(map, key);
    if (slot->value == HASH_NONE) map->count++;
    *slot = (struct MapSlot){.key = key, .value = value};
}
