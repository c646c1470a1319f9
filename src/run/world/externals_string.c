// <string.h> and <strings.h>.
//
// Functions that stop early natively (strcmp at the first difference, strchr at the first match)
// look at no byte beyond that point, so that neither their cost nor what they refuse differs.
// Comparisons give the difference of the bytes, as glibc does. Copies carry undefined
// bytes along; everything else refuses them.
#include "run/world/externals.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

// ---- Copying and filling

static bool overlap(uint64_t a, uint64_t b, uint64_t size) {
    return a < b ? b - a < size : a - b < size;
}

// Copying something onto itself is left alone: compilers make such calls for assignments.
static bool copy_disjoint(ExternalCall *call, uint64_t to, uint64_t from, uint64_t size) {
    if (to != from && overlap(to, from, size)) {
        external_wrong(call, "source and destination overlap");
        return false;
    }
    return external_copy(call, to, from, size);
}

void external_memcpy(ExternalCall *call) {
    if (copy_disjoint(call, arg_i64(call, 0), arg_i64(call, 1), arg_i64(call, 2)))
        give_i64(call, arg_i64(call, 0));
}

void external_mempcpy(ExternalCall *call) {
    if (copy_disjoint(call, arg_i64(call, 0), arg_i64(call, 1), arg_i64(call, 2)))
        give_i64(call, arg_i64(call, 0) + arg_i64(call, 2));
}

void external_memmove(ExternalCall *call) {
    if (external_copy(call, arg_i64(call, 0), arg_i64(call, 1), arg_i64(call, 2)))
        give_i64(call, arg_i64(call, 0));
}

void external_bcopy(ExternalCall *call) {
    external_copy(call, arg_i64(call, 1), arg_i64(call, 0), arg_i64(call, 2));
}

void external_memset(ExternalCall *call) {
    uint8_t *to = external_write(call, arg_i64(call, 0), arg_i64(call, 2));
    if (!to) return;
    if (arg_i64(call, 2)) memset(to, arg_int(call, 1), arg_i64(call, 2));
    give_i64(call, arg_i64(call, 0));
}

void external_bzero(ExternalCall *call) {
    uint8_t *to = external_write(call, arg_i64(call, 0), arg_i64(call, 1));
    if (to && arg_i64(call, 1)) memset(to, 0, arg_i64(call, 1));
}

// Copies the string at `from`, with its NUL, to `to`.
static bool copy_string(ExternalCall *call, uint64_t to, uint64_t from, uint64_t *length) {
    return external_string(call, from, length) && copy_disjoint(call, to, from, *length + 1);
}

void external_strcpy(ExternalCall *call) {
    uint64_t length;
    if (copy_string(call, arg_i64(call, 0), arg_i64(call, 1), &length))
        give_i64(call, arg_i64(call, 0));
}

void external_stpcpy(ExternalCall *call) {
    uint64_t length;
    if (copy_string(call, arg_i64(call, 0), arg_i64(call, 1), &length))
        give_i64(call, arg_i64(call, 0) + length);
}

void external_strcat(ExternalCall *call) {
    uint64_t before, length;
    if (external_string(call, arg_i64(call, 0), &before) &&
        copy_string(call, arg_i64(call, 0) + before, arg_i64(call, 1), &length))
        give_i64(call, arg_i64(call, 0));
}

// The length of a string of which only `limit` bytes are looked at.
static bool bounded_length(ExternalCall *call, uint64_t address, uint64_t limit, uint64_t *length) {
    *length = 0;
    if (!limit) return true;
    Bytes bytes;
    return bytes_at(call, address, &bytes) && bytes_length(call, &bytes, limit, length);
}

// Copies at most size bytes of a string and fills up with NULs.
static bool copy_bounded(ExternalCall *call, uint64_t to, uint64_t from, uint64_t size,
                         uint64_t *length) {
    if (!bounded_length(call, from, size, length) || !copy_disjoint(call, to, from, *length))
        return false;
    uint8_t *rest = external_write(call, to + *length, size - *length);
    if (!rest) return false;
    if (size > *length) memset(rest, 0, size - *length);
    return true;
}

void external_strncpy(ExternalCall *call) {
    uint64_t length;
    if (copy_bounded(call, arg_i64(call, 0), arg_i64(call, 1), arg_i64(call, 2), &length))
        give_i64(call, arg_i64(call, 0));
}

void external_stpncpy(ExternalCall *call) {
    uint64_t length;
    if (copy_bounded(call, arg_i64(call, 0), arg_i64(call, 1), arg_i64(call, 2), &length))
        give_i64(call, arg_i64(call, 0) + length);
}

void external_strncat(ExternalCall *call) {
    uint64_t before, length, to = arg_i64(call, 0);
    if (external_string(call, to, &before) &&
        bounded_length(call, arg_i64(call, 1), arg_i64(call, 2), &length) &&
        copy_disjoint(call, to + before, arg_i64(call, 1), length) &&
        external_put(call, to + before + length, "", 1))
        give_i64(call, to);
}

// glibc's strxfrm in the C locale: a copy as far as there is room.
void external_strxfrm(ExternalCall *call) {
    uint64_t length, size = arg_i64(call, 2);
    if (!external_string(call, arg_i64(call, 1), &length)) return;
    uint64_t copied = length < size ? length + 1 : size;
    if (copy_disjoint(call, arg_i64(call, 0), arg_i64(call, 1), copied)) give_i64(call, length);
}

static void duplicate(ExternalCall *call, uint64_t length) {
    uint64_t copy = external_allocate(call, length + 1, 16, true);
    if (copy && !external_copy(call, copy, arg_i64(call, 0), length)) return;
    give_i64(call, copy);
}

void external_strdup(ExternalCall *call) {
    uint64_t length;
    if (external_string(call, arg_i64(call, 0), &length)) duplicate(call, length);
}

void external_strndup(ExternalCall *call) {
    uint64_t length;
    if (bounded_length(call, arg_i64(call, 0), arg_i64(call, 1), &length)) duplicate(call, length);
}

// ---- Lengths and comparisons

void external_strlen(ExternalCall *call) {
    uint64_t length;
    if (external_string(call, arg_i64(call, 0), &length)) give_i64(call, length);
}

void external_strnlen(ExternalCall *call) {
    uint64_t length;
    if (bounded_length(call, arg_i64(call, 0), arg_i64(call, 1), &length)) give_i64(call, length);
}

void external_memcmp(ExternalCall *call) {
    uint64_t size = arg_i64(call, 2);
    Bytes a, b;
    if (!size || !bytes_at(call, arg_i64(call, 0), &a) || !bytes_at(call, arg_i64(call, 1), &b))
        return;
    for (uint64_t i = 0; i < size; i++) {
        uint8_t x, y;
        if (!bytes_get(call, &a, i, &x) || !bytes_get(call, &b, i, &y)) return;
        if (x == y) continue;
        give_i32(call, x - y);
        return;
    }
}

static int same_case(int c) {
    return c;
}

// Compares up to limit bytes, each first mapped by `fold`.
static void compare_strings(ExternalCall *call, uint64_t limit, int (*fold)(int)) {
    Bytes a, b;
    if (!limit || !bytes_at(call, arg_i64(call, 0), &a) || !bytes_at(call, arg_i64(call, 1), &b))
        return;
    for (uint64_t i = 0; i < limit; i++) {
        uint8_t x, y;
        if (!bytes_get(call, &a, i, &x) || !bytes_get(call, &b, i, &y)) return;
        int difference = fold(x) - fold(y);
        if (difference || !x) {
            give_i32(call, difference);
            return;
        }
    }
}

void external_strcmp(ExternalCall *call) {
    compare_strings(call, UINT64_MAX, same_case);
}
void external_strncmp(ExternalCall *call) {
    compare_strings(call, arg_i64(call, 2), same_case);
}
void external_strcasecmp(ExternalCall *call) {
    compare_strings(call, UINT64_MAX, tolower);
}
void external_strncasecmp(ExternalCall *call) {
    compare_strings(call, arg_i64(call, 2), tolower);
}

// ---- Searching bytes

void external_memchr(ExternalCall *call) {
    uint64_t size = arg_i64(call, 2);
    Bytes bytes;
    if (!size || !bytes_at(call, arg_i64(call, 0), &bytes)) return;
    for (uint64_t i = 0; i < size; i++) {
        uint8_t byte;
        if (!bytes_get(call, &bytes, i, &byte)) return;
        if (byte != (uint8_t)arg_i32(call, 1)) continue;
        give_i64(call, bytes.address + i);
        return;
    }
}

void external_memrchr(ExternalCall *call) {
    uint64_t size = arg_i64(call, 2);
    const uint8_t *data = external_read(call, arg_i64(call, 0), size);
    if (!data) return;
    while (size && data[size - 1] != (uint8_t)arg_i32(call, 1)) size--;
    give_i64(call, size ? arg_i64(call, 0) + size - 1 : 0);
}

// The first byte c of a string; with `terminated`, its NUL ends the search. False if there is none
// or the run ended.
static bool find_byte(ExternalCall *call, uint8_t c, bool terminated, uint64_t *address) {
    Bytes bytes;
    if (!bytes_at(call, arg_i64(call, 0), &bytes)) return false;
    for (uint64_t i = 0;; i++) {
        uint8_t byte;
        if (!bytes_get(call, &bytes, i, &byte)) return false;
        *address = bytes.address + i;
        if (byte == c) return true;
        if (terminated && !byte) return false;
    }
}

void external_strchr(ExternalCall *call) {
    uint64_t address;
    if (find_byte(call, (uint8_t)arg_i32(call, 1), true, &address)) give_i64(call, address);
}

void external_rawmemchr(ExternalCall *call) {
    uint64_t address;
    if (find_byte(call, (uint8_t)arg_i32(call, 1), false, &address)) give_i64(call, address);
}

void external_strchrnul(ExternalCall *call) {
    uint64_t address = 0;
    find_byte(call, (uint8_t)arg_i32(call, 1), true, &address);
    give_i64(call, address);
}

void external_strrchr(ExternalCall *call) {
    uint64_t length;
    const char *text = external_string(call, arg_i64(call, 0), &length);
    if (!text) return;
    const char *found = strrchr(text, arg_int(call, 1));
    give_i64(call, found ? arg_i64(call, 0) + (uint64_t)(found - text) : 0);
}

// ---- Searching sets of bytes

typedef struct {
    bool has[256];
} ByteSet;

static bool set_of_string(ExternalCall *call, uint64_t address, ByteSet *set) {
    uint64_t length;
    const char *text = external_string(call, address, &length);
    if (!text) return false;
    *set = (ByteSet){0};
    for (uint64_t i = 0; i < length; i++) set->has[(uint8_t)text[i]] = true;
    return true;
}

// The number of bytes from an address on that are in the set, or are not; `last` gets the byte
// after.
static bool span_of(ExternalCall *call, uint64_t address, const ByteSet *set, bool inside,
                    uint64_t *length, uint8_t *last) {
    Bytes bytes;
    if (!bytes_at(call, address, &bytes)) return false;
    for (*length = 0;; ++*length) {
        if (!bytes_get(call, &bytes, *length, last)) return false;
        if (!*last || set->has[*last] != inside) return true;
    }
}

void external_strspn(ExternalCall *call) {
    ByteSet set;
    uint64_t length;
    uint8_t last;
    if (set_of_string(call, arg_i64(call, 1), &set) &&
        span_of(call, arg_i64(call, 0), &set, true, &length, &last))
        give_i64(call, length);
}

void external_strcspn(ExternalCall *call) {
    ByteSet set;
    uint64_t length;
    uint8_t last;
    if (set_of_string(call, arg_i64(call, 1), &set) &&
        span_of(call, arg_i64(call, 0), &set, false, &length, &last))
        give_i64(call, length);
}

void external_strpbrk(ExternalCall *call) {
    ByteSet set;
    uint64_t length;
    uint8_t last;
    if (set_of_string(call, arg_i64(call, 1), &set) &&
        span_of(call, arg_i64(call, 0), &set, false, &length, &last))
        give_i64(call, last ? arg_i64(call, 0) + length : 0);
}

// Cuts the next token out of the text at *rest, which moves behind it. As in glibc, *rest is left
// at the final NUL.
static void next_token(ExternalCall *call, uint64_t delimiters, uint64_t *rest) {
    ByteSet set;
    uint64_t skipped, length;
    uint8_t last;
    if (!set_of_string(call, delimiters, &set) ||
        !span_of(call, *rest, &set, true, &skipped, &last))
        return;
    uint64_t start = *rest + skipped;
    *rest = start;
    if (!last) return;
    if (!span_of(call, start, &set, false, &length, &last)) return;
    *rest = start + length;
    if (last && !external_put(call, (*rest)++, "", 1)) return;
    give_i64(call, start);
}

void external_strtok(ExternalCall *call) {
    uint64_t *rest = &call->world->files->strtok;
    if (arg_i64(call, 0)) *rest = arg_i64(call, 0);
    next_token(call, arg_i64(call, 1), rest);
}

void external_strtok_r(ExternalCall *call) {
    uint64_t rest = arg_i64(call, 0);
    if (!rest) {
        Value saved;
        if (!external_load(call, CHUNK_I64, arg_i64(call, 2), &saved)) return;
        rest = as_i64(saved);
    }
    next_token(call, arg_i64(call, 1), &rest);
    if (!call->world->stopped) external_store(call, CHUNK_I64, arg_i64(call, 2), value_i64(rest));
}

void external_strsep(ExternalCall *call) {
    Value start;
    ByteSet set;
    uint64_t length, next;
    uint8_t last;
    if (!external_load(call, CHUNK_I64, arg_i64(call, 0), &start) || !as_i64(start)) return;
    if (!set_of_string(call, arg_i64(call, 1), &set) ||
        !span_of(call, as_i64(start), &set, false, &length, &last))
        return;
    next = last ? as_i64(start) + length + 1 : 0;
    if (last && !external_put(call, next - 1, "", 1)) return;
    if (external_store(call, CHUNK_I64, arg_i64(call, 0), value_i64(next)))
        give_i64(call, as_i64(start));
}

// ---- Searching strings

// The first `limit` bytes of a string as far as they can be read; *more tells whether the string
// may go on behind them.
static uint64_t readable_prefix(const Bytes *bytes, uint64_t limit, bool *more) {
    uint64_t i = 0;
    while (i < limit && bytes_ok(bytes, i) && bytes->data[i]) i++;
    *more = i == limit || !bytes_ok(bytes, i);
    return i;
}

static const uint8_t *find_fold(const uint8_t *text, uint64_t length, const char *needle,
                                uint64_t size) {
    for (uint64_t i = 0; i + size <= length; i++)
        if (!strncasecmp((const char *)text + i, needle, size)) return text + i;
    return NULL;
}

// Looks at growing prefixes of the text, so that a match near the start is found in time that does
// not depend on what follows it.
static void find_string(ExternalCall *call, bool fold) {
    uint64_t size;
    Bytes bytes;
    const char *needle = external_string(call, arg_i64(call, 1), &size);
    if (!needle || !bytes_at(call, arg_i64(call, 0), &bytes)) return;
    for (uint64_t limit = size + 256;; limit *= 2) {
        bool more;
        uint64_t length = readable_prefix(&bytes, limit, &more);
        const uint8_t *found = fold ? find_fold(bytes.data, length, needle, size)
                                    : memmem(bytes.data, length, needle, size);
        if (found)
            give_i64(call, bytes.address + (uint64_t)(found - bytes.data));
        else if (more && length < limit)
            bytes_wrong(call, &bytes, length);
        if (found || !more || length < limit) return;
    }
}

void external_strstr(ExternalCall *call) {
    find_string(call, false);
}
void external_strcasestr(ExternalCall *call) {
    find_string(call, true);
}

void external_memmem(ExternalCall *call) {
    const uint8_t *text = external_read(call, arg_i64(call, 0), arg_i64(call, 1));
    const uint8_t *needle = text ? external_read(call, arg_i64(call, 2), arg_i64(call, 3)) : NULL;
    if (!needle) return;
    const uint8_t *found = memmem(text, arg_i64(call, 1), needle, arg_i64(call, 3));
    give_i64(call, found ? arg_i64(call, 0) + (uint64_t)(found - text) : 0);
}

// ---- The rest

void external_ffs(ExternalCall *call) {
    give_i32(call, ffs(arg_int(call, 0)));
}
void external_ffsl(ExternalCall *call) {
    give_i32(call, ffsl((long)arg_i64(call, 0)));
}

// Messages of known errors stay; that of an unknown number is overwritten by the next.
void external_strerror(ExternalCall *call) {
    World *world = call->world;
    int32_t code = arg_int(call, 0);
    if (code >= 0 && code < KNOWN_ERRORS) {
        uint64_t *known = &world->files->error_texts[code];
        const char *text = strerror(code);
        if (!*known) *known = external_object(world, "strerror", text, strlen(text) + 1);
        give_i64(call, *known);
        return;
    }
    char text[64] = {0};
    snprintf(text, sizeof text, "Unknown error %d", code);
    uint64_t address = external_static(world, STATIC_ERROR_TEXT, "strerror", text, sizeof text);
    if (external_put(call, address, text, sizeof text)) give_i64(call, address);
}
