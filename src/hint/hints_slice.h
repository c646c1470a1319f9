// The hint of a slice: the part of the original that each part of the slice is, and why the parts
// that were left out do not matter. check/slice/check_slice.c has the argument.
//
// `before` is the program that was sliced, `after` the slice. Both have their own numbers of
// symbols, nodes, registers and slots. Variables go by the numbers that slice_variables_of gives
// them for the function of `before`.
#pragma once

#include "fact/slice/slice_variables.h"

// One more member of SliceWorldSet: the result of a function.
#define SLICE_RESULT ((SliceWorldSet)1 << SLICE_WORLD_COUNT)

// A request: the value of a variable whenever control comes to a node of `before`, which is kept;
// or the values that this node reads.
typedef struct {
    Node node;
    uint32_t variable; // NO_ID: what the node reads
} SlicePoint;

// A branch of `before` that is assumed to go one way only.
typedef struct {
    Node branch;
    uint32_t way; // number of a successor
} SliceAssumption;

// A function that was sliced.
typedef struct {
    Sym symbol; // of `after`
    VEC(Node)
    old; // for each node of `after` its kept node of `before`; NO_NODE: it does nothing
    VEC(Reg)
    regs; // for each register of `after` its register of `before`; NO_REG: a register that nothing
          // asks for
    VEC(Slot) slots; // the same for slots
    // For each node of `before` the kept node that is met next, itself if it is kept; or
    // SLICE_NEXT_...
    VEC(uint32_t) next;
    // The variables that matter in front of the k-th block (basic_blocks.h) of `before`, in the
    // order of their heads, are relevant[relevant_at[k] .. relevant_at[k + 1] - 1].
    VEC(uint32_t) relevant_at;
    VEC(uint32_t) relevant;
    VEC(SlicePoint) points; // the requests, by node, ascending
    VEC(uint32_t)
    exits; // further requests: variables in front of every return, kept or not
    VEC(SliceAssumption) assumed;
    VEC(SliceApart) apart; // further assumptions
    uint32_t once;         // of the first: assumed not to be called again while it runs
    // A claim about calls. If at the entry these parameters and variables have their old values,
    // then at the exits these variables (with SLICE_RESULT: and the result) have the values they
    // had before the slice.
    SliceWorldSet outputs, inputs;
    VEC(uint32_t) params; // numbers of parameters, ascending
} SliceFunctionHint;

typedef struct {
    VEC(Sym) symbols; // for each symbol of `after` the one of `before`
} SliceSymbolsHint;

typedef struct {
    SliceSymbolsHint symbols;
    VEC(SliceFunctionHint) functions; // the first is the function of the request
} SliceHint;

// Whether no caller of a function can notice the slice while the first function runs, or there is
// no caller.
static inline bool slice_is_full(const Func *func, const SliceFunctionHint *hint) {
    if (hint->once) return true;
    bool result = program_sig_info(func->program, func->sig)->result.i != PTYPE_VOID.i;
    SliceWorldSet all = SLICE_EVERYTHING | (result ? SLICE_RESULT : 0);
    return (hint->outputs & all) == all;
}
