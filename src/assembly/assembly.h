// GNU assembler text (AT&T syntax) of a program whose functions are in the allocated machine form.
//
// Functions are written one at a time, so that a caller can forget each as soon as it is written;
// data, aliases and everything that is known only at the end come last.
#pragma once

#include "assembly/code_options.h"
#include "assembly/debug_source.h"
#include "assembly/debug_values.h"
#include "assembly/source_order.h"
#include "base/sha256.h"
#include "form/mach.h"

typedef struct {
    uint32_t debug; // DWARF of this version, 4 or 5: line table and the names of functions; or 0
    const Debug *description; // types and variables, too; or NULL
    bool function_sections;   // each function in a section of its own
    bool data_sections;       // each datum likewise
    bool align_loops;         // innermost loops without calls
    bool align_functions;     // unless `code` says how
    // The function that is called when a function is entered (TargetOptions.entry_call), or NULL.
    // All registers that hold arguments are left as they are.
    const char *entry_call;
    const char *const *no_entry_call;       // the names of functions without
    uint32_t no_entry_calls;                // how many
    const char *source;                     // the file that was compiled, for debuggers; or NULL
    const char *directory;                  // where it was compiled; or NULL
    const char *unit_name, *unit_directory; // both as the unit's entry has them, after prefix maps,
                                            // which the assembler does for the line table
    bool no_comment;                        // objects do not name their compiler
    const char *switches;                   // the command line that they tell; or NULL
    bool ident;                // symbols and comments name the source file and the compiler
    const SourceOrder *order;  // in which the symbols are written; or NULL
    const Digest *certificate; // the contents of the note that names the certificate; or NULL
    CodeOptions code;
    Diag *diag; // where mistakes are reported
} AssemblyOptions;

typedef struct Assembly Assembly;

// The options are looked at until assembly_end, which releases the Assembly.
Assembly *assembly_begin(Out *out, const Program *program, const AssemblyOptions *options);
// Whether a function is in the allocated machine form; if not, it says why.
bool assembly_can_write(Diag *diag, const Func *func);
// `code` is the description of the function for debuggers, or NULL.
void assembly_function(Assembly *assembly, const Func *func, const DebugCode *code);
// Which instruction the text comes from, from this place on; NO_ID: none, as in a prologue.
typedef struct {
    size_t at; // in the text that is written to
    uint32_t instr;
} AssemblyOrigin;

typedef struct {
    Arena *arena;
    VEC(AssemblyOrigin) marks; // by place, ascending; the last of those at one place counts
} AssemblyOrigins;

// Writes a function, needed or not, to another place than the rest.
void assembly_one_function(Assembly *assembly, Out *out, const Func *func);
// The same for people who look at one function: labels are counted from 0, and `origins` tells
// where the text comes from.
void assembly_shown_function(Assembly *assembly, Out *out, const Func *func,
                             AssemblyOrigins *origins);
void assembly_end(Assembly *assembly);

// All of it. False, after a diagnostic, if a function cannot be written.
bool write_assembly(Out *out, const Program *program, const AssemblyOptions *options);
