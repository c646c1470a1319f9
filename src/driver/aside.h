// Forms from which nothing leads back (rows ASIDE of passes.def).
#pragma once

#include "base/diag.h"
#include "pipeline/transforms.h"

// The row that leads to a form; NULL if none does.
const AsideInfo *aside_to(Form form);
// Takes every function of the program that has the form from which the row leads there. What is made and is not well-formed is told
// as an error, and the function is left as it was.
void aside_run(const AsideInfo *row, Program *program, Diag *diag);
// A line for each row.
void aside_list(void);
