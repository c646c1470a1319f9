// A ValuesHint as remarks are made of it: which values registers have in the end, which nodes are
// reached, and what has become of items.
#pragma once

#include "analysis/value_roots.h"
#include "graph/definitions.h"
#include "graph/loop_nest.h"
#include "history/history_private.h"

typedef struct {
    StepNotes *notes;
    const ValuesHint *hint;
    const Func *before, *after;
    ValueRoots roots;
    Preds preds; // of `before`, as is what follows
    Dominance dominance;
    LoopNest loops;
    const Definition *definitions;
    const uint32_t *heads; // of blocks
    uint32_t *first_old,
        *next_old;      // per root: the first register of the root; per register: the next one
    uint32_t *claimed;  // per item: the first new item that is linked to it, or NO_ID
    uint32_t *test;     // per node: the condition of a COND as a value, or NO_ID
    uint32_t *decision; // per node: in hint->decisions, or NO_ID
    uint32_t *way;      // per node: the way that is left to it, or NO_ID
    Bits reached;       // by the ways that are left
    uint32_t *cause;    // per node that is not reached: the branch that sees to that, or NO_ID
    uint32_t *owner; // per step of the hint: the first register whose operator takes it, or NO_ID
    uint32_t
        *part_of; // per value: the step that makes it, or makes a value that contains it; or NO_ID
    uint32_t
        *performed; // per node of `after`: the node that it performs, or in front of which it is
                    // done
} ValuesView;

// False if the hint does not fit the functions. Says which items are the same.
bool values_view(StepNotes *notes, const ValuesHint *hint, ValuesView *view);

// The value of a register of `before` in the end, if it is a constant or an address; NULL
// otherwise.
const HintValue *values_constant(const ValuesView *view, uint32_t root);

// Values in words, in a sentence about the instruction of a node (NO_ID: about none): names of
// registers that have them there, else operators. They live until the next step.
const char *values_name(const ValuesView *view, uint32_t value, uint32_t place);
// One operator on what its arguments are called: "mul.i32 %a.0, 8".
const char *values_operator(const ValuesView *view, uint32_t value, uint32_t place);
