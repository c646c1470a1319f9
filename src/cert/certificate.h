// What certificates have around the forms and hints: see docs/certificates.md.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define CERTIFICATE_VERSION "3" // of the format
#define CERTIFICATE_START   "gatecc certificate "
// The first line of a certificate.
#define CERTIFICATE_FIRST_LINE CERTIFICATE_START CERTIFICATE_VERSION "\n"
// What the last line starts with; sixteen hexadecimal digits and a line break follow.
#define CERTIFICATE_HASH "hash "
enum { CERTIFICATE_LAST_LINE = 5 + 16 + 1 }; // bytes

// The hash of what stands before the last line. It ties a certificate to an object and shows accidents;
// it does not defend against malice. In words of eight bytes, little-endian, the last one filled up with
// zeros: hash := (hash ^ word) * 0x9e3779b97f4a7c15, hash := hash ^ (hash >> 32); at the start, hash is the number of
// bytes.
uint64_t certificate_hash(const char *text, size_t length);
