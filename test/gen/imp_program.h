// Random programs of Imp, as text.
#pragma once

#include "base/out.h"
#include "test/gen/random.h"

typedef struct {
    uint32_t statements; // about so many
    bool
        paper; // only what the paper's language has: no conditionals, arrays and output, total operators
    bool endless; // some loops may have no end
} ImpProgramOptions;

void imp_random_program(Out *out, Random *random, const ImpProgramOptions *options);
