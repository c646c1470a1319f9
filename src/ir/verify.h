// Well-formedness of programs in the graph forms. Every violation is reported, not only the first.
#pragma once

#include "ir/ir.h"

// A complaint: which function (NULL for one about the program), which node (NO_NODE for one about the
// function), the name of the rule and what was expected and found.
typedef struct {
    const Func *func;
    Node node;
    const char *rule;
    const char *message;
} Complaint;

typedef struct {
    Arena *arena; // for the messages
    VEC(Complaint) list;
} Complaints;

// True if nothing is wrong; otherwise complaints are appended.
bool verify_func(Complaints *complaints, const Func *func);
bool verify_program(Complaints *complaints, const Program *program);

// "function f, node 12: rule: message"
void complaint_print(Out *out, const Program *program, const Complaint *complaint);
