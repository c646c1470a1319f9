// From a program in the machine form to text for the GNU assembler.
#pragma once

#include "base/diag.h"
#include "ir/ir.h"

typedef struct {
    bool debug;                            // -g: with a table of lines
    bool function_sections, data_sections; // a section for each function, each object
    const char *certificate_hash; // sixteen digits for the note that names the certificate, or NULL
    Diag *diag;                   // where mistakes are reported
} AssemblyOptions;

// Writes a program, all functions of which are in the machine form with registers allocated. False after
// diagnostics.
bool write_assembly(Out *out, const Program *program, const AssemblyOptions *options);
