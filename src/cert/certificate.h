// What certificates have around the forms and hints: see docs/certificates.md.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The first line of a certificate, up to its name and after it the version.
#define CERTIFICATE_FIRST_LINE "gatecc certificate 1\n"
// What the last line starts with; sixteen hexadecimal digits and a line break follow.
#define CERTIFICATE_HASH "hash "
enum { CERTIFICATE_LAST_LINE = 5 + 16 + 1 }; // bytes

// The hash of what stands before the last line: FNV-1a, 64 bits. It ties a certificate to an object and
// shows accidents; it does not defend against malice.
uint64_t certificate_hash(const char *text, size_t length);
