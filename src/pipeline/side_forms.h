// Forms from which nothing leads back (rows ASIDE and CHECKED_ASIDE of passes.def).
#pragma once

#include "base/diag.h"
#include "pipeline/transforms.h"

// The row that leads to a form; NULL if none does.
const AsideInfo *aside_to(Form form);
// The function in that form, with the hint if there is one. NULL if what was made is not
// well-formed, or its checker rejects it: that is told as an error.
const Func *aside_make(const AsideInfo *row, Arena *arena, const Func *func,
                       const AsideOptions *options, Diag *diag, const void **hint);
// Takes every function of the program there that has the form from which the row leads. False if
// one could not be made; it is left as it was.
bool aside_run(const AsideInfo *row, Program *program, const AsideOptions *options, Diag *diag);
// A line for each row.
void aside_list(void);
