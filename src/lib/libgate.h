// Types and functions that the files of the library share.
#pragma once

#include "gate.h"
#include "lib/program_memory.h"
#include "pipeline/pipeline.h"

struct GateProgram {
    Holdings holdings; // all that follows; where it has failed, nothing else is looked at
    Arena *arena;
    Diag diag;
    Program *inner;     // NULL if it could not be read
    VEC(Sym) functions; // functions with bodies, in order
    Out scratch;        // for texts that are valid until the next call
};

// The program that is handed out if there is no memory even for a program. Nobody writes to it.
extern const GateProgram libgate_nothing;

// Brings the list of functions up to date, and makes them ready to be walked.
void libgate_list_functions(GateProgram *program);
// The form that a user means; FORM_COUNT if there is none. And the other way.
Form libgate_form(GateForm form);
GateForm libgate_known_form(Form form);
// Whether the program is well-formed; if not, it is said.
bool libgate_verify(GateProgram *program);
// The function with a number; NULL if there is none.
const Func *libgate_function(const GateProgram *program, uint32_t function);
// The file, line and column of a location; NULL and zeros if it is not known.
const char *libgate_place(const GateProgram *program, uint32_t number, uint32_t *line,
                          uint32_t *column);
// NULL if there is none.
const char *libgate_symbol_name(const GateProgram *program, uint32_t symbol);
