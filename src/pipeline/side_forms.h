// Side forms: forms from which nothing leads back. Side forms are shown, run and compared; no code
// is made from them, and no certificate has a step to them.
#pragma once

#include "base/diag.h"
#include "check/check.h"
#include "pass/side_options.h"

// One way to such a form. The hint is NULL where there is no checker.
typedef Func *AsideTransform(Arena *arena, const Func *func, const AsideOptions *options,
                             void **hint);
typedef Verdict AsideCheck(Arena *arena, const Func *before, const Func *after, const void *hint);

typedef struct {
    const char *name; // of the transform, NAME.c in a folder of pass
    const char *meaning;
    Form from, to;
    AsideTransform *transform;
    AsideCheck *check; // NULL: the verifier of the form is all that looks at the result
} AsideInfo;

extern const AsideInfo aside_table[];
extern const uint32_t aside_count;

// The row that leads to a form; NULL if none does.
const AsideInfo *aside_to(Form form);
// The function in that form, with the hint if there is one. NULL if the function is not
// well-formed, or its checker rejects it: this is reported as an error.
const Func *aside_make(const AsideInfo *row, Arena *arena, const Func *func,
                       const AsideOptions *options, Diag *diag, const void **hint);
// Takes every function of the program there that has the form from which the row leads. False if a
// function could not be made; that function is left unchanged.
bool aside_run(const AsideInfo *row, Program *program, const AsideOptions *options, Diag *diag);
// A line for each row.
void aside_list(void);
