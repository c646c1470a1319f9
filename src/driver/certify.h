// Writing certificates. Not trusted: gatecheck believes nothing that is written.
#pragma once

#include "driver/pipeline.h"

typedef struct Certifier Certifier;

// A certificate for a program that the front end made, which has not been through the pipeline yet. The
// pipeline shows the certifier what it does. The text of the certificate is collected in memory.
Certifier *certifier_new(Arena *arena, const Program *program, const char *source,
                         Pipeline *pipeline);
// When all functions have gone through the pipeline: the certificate, which the caller frees.
Out *certifier_finish(Certifier *certifier);
