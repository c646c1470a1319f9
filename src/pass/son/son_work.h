// The knowledge of the passes of the excursion into Sea of Nodes about the SSA function at its
// start, beside the SON function itself: the values of registers, the nodes that are reached, and
// why. son_schedule makes the hint from this knowledge.
#pragma once

#include "analysis/reg_reads.h"
#include "fact/comparison.h"
#include "fact/places.h"
#include "graph/definitions.h"
#include "graph/dominance.h"
#include "graph/loop_nest.h"
#include "pass/son/son_values.h"

// A load that is done in front of a loop.
typedef struct {
    Node at;   // in front of this node of `before`
    Node load; // the load of `before` that it is like
    uint32_t value;
} EarlyLoad;

// A phi that `before` does not have: it chooses the contents of a place by the way into its join.
typedef struct {
    Node join;
    uint32_t value;
} ContentsPhi;

// The facts that a round of value numbering assumes because an earlier round has shown them, and
// the facts that it shows.
typedef struct {
    uint32_t *
        way; // node of `before` -> the only way that a branch goes, or 0 for a check that never fails; NO_ID if not known
    uint32_t *held; // node of `before` with a load -> the value whose low bytes it loads, or NO_ID
    // Node of `before` with an operator -> the value that it is formed as, simplified, and the
    // value that ranges make of it there; NO_ID if not known.
    uint32_t *local_from, *local_to;
    // Argument of a phi -> its value, and the value that equalities make of it at the end of its
    // way; NO_ID if not known.
    uint32_t *end_from, *end_to;
    // Register of `before` that a phi sets -> the sum of other phis of its join, or the value from
    // above, that it is; or NO_ID.
    uint32_t *closed;
    uint32_t *shut; // way of a switch, as son_switch_edge numbers them -> NO_ID if it may be gone
} SonAssumptions;

// What is known of a value at a place, as a RangeFact; `from` has other findings.
typedef struct {
    RangeFact fact;
    Range range;
    uint32_t number; // of the fact in the hint, NO_ID as long as it is in none
} FoundRange;

// A way of a switch that is never gone, because of a finding, or NO_ID.
typedef struct {
    BranchEdge edge;
    uint32_t found;
} FoundShut;

// A step that holds at a node, as a LocalStep.
typedef struct {
    Node node;
    ValueStep step;
    uint32_t found[2]; // findings, or NO_ID; for STEP_EQUAL a branch and its way
    uint32_t gate;     // for STEP_EQUAL: one more than the gate that it needs, or 0
} FoundStep;

// For each way into a join an edge that control has passed.
typedef struct {
    Node join;
    uint32_t first; // in gate_edges
    uint32_t count;
} FoundGate;

typedef struct SonWork {
    Arena *arena;
    const Func *before;
    Preds preds;    // of `before`
    Dominance dom;  // of `before`
    LoopNest loops; // of `before`
    // The graph without the ways that branches do not go, as numbering has found them last
    // (son_open): dominance, and the only predecessor of each node, or NO_NODE.
    Dominance open;
    Node *sole;
    RegReads reads; // in `before`, if that has loops
    bool has_loops;
    bool keeps_writes; // also to slots that nothing reads
    const Definition *definitions;
    SonValues values;
    // The results of value numbering.
    uint32_t *value_of; // register of `before` -> value; NO_ID if its definition is not reached
    Bits reached;       // nodes of `before`
    uint32_t *
        way; // node -> the only way that a branch or a check goes; NO_ID if it may go several ways, or stop
    uint32_t *test; // node with a COND that is reached -> what its condition simplifies to
    // Why: decisions that no constant explains, by node, ascending.
    VEC(Decision) decisions;
    VEC(BranchEdge) edges;
    VEC(FoundShut) shut; // ways of switches with several left
    uint32_t switch_ways;
    uint32_t *switch_at; // switch -> the number of its first way; NULL if there are no switches
    // The contents of memory.
    SonAssumptions assumed;
    VEC(EarlyLoad) early;
    Map early_of; // node in front of which, and load -> value
    VEC(ContentsPhi) contents_phis;
    Map contents_phi_of;    // join, and a load from the place -> value
    VEC(uint32_t) facts_at; // as in the hint
    VEC(PlaceFact) facts;
    // Ranges. Decisions by ranges have findings as their facts, plus one.
    VEC(FoundRange) found;
    VEC(FoundStep) local;
    VEC(FoundGate) gates; // one for a join at most
    uint32_t *gate_at;    // join -> one more than its gate, or 0; NULL as long as there are none
    VEC(BranchEdge) gate_edges;
    VEC(uint32_t) merged; // for the facts at joins: findings at the ends of their ways, or NO_ID
    VEC(uint32_t)
    found_ways;        // for each argument of a phi: the finding about it at the end of its
                       // way, or NO_ID
    VEC(Range) ranges; // of each value, everywhere
    // Where `before` computed the value of each register of the SON function: at, as nodes of that,
    // origins[origin_at[r] .. origin_at[r + 1] - 1].
    VEC(uint32_t) origin_at;
    VEC(uint32_t) origins;
    VEC(uint32_t) value_of_reg; // register of the SON function -> the value that it has, or NO_ID
} SonWork;

// A start from a function without any knowledge.
SonWork *son_work_start(Arena *arena, const Func *before);
// The same, with every register known by its own operator, and nothing found out.
SonWork *son_work_plain(Arena *arena, const Func *before);
// When all values are known: the arguments of phis.
void son_work_finish(SonWork *work);

// Numbers the values of a function, given what may be assumed: sets value_of, reached and way.
// False if the ways of branches do not come to rest.
bool son_number(SonWork *work);
// Makes `open` and `sole` anew.
void son_open(SonWork *work);
// The condition of a COND as formed from the values of its registers.
uint32_t son_test(SonWork *work, Node node);

// The value of the k-th argument of a phi at the end of its way; NO_ID if none is known.
static inline uint32_t son_argument(const SonWork *work, const Phi *phi, uint32_t k) {
    uint32_t value = work->value_of[phi_args(work->before, phi)[k].i];
    bool known = value != NO_ID && work->assumed.end_from[phi->args_at + k] == value;
    return known ? work->assumed.end_to[phi->args_at + k] : value;
}

// The number of a way of a switch among the ways of all switches.
static inline uint32_t son_switch_edge(const SonWork *work, Node node, uint32_t way) {
    return work->switch_at[node.i] + way;
}
// Whether a way of a branch is assumed to be never gone.
static inline bool son_is_shut(const SonWork *work, Node node, uint32_t way) {
    return work->switch_at && func_at(work->before, node)->kind == I_SWITCH &&
           work->assumed.shut[son_switch_edge(work, node, way)] != NO_ID;
}
// The way of a switch for a value of its register, sign-extended; 0 for the default.
uint32_t son_switch_way(const Func *func, const Instr *instr, int64_t value);

// Finds branches and checks that others decide which dominate them. `way` gets a way for each node;
// also work->decisions.
void son_decide(SonWork *work, uint32_t *way);

// The fact that holds if a branch goes a way, or a check goes on; values take the place of
// registers. False if nothing is known.
bool son_outcome(SonWork *work, Node node, uint32_t way, Comparison *result);
// Which successor of its only predecessor a node is; NO_ID if it is two.
uint32_t son_way_to(const Func *func, Node from, Node to);
// Puts the decisions in order.
void son_sort_decisions(SonWork *work);

// Finds ranges of values, and with them branches and checks with one way (in `way`, with
// decisions), ways of switches that are never gone, and simpler values of operators at their
// places.
void son_ranges(SonWork *work, SonAssumptions *found);

// Finds phis of loops that count along with others: for each register the value that it is, or
// NO_ID.
void son_counters(SonWork *work, uint32_t *closed);

// Two values that are equal at a node because a branch has gone a way before.
typedef struct {
    BranchEdge edge;
    uint32_t gate; // one more than the gate that tells the limit of a counter, or 0
    ValueSum a, b;
    uint32_t outer; // the next one, further above, or NO_ID
    uint32_t last;  // they are known up to this number in the preorder of the dominator tree
} KnownEqual;

// All of these, and for each node the number of the innermost, or NO_ID.
typedef struct {
    VEC(KnownEqual) known;
    uint32_t *at; // NULL if there are none
} SonEquals;
SonEquals son_equals(SonWork *work);
enum { MOST_EQUALS = 3 }; // of a node that are looked at
// The number of parts of two equal values, and each of them.
static inline uint32_t equal_part_count(const KnownEqual *equal) {
    return equal->a.count + equal->b.count;
}
static inline uint32_t equal_part(const KnownEqual *equal, uint32_t i) {
    return i < equal->a.count ? equal->a.parts[i].value : equal->b.parts[i - equal->a.count].value;
}
// Whether a value with a phi of a loop is a value from outside of the loop, at a node behind the
// loop where two values are equal; if so, which.
bool son_leaves_loop(SonWork *work, Node node, uint32_t value, const KnownEqual *equal,
                     uint32_t *result);
// What a sum is if two values are equal, without one of its parts. False if the sum does not have
// the part, or if it does not occur just once in the difference of the values.
bool son_replace(const SonWork *work, const ValueSum *sum, const KnownEqual *equal, uint32_t part,
                 ValueSum *result);

// Finds simpler values of operators at their places that follow without ranges, where ranges have
// found none: constants that merge, and sums of values that are equal there.
void son_steps(SonWork *work, const SonEquals *equals, uint32_t *local_from, uint32_t *local_to);
// Adds phis with one value where values are equal to those that are closed.
void son_equal_phis(SonWork *work, const SonEquals *equals, uint32_t *closed);
// Finds arguments of phis that are other values behind a loop, since its counter has ended: for
// each argument its value, and the other value, or NO_ID.
void son_ends(SonWork *work, const SonEquals *equals, uint32_t *end_from, uint32_t *end_to);
// Sets the arguments of the phis of a join whose values are phis, as far as values are known.
void son_set_phis(SonWork *work, Node join);
// The places of `before`, its registers being known by their values.
Places son_places(SonWork *work);

// For each load what its place holds, or NO_ID; also work->facts. Early loads are added to
// work->early.
void son_hold(SonWork *work, uint32_t *held);
