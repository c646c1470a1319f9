// The code of x86-64: its emitter and the option of its assembler, for the record of the machine.
#include "target/code.h"
#include "target/x64/code/emit.h"
#include "target/x64/code/x64_select.h"

extern const TargetCode x64_code;

const TargetCode x64_code = {
    .assembler = "--64",
    .select = &x64_selection,
    .timing = &x64_timing,
    .needs_frame = x64_needs_frame,
    .write_function = x64_func,
    .write_shared = x64_thunks,
};
