// The values of a function in functional SSA as a graph without names, simplified, as section 8 of
// Pop et al. asks for before code is made. Equal total operators are one value, constants are
// folded, and a value that a loop never changes is its value before the loop. Only src/imp includes
// this header.
#pragma once

#include "imp/imp_out.h"

typedef struct {
    uint8_t
        kind; // FssaTermKind; NAME: a parameter, the first state, or the result of the effect args[0]
    uint8_t type;
    uint16_t op, high;
    Reg reg;                     // NAME, otherwise an identifier that it is the value of, or NO_REG
    uint32_t loop;               // LOOP, CLOSE
    uint32_t args_at, arg_count; // EFFECT: the state, then the operands of the instruction
    uint32_t ref;
    int64_t imm;
    uint32_t same;  // the value that it turned out to be, or itself
    uint32_t level; // the innermost loop in which it changes, or NO_ID
    bool is_state, is_array;
    bool may_be_undef;
    bool fragile; // computing it may go wrong
    bool heavy;   // must not be computed in vain: it needs a loop, which may have no end, does
        // something, or may go wrong in a way other than a division, which can be tested in
        // advance
    uint32_t alike; // the first value that is computed in the same way
    FssaTerm term;  // that it was made of
} ImpValue;

// Whether a value can be written inside of an expression, as an operator.
static inline bool imp_is_expression(const ImpValue *value) {
    switch ((FssaTermKind)value->kind) {
    case FT_OP:
    case FT_READ:
    case FT_NOT:
    case FT_AND:
    case FT_OR:
    case FT_CASE: return true;
    default: return false;
    }
}

typedef struct {
    Arena *arena;
    ImpMaker *maker;
    const Func *func;
    VEC(ImpValue) values;
    VEC(uint32_t) args;
    Table table;
    uint32_t *of_term, *of_reg; // NO_ID: not yet
    uint32_t *depth;            // of loops, from 1 on
} ImpValues;

void imp_values_init(ImpValues *values, Arena *arena, ImpMaker *maker);
// The value of a term.
uint32_t imp_value_of(ImpValues *values, FssaTerm term);
// The part of imp_values_settle that works for any function: levels and kinds.
void imp_values_find(ImpValues *values);
// After the last of these: finds the values that loops never change, and where values change.
// False, after a message, if a value is used outside of a loop in which it changes.
bool imp_values_settle(ImpValues *values);
// Then: conditions of which a part must not be computed in vain become conditional values
// (imp_logic.c).
void imp_values_split_logic(ImpValues *values);
// New values, of type i32, after that.
uint32_t imp_value_make(ImpValues *values, FssaTermKind kind, const uint32_t *args, uint32_t count);
uint32_t imp_value_truth(ImpValues *values, bool truth);

// A division of integers.
bool imp_value_divides(const ImpValue *value);

static inline ImpValue *imp_value_at(const ImpValues *values, uint32_t id) {
    return &values->values.at[id];
}
static inline uint32_t imp_value_find(const ImpValues *values, uint32_t id) {
    while (values->values.at[id].same != id) id = values->values.at[id].same;
    return id;
}
static inline uint32_t imp_value_arg(const ImpValues *values, uint32_t id, uint32_t i) {
    return imp_value_find(values, values->args.at[values->values.at[id].args_at + i]);
}
// Of a conditional value: whether a pair has a condition that has to be looked at; the last one has
// not.
static inline bool imp_value_tests(const ImpValue *value, uint32_t pair) {
    return 2 * pair + 2 < value->arg_count;
}
