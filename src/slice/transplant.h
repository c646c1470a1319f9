// A program in which a function of another program takes the place of its own. Slices of many
// functions are cut out of one text and lowered together; a transplant allows to check them one by
// one, each among unchanged functions.
#pragma once

#include "form/program.h"

// The function of `from`, in terms of `to`. `symbols` gives for each symbol of `from` its symbol of
// `to`. NULL if one is not known. Missing types and asm statements are added to `to`.
Func *transplant(Arena *arena, Program *to, const Program *from, const Func *func,
                 const Sym *symbols);
