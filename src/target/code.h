// The untrusted half of the record of a machine: how compilers make code for it. Checkers stand
// behind what it does, or tests.
#pragma once

#include <stdint.h>

typedef struct TargetCode {
    const char *assembler; // the option by which `as` writes objects of the machine
} TargetCode;
