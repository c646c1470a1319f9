// The numbers that a function is made of: for tests that change one of them.
#pragma once

#include "form/program.h"

typedef struct {
    const char *name;
    size_t offset, size;
    uint32_t values; // 2 of a bool; 0: any number
} Field;

// A vector of a function, to be found again in each copy.
typedef struct {
    const char *name;
    const Field *fields;
    uint32_t field_count;
    size_t element;
    char *at;
    uint32_t count;
} Part;

enum { MOST_PARTS = 24 };

// All vectors of a function, in an order that depends on its form alone; how many there are.
uint32_t parts_of(Func *func, Part *parts);

// The field of one element.
static inline char *part_field(const Part *part, uint32_t element, const Field *field) {
    return part->at + element * part->element + field->offset;
}
