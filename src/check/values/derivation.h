// A derivation: algebraic rules applied to a function one after another. The pass rewrite derives
// its result with this, and its checker repeats the derivation from the hint.
#pragma once

#include "fact/rules.h"
#include "hint/hints_ssa.h"

// An instruction of the derived function: the instruction of an old node, or an inserted one.
typedef struct {
    const Instr *instr;
    uint32_t previous; // the item that was put in right before it; NO_ID if there is none
} DerivedItem;

typedef struct {
    Arena *arena;
    const Func *before;
    VEC(DerivedItem) items; // old nodes first
    VEC(uint32_t) definer;  // of each register: the item of the operator that sets it, or NO_ID
    VEC(Reg) same;          // of each register: itself, or a register of which it is a copy
    VEC(Type) added;        // types of the registers that were added
} Derivation;

// The function as it is, before any step.
void derivation_start(Derivation *derivation, Arena *arena, const Func *before);
// Applies a rule. False, and nothing has changed, if it does not apply there.
bool derivation_step(Derivation *derivation, const RewriteStep *step);
// The items that were put in before a node and then the node itself, in the order of execution, as
// a list that lives until the next call.
typedef VEC(uint32_t) Items;
void derivation_items(const Derivation *derivation, Node node, Items *items);
// The operator that sets a register, copies followed; NULL if it is set otherwise.
const Instr *derivation_definition(Derivation *derivation, Reg reg);
