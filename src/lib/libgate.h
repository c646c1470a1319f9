// What the files of the library share.
#pragma once

#include "gate.h"
#include "pipeline/pipeline.h"

struct GateProgram {
    Arena *arena;
    Diag diag;
    Program *inner;     // NULL if it could not be read
    VEC(Sym) functions; // those with bodies, in order
    Out scratch;        // for texts that are valid until the next call
};

// Brings the list of functions up to date.
void libgate_list_functions(GateProgram *program);
// The function with a number; NULL if there is none.
const Func *libgate_function(const GateProgram *program, uint32_t function);
