// Finds the condition under which a use finds a bad value: a value that was never assigned, or
// zero. Gates tell: the use is executed if the predicate of its way holds, and the value comes
// through a gamma if the gate of that argument does. The conjunction, as a function of the
// conditions of branches, is the answer.
//
// The meaning of conditions counts as far as it can be decided: comparisons of one value with
// several constants (regions of integers), of two values with each other, of a merged value with
// the gates of its merge. Values that are computed or loaded alike are equal. So `c > 3` and `c <=
// 3` exclude each other, and so do a flag and the ways on which it was not set. Everything else is
// a variable that may be true or false.
//
// A mu is its first argument in the first iteration of its loop, and the value from the previous
// iteration in the others. So there are cases: for each set of loops, the facts that hold if these
// loops are in their first iteration (or were left in it). In a later iteration a value is bad if
// it was bad at the start and each iteration before left it so. If nothing that changes in the loop
// matters, the condition says exactly this; otherwise the condition is sufficient, and marked as no
// more.
//
// Conditions are over the last values of registers. All computation here is bounded: beyond the
// budget the answer is that nothing is known.
#pragma once

#include "analysis/conditions/bdd.h"
#include "analysis/gate_paths.h"
#include "fact/range.h"
#include "fact/slot_fields.h"

// ---- Quantities: values of registers, equal ones once

typedef enum { QUANTITY_NUMBER, QUANTITY_REG, QUANTITY_OP, QUANTITY_LOAD } QuantityKind;

typedef struct {
    uint8_t kind;               // QuantityKind
    uint8_t type;               // Type
    uint8_t count;              // operands
    uint8_t base, scale, chunk; // LOAD: as in its instruction
    uint16_t op;                // OP
    uint32_t operand[3];        // quantities
    uint32_t ref;               // REG: the register; LOAD: symbol or slot
    uint32_t memory;            // LOAD: the version of memory, see ObjectHistory
    int64_t number;             // NUMBER; LOAD: displacement
    int64_t least, most;        // of an integer
    Reg reg;                    // one that has the value; not part of its identity; NO_REG
} Quantity;

// ---- Atoms: the variables of the functions

// A predicate of a value (first), or of two values.
typedef enum {
    ATOM_EQUAL, // is the number
    ATOM_BELOW, // is at most the number, both signed
    ATOM_UNDER, // the same, unsigned
    ATOM_PAIR_EQUAL,
    ATOM_PAIR_LESS, // the first of the two is less, signed
    ATOM_PAIR_LESS_EQUAL,
    ATOM_PAIR_UNDER, // unsigned
    ATOM_PAIR_UNDER_EQUAL,
    ATOM_OTHER // the operator holds of the two
} ConditionAtomKind;

typedef struct {
    uint8_t kind; // ConditionAtomKind
    bool strict;  // BELOW, UNDER: the source compares with the next number by < or >=
    uint16_t op;  // OTHER; else how the source compares
    uint32_t group;
    uint32_t next; // of the same group; NO_ID
    int64_t number;
} ConditionAtom;

// Atoms about the same values. Which of their combinations can be is a function of its own.
typedef struct {
    uint32_t first, second; // quantities; second NO_ID if the predicate is about one
    uint16_t op;            // of OTHER; OP_COUNT
    uint32_t atoms;         // the first; NO_ID
    uint32_t count;
    uint32_t stated; // how many the function below is about
    Bdd possible;
} ConditionGroup;

// ---- Memory

// Versions of memory, or of an object whose address nobody else knows: calls do not change it. A
// version is twice the node that made it, plus one if the node's instruction made it; otherwise
// ways with different versions meet there.
typedef struct {
    uint32_t
        object;   // a slot, or behind all slots a parameter that is an aggregate; NO_ID: all memory
    uint32_t *at; // by node: the version that it finds
} ObjectHistory;

// ---- Views: what is known if some loops are in their first iteration

enum { MAX_FIRST_LOOPS = 3 };

typedef struct {
    Node first[MAX_FIRST_LOOPS]; // headers
    uint32_t count;
} FirstLoops;

typedef struct ConditionView {
    FirstLoops loops;
    uint32_t *quantity; // by register: plus one; 0 if not yet known
    uint32_t *function; // by gate: plus one
    uint32_t gates;     // how many it has room for
    struct ConditionView *next;
} ConditionView;

typedef struct {
    Arena *arena;   // of one function
    Arena *scratch; // of atoms, views and functions: forgotten when the table is full
    const Func *ssa;
    const Definition *definitions;
    GateForest forest;
    GatePaths paths;
    SlotUses slots;
    VEC(ObjectHistory) histories; // the first is that of all memory
    uint32_t *history_of;         // by object: its own; 0
    uint32_t *parameter; // by register: the parameter that is an object of its own, plus one
    bool *asked;         // by register: a branch compares it with a number
    VEC(Quantity) quantities;
    Table quantity_table;
    VEC(ConditionAtom) atoms;
    VEC(ConditionGroup) groups;
    Map group_of;
    ConditionView *views;
    BddTable bdd;
    VEC(Node) stops; // calls that are found not to return, though control seems to go on
    uint32_t depth;  // of merges inside of gates inside of merges
    // By register, kept from question to question: zero but while one is answered.
    Bdd *function;
    bool *seen;
    uint32_t failures; // questions that were too much for a table of their own
} BadConditions;

// ---- Questions

// NULL is zero that was assigned, or that a branch which dominates the use asks for. ZERO is only
// zero that was assigned: a comparison may exclude itself by arithmetic.
typedef enum { BAD_UNDEFINED, BAD_NULL, BAD_ZERO } BadValue;

// One case: these loops are in their first iteration, and the condition holds.
typedef struct {
    FirstLoops loops;
    Bdd condition; // the value is bad and the use is executed
    Bdd reached;   // the use is executed, whether this is the case or not
    Bdd possible;  // the part that the atoms of both leave possible
} ConditionCase;

typedef enum {
    BAD_NEVER,    // no case is possible
    BAD_WHEN,     // in exactly the cases
    BAD_AT_LEAST, // in the cases; what comes from earlier iterations of loops is not excluded
    BAD_PERHAPS,  // no case is known; the same
    BAD_UNKNOWN   // it was too much to find out
} BadVerdict;

typedef struct {
    BadVerdict verdict;
    // NULL: there is a way, by an assignment of zero, the end of a loop or a branch just before the
    // use, from which on control surely comes to the use. So this is not merely missing knowledge
    // about how conditions depend on each other.
    bool certain;
    VEC(ConditionCase) cases;
} BadCondition;

// NULL if the function's graph has no gates. To be freed, as parts do not live in the arena.
BadConditions *conditions_new(Arena *arena, const Func *ssa);
void conditions_free(BadConditions *conditions);
// When is a register bad where a node uses it? `may_be_bad` tells the registers that phis (and, of
// zero, copies) could give a bad value.
BadCondition condition_of_bad(BadConditions *conditions, Node use, Reg reg, BadValue what,
                              const bool *may_be_bad);

// Whether an instruction is a branch that asks whether its first argument is zero.
bool is_test_of_zero(const Instr *instr);

// Whether a value is computed anew in each iteration of a loop; steps are counted, and beyond a
// limit it may be.
bool quantity_varies(const BadConditions *conditions, uint32_t quantity, Node header,
                     uint32_t *steps);
// The same of what a group of atoms is about.
bool group_varies(const BadConditions *conditions, uint32_t group, Node header, uint32_t *steps);

// ---- Inside

// The range of an integer, as its bounds tell.
Range range_of_quantity(const Quantity *quantity);
uint32_t quantity_of(BadConditions *conditions, ConditionView *view, Reg reg);
// The value of an operator with one register if that had this value.
uint32_t quantity_applied(BadConditions *conditions, const Instr *instr, uint32_t operand);
uint32_t quantity_number(BadConditions *conditions, Type type, int64_t number);
bool quantity_is_number(const BadConditions *conditions, uint32_t quantity, int64_t *number);
void memory_init(BadConditions *conditions);
// The history of what a load reads.
ObjectHistory memory_of(BadConditions *conditions, const Instr *load);
// A version of memory, seen by a view.
uint32_t memory_seen(const BadConditions *conditions, const ObjectHistory *history,
                     const ConditionView *view, uint32_t version);
// The version that a node leaves.
uint32_t memory_behind(const BadConditions *conditions, const ObjectHistory *history, Node node);
// The result of a load in a version of memory. `depth` is 0 for who is not in quantities.c.
uint32_t quantity_loaded(BadConditions *conditions, ConditionView *view, const Instr *load,
                         uint32_t version, unsigned depth);
bool is_first(const ConditionView *view, Node header);
// Whether a register merges the values of ways, at a join that is no loop header.
bool is_gamma(const BadConditions *conditions, Reg reg);
ConditionView *condition_view(BadConditions *conditions, const FirstLoops *loops);

// The function for an operator that is a condition, on quantities.
Bdd compare_quantities(BadConditions *conditions, Op op, uint32_t a, uint32_t b);
// The part that the atoms of functions leave possible: each group of atoms for itself.
Bdd possible_atoms(BadConditions *conditions, Bdd a, Bdd b);
// The same of groups together, as far as a function is about them: orders of several values.
Bdd possible_orders(BadConditions *conditions, Bdd function, Bdd possible);
bool can_hold(BadConditions *conditions, Bdd function);
// The function of the gate with a number, and of a condition on registers; b is a number if NO_REG.
Bdd function_of_gate(BadConditions *conditions, ConditionView *view, uint32_t gate);
Bdd compare_registers(BadConditions *conditions, ConditionView *view, Op op, Reg a, Reg b,
                      int64_t number);
