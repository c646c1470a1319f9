#include "cert/certificate.h"

// The first so many bytes as a number.
static uint64_t word_at(const char *text, size_t bytes) {
    uint64_t word = 0;
    for (size_t i = bytes; i-- > 0;) word = word << 8 | (unsigned char)text[i];
    return word;
}

uint64_t certificate_hash(const char *text, size_t length) {
    const uint64_t prime = 0x9e3779b97f4a7c15;
    uint64_t hash = length;
    for (size_t at = 0; at < length; at += 8) {
        size_t left = length - at;
        hash = (hash ^ (left < 8 ? word_at(text + at, left) : word_at(text + at, 8))) * prime;
        hash ^= hash >> 32;
    }
    return hash;
}
