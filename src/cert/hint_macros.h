// How the fields of hints are described, for the files that do so.
#pragma once

#include "cert/hints.h"

#include <stddef.h>

#define WIDTH_OF(type, member) sizeof(((type *)NULL)->member)

// A vector of numbers or ids.
#define VECTOR(Hint, vector)                                                                       \
    {                                                                                              \
        .name = #vector, .kind = HINT_COLUMN, .at = offsetof(Hint, vector),                        \
        .element = WIDTH_OF(Hint, vector.at[0]), .width = WIDTH_OF(Hint, vector.at[0])             \
    }
// One member of a vector of structures. The members of one vector stand next to each other.
#define COLUMN(Hint, vector, Element, part)                                                        \
    {                                                                                              \
        .name = #vector "." #part, .kind = HINT_COLUMN, .at = offsetof(Hint, vector),              \
        .element = sizeof(Element), .member = offsetof(Element, part),                             \
        .width = WIDTH_OF(Element, part)                                                           \
    }
// Lists that the elements of a vector have, with the member that counts; behind the columns.
#define LISTS(Hint, vector, Element, part, number)                                                 \
    {                                                                                              \
        .name = #vector "." #part, .kind = HINT_LISTS, .at = offsetof(Hint, vector),               \
        .element = sizeof(Element), .member = offsetof(Element, part),                             \
        .count_at = offsetof(Element, number), .width = WIDTH_OF(Element, part[0])                 \
    }
#define NUMBER(Hint, part)                                                                         \
    {                                                                                              \
        .name = #part, .kind = HINT_NUMBER, .at = offsetof(Hint, part),                            \
        .width = WIDTH_OF(Hint, part)                                                              \
    }
#define BITS(Hint, part)                                                                           \
    { .name = #part, .kind = HINT_BITS, .at = offsetof(Hint, part) }
