// The hints of the passes that read RTL: what each pass tells its checker.
#pragma once

#include "fact/slot_fields.h"
#include "form/program.h"

// The hint of the passes that copy, drop and insert nodes without changing values: inline_calls,
// invert_loops, unroll_loops, normalize, drop_loops, straighten and tidy. The hint says where the
// old function stands when the new function is at a node; check/copies/copies.c has the meaning.

// A register that says by its value where the old function stands: value k is targets[k].
typedef struct {
    Reg reg;
    uint32_t target_count;
    const Node *targets;
} CopiesDispatch;

// At a new node: a register and the old register whose value it holds; NO_REG if there is none.
typedef struct {
    Node node;
    Reg now, then;
} CopiesPair;

// At a new node: a way of an old branch whose condition has the outcome that leads there.
typedef struct {
    Node node;
    Node branch;
    uint32_t way; // index of the successor
} CopiesFact;

typedef struct {
    // For each new node the old one that is about to be executed; from the number of old nodes on,
    // a dispatch. Empty: each node stands for the one of its own number.
    VEC(Node) old;
    // For each new node: 0 if the old node is one of the function itself, k + 1 if of the body that
    // site k calls. Empty: all 0.
    VEC(uint32_t) copy;
    VEC(Node) sites; // calls in whose place bodies are, in the order of their registers and slots
    VEC(CopiesDispatch) dispatches;
    // The exceptions, by node, from the rule that each register holds the value of its namesake.
    // Most nodes need no pairs: a node with a single way in has the pairs that its predecessor
    // leaves.
    VEC(CopiesPair) pairs;
    VEC(CopiesFact) facts;
} CopiesHint;

// The hint of the pass split_slots: which slots are split, and into what. The register of a field
// is a new register; registers come in the order of the fields.
typedef struct {
    VEC(Slot) slots;       // ascending
    VEC(SlotField) fields; // by slot, then by place
} SplitHint;
