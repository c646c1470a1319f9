// Writing certificates. Not trusted: gatecheck believes nothing that is written.
#pragma once

#include "base/sha256.h"
#include "pipeline/pipeline.h"

// The origin of a program in its certificate.
typedef struct {
    const char *source;   // the name of the file
    const Digest *digest; // of the source after preprocessing; NULL if there is none
    const char *options;  // the options that matter for the code
} CertifiedOrigin;

// Takes a program, as the front end made it, through a pipeline, which changes the program, and
// yields the certificate of the compilation, but for its last lines. The caller frees the text.
Out certify_program(Arena *arena, Program *program, const CertifiedOrigin *origin,
                    Pipeline *pipeline);
// Adds the last lines; `object` is the digest of the object that was made, or NULL. Yields that of
// the certificate.
Digest certify_end(Out *out, const Digest *object);
// The very last line, for a text that ends with nothing else.
Digest certify_hash(Out *out);
