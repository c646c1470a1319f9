// The JSON that a served page sends: an object whose members are texts or lists of texts. Nothing
// else is understood.
#pragma once

#include "base/vec.h"

typedef struct {
    const char *text; // NUL-terminated, without a NUL inside
    size_t length;
} JsonText;

typedef struct {
    JsonText name;
    bool list;
    VEC(JsonText) texts; // a single text, unless it is a list
} JsonMember;

typedef struct {
    VEC(JsonMember) members;
    const char *mistake; // NULL if it was read
} JsonObject;

// Takes time in proportion to the text and does not nest.
JsonObject json_read(Arena *arena, const char *text, size_t length);
// The member of a name that is, or is not, a list; NULL if there is none.
const JsonMember *json_member(const JsonObject *object, const char *name, bool list);
