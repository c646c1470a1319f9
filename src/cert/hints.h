// Hints as text: one description of every hint type, and one reader and one writer for all of them.
//
// A hint is a list of columns of numbers. A column is a line
//
//     NAME: VALUE VALUE ...
//
// in which a value is a number, or `-` for no id, and may stand for several: `5+3` is 5 6 7 8, and
// `5*3` is 5 5 5 5. Columns that are empty are left out; the others come in the order of the
// description.
#pragma once

#include "base/out.h"
#include "base/vec.h"

#include <string.h>

// COLUMN  one member of the elements of a vector, or the elements themselves
// LISTS   of the elements of a vector: all members of their lists, one after the other
// NUMBER  one number
// BITS    the members of a set, ascending, after its size
typedef enum { HINT_COLUMN, HINT_LISTS, HINT_NUMBER, HINT_BITS } HintFieldKind;

typedef struct {
    const char *name;
    HintFieldKind kind;
    size_t at;       // where the vector, the number or the set is in the hint
    size_t element;  // COLUMN, LISTS: size of an element of the vector
    size_t member;   // COLUMN: where in the element; LISTS: where the pointer to the list is
    size_t count_at; // LISTS: where in the element the number of the list's members is
    size_t width;    // bytes of a number
    const char *(*words)(uint32_t value); // names of the numbers in texts; NULL if they have none
    bool registers; // the numbers are machine registers, named by the stream (tokens.h)
} HintField;

typedef struct {
    const HintField *fields;
    uint32_t count;
    size_t size; // of the hint
} HintShape;

// The shape of the hint of each pass of passes.def, in its order; NULL if it has none.
extern const HintShape *const hint_shapes[];
// The shapes of the two parts of a slice's hint (hints_slice.h).
extern const HintShape slice_symbols_shape, slice_function_shape;

void hint_write(Out *out, const HintShape *shape, const void *hint);

typedef struct {
    Arena *arena; // where the hint is made
    const char *text;
    uint32_t at, end; // the rest to read
    uint64_t budget;  // so many values may yet come from repetitions
    // After a failure:
    const char *problem;
} HintReader;

// Reads the lines of a hint, which end where a line does not start with blanks. NULL, with the
// problem and its place in `at`, if the lines are no hint of this shape.
void *hint_read(HintReader *reader, const HintShape *shape);

// ---- Columns as numbers, and the structure (hint_values.c)

typedef VEC(uint64_t) HintValues;

typedef struct {
    Arena *arena;        // where the hint is made
    uint64_t budget;     // so many bytes of sets may yet be made
    const char *problem; // after a failure
} HintStore;

// The largest value that a column can have.
uint64_t hint_most(const HintField *field);
// Puts the values of a column into a hint, in the order of the fields; and finds them there.
bool hint_store(HintStore *store, const HintField *field, char *hint, const HintValues *values);
void hint_collect(Arena *arena, const HintField *field, const void *hint, HintValues *values);

// The first members of every VEC.
typedef struct {
    void *at;
    uint32_t count;
    uint32_t capacity;
} HintVector;

static inline HintVector hint_vector(const void *from) {
    HintVector vector;
    memcpy(&vector, from, sizeof vector);
    return vector;
}

// A number of so many bytes.
static inline uint64_t hint_number(const void *from, size_t width) {
    uint64_t wide = 0;
    uint32_t word;
    uint16_t half;
    switch (width) {
    case 8: memcpy(&wide, from, 8); return wide;
    case 4: memcpy(&word, from, 4); return word;
    case 2: memcpy(&half, from, 2); return half;
    default: return *(const uint8_t *)from;
    }
}
