// Growable vectors of any element type, stored in an arena. `VEC(T)` is the type; `at` is the plain
// array, so that reading is ordinary indexing.
#pragma once

#include "base/arena.h"

#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *at;                                                                                  \
        uint32_t count;                                                                            \
        uint32_t capacity;                                                                         \
    }

// Appends one element.
#define vec_push(arena, vec, ...)                                                                  \
    (*((vec)->count == (vec)->capacity                                                             \
           ? ((vec)->at = vec_grow_((arena), (vec)->at, sizeof *(vec)->at, (vec)->count,           \
                                    &(vec)->capacity, 1),                                          \
              (vec)->at + (vec)->count++)                                                          \
           : (vec)->at + (vec)->count++) = __VA_ARGS__)

// Removes and yields the last element.
#define vec_pop(vec) ((vec)->at[--(vec)->count])

// Makes room for `extra` more elements and yields a pointer to the first; the count grows by that
// many.
#define vec_extend(arena, vec, extra)                                                              \
    ((vec)->at = vec_grow_((arena), (vec)->at, sizeof *(vec)->at, (vec)->count, &(vec)->capacity,  \
                           (size_t)(extra)),                                                       \
     (vec)->count += (uint32_t)(extra), (vec)->at + ((vec)->count - (uint32_t)(extra)))

#define vec_clear(vec) ((void)((vec)->count = 0))

// Behind the macros: ensures capacity for count + extra elements.
void *vec_grow_(Arena *arena, void *at, size_t element, uint32_t count, uint32_t *capacity,
                size_t extra);
