// Stands where the printing of assembler text will be.
#include "x64/assembly.h"

bool write_assembly(Out *out, const Program *program, const AssemblyOptions *options) {
    (void)out;
    (void)program;
    diag_error(options->diag, SPAN_NONE,
               "there is no back end yet: C files go no further than --emit=FORM");
    return false;
}
