// An arena is a list of chunks. Small requests are cut from the newest chunk; a large one gets a
// chunk of its own, which arena_grow can hand to realloc so that a big vector doubles without
// garbage.
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16, FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

typedef struct ArenaChunk {
    struct ArenaChunk *next;
    size_t capacity;
    size_t used;
    _Alignas(ALIGNMENT) unsigned char data[];
} ArenaChunk;

struct Arena {
    const char *name;
    ArenaChunk *chunks; // the chunk that serves small requests, with older chunks behind it
    ArenaChunk *large;  // dedicated chunks
    size_t used;
};

size_t size_mul(size_t a, size_t b) {
    bool small = (a | b) >> 31 == 0; // nearly always, and cheaper than to divide
    if (!small && b != 0 && a > SIZE_MAX / 2 / b)
        fatal("out of memory (%zu times %zu bytes)", a, b);
    return a * b;
}

size_t size_add(size_t a, size_t b) {
    if (a > SIZE_MAX / 2 - b) fatal("out of memory (%zu plus %zu bytes)", a, b);
    return a + b;
}

uint32_t size_to_u32(size_t n, const char *what) {
    if (n >= UINT32_MAX) fatal("too many %s (%zu)", what, n);
    return (uint32_t)n;
}

void *xmalloc(size_t size) {
    return xrealloc(NULL, size);
}

void *xrealloc(void *old, size_t size) {
    void *memory = realloc(old, size ? size : 1);
    if (!memory) fatal("out of memory (%zu bytes)", size);
    return memory;
}

Arena *arena_new(const char *name) {
    Arena *arena = xmalloc(sizeof *arena);
    *arena = (Arena){.name = name};
    return arena;
}

static void free_chunks(ArenaChunk *chunk) {
    while (chunk) {
        ArenaChunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
}

void arena_free(Arena *arena) {
    if (!arena) return;
    free_chunks(arena->chunks);
    free_chunks(arena->large);
    free(arena);
}

void arena_reset(Arena *arena) {
    free_chunks(arena->large);
    arena->large = NULL;
    if (arena->chunks) {
        free_chunks(arena->chunks->next);
        arena->chunks->next = NULL;
        arena->chunks->used = 0;
    }
    arena->used = 0;
}

size_t arena_used(const Arena *arena) {
    return arena->used;
}

static ArenaChunk *new_chunk(Arena *arena, size_t capacity) {
    ArenaChunk *chunk = malloc(size_add(sizeof(ArenaChunk), capacity));
    if (!chunk) fatal("out of memory (arena '%s', %zu bytes)", arena->name, capacity);
    *chunk = (ArenaChunk){.capacity = capacity};
    return chunk;
}

static void *alloc_large(Arena *arena, size_t size) {
    ArenaChunk *chunk = calloc(1, size_add(sizeof(ArenaChunk), size));
    if (!chunk) fatal("out of memory (arena '%s', %zu bytes)", arena->name, size);
    *chunk = (ArenaChunk){.next = arena->large, .capacity = size, .used = size};
    arena->large = chunk;
    return chunk->data;
}

static size_t rounded(size_t size) {
    return size_add(size, ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

void *arena_alloc(Arena *arena, size_t size) {
    size = rounded(size);
    arena->used += size;
    if (size >= LARGEST_CHUNK / 4) return alloc_large(arena, size);
    ArenaChunk *chunk = arena->chunks;
    if (!chunk || chunk->capacity - chunk->used < size) {
        size_t capacity = chunk ? chunk->capacity * 2 : FIRST_CHUNK;
        if (capacity > LARGEST_CHUNK) capacity = LARGEST_CHUNK;
        if (capacity < size) capacity = size;
        chunk = new_chunk(arena, capacity);
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    void *memory = chunk->data + chunk->used;
    chunk->used += size;
    return memset(memory, 0, size);
}

// A dedicated chunk is near the head of the list while it keeps growing; beyond a few steps it is
// not searched for.
static void *grow_large(Arena *arena, void *old, size_t old_size, size_t new_size) {
    enum { STEPS = 16 };
    ArenaChunk **link = &arena->large;
    for (int i = 0; i < STEPS && *link && (*link)->data != (unsigned char *)old; i++)
        link = &(*link)->next;
    if (!*link || (*link)->data != (unsigned char *)old) return NULL;
    ArenaChunk *chunk = realloc(*link, size_add(sizeof(ArenaChunk), new_size));
    if (!chunk) fatal("out of memory (arena '%s', %zu bytes)", arena->name, new_size);
    memset(chunk->data + old_size, 0, new_size - old_size);
    arena->used += new_size - chunk->capacity;
    chunk->capacity = chunk->used = new_size;
    *link = chunk;
    return chunk->data;
}

// The newest small allocation can be extended where it stands.
static bool grow_in_place(Arena *arena, const void *old, size_t old_size, size_t new_size) {
    ArenaChunk *chunk = arena->chunks;
    if (!chunk || chunk->used < old_size) return false;
    unsigned char *end = chunk->data + chunk->used;
    if ((const unsigned char *)old != end - old_size) return false;
    if (chunk->capacity - chunk->used < new_size - old_size) return false;
    memset(end, 0, new_size - old_size);
    chunk->used += new_size - old_size;
    arena->used += new_size - old_size;
    return true;
}

void *arena_grow(Arena *arena, void *old, size_t old_size, size_t new_size) {
    if (!old) return arena_alloc(arena, new_size);
    size_t old_rounded = rounded(old_size), new_rounded = rounded(new_size);
    if (new_rounded <= old_rounded) return old;
    if (old_rounded >= LARGEST_CHUNK / 4) {
        void *grown = grow_large(arena, old, old_rounded, new_rounded);
        if (grown) return grown;
    } else if (grow_in_place(arena, old, old_rounded, new_rounded)) {
        return old;
    }
    void *memory = arena_alloc(arena, new_size);
    memcpy(memory, old, old_size);
    return memory;
}

void *arena_copy(Arena *arena, const void *from, size_t size) {
    void *memory = arena_alloc(arena, size);
    if (size) memcpy(memory, from, size);
    return memory;
}

char *arena_text(Arena *arena, const char *from, size_t length) {
    char *text = arena_alloc(arena, size_add(length, 1));
    if (length) memcpy(text, from, length);
    return text;
}

char *arena_printf(Arena *arena, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0) fatal("cannot format a message");
    char *text = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
