// Imp as code of a stack machine: what the interpreters run. Made in one walk over the tree.
#pragma once

#include "imp/imp.h"

typedef enum {
    CODE_NUMBER,  // push value
    CODE_UNDEF,   // push an undefined value
    CODE_LOAD,    // push the value of name
    CODE_ELEMENT, // pop an index, push the element of name
    CODE_OP,      // pop operands of op, push its result
    CODE_TRUTH,   // pop, push 1 if it is not 0, else 0
    CODE_NOT,     // pop, push 1 if it is 0, else 0
    CODE_JUMP,    // to target
    CODE_UNLESS,  // pop; if it is 0, jump to target
    CODE_SET,     // pop, set name
    CODE_STORE,   // pop a value and an index, set the element of name
    CODE_COPY,    // set array name to array target
    CODE_PRINT,   // pop, print
    CODE_ENTER,   // a loop: its counter starts at 0
    CODE_AGAIN,   // count, jump to target
    CODE_LEAVE,   // the loop is over
    CODE_MARK,    // in front of a statement, or in front of a loop's test; for who watches
    CODE_END
} ImpCodeKind;

typedef struct {
    uint8_t kind;
    int8_t digit; // MARK: see ImpRunOptions.watch
    uint16_t op;
    uint32_t name, target;
    uint32_t expr, stmt; // its origin, for messages and points
    int64_t value;
} ImpCode;

typedef VEC(ImpCode) ImpCodes;

ImpCodes imp_code(Arena *arena, const Imp *imp, bool marks);
