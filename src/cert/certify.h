// Writing certificates. Not trusted: gatecheck believes nothing that is written.
#pragma once

#include "pipeline/pipeline.h"

// Takes a program, as the front end made it, through a pipeline, which changes it, and yields the certificate
// of that. The caller frees the text. The source is named in it.
Out certify_program(Arena *arena, Program *program, const char *source, Pipeline *pipeline);
