// The hint of passes from SSA to SSA that change values and keep the order of effects, and of
// excursions that start and end in SSA. The hint says why each value of the function `after`
// refines a value of the function `before`.
//
// `before` and `after` are SSA. A *value* of the hint is an expression over the registers of
// `before`: it stands for the result for the present contents of these registers.
// `check/values/check_values.c` has the argument.
#pragma once

#include "fact/range.h"
#include "fact/rules.h"
#include "hint/hints_ssa.h"

//   OLD   the contents of a register of `before`
//   OP    a total or partial operator of values, a constant, an address
//   PHI   a phi of a join of `before`, with a value for each predecessor
//   LOAD  the result that a load of `before` would have in front of another node, behind its phis;
//         the values of the registers of its address have smaller numbers than the LOAD
//   CALL  the result of a pure function of the unit (unit_memory.h) for values
typedef enum { VALUE_OLD, VALUE_OP, VALUE_PHI, VALUE_LOAD, VALUE_CALL, VALUE_KIND_COUNT } ValueKind;

typedef struct {
    uint8_t kind;  // ValueKind
    uint16_t op;   // OP: Op
    uint16_t high; // OP: sign and exponent of a const.f80
    // OLD: a register. OP: the symbol or slot of an address, else NO_ID. PHI: the join. LOAD: the
    // node in front of which it is done. CALL: the function.
    uint32_t ref;
    int64_t
        imm; // OP without operands: the immediate, as in an instruction. LOAD: the node that has the load.
    // OP, PHI, CALL: the arguments are args[first .. first + count - 1]. The arguments of an OP or
    // CALL have smaller numbers than itself.
    uint32_t first, count;
} HintValue;

// A value and another value that refines it, by a row of rules.def or by a reason below. In order:
// what a reason relies on comes before.
enum {
    STEP_FOLD = RULE_FOLD, // an operator of constants is a constant
    STEP_CONGRUENT, // the same operator; each argument is the same, or a result of earlier steps
                    // from it
    STEP_EXTENDED,  // the extension of what a load has extended likewise
    STEP_KNOWN,     // a range leaves one constant
    STEP_SUM,       // the same sum, or sums that differ by a constant (check/values/value_sums.h)
    STEP_MERGED,    // phis of one join and constants: one constant on each way into the join
    STEP_EQUAL,     // the same sum if two values are equal, as a branch has found before
    STEP_COUNTED,   // from an operator of PHIs of a join to a PHI of the join, as `counted` says
    STEP_WIDENED,   // a signed comparison of i32 is that of the sign extensions
    STEP_REASON_COUNT
};

typedef struct {
    uint32_t from, to; // values; each is at most once the first
    uint16_t rule;     // Rule, or STEP_...
} ValueStep;

// Why a step by STEP_COUNTED is right. It leads from an operator of PHIs of a join, and of values
// known above, to a PHI of the join. counted_ways[first + k] is the same operator with the k-th
// arguments of the PHIs in their places: steps lead from there to the k-th argument of the PHI.
typedef struct {
    uint32_t step; // ascending
    uint32_t first;
} CountedStep;

// A join, and for each way in an edge that control has passed when it comes this way: edges[first],
// edges[first + 1], ...
typedef struct {
    Node join;
    uint32_t first;
} GatedJoin;

// At a join, behind its phis: the low bytes of a value are the contents of a place.
typedef struct {
    uint32_t place; // as places_of numbers them for `before`, registers being known by their values
    uint32_t value;
} PlaceFact;

// The range of a PHI wherever the PHI is known. range_ways[first + k] is a fact of `ranges` about
// the argument of the k-th way in, which counts at the end of this way; or NO_ID: the range of the
// argument counts that it has everywhere.
typedef struct {
    uint32_t value;
    Range range;
    uint32_t first;
} PhiRange;

// Why the range of a value is known at a place, a node: it counts there, behind the phis of the
// node, and wherever the place dominates. `from` has earlier facts about other values that count
// there, or NO_ID.
//   COMPUTED  the value is an operator; from[k] is about its k-th operand
//   OUTCOME   the only way to the place comes from the branch or check `ref`, whose outcome tells;
//             from[0] is about the first operand of its comparison, from[1] about the second
//   OPERAND   the value is an operand of the operator `ref`; from[2] is about the operator, from[0]
//             and from[1] about its operands
//   ACCESS    the only way to the place comes from the load or store `ref`, whose address is the
//             value plus a constant
//   DIVIDED   the only way to the place comes from the operator `ref`, which may go wrong and has
//             the value as an operand
//   MERGED    the place is a join, and range_ways[ref + k] is a fact about the value that counts at
//             the end of the k-th way in; or NO_ID
enum {
    RANGE_COMPUTED,
    RANGE_OUTCOME,
    RANGE_OPERAND,
    RANGE_ACCESS,
    RANGE_DIVIDED,
    RANGE_MERGED,
    RANGE_REASON_COUNT
};

typedef struct {
    uint32_t value;
    Node place;
    uint8_t reason; // RANGE_...
    uint32_t ref;   // a node, a value, or an index into range_ways
    uint32_t from[3];
} RangeFact;

// A way of a switch that control never goes: the range of the switch's value excludes it, by a fact
// that counts at the switch, or, NO_ID, everywhere.
typedef struct {
    BranchEdge edge;
    uint32_t fact;
} ShutWay;

// A step that holds at a node: for the result of its operator, for its arguments, and for the
// arguments of phis that control brings from there. Ranges of the values that the step is about are
// those of the facts, which count there; or NO_ID. Instead, STEP_EQUAL has a branch, and its way
// that control has passed.
typedef struct {
    Node node; // ascending
    ValueStep step;
    uint32_t facts[2];
} LocalStep;

typedef struct {
    VEC(HintValue) values;
    VEC(uint32_t) args; // values
    VEC(ValueStep) steps;
    VEC(CountedStep) counted; // one for each step by STEP_COUNTED
    VEC(uint32_t) counted_ways;
    // For each register of `before`: a value that refines it wherever it is set; NO_ID if only the
    // register itself does. For an operator, or a load whose contents are known, this is the result
    // of the steps from `formed`: the operator on the values of its arguments, or the extension of
    // the contents. Empty: no register has a value. The same of `formed` and `tests`.
    VEC(uint32_t) value_of;
    // For each register of `before`, or NO_ID. A load that is formed by itself is what its place
    // holds from then on, even if something else is known of that already.
    VEC(uint32_t) formed;
    VEC(uint32_t)
    tests; // for each COND of `before`, in order of nodes: its condition as formed from values;
           // NO_ID if there is none
    VEC(Decision)
    decisions; // by node, ascending: branches with one way left, and checks (way 0) that always go on; way NO_ID: those that
               // a constant decides, but that are to stay
    VEC(ShutWay) shut; // ways of switches that have several left; by node, then by way
    VEC(BranchEdge)
    edges; // their reasons: ways of branches (and of checks, way 0) that were taken before; and those of:
    VEC(GatedJoin)
    gated; // joins with phis that are selects, or phis of other joins under the same conditions,
           // or counters that end at a limit (STEP_EQUAL)
    // The facts of the k-th join of `before` (in order of nodes) are facts[facts_at[k] ..
    // facts_at[k + 1] - 1]. Empty: none.
    VEC(uint32_t) facts_at;
    VEC(PlaceFact) facts;
    VEC(PhiRange) phi_ranges;
    VEC(uint32_t) range_ways;
    VEC(RangeFact) ranges;
    VEC(LocalStep) local;
    VEC(Node)
    old; // for each node of `after` the node of `before` that it performs; NO_NODE: done in front
         // of the next
    VEC(uint32_t)
    value_of_new; // for each register of `after`: the value that the register refines; NO_ID if it
                  // is not used
} ValuesHint;
