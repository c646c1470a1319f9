// Reading programs from files, by their ending.
#pragma once

#include "c/compile/compile.h"

#include <dirent.h>

// The program in a file, verified; the options are for C. NULL after diagnostics; *unreadable says
// that a file cannot be read or has an unknown ending, and not that it has mistakes.
Program *load_program(Arena *arena, Diag *diag, const char *path, const CompileOptions *options,
                      bool *unreadable);

// The form that a program was read in: that of its first function.
Form form_of_program(const Program *program, Form otherwise);
// For scandir: whether a file's name ends as those of programs do.
int is_program_entry(const struct dirent *entry);
