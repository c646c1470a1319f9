// Functions that the files about statements share: statement.c and switch.c.
#pragma once

#include "c/parse/expression.h"

// A loop or switch being parsed.
typedef struct JumpTarget {
    struct JumpTarget *outer;
    Stmt *stmt;
    bool broken;    // a break that is reached leaves it
    bool continued; // a continue that is reached goes round
    // switches
    uint32_t unit;   // of units.h
    CType *type;     // of the controlling expression
    Stmt *last_case; // to link the next one
    uint32_t case_count;
} JumpTarget;

// ---- statement.c

void enter_breakable(Parser *parser, JumpTarget *target, Stmt *stmt);
// The statement that a condition, loop or switch controls, with its labels.
Stmt *parse_controlled(Parser *parser);

// ---- switch.c

Stmt *parse_case(Parser *parser);
Stmt *parse_default(Parser *parser);
// After a label: warns if the previous case may fall through to the statements here.
void warn_fallthrough(Parser *parser);
Stmt *parse_switch(Parser *parser);
// Reports a jump into the scope of something variably modified: from a statement to where `to` is
// the innermost such thing.
void check_jump_into(Parser *parser, const Stmt *jump, const VariableScope *to, Pos pos,
                     const char *what);
