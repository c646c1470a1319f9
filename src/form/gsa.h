// Gated SSA: the parts of a function of FORM_GSA beside its graph.
//
// The graph is that of SSA. Instead of phi-blocks, joins have merge-blocks: mus at loop headers,
// gammas elsewhere; and the landing pads of loop exits have eta-blocks. Gammas and etas carry
// gates: predicates over the function's own branch conditions, a table keeps each gate once.
#pragma once

#include "base/hash.h"
#include "form/program.h"

// ---- Predicates

// A gate is the index of a predicate in Gsa.gates.
typedef struct {
    uint32_t i;
} Gate;

// The first three predicates of every table.
#define GATE_FALSE ((Gate){0})
#define GATE_TRUE  ((Gate){1})
#define GATE_UNDEF ((Gate){2})
#define NO_GATE    ((Gate){NO_ID})

//   FALSE, TRUE, UNDEF  0, 1 and 1/2
//   LITERAL             an atom, or its negation
//   AND, OR             of two predicates with smaller numbers: minimum, maximum. The order of an
//                       AND counts when it is evaluated on demand: the first operand guards the
//                       rest.
typedef enum { GK_FALSE, GK_TRUE, GK_UNDEF, GK_LITERAL, GK_AND, GK_OR } GateKind;

typedef struct {
    uint8_t kind;    // GateKind
    bool negated;    // LITERAL
    uint32_t first;  // LITERAL: its atom; AND, OR: the first operand
    uint32_t second; // AND, OR: the second
} GateNode;

// The condition of a branch, or one way of a switch. An atom is 1/2 if one of its registers is
// undefined or has not been set.
typedef struct {
    uint16_t op;       // of a condition; OP_COUNT for a way of a switch
    bool immediate;    // condition: the last operand is imm
    uint8_t arg_count; // registers
    Reg arg[2];
    int64_t imm;
    uint32_t cases; // switch: index into Gsa.switches
    uint32_t way;   // switch: index of the successor, 0 being the default
} GateAtom;

// The values that a switch tells apart, ascending: Gsa.case_values[first .. first + count - 1].
typedef struct {
    uint32_t first, count;
} GateCases;

// ---- Merges and etas

typedef struct {
    Gate gate; // of a gamma; GATE_TRUE in a mu
    Reg reg;
} MergeArg;

// MU     on entering a loop header: the first argument from outside, the second from the latch
// GAMMA  on entering any other join: the argument whose gate is 1; the order means nothing
typedef enum { MERGE_MU, MERGE_GAMMA } MergeKind;

typedef struct {
    MergeKind kind;
    Reg dest;
    uint32_t args_at, arg_count; // in Gsa.merge_args
} Merge;

// On entering a landing pad: dest := source; the gate is 1 then.
typedef struct {
    Reg dest;
    Gate gate;
    Reg source;
} Eta;

// ---- What data-flow evaluation needs beside

// Of a loop: when an iteration, seen from its header, leaves, and when it goes on.
typedef struct {
    Node header;
    Gate leaves;
    Gate goes_on;
} LoopGate;

// When the function, seen from its entry, comes to a node without successor.
typedef struct {
    Node node;
    Gate gate;
} EndGate;

typedef struct Gsa {
    VEC(GateAtom) atoms;
    VEC(GateNode) gates;
    VEC(GateCases) switches;
    VEC(int64_t) case_values;
    VEC(Merge) merges;      // of node n: merges[merge_at[n] .. merge_at[n + 1] - 1]
    VEC(uint32_t) merge_at; // empty if there are no merges
    VEC(MergeArg) merge_args;
    VEC(Eta) etas; // as the merges
    VEC(uint32_t) eta_at;
    VEC(LoopGate) loops; // by header, ascending
    VEC(EndGate) ends;   // by node, ascending
    Table atom_table;    // for sharing
    Table gate_table;
    Table cases_table;
} Gsa;

// An empty one, with the three constants.
Gsa *gsa_new(Arena *arena);
Gsa *gsa_clone(Arena *arena, const Gsa *gsa);
// Its predicates alone, without merges, etas and the gates of loops and ends.
Gsa *gsa_clone_table(Arena *arena, const Gsa *gsa);
// Makes the predicates of one table in another, for a function with the same registers; yields for
// each its number there. If `wanted` is not NULL, only the predicates for which it is true;
// operands of wanted predicates are wanted, too.
Gate *gsa_import(Arena *arena, Gsa *to, const Gsa *from, const bool *wanted);

// ---- Building predicates: each is made once. The only rewriting concerns units and equal operands
// (c or not c is not True: it is 1/2 if c is undefined).

Gate gate_literal(Arena *arena, Gsa *gsa, const GateAtom *atom, bool negated);
Gate gate_and(Arena *arena, Gsa *gsa, Gate first, Gate second);
Gate gate_or(Arena *arena, Gsa *gsa, Gate first, Gate second);
// The number of the list of values that a SWITCH tells apart; the same list gives the same number.
// Takes time in proportion to the list.
uint32_t gate_cases(Arena *arena, Gsa *gsa, const Func *func, const Instr *branch);
uint32_t gate_case_list(Arena *arena, Gsa *gsa, const int64_t *values, uint32_t count);
// The literal of the k-th successor edge of a COND, or of a SWITCH with the list of that number.
Gate gate_of_edge(Arena *arena, Gsa *gsa, const Func *func, const Instr *branch, uint32_t cases,
                  uint32_t k);

// ---- Building blocks: nodes in ascending order, gsa_end_blocks after the last.

void gsa_add_merge(Func *func, Node join, MergeKind kind, Reg dest, const MergeArg *args,
                   uint32_t count);
void gsa_add_eta(Func *func, Node pad, Eta eta);
void gsa_end_blocks(Func *func);

// ---- Reading

static inline uint32_t gsa_merge_count(const Func *func, Node node) {
    const Gsa *gsa = func->gsa;
    return gsa->merge_at.count ? gsa->merge_at.at[node.i + 1] - gsa->merge_at.at[node.i] : 0;
}
static inline const Merge *gsa_merges(const Func *func, Node node) {
    const Gsa *gsa = func->gsa;
    return gsa->merge_at.count ? gsa->merges.at + gsa->merge_at.at[node.i] : NULL;
}
static inline const MergeArg *merge_args(const Func *func, const Merge *merge) {
    return func->gsa->merge_args.at + merge->args_at;
}
static inline uint32_t gsa_eta_count(const Func *func, Node node) {
    const Gsa *gsa = func->gsa;
    return gsa->eta_at.count ? gsa->eta_at.at[node.i + 1] - gsa->eta_at.at[node.i] : 0;
}
static inline const Eta *gsa_etas(const Func *func, Node node) {
    const Gsa *gsa = func->gsa;
    return gsa->eta_at.count ? gsa->etas.at + gsa->eta_at.at[node.i] : NULL;
}
