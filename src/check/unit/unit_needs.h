// The needs of a function: everything that the claims of fact/unit_memory.h have to allow for. Most
// needs are uses of addresses of hidden objects, slots and parameters.
//
// A register *carries* an object if the register may hold an address that was made from the
// object's address by moves and by sums with numbers. Objects here are hidden symbols, slots, and
// the objects that plain parameters lead to. Six uses of a register that carries an object are
// known: an access; a move or such a sum; a comparison with null, of an address that surely lies in
// the object; an argument for a plain parameter; a return. Every other use *exposes* the object.
// A call of a function that yields an object hands the object to its destination.
//
// The checker asks for every need whether the claims allow for the need. The transform that makes
// the claims collects the needs.
#pragma once

#include "fact/unit_memory.h"

// A symbol, or symbol count + slot, or symbol count + slot count + parameter.
typedef uint32_t UnitObject; // NO_ID: none

typedef enum {
    UNIT_EXPOSES,  // the object
    UNIT_ACCESSES, // the object, or, with none, memory that others know of: MAY_READ, MAY_WRITE
    UNIT_PASSES,   // the object, or, with none, a number, to the plain parameter of the callee
    UNIT_COMPARES, // the object with null
    UNIT_CALLS,    // the callee; NO_SYM: anybody
    UNIT_TAKES,    // the callee, a function, for calls that are not as it is defined
    UNIT_DOES,     // `effects`
    UNIT_YIELDS,   // the object: its address is the function's result
} UnitNeedKind;

typedef struct {
    UnitNeedKind kind;
    Node node;
    UnitObject object;
    Effects effects;
    Sym callee;
    uint32_t param;
    bool exact; // the address surely lies in the object
    bool named; // the access names the object
} UnitNeed;

// Calls `need` for each need of a function of a program that has claims, until it says no. False if
// it has.
typedef bool UnitNeeds(void *context, const UnitNeed *need);
bool unit_needs_of(Arena *arena, const Func *func, UnitNeeds *need, void *context);
