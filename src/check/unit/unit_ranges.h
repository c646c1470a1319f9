// The ranges that a function gives to what claims are about (fact/unit_memory.h): to parameters of
// the functions that it calls, to its result, to hidden objects.
//
// Registers of a first form are set several times. The range of a register holds what any of the
// instructions yields that set the register, wherever control comes from; of a register that is
// made of itself, nothing is known. Undefined bits of a register are filled in so that the register
// lies in its range.
//
// The checker asks for every given range whether the claims allow for the range. The transform that
// makes the claims collects the given ranges. Something that has no claimed range needs none.
#pragma once

#include "fact/unit_memory.h"

// Calls `give` for each given range of a function of a program that has claims, until it says no.
// False if it has. An empty range: no value is known yet. Only the transform has such claims.
typedef bool UnitGive(void *context, Node node, uint32_t of, const Range *range);
bool unit_gives_of(Arena *arena, const Func *func, UnitGive *give, void *context);

// The type of an integer that claims may be about; TYPE_VOID if it is none.
Type unit_type_of_ptype(const Program *program, PType type);
Type unit_type_of_object(const Symbol *symbol);
// The range of the initial contents of an object of such a type. False if they are not known.
bool unit_initial_range(const Program *program, Sym symbol, Range *range);
