// A program in which a function of another program takes the place of its own. Slices of many
// functions are cut out of one text and lowered together; a transplant allows to check them one by
// one, each among unchanged functions.
#pragma once

#include "form/program.h"

// The function of `from`, in terms of `to`. `symbols` tells for each symbol of `from` the one of
// `to` that it is. NULL if one is not known. What `to` lacks of types and asm statements is added
// to it.
Func *transplant(Arena *arena, Program *to, const Program *from, const Func *func,
                 const Sym *symbols);
