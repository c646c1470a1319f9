// The contents of constant objects.
//
// A `const` object that is defined here for good has its initial value at any time: a write to it
// is a wrong step (docs/rtl.md). So has a hidden object that nobody writes (unit_memory.h). The
// pieces of the initial value lie one behind the other, numbers with their low byte first, and
// bytes behind the last piece are zero.
#pragma once

#include "form/program.h"

// A number; or the address of a symbol, plus a number.
typedef struct {
    Sym symbol; // NO_SYM: there is only the number
    uint64_t number;
} InitialData;

// The contents of some bytes of a symbol. False if nothing is known: the symbol is no such object,
// the bytes do not lie inside of it, a part of them is a part of an address, or they are more than
// a register has. Large tables of pieces are not looked at.
bool initial_data(const Program *program, Sym symbol, uint64_t at, uint64_t size,
                  InitialData *result);
// The same of an object that may be written later.
bool initial_data_at_start(const Program *program, Sym symbol, uint64_t at, uint64_t size,
                           InitialData *result);
