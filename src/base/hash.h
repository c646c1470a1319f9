// Hash tables.
//   Table    finds an id (an index into the caller's array) by hash and a comparison that the
//            caller makes: the tool for interning anything.
//   Map      from 64-bit keys to 32-bit values.
// Both use open addressing over powers of two and never shrink.
#pragma once

#include "base/arena.h"

#define HASH_NONE UINT32_MAX

static inline uint64_t hash_mix(uint64_t h) {
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    return h ^ h >> 32;
}
static inline uint64_t hash_add(uint64_t h, uint64_t value) {
    return hash_mix(h ^ (value + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2)));
}
uint64_t hash_bytes(const void *data, size_t size);

typedef struct {
    struct TableSlot {
        uint32_t hash;
        uint32_t id; // HASH_NONE marks a free slot
    } * slots;
    uint32_t capacity; // a power of two, or 0
    uint32_t count;
} Table;

// Walks the ids filed under a hash. Usage:
//   for (uint32_t at = table_first(&t, h); (id = table_id(&t, h, &at)) != HASH_NONE;)
//       if (same(id)) return id;
static inline uint32_t table_first(const Table *table, uint64_t hash) {
    return table->capacity ? (uint32_t)hash & (table->capacity - 1) : 0;
}
// The next id at or after *at whose stored hash agrees, advancing *at past it; HASH_NONE at the
// end.
uint32_t table_id(const Table *table, uint64_t hash, uint32_t *at);
// Files a new id under a hash.
void table_insert(Arena *arena, Table *table, uint64_t hash, uint32_t id);
// Empties it; its capacity stays.
void table_clear(Table *table);

typedef struct {
    struct MapSlot {
        uint64_t key;
        uint32_t value; // HASH_NONE marks a free slot
    } * slots;
    uint32_t capacity;
    uint32_t count;
} Map;

// The value of a key, or HASH_NONE.
uint32_t map_get(const Map *map, uint64_t key);
// Sets the value (not HASH_NONE) of a key.
void map_set(Arena *arena, Map *map, uint64_t key, uint32_t value);
