// <ctype.h> and a little of <wctype.h> and <wchar.h>, in the C locale.
//
// The host's own functions and tables answer, so that even the bits of the results agree.
#include "run/world/externals.h"

#include <ctype.h>
#include <wctype.h>

// The tables behind <ctype.h> reach from -128 to 255.
enum { TABLE_FIRST = -128, TABLE_COUNT = 384 };

static bool in_range(ExternalCall *call) {
    int32_t c = arg_int(call, 0);
    if (c >= TABLE_FIRST && c < TABLE_FIRST + TABLE_COUNT) return true;
    external_wrong(call, "%d is neither a character nor EOF", c);
    return false;
}

#define CLASS(name)                                                                                \
    void external_##name(ExternalCall *call) {                                                     \
        if (in_range(call)) give_i32(call, name(arg_int(call, 0)));                                \
    }
CLASS(isalnum)
CLASS(isalpha)
CLASS(isblank)
CLASS(iscntrl)
CLASS(isdigit)
CLASS(isgraph)
CLASS(islower)
CLASS(isprint)
CLASS(ispunct)
CLASS(isspace)
CLASS(isupper)
CLASS(isxdigit)
CLASS(tolower)
CLASS(toupper)
#undef CLASS

void external_isascii(ExternalCall *call) {
    give_i32(call, arg_i32(call, 0) < 128);
}
void external_toascii(ExternalCall *call) {
    give_i32(call, (int32_t)(arg_i32(call, 0) & 127));
}

// The address of a pointer to the middle of a table.
static void give_table(ExternalCall *call, StaticObject which, const void *bytes, uint32_t width) {
    World *world = call->world;
    if (!world->files->statics[which]) {
        uint64_t table = external_object(world, "ctype", bytes, TABLE_COUNT * width);
        uint64_t middle = table + (uint64_t)-TABLE_FIRST * width;
        external_static(world, which, "ctype", &middle, sizeof middle);
    }
    give_i64(call, world->files->statics[which]);
}

void external_ctype_b_loc(ExternalCall *call) {
    give_table(call, STATIC_CTYPE, *__ctype_b_loc() + TABLE_FIRST, 2);
}
void external_ctype_tolower_loc(ExternalCall *call) {
    give_table(call, STATIC_LOWER, *__ctype_tolower_loc() + TABLE_FIRST, 4);
}
void external_ctype_toupper_loc(ExternalCall *call) {
    give_table(call, STATIC_UPPER, *__ctype_toupper_loc() + TABLE_FIRST, 4);
}

// ---- Wide characters

#define WIDE(name)                                                                                 \
    void external_##name(ExternalCall *call) {                                                     \
        give_i32(call, (int32_t)name(arg_i32(call, 0)));                                           \
    }
WIDE(iswalnum)
WIDE(iswalpha)
WIDE(iswdigit)
WIDE(iswlower)
WIDE(iswprint)
WIDE(iswpunct)
WIDE(iswspace)
WIDE(iswupper)
WIDE(towlower)
WIDE(towupper)
#undef WIDE

static bool wide_string_length(ExternalCall *call, uint64_t address, uint64_t *length) {
    Value c;
    for (*length = 0;; ++*length) {
        if (!external_load(call, CHUNK_I32, address + *length * 4, &c)) return false;
        if (!as_i32(c)) return true;
    }
}

void external_wcslen(ExternalCall *call) {
    uint64_t length;
    if (wide_string_length(call, arg_i64(call, 0), &length)) give_i64(call, length);
}

void external_wcscpy(ExternalCall *call) {
    uint64_t length;
    if (wide_string_length(call, arg_i64(call, 1), &length) &&
        external_copy(call, arg_i64(call, 0), arg_i64(call, 1), (length + 1) * 4))
        give_i64(call, arg_i64(call, 0));
}

void external_wcscat(ExternalCall *call) {
    uint64_t before, length;
    if (wide_string_length(call, arg_i64(call, 0), &before) &&
        wide_string_length(call, arg_i64(call, 1), &length) &&
        external_copy(call, arg_i64(call, 0) + before * 4, arg_i64(call, 1), (length + 1) * 4))
        give_i64(call, arg_i64(call, 0));
}

void external_wcscmp(ExternalCall *call) {
    for (uint64_t i = 0;; i++) {
        Value a, b;
        if (!external_load(call, CHUNK_I32, arg_i64(call, 0) + i * 4, &a) ||
            !external_load(call, CHUNK_I32, arg_i64(call, 1) + i * 4, &b))
            return;
        int32_t x = (int32_t)as_i32(a), y = (int32_t)as_i32(b);
        if (x == y && x) continue;
        give_i32(call, (x > y) - (x < y));
        return;
    }
}

void external_wcschr(ExternalCall *call) {
    for (uint64_t address = arg_i64(call, 0);; address += 4) {
        Value c;
        if (!external_load(call, CHUNK_I32, address, &c)) return;
        if (as_i32(c) == arg_i32(call, 1)) give_i64(call, address);
        if (as_i32(c) == arg_i32(call, 1) || !as_i32(c)) return;
    }
}
