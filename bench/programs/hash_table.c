// A hash table with open addressing that grows, from strings to counts.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *key;
    uint32_t hash;
    int count;
} Slot;

typedef struct {
    Slot *slots;
    size_t capacity;
    size_t used;
} Table;

static uint32_t hash_of(const char *key) {
    uint32_t hash = 2166136261u;
    for (; *key; key++) hash = (hash ^ (unsigned char)*key) * 16777619u;
    return hash;
}

static Slot *find(const Table *table, const char *key, uint32_t hash) {
    size_t mask = table->capacity - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        Slot *slot = &table->slots[i];
        if (!slot->key || (slot->hash == hash && strcmp(slot->key, key) == 0)) return slot;
    }
}

static void grow(Table *table) {
    Table larger = {.capacity = table->capacity ? table->capacity * 2 : 16, .used = table->used};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (!larger.slots) exit(1);
    for (size_t i = 0; i < table->capacity; i++)
        if (table->slots[i].key)
            *find(&larger, table->slots[i].key, table->slots[i].hash) = table->slots[i];
    free(table->slots);
    *table = larger;
}

static void count_key(Table *table, const char *key) {
    if (table->used * 4 >= table->capacity * 3) grow(table);
    uint32_t hash = hash_of(key);
    Slot *slot = find(table, key, hash);
    if (!slot->key) {
        size_t size = strlen(key) + 1;
        char *copy = malloc(size);
        if (!copy) exit(1);
        memcpy(copy, key, size);
        *slot = (Slot){.key = copy, .hash = hash};
        table->used++;
    }
    slot->count++;
}

static void make_key(char *key, uint32_t number) {
    int length = 0;
    do {
        key[length++] = (char)('a' + number % 26);
        number /= 26;
    } while (number);
    strcpy(key + length, "_key");
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 6;
    uint32_t sum = 0;
    for (int round = 0; round < rounds; round++) {
        Table table = {0};
        uint32_t seed = (uint32_t)round;
        for (int i = 0; i < 500000; i++) {
            char key[32];
            seed = seed * 1664525 + 1013904223;
            make_key(key, (seed >> 8) % 70000 * ((seed >> 3) % 3 + 1));
            count_key(&table, key);
        }
        int most = 0;
        for (size_t i = 0; i < table.capacity; i++) {
            if (table.slots[i].count > most) most = table.slots[i].count;
            free(table.slots[i].key);
        }
        sum = sum * 31 + (uint32_t)table.used + (uint32_t)most;
        free(table.slots);
    }
    printf("%08x\n", (unsigned)sum);
    return 0;
}
