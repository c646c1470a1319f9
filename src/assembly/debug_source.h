// The description of the source for debuggers: types, functions, blocks and variables. The front
// end writes the description beside the program, and emission turns it into DWARF.
//
// The program itself holds no part of the description, so the description cannot change the code.
// Slots and symbols are known here by their names only; if passes have removed a slot or symbol, it
// has no place to report. Blocks are found again by the locations of instructions.
//
// Types are described once each, in the order in which they are first asked for. Number 0 is void.
#pragma once

#include "form/program.h"

typedef enum {
    DEBUG_VOID,
    DEBUG_BASE,
    DEBUG_POINTER,
    DEBUG_ARRAY,
    DEBUG_CONST,
    DEBUG_VOLATILE,
    DEBUG_RESTRICT,
    DEBUG_ATOMIC,
    DEBUG_FUNCTION,
    DEBUG_STRUCT,
    DEBUG_UNION,
    DEBUG_ENUM,
    DEBUG_TYPEDEF,
    DEBUG_UNKNOWN // has a name and nothing else
} DebugKind;

// How the bits of a base type are to be read.
typedef enum {
    DEBUG_BOOLEAN,
    DEBUG_SIGNED,
    DEBUG_UNSIGNED,
    DEBUG_SIGNED_CHARACTER,
    DEBUG_UNSIGNED_CHARACTER,
    DEBUG_FLOATING,
    DEBUG_COMPLEX,
    DEBUG_COMPLEX_INTEGER
} DebugEncoding;

// A member, a parameter of a function type or an enumerator.
typedef struct {
    Str name;
    uint32_t type;
    uint64_t value; // offset in bytes, of a bit-field in bits; value of an enumerator
    uint32_t width; // of a bit-field; else 0
} DebugPart;

typedef struct {
    uint8_t kind;     // DebugKind
    uint8_t encoding; // DebugEncoding of a base type
    bool complete;    // record, enum: is defined; array: has a number of elements; function: has a
                      // prototype
    bool variadic;
    bool is_unsigned; // values of an enum
    Str name;         // STR_NONE if it has none
    uint32_t base;    // the pointer's target, element, result, the type behind a name
    uint64_t size;    // in bytes; of an array, elements
    uint32_t
        measure; // of a variable-length array: the variable that holds its size in bytes; or NO_ID
    uint32_t part_at, part_count;
} DebugType;

typedef enum {
    DEBUG_NOWHERE,
    DEBUG_IN_SLOT,
    DEBUG_BY_SLOT, // the slot has its address
    DEBUG_AT_SYMBOL,
    DEBUG_IN_REGISTER, // of RTL as the front end makes it
    DEBUG_BY_REGISTER  // the register has its address
} DebugWhere;

typedef struct {
    Str name;        // STR_NONE: a hidden one that types refer to
    Str place;       // name of the slot, symbol or register,
    uint32_t number; // and of a register the number that tells it apart from others of that name
    uint8_t where;   // DebugWhere
    uint32_t half;   // in bytes, of a variable that two registers hold; else 0
    uint32_t second; // the number of the register with the second half
    bool parameter;
    bool external;
    uint32_t type;
    uint32_t file, line;
    uint32_t next; // in its scope; NO_ID at the end
} DebugVariable;

// A block with declarations, or the outermost one of a function. A scope is followed by those
// inside.
typedef struct {
    uint32_t func;
    uint32_t parent;      // NO_ID for the outermost
    uint32_t depth;       // 0 for the outermost
    uint32_t first, last; // variables; NO_ID if there are none
} DebugScope;

typedef struct {
    Str name, symbol;
    bool external, prototyped, variadic;
    uint32_t type; // of the result
    uint32_t loc;
    uint32_t scope, scope_count; // the outermost scope, and the number of scopes
    uint32_t variable, variable_count;
} DebugFunc;

typedef struct {
    Arena *arena;
    VEC(DebugType) types;
    VEC(DebugPart) parts;
    VEC(DebugVariable) variables; // of functions; then, from first_global on, of the unit
    uint32_t first_global;
    VEC(DebugScope) scopes;
    VEC(uint32_t) scope_of_loc; // location -> scope of what is there
    VEC(DebugFunc) funcs;
    Map func_of_symbol; // name of the symbol -> index
} Debug;
