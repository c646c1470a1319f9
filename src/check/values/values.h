// The values of a hint of an excursion (hint/hints_values.h): the definition of values, the points
// where values are known, the registers that values refine, and the ways of branches that remain.
// check_values.c has the argument.
#pragma once

#include "check/check.h"
#include "check/values/value_steps.h"
#include "fact/comparison.h"
#include "graph/definitions.h"
#include "graph/dominance.h"

// A point of `before`. A node has several points, one after the other: its phis are set; the loads
// that the hint puts in front of the node are done; the instructions that `after` has there are
// done; its instruction is executed.
typedef enum { POINT_PHIS, POINT_LOADS, POINT_PRELUDE, POINT_INSTR } PointLevel;

typedef struct {
    uint32_t node;  // NO_ID: before the entry
    uint32_t level; // PointLevel, or POINT_NEVER
} Point;

enum { POINT_NEVER = POINT_INSTR + 1 }; // no point at all
#define POINT_TOP  ((Point){NO_ID, POINT_PHIS})
#define POINT_NONE ((Point){NO_ID, POINT_NEVER})

typedef struct {
    Arena *arena;
    const Func *before;
    const ValuesHint *hint;
    ValueTerms terms;
    uint32_t count; // of values
    Preds preds;    // of `before`
    const Definition *definitions;
    const uint32_t *value_of; // of each register of `before`, as claimed; NO_ID: it is only itself
    const uint32_t *formed;   // of each register of `before`, or NO_ID
    uint32_t *root;           // the result of the steps from each value
    uint8_t *type;            // of each value; TYPE_VOID of a phi of nothing but such phis
    Point *base;              // from which point on each value is known
    uint32_t *test;           // COND -> its value in hint->tests, or NO_ID
    uint32_t *gate; // join -> the first of its edges in hint->edges, one for each way in; or NO_ID
    // Branch -> its only way, a check that always goes on -> 0; NO_ID if it may go any way.
    uint32_t *way;
    Dominance dom;     // of what is left of `before` if branches go only the ways that remain
    uint32_t *ways_in; // how many of these lead to each node
    Range *range;      // of each integer value; NULL if the hint has no use for ranges
    Range *fact_range; // of each fact of hint->ranges
    const struct Places *places; // values_places; NULL as long as nobody has asked for them
    Verdict verdict;             // after a rejection
} Values;

#define VALUES_REJECT(values, node, ...)                                                           \
    ((values)->verdict = verdict_rejected((values)->arena, node_site(node), __VA_ARGS__), false)

// Checks the tables of values, the steps, and what decides branches, and fills in the rest. The
// rest of the hint has not been looked at then but for value_of, formed, tests and gated, whose
// members are in range.
bool values_start(Values *values, Arena *arena, const Func *before, const ValuesHint *hint);

// ---- Points

// Whether a point is another or dominates it.
bool point_is_above(const Values *values, Point a, Point b);
// Where a register is set.
Point point_of_reg(const Values *values, Reg reg);

// Whether entering a join sets nothing that a value mentions; the value is known at the join.
bool value_is_above_join(const Values *values, uint32_t value, Node join);

static inline bool values_reach(const Values *values, Node node) {
    return dominance_reaches(&values->dom, node);
}
// Whether control may go a way from a node, by the claims about the ways that remain.
bool values_goes(const Values *values, Node node, uint32_t way);
// Whether several of the ways that remain lead to a node.
static inline bool values_is_join(const Values *values, Node node) {
    return values->ways_in[node.i] > 1;
}

// ---- Counted steps (value_counted.c)

// The steps by STEP_COUNTED, and that no step leads to a value that is not known where its first
// value is.
bool values_check_counted(Values *values);

// Whether a comparison of a PHI with a value from above its join, or with a constant, holds
// wherever the PHI is known, by the edges that the hint names for the ways into the join.
bool values_stays_within(const Values *values, const Comparison *bound);

// ---- Registers

// Whether a value is what a register holds.
static inline bool value_is_old(const Values *values, uint32_t value, Reg reg) {
    return values->terms.values[value].kind == VALUE_OLD &&
           values->terms.values[value].ref == reg.i;
}
// Whether nothing sets a register.
static inline bool values_never_set(const Values *values, Reg reg) {
    return values->definitions[reg.i].by == SET_BY_NOTHING;
}
// Whether a value is what a register holds that nothing sets: undefined.
bool value_is_undefined(const Values *values, uint32_t value);
// Whether a value refines a register, by the claim about the register or because the value is just
// the register. Anything, NO_ID included, refines an undefined register.
bool value_refines_reg(const Values *values, Reg reg, uint32_t value);
// Whether a value is an operator with the same constants as an instruction and with arguments that
// stand in `stands_for` to its registers; in the other order, perhaps, if the operator is
// commutative.
typedef bool StandsFor(const void *context, Reg reg, uint32_t value);
bool value_is_instr(const Values *values, uint32_t value, const Instr *instr, const void *context,
                    StandsFor *stands_for);
// Whether a value is the result of a call in a function, for arguments that stand in `stands_for`
// to its registers.
bool value_is_call(const Values *values, uint32_t value, const Func *func, const Instr *instr,
                   const void *context, StandsFor *stands_for);
// The same with arguments that refine the registers of `before`.
bool value_is_called(const Values *values, uint32_t value, const Instr *instr);
bool value_is_formed(const Values *values, uint32_t value, const Instr *instr);
// Whether a value is the constant that is the immediate of a type.
bool value_is_immediate(const Values *values, uint32_t value, Type type, int64_t imm);

// ---- Ranges (value_ranges.c)

// The range that each value has wherever it is known, if the ranges of PHIs are as claimed; nothing
// if the hint has no use for ranges.
bool values_find_ranges(Values *values);
// The facts about ranges at places.
bool values_check_facts(Values *values);
// The claimed ranges of PHIs.
bool values_check_phi_ranges(Values *values);
// The range of a value at a node, by a fact that counts there, one of the first `limit`; by NO_ID,
// the range of the value everywhere. False if there is no such fact.
bool values_range_at(const Values *values, uint32_t fact, uint32_t limit, uint32_t value, Node node,
                     Range *result);

// ---- What else is to be checked (value_claims.c)

// How the condition of a COND is seen: as formed from values, or as the result of steps.
typedef enum { TEST_FORMED, TEST_STEPPED } TestView;
// The comparison that holds if a branch goes a way, or if a check (way 0) goes on; values take the
// place of registers. False if nothing is known.
bool values_outcome(const Values *values, BranchEdge edge, TestView view, Comparison *result);

// Whether a value refines another, or its root, by a step that holds at a node (value_local.c).
bool values_step_locally(const Values *values, Node node, uint32_t from, uint32_t value);
// Whether control has gone that way whenever it comes to a node.
bool values_have_passed(const Values *values, BranchEdge edge, Node node);

// The claims about registers but those that a load sets, and the conditions of branches.
bool values_check_claims(Values *values);
// The decisions: that their branches go no other way; and the ways of switches that are shut.
bool values_check_decisions(Values *values);
