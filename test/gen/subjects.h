// The programs of test/mutants: small, with every feature of the language, quick to run and without
// input.
#pragma once

#include "form/program.h"

typedef struct {
    char **paths;
    uint32_t count;
} Subjects;

// All of them, or the one of that name if it is not NULL.
Subjects subjects_list(Arena *arena, const char *only);
// One in RTL, as the front end makes it.
Program *subject_read(Arena *arena, Diag *diag, const char *path);
