// The untrusted half of the record of a machine: how compilers make code for the machine. Checkers
// or tests stand behind the results.
#pragma once

#include <stdint.h>

typedef struct TargetCode {
    const char *assembler; // the option by which `as` writes objects of the machine
} TargetCode;
