// The code of x86-64: its emitter and the option of its assembler, for the record of the machine.
#include "target/code.h"
#include "target/x64/code/emit.h"

extern const TargetCode x64_code;

const TargetCode x64_code = {
    .assembler = "--64",
    .write_function = x64_func,
    .write_shared = x64_thunks,
};
