// The frame of a certificate around its forms and hints: see docs/certificates.md.
#pragma once

#include "base/sha256.h"

#include <stdbool.h>

#define CERTIFICATE_VERSION "10" // of the format
#define CERTIFICATE_START   "gatecc certificate "
// The first line of a certificate. The certificate of a slice has another first line, as it shows
// something else.
#define CERTIFICATE_FIRST_LINE CERTIFICATE_START CERTIFICATE_VERSION "\n"
// The first line of a certificate as text, which does not end with its hash.
#define CERTIFICATE_TEXT_LINE        CERTIFICATE_START CERTIFICATE_VERSION " text\n"
#define SLICE_CERTIFICATE_VERSION    "2"
#define SLICE_CERTIFICATE_START      "gatecc slice certificate "
#define SLICE_CERTIFICATE_FIRST_LINE SLICE_CERTIFICATE_START SLICE_CERTIFICATE_VERSION "\n"
// Whether a certificate is text; whether it is the certificate of a slice: as far as the first line
// tells.
bool is_text_certificate(const char *text, size_t length);
bool is_slice_certificate(const char *text, size_t length);
// The start of the last line; the digits of a digest and a line break follow.
#define CERTIFICATE_HASH "hash "
enum { CERTIFICATE_LAST_LINE = 5 + DIGEST_DIGITS + 1 }; // bytes

// The subjects of a certificate. Each has a digest: of the whole certificate before its last line,
// of the source after preprocessing, of the options and the compiler's version as they stand
// between their quotes, and of the object (see note.h). Without a source or an object there is
// none, and all bytes are zero.
typedef enum {
    DIGEST_CERTIFICATE,
    DIGEST_SOURCE,
    DIGEST_OPTIONS,
    DIGEST_COMPILER,
    DIGEST_OBJECT,
    DIGEST_KINDS
} DigestKind;

// A part of a certificate's text.
typedef struct {
    const char *at;
    size_t length;
} CertificateText;

typedef struct {
    Digest digests[DIGEST_KINDS];
    bool has_source, has_object; // whether there are such digests
    // Between quotes, where bytes outside printable ASCII, quotes and backslashes are escaped.
    CertificateText source, options, compiler;
} CertificateClaim;

//   WHOLE       the text ends with the hash of the text before it
//   NO_HASH     the text does not end with a hash
//   OTHER_HASH  the hash does not belong to the text
typedef enum { CERTIFICATE_WHOLE, CERTIFICATE_NO_HASH, CERTIFICATE_OTHER_HASH } CertificateEnd;

// Looks at the end of a text whose first line has so many bytes: where the last line begins, and
// what its hash should be.
CertificateEnd certificate_end(const char *text, size_t length, size_t first, size_t *end,
                               Digest *hash);
// Reads what is claimed between `first` and `end`: the lines source, options and compiler, after
// which *first is, and the line object, before which *end is. NULL, or what is wrong, and *first is
// where.
const char *certificate_claim(const char *text, size_t *first, size_t *end,
                              CertificateClaim *claim);
