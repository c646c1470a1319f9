#include "cert/certificate.h"

#include <string.h>

CertificateEnd certificate_end(const char *text, size_t length, size_t first, size_t *end,
                               Digest *hash) {
    size_t last = CERTIFICATE_LAST_LINE, start = strlen(CERTIFICATE_HASH);
    *end = length < first + last ? 0 : length - last;
    if (!*end || memcmp(text + *end, CERTIFICATE_HASH, start) != 0 || text[*end - 1] != '\n' ||
        text[length - 1] != '\n')
        return CERTIFICATE_NO_HASH;
    *hash = sha256_of(text, *end);
    DigestText digits = digest_text(hash);
    return memcmp(text + *end + start, digits.text, DIGEST_DIGITS) == 0 ? CERTIFICATE_WHOLE
                                                                        : CERTIFICATE_OTHER_HASH;
}

bool is_text_certificate(const char *text, size_t length) {
    size_t first = strlen(CERTIFICATE_TEXT_LINE);
    return length >= first && memcmp(text, CERTIFICATE_TEXT_LINE, first) == 0;
}

bool is_slice_certificate(const char *text, size_t length) {
    size_t start = strlen(SLICE_CERTIFICATE_START);
    return length >= start && memcmp(text, SLICE_CERTIFICATE_START, start) == 0;
}

// ---- Lines

typedef struct {
    const char *text;
    size_t at, end;
} LineReader;

static bool take(LineReader *r, const char *word) {
    size_t length = strlen(word);
    if (r->end - r->at < length || memcmp(r->text + r->at, word, length) != 0) return false;
    r->at += length;
    return true;
}

static int digit_value(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// "none", or the digits of a digest.
static bool take_digest(LineReader *r, Digest *digest, bool *given) {
    *digest = (Digest){{0}};
    *given = !take(r, "none");
    if (!*given) return true;
    if (r->end - r->at < DIGEST_DIGITS) return false;
    for (int i = 0; i < DIGEST_DIGITS; i++) {
        int value = digit_value(r->text[r->at++]);
        if (value < 0) return false;
        digest->at[i / 2] = (uint8_t)(digest->at[i / 2] << 4 | value);
    }
    return true;
}

static bool at_printable(const LineReader *r) {
    return r->at < r->end && r->text[r->at] >= ' ' && r->text[r->at] <= '~';
}

static bool take_quoted(LineReader *r, CertificateText *quoted) {
    if (!take(r, "\"")) return false;
    *quoted = (CertificateText){.at = r->text + r->at};
    while (at_printable(r) && r->text[r->at] != '"')
        if (r->text[r->at++] == '\\' && at_printable(r)) r->at++;
    quoted->length = (size_t)(r->text + r->at - quoted->at);
    return take(r, "\"\n");
}

const char *certificate_claim(const char *text, size_t *first, size_t *end,
                              CertificateClaim *claim) {
    static const size_t lengths[] = {sizeof "object none\n" - 1,
                                     sizeof "object \n" - 1 + DIGEST_DIGITS};
    Digest *digests = claim->digests;
    LineReader r = {.text = text, .at = *first, .end = *end};
    bool good = take(&r, "source ") &&
                take_digest(&r, &digests[DIGEST_SOURCE], &claim->has_source) && take(&r, " ") &&
                take_quoted(&r, &claim->source) && take(&r, "options ") &&
                take_quoted(&r, &claim->options) && take(&r, "compiler ") &&
                take_quoted(&r, &claim->compiler);
    *first = r.at;
    if (!good) return "the lines source, options and compiler are expected here";
    digests[DIGEST_OPTIONS] = sha256_of(claim->options.at, claim->options.length);
    digests[DIGEST_COMPILER] = sha256_of(claim->compiler.at, claim->compiler.length);
    for (int i = 0; i < 2; i++) {
        if (*end - *first < lengths[i]) continue;
        LineReader last = {.text = text, .at = *end - lengths[i], .end = *end};
        if (text[last.at - 1] != '\n' || !take(&last, "object ") ||
            !take_digest(&last, &digests[DIGEST_OBJECT], &claim->has_object) || !take(&last, "\n"))
            continue;
        *end -= lengths[i];
        return NULL;
    }
    *first = *end;
    return "the line object is expected before this";
}
