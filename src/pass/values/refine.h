// Puts together the hint of a pass from SSA to SSA (hint/hints_values.h) from the knowledge of the
// pass: registers that are equal, phis that have become selects, new nodes and registers.
//
// A register that is not mentioned stays the same: a register of `after` stands for the register of
// `before` with the same number. Equal registers go by one value: their leader's. A register that
// is compared with others by its operator is *formed*: its value is the operator of the values of
// its arguments. Such values are made once, so that equal values are the same.
#pragma once

#include "pass/son/son_values.h"

// A select between two registers of `before` by the condition of a branch.
typedef struct {
    Node branch;
    Reg yes, no;
} RefineSelect;

typedef struct {
    Arena *arena;
    const Func *before;
    ValuesHint *hint;
    Preds preds;
    const Definition *definitions;
    SonValues values;
    uint32_t *leader; // of each register of `before`, perhaps by way of others
    bool *formed;     // leaders
    bool *asked;      // leaders whose parts have been asked for
    uint32_t *value;  // of leaders; NO_ID: not known yet
    uint32_t *select; // phi -> index of the select that takes its place, or NO_ID
    uint32_t *test;   // COND -> its value, or NO_ID; NULL: none has been asked for
    VEC(Reg) waiting; // registers whose values are being found
    VEC(Reg) phis;    // formed ones, whose arguments are still to be set
    VEC(RefineSelect) selects;
} Refine;

Refine refine_new(Arena *arena, const Func *before, ValuesHint *hint);

// ---- Before values are asked for

// Two registers of `before` are equal; the second leads, unless it is led itself, or is a move and
// the first is none.
void refine_equal(Refine *refine, Reg reg, Reg leader);
Reg refine_leader(Refine *refine, Reg reg);
// A register goes by its operator, or by its arguments if it is a phi.
void refine_form(Refine *refine, Reg reg);
// A phi of a join that the two ways of a branch lead to is a select between registers of `before`.
void refine_select(Refine *refine, Reg phi, Node branch, Reg yes, Reg no);
// A phi that is a select, but equals a phi that is none, goes by the select: nothing leads from the
// value of a select to that of a phi.
void refine_part_selects(Refine *refine);

// ---- Values

uint32_t refine_value(Refine *refine, Reg reg);
// The condition of a branch.
uint32_t refine_test(Refine *refine, Node branch);
// A register has a value that the rules above do not give it.
void refine_set(Refine *refine, Reg reg, uint32_t value);
// A step from a value to the constant that it is, if all of its arguments are constants.
void refine_fold(Refine *refine, uint32_t value);
// For each way into a join, in order, an edge that is passed before.
void refine_gate(Refine *refine, Node join, const BranchEdge *edges);

// The claims about registers, registers of `after` with a number of `before` included. Other
// registers have no claim: their value_of_new is NO_ID, and may be set to a value.
void refine_values(Refine *refine, const Func *after);
// The rest of the hint but `old`, which is there: values, tests, and branches of `after` that
// constants would decide. The last.
void refine_write(Refine *refine, const Func *after);
