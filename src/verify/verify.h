// Well-formedness of programs. Every violation is reported, not only the first.
//
// A verified function is safe to follow: every register, node, slot, symbol, signature, type, pool
// range, operator, builtin, chunk and location in it is in range. Fields that mean nothing in an
// instruction are zero, so that instr_same compares exactly the fields that matter. The verifier
// itself assumes only that vectors have their stated lengths and pointers are valid; ids,
// enumeration values and numbers may be anything. The verifier takes linear time.
#pragma once

#include "form/program.h"

// A complaint: the function (NULL for the whole program), the place in it (NO_SITE for the whole
// function), the name of the rule, and the expected and the found.
typedef struct {
    const Func *func;
    Site site;
    const char *rule;
    const char *message;
    bool quotes; // the complaint is about the instruction itself, which complaint_print shows
} Complaint;

typedef struct {
    Arena *arena;  // for the messages
    uint32_t most; // so many have a message, the others an empty one; 0: all have
    VEC(Complaint) list;
} Complaints;

// True if nothing is wrong; otherwise complaints are appended. The first checks one function, and
// of its program only what the function mentions; the second a program with all its functions.
bool verify_func(Complaints *complaints, const Func *func);
bool verify_program(Complaints *complaints, const Program *program);
// As verify_program, but for the functions: neither their bodies are looked at, nor whether there
// are any.
bool verify_declarations(Complaints *complaints, const Program *program);

// As verify_func, for a function that was made from a verified function: registers and instructions
// that are the same in both, in the same places, are not looked at again. The program may have
// grown since.
bool verify_func_after(Complaints *complaints, const Func *verified, const Func *func);

// "function f, node 12: rule: message"; "function f: rule: message" if the complaint has no place;
// "program: rule: message" if it has no function. There is no newline.
void complaint_print(Out *out, const Program *program, const Complaint *complaint);
