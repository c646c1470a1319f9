// What certificates have around the forms and hints: see docs/certificates.md.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define CERTIFICATE_VERSION "3" // of the format
#define CERTIFICATE_START   "gatecc certificate "
// The first line of a certificate. That of a slice is another, as it shows something else.
#define CERTIFICATE_FIRST_LINE       CERTIFICATE_START CERTIFICATE_VERSION "\n"
#define SLICE_CERTIFICATE_VERSION    "1"
#define SLICE_CERTIFICATE_START      "gatecc slice certificate "
#define SLICE_CERTIFICATE_FIRST_LINE SLICE_CERTIFICATE_START SLICE_CERTIFICATE_VERSION "\n"
// What the last line starts with; sixteen hexadecimal digits and a line break follow.
#define CERTIFICATE_HASH "hash "
enum { CERTIFICATE_LAST_LINE = 5 + 16 + 1 }; // bytes

// The hash of what stands before the last line. It ties a certificate to an object and shows accidents;
// it does not defend against malice. In words of eight bytes, little-endian, the last one filled up with
// zeros: hash := (hash ^ word) * 0x9e3779b97f4a7c15, hash := hash ^ (hash >> 32); at the start, hash is the number of
// bytes.
uint64_t certificate_hash(const char *text, size_t length);

//   WHOLE       the text ends with the hash of what stands before it
//   NO_HASH     it does not end with a hash
//   OTHER_HASH  the hash is not that of the text
typedef enum { CERTIFICATE_WHOLE, CERTIFICATE_NO_HASH, CERTIFICATE_OTHER_HASH } CertificateEnd;

// Looks at the end of a text whose first line has so many bytes: where the last line begins, and what its hash should be.
CertificateEnd certificate_end(const char *text, size_t length, size_t first, size_t *end,
                               uint64_t *hash);
