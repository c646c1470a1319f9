// Slices of a function: finds the nodes of its RTL that have to stay so that the requested values
// are computed as before.
//
// The sliced graph is the RTL that the front end makes, before any pass. Three parts work on the
// graph:
//
//   * the front end tells the *units* of the source: the statements and declarations that can be
//     cut out, and the nodes that were made for each. A unit is a *group* here: if one of its nodes
//     is kept, all are;
//   * the *demand* (this header) finds the nodes that are needed. The search begins with the
//     request and follows data and control backward. A demand only ever grows: code that finds out
//     later that another node has to stay, say a jump whose removal would change the order of
//     nodes, demands that node and closes again, at the cost of the new nodes alone;
//   * the checker (check/slice/check_slice.c) takes the nodes that are kept, the next kept node of
//     each node, and the relevant variables in front of each, and relies on nothing else.
//
// A closed demand satisfies the conditions of the checker:
//
//   * *data*: if a kept node reads a variable, or a variable was demanded in front of a node, then
//     every node is kept that sets or may set it on some way there on which no node certainly sets
//     it in between;
//   * *control*: next(n), the kept node that is met first from n, is the same on all ways from n.
//     To this end the branches are kept that decide between two of them, or between one and the end
//     of the function. Ways that go round a loop for ever decide nothing, nor do those that end in
//     `unreachable` or a trap;
//   * *groups* are kept as a whole.
//
// fact/slice/slice_variables.h defines variables, and the variables that a node reads and sets, for
// the demand and the checker alike.
#pragma once

#include "base/bits.h"
#include "fact/slice/slice_variables.h"

// ---- Why a node is kept

typedef enum {
    SLICE_NOT_KEPT,
    SLICE_ASKED,   // the criterion, or another caller demanded it
    SLICE_DATA,    // it sets `variable`, which `by` reads, or which was demanded in front of `by`
    SLICE_CONTROL, // it decides whether, or when, `by` is reached
    SLICE_GROUP,   // it was made for the same unit as `by`
    SLICE_MEETING, // two ways to different kept nodes part here; `by` is one of these nodes
} SliceWhy;

typedef struct {
    SliceWhy why;
    Node by;           // kept, or a place of the criterion; NO_NODE if asked for
    uint32_t variable; // DATA: a number of slice_variables.h; NO_ID otherwise
} SliceReason;

// ---- The demand

typedef struct SliceDemand SliceDemand;

// A further look at a closed demand before it counts as closed: `more` demands missing nodes and
// yields whether there were any. A jump statement without which control would go elsewhere is found
// this way.
typedef struct {
    bool (*more)(void *context, SliceDemand *demand);
    void *context;
} SliceHook;

typedef struct {
    const uint32_t *way; // node -> the only successor that is taken, or NO_ID; NULL: all are
    SliceHook hook;      // `more` may be NULL
    // Calls (nodes) whose reads of the world another demand follows; NULL: none. See
    // slice_demand_calls.
    const Bits *followed;
} SliceOptions;

// The function and its variables must not change. `arena` holds everything. If nothing of the
// function can be left out (SliceVariables.whole), all nodes are kept from the beginning.
SliceDemand *slice_demand_new(Arena *arena, const SliceVariables *variables, SliceOptions options);

// These nodes are kept together. A node may be in several groups.
void slice_demand_group(SliceDemand *demand, const Node *nodes, uint32_t count);
// The node is kept, unless it is ruled out by ways that are not taken.
void slice_demand_node(SliceDemand *demand, Node node);
// Demands the value of a variable whenever control comes to the node, before its instruction. That
// is only of use if the node is kept, too. A number of slice_variables.h.
void slice_demand_variable(SliceDemand *demand, Node node, uint32_t variable);

// Keeps all nodes with an effect that can be seen from outside, or that end the program, also where
// no return comes after them: SLICE_SEEN, and calls that do not return.
void slice_demand_seen(SliceDemand *demand);
#define SLICE_SEEN                                                                                 \
    ((SliceWorldSet)1 << SLICE_OUTPUT | (SliceWorldSet)1 << SLICE_INPUT |                          \
     (SliceWorldSet)1 << SLICE_VOLATILE | (SliceWorldSet)1 << SLICE_MACHINE)

// Follows all demands to the end. Near-linear in total, however often it is called.
void slice_demand_close(SliceDemand *demand);

// ---- What a closed demand tells

const Bits *slice_demand_kept(const SliceDemand *demand); // nodes
// Node -> node, or as above; NULL before closing.
const uint32_t *slice_demand_next(const SliceDemand *demand);
SliceReason slice_demand_reason(const SliceDemand *demand, Node node);
// Whether the slice depends on what a variable holds when the function is entered.
bool slice_demand_from_entry(const SliceDemand *demand, uint32_t variable);

// A call is kept, or the value of a variable behind it is needed.
typedef struct {
    Node call;
    uint32_t variable; // NO_ID: it is kept
} SliceCallEvent;

// The kept nodes in the order in which they were found, so far.
const uint32_t *slice_demand_order(const SliceDemand *demand, uint32_t *count);
// In the order of discovery, so far; for program_demand.h, which follows calls.
const SliceCallEvent *slice_demand_calls(const SliceDemand *demand, uint32_t *count);

// For statistics: how often all of control was looked at, and how many things were followed.
uint32_t slice_demand_rounds(const SliceDemand *demand);
uint64_t slice_demand_steps(const SliceDemand *demand);
