// How code for x86-64 is made, as the record has it.
#include "target/code.h"

extern const TargetCode x64_code;

const TargetCode x64_code = {
    .assembler = "--64",
};
