// Reading programs from files, by their ending.
#pragma once

#include "driver/compile.h"

// The program in a file, verified; the options are for C. NULL after diagnostics; *unreadable tells a file that cannot be
// read or has an unknown ending from one with mistakes in it.
Program *load_program(Arena *arena, Diag *diag, const char *path, const CompileOptions *options,
                      bool *unreadable);
