// Reads the counts of a program: a file of data (.gcda) as libgcov of gcc 12 and 13 writes it.
// Words are little-endian: magic, version, stamp, checksum, then records of a tag, a length in
// bytes and so many bytes. The records of a function's counters follow the function's record; a
// negative length stands for counters that are all zero. Files come from anywhere, so the reader
// checks everything before relying on it.
#include "c/profile/coverage.h"

enum {
    DATA_MAGIC = 0x67636461, // "gcda"
    TAG_FUNCTION = 0x01000000,
    TAG_ARCS = 0x01a10000,
    COUNTER = 8, // bytes
};

typedef struct {
    const uint8_t *at;
    size_t left;
} ProfileBytes;

static bool read_word(ProfileBytes *bytes, uint32_t *word) {
    if (bytes->left < 4) return false;
    const uint8_t *at = bytes->at;
    *word = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    bytes->at += 4;
    bytes->left -= 4;
    return true;
}

// The part of the bytes that a record has.
static bool take_bytes(ProfileBytes *bytes, size_t size, ProfileBytes *part) {
    if (bytes->left < size) return false;
    *part = (ProfileBytes){.at = bytes->at, .left = size};
    bytes->at += size;
    bytes->left -= size;
    return true;
}

// A record of no length stands for a function that is another unit's.
static bool read_function(ProfileBytes part, ProfileFunction *function) {
    *function = (ProfileFunction){0};
    return !part.left ||
           (read_word(&part, &function->ident) && read_word(&part, &function->line_checksum) &&
            read_word(&part, &function->graph_checksum));
}

static bool add_counters(Profile *profile, Arena *arena, ProfileFunction function,
                         const uint8_t *counters, uint32_t size) {
    if (size % COUNTER) return false;
    if (!function.ident) return true;
    if (map_get(&profile->of_ident, function.ident) != HASH_NONE) return false;
    function.count = size / COUNTER;
    function.counters = counters;
    map_set(arena, &profile->of_ident, function.ident, profile->functions.count);
    vec_push(arena, &profile->functions, function);
    return true;
}

static bool read_record(Profile *profile, Arena *arena, ProfileBytes *bytes, uint32_t tag,
                        ProfileFunction *function) {
    uint32_t length;
    ProfileBytes part;
    if (!read_word(bytes, &length)) return false;
    bool zeros = length > INT32_MAX && tag != TAG_FUNCTION;
    if (zeros) return tag != TAG_ARCS || add_counters(profile, arena, *function, NULL, 0u - length);
    if (!take_bytes(bytes, length, &part)) return false;
    if (tag == TAG_FUNCTION) return read_function(part, function);
    return tag != TAG_ARCS || add_counters(profile, arena, *function, part.at, length);
}

static bool is_known_version(uint32_t version) {
    uint32_t major = ((version >> 24) - 'A') * 10 + (version >> 16 & 0xff) - '0';
    return major == 12 || major == 13;
}

ProfileState profile_read(Profile *profile, Arena *arena, const void *text, size_t size,
                          uint32_t *version) {
    ProfileBytes bytes = {.at = text, .left = size};
    uint32_t magic, stamp, checksum, tag;
    if (!read_word(&bytes, &magic) || magic != DATA_MAGIC) return PROFILE_NOT_ONE;
    if (!read_word(&bytes, version)) return PROFILE_NOT_ONE;
    if (!is_known_version(*version)) return PROFILE_VERSION;
    profile->found = true;
    if (!read_word(&bytes, &stamp) || !read_word(&bytes, &checksum)) return PROFILE_DAMAGED;
    ProfileFunction function = {0};
    // The end is a tag of zero.
    while (read_word(&bytes, &tag)) {
        if (!tag) return PROFILE_GOOD;
        if (!read_record(profile, arena, &bytes, tag, &function)) return PROFILE_DAMAGED;
    }
    return PROFILE_DAMAGED;
}

const ProfileFunction *profile_find(const Profile *profile, uint32_t ident) {
    uint32_t at = map_get(&profile->of_ident, ident);
    return at == HASH_NONE ? NULL : &profile->functions.at[at];
}
