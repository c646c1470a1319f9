// A program with one function of another one in place of its own: so that slices of many functions,
// which are cut out of one text and lowered together, can be checked one by one, each among
// functions that are as they were.
#pragma once

#include "form/program.h"

// The function of `from`, in terms of `to`. `symbols` tells for each symbol of `from` the one of
// `to` that it is. NULL if one is not known. What `to` lacks of types and asm statements is added
// to it.
Func *transplant(Arena *arena, Program *to, const Program *from, const Func *func,
                 const Sym *symbols);
