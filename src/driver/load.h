// Reading programs from files, by their ending.
#pragma once

#include "ir/ir.h"

// The program in a file, verified. NULL after diagnostics; *unreadable tells a file that cannot be
// read or has an unknown ending from one with mistakes in it.
Program *load_program(Arena *arena, Diag *diag, const char *path, bool *unreadable);
