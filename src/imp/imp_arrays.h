// Arrays as values: integers at all indices, of which any version stays readable. The newest one is
// as quick as a table; an older one pays for the way between them (Baker's version trees).
#pragma once

#include "base/arena.h"
#include "base/hash.h"
#include "base/vec.h"
#include "form/value.h"

// A version: the one it was made from, but for one element. Of the version that the table holds,
// `from` is NULL.
typedef struct ImpVersion {
    struct ImpVersion *from;
    uint64_t index;
    Value value; // the element of this version at `index`
    struct ImpTable *table;
} ImpVersion;

ImpVersion *imp_array_new(Arena *arena); // 0 everywhere
Value imp_array_read(Arena *arena, ImpVersion *version, uint64_t index);
ImpVersion *imp_array_write(Arena *arena, ImpVersion *version, uint64_t index, Value value);
// The same array, changed: only if nobody else has it or an older version of it.
void imp_array_set(Arena *arena, ImpVersion *version, uint64_t index, Value value);
