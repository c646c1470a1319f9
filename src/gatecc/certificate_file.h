// Tying a certificate to the object that was made.
#pragma once

#include "base/out.h"
#include "cert/certificate.h"

// The note about a certificate that has ended with this hash.
CertificateClaim certificate_note(const Out *text, Digest hash);

// Ends a certificate with the digest of an object, fills in the note of the object, and writes the
// certificate. Frees the text. False after a message.
bool certificate_write(Arena *arena, Out *text, const char *path, const char *object);
