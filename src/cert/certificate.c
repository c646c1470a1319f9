#include "cert/certificate.h"

#include <stdio.h>
#include <string.h>

static uint64_t byte_at(const char *text, int i) {
    return (uint64_t)(unsigned char)text[i] << 8 * i;
}

// Eight bytes as a number. Compilers make one load of this.
static uint64_t word_at(const char *text) {
    return byte_at(text, 0) | byte_at(text, 1) | byte_at(text, 2) | byte_at(text, 3) |
           byte_at(text, 4) | byte_at(text, 5) | byte_at(text, 6) | byte_at(text, 7);
}

static uint64_t mixed(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 32;
}

uint64_t certificate_hash(const char *text, size_t length) {
    uint64_t hash = length, last = 0;
    size_t at = 0;
    for (; length - at >= 8; at += 8) hash = mixed(hash, word_at(text + at));
    for (int i = 0; at + (size_t)i < length; i++) last |= byte_at(text + at, i);
    return at < length ? mixed(hash, last) : hash;
}

CertificateEnd certificate_end(const char *text, size_t length, size_t first, size_t *end,
                               uint64_t *hash) {
    size_t last = CERTIFICATE_LAST_LINE, start = strlen(CERTIFICATE_HASH);
    *end = length < first + last ? 0 : length - last;
    if (!*end || memcmp(text + *end, CERTIFICATE_HASH, start) != 0 || text[*end - 1] != '\n')
        return CERTIFICATE_NO_HASH;
    char digits[24];
    *hash = certificate_hash(text, *end);
    snprintf(digits, sizeof digits, "%016llx\n", (unsigned long long)*hash);
    return memcmp(text + *end + start, digits, 17) == 0 ? CERTIFICATE_WHOLE
                                                        : CERTIFICATE_OTHER_HASH;
}
