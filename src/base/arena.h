// Arenas: memory with a named lifetime. Everything in gatecc that outlives a statement is allocated
// from an arena (program, function, pass, ...) and dies with it; nothing is freed one by one.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Arena Arena;

// A new, empty arena. The name appears in the out-of-memory message and in statistics.
Arena *arena_new(const char *name);
void arena_free(Arena *arena);

// Forgets everything allocated so far but keeps some memory for reuse.
void arena_reset(Arena *arena);

// Bytes handed out since creation or the last reset.
size_t arena_used(const Arena *arena);

// Zeroed memory, aligned for any object. Never returns NULL: out of memory ends the run with one
// line.
void *arena_alloc(Arena *arena, size_t size);

// Moves an allocation to a larger size, in place where possible. The added bytes are zero.
void *arena_grow(Arena *arena, void *old, size_t old_size, size_t new_size);

// A copy of size bytes.
void *arena_copy(Arena *arena, const void *from, size_t size);

// A NUL-terminated copy of length characters.
char *arena_text(Arena *arena, const char *from, size_t length);

// A formatted, NUL-terminated string.
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

// A zeroed array of count elements of a type; the multiplication is checked.
#define ARENA_ARRAY(arena, type, count)                                                            \
    ((type *)arena_alloc((arena), size_mul(sizeof(type), (size_t)(count))))
#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))

// Size arithmetic that ends the run instead of wrapping.
size_t size_mul(size_t a, size_t b);
size_t size_add(size_t a, size_t b);
uint32_t size_to_u32(size_t n, const char *what);

// Ends the run: one line on standard error, exit status 2. In the library it ends a call
// (lib/program_memory.h).
_Noreturn void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

// malloc and realloc for the few structures that manage their own memory; they never return NULL.
void *xmalloc(size_t size);
void *xrealloc(void *old, size_t size);
