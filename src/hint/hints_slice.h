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

// What is asked for: what a variable holds whenever control comes to a node of `before`, which is
// kept; or what that node reads.
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
    old; // for each node of `after` the kept one of `before` that it is; NO_NODE: it does nothing
    VEC(Reg)
    regs; // for each register of `after` the one that it is; NO_REG: one that nothing asks for
    VEC(Slot) slots; // the same for slots
    // For each node of `before` the kept node that is met next, itself if it is kept; or
    // SLICE_NEXT_...
    VEC(uint32_t) next;
    // The variables that matter in front of the k-th block (basic_blocks.h) of `before`, in the
    // order of their heads, are relevant[relevant_at[k] .. relevant_at[k + 1] - 1].
    VEC(uint32_t) relevant_at;
    VEC(uint32_t) relevant;
    VEC(SlicePoint) points; // what is asked for, by node, ascending
    VEC(uint32_t)
    exits; // what is asked for besides: variables in front of every return, kept or not
    VEC(SliceAssumption) assumed;
    uint32_t once; // of the first: it is assumed that nobody calls it again while it runs
    // A claim about calls: what the function does to these at its exits (with SLICE_RESULT: and its
    // result) is what it did before the slice, if at its entry these parameters and those variables
    // are what they were.
    SliceWorldSet outputs, inputs;
    VEC(uint32_t) params; // numbers of parameters, ascending
} SliceFunctionHint;

typedef struct {
    VEC(Sym) symbols; // for each symbol of `after` the one of `before`
} SliceSymbolsHint;

typedef struct {
    SliceSymbolsHint symbols;
    VEC(SliceFunctionHint) functions; // the first is the one that was asked about
} SliceHint;

// Whether a function was sliced so that nobody who calls it while the first one runs can tell; or
// there is nobody.
static inline bool slice_is_full(const Func *func, const SliceFunctionHint *hint) {
    if (hint->once) return true;
    bool result = program_sig_info(func->program, func->sig)->result.i != PTYPE_VOID.i;
    SliceWorldSet all = SLICE_EVERYTHING | (result ? SLICE_RESULT : 0);
    return (hint->outputs & all) == all;
}
