// SHA-256 as FIPS 180-4 defines it: ties certificates to sources and objects.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { DIGEST_BYTES = 32, DIGEST_DIGITS = 2 * DIGEST_BYTES };

typedef struct {
    uint8_t at[DIGEST_BYTES];
} Digest;

// A text that is taken in pieces.
typedef struct {
    uint32_t state[8];
    uint64_t length;   // in bytes, so far
    uint8_t block[64]; // bytes that do not fill a block yet
} Sha256;

Sha256 sha256_begin(void);
void sha256_add(Sha256 *sha, const void *bytes, size_t length);
Digest sha256_end(Sha256 *sha);

// All at once.
Digest sha256_of(const void *bytes, size_t length);

// Lower-case hexadecimal digits, the first byte first.
typedef struct {
    char text[DIGEST_DIGITS + 1];
} DigestText;
DigestText digest_text(const Digest *digest);
