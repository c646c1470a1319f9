// The description of the code of one function in the allocated machine form for debuggers: the
// inlined call from which each instruction comes, and the places of the values of variables.
// src/debug makes the description, emission turns it into DWARF.
#pragma once

#include "form/mach.h"

// A value is the result of a small program on a stack, as in DWARF.
//   PLACE     pushes the contents of a machine register or spill: the low bits, as many as its type
//             has
//   NUMBER    pushes a number
//   SYMBOL    pushes the address of a symbol plus a number; SLOT, of a slot
//   FLOAT     of a type, the bits of a constant; it stands alone
//   OP        takes the operator's operands from the stack, pushes the result; see debug_lists.c
//   ENTRY     pushes the contents of a general register when the function was called, from the
//             caller's call site
//   PIECE     the pushed value, or an unknown one, is the next `number` bytes of the variable
typedef enum {
    PUSH_PLACE,
    PUSH_NUMBER,
    PUSH_SYMBOL,
    PUSH_SLOT,
    PUSH_FLOAT,
    PUSH_OP,
    PUSH_ENTRY,
    PUSH_PIECE
} DebugTermKind;

typedef struct {
    uint8_t kind;   // DebugTermKind
    uint8_t type;   // Type of what is pushed
    uint16_t op;    // OP: Op
    uint16_t high;  // FLOAT: sign and exponent of an f80
    uint32_t ref;   // SYMBOL, SLOT
    Place place;    // PLACE, ENTRY
    int64_t number; // NUMBER, SYMBOL, SLOT, FLOAT
} DebugTerm;

enum { MOST_TERMS = 48 };

// A call that was replaced by a body; the first one is the function itself.
typedef struct {
    uint32_t func;   // in Debug.funcs; NO_ID if it is not described
    uint32_t parent; // the instance that had the call; NO_ID for the function itself
    uint32_t loc;    // of the call
} DebugInstance;

// Before each of the instructions from `first` to `last` a variable of an instance has the value
// that the terms compute. If `ends` is set, the last one destroys a place that the terms refer to.
// If `inside` is set, the value holds inside of the function that the first instruction calls, and
// not when debuggers stop before the call.
typedef struct {
    uint32_t instance, variable; // in Debug.variables
    uint32_t first, last;
    bool ends, inside;
    uint32_t term_at, term_count; // in DebugCode.terms
} DebugSpan;

// A variable of an instance, or what has its address, is in a slot; if `partial` is set, only where
// spans say so.
typedef struct {
    uint32_t instance, variable;
    uint32_t slot;
    bool partial;
} DebugSlot;

// While a call is active, the caller can compute the value of one of its arguments.
typedef struct {
    MachineReg reg;
    uint32_t term_at, term_count;
} DebugArgument;

// A call of a symbol.
typedef struct {
    uint32_t instr;
    uint32_t callee;       // Sym
    uint32_t first, count; // in DebugCode.arguments
} DebugCallSite;

typedef struct DebugCode {
    VEC(DebugInstance) instances;
    uint32_t *instance_of; // per instruction; NO_ID if it is not known
    uint32_t *loc_of;      // per instruction: the location of the source form where it is
    bool *starts;          // per instruction: a statement starts there
    VEC(DebugSpan) spans;  // by instance and variable, then in order
    VEC(DebugTerm) terms;
    VEC(DebugSlot) slots;
    VEC(DebugCallSite) sites; // in order
    VEC(DebugArgument) arguments;
} DebugCode;
