// --function=F,G: selects the functions of a program that a command works on.
#pragma once

#include "base/diag.h"
#include "form/program.h"

typedef struct {
    VEC(const char *) names; // none: every function
} FunctionNames;

// Adds the names of a list F,G; false if there is none between two commas.
bool functions_named(FunctionNames *functions, Arena *arena, const char *list);
// Whether a function is in the list.
bool functions_have(const FunctionNames *functions, const Func *func);
// Whether the program defines all functions of the list; reports the first undefined name, with the
// name that was probably meant.
bool functions_exist(const FunctionNames *functions, const Program *program, Diag *diag);
// Makes the program forget the bodies of all others.
void functions_narrow(const FunctionNames *functions, Program *program);
