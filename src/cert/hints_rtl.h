// The hints of the passes that read RTL: what each pass tells its checker.
#pragma once

#include "fact/slot_fields.h"
#include "form/program.h"

// The hint of the pass inline_calls: which calls were replaced. All the rest follows from that, as
// check_inline_calls.c describes.
typedef struct {
    VEC(Node) sites; // in the order of their copies
} InlineHint;

// The hint of the pass split_slots: which slots are split, and into what. The register of a field is a new
// one; they come in the order of the fields.
typedef struct {
    VEC(Slot) slots;       // ascending
    VEC(SlotField) fields; // by slot, then by place
} SplitHint;

// The hint of the pass invert_loops: of which old node each new one is a copy.
typedef struct {
    VEC(Node) old;
} InvertHint;

// The hint of the pass normalize: for each new node, what it does in terms of the old function, and in
// which loop it lies.

// What a new node stands for.
//   STEP      it is the old node: the same instruction, each successor standing for the old successor
//   STUTTER   it does nothing but lead to the old node: a nop, or the setting of a dispatch register
//   DISPATCH  it leads to the old node that the value of a dispatch register selects
//   COPY      (tidy only) it sets one phi of the old node, a join that has one way in left
typedef enum { NORM_STEP, NORM_STUTTER, NORM_DISPATCH, NORM_COPY } NormKind;

typedef struct {
    NormKind kind;
    uint32_t target; // old node (STEP, STUTTER) or index of a dispatch (DISPATCH)
    Node loop;       // header (a new node) of the innermost loop it lies in, itself for a header;
                     // NO_NODE outside of loops
} NormNode;

// A dispatch register and the old node that each of its values stands for: value k is targets[k].
typedef struct {
    Reg reg;
    uint32_t target_count;
    const Node *targets;
} NormDispatch;

typedef struct {
    VEC(NormNode) nodes; // one per new node
    VEC(Node)
    outer_loop; // for each new node that is a header, the header of the next outer loop;
                // NO_NODE where there is none and for other nodes
    VEC(NormDispatch) dispatches;
} NormHint;
