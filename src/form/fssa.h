// Functional SSA: the equations of a function of FORM_FSSA; such a function has no graph.
//
// A function is a set of equations, an equation for each identifier, together with the result and
// the last state. No instruction comes before another, and there are no paths. An identifier is a
// register of the function. Its value depends on an iteration vector, which gives each loop the
// number of its iteration; `loop` goes back by one iteration, and `close` picks the iteration in
// which a loop ends. States of memory and of the outside world, arrays and printed output are
// values of identifiers, too; such values have no bits (TYPE_VOID).
//
// The form follows Pop, Jouvelot and Silber (docs/fssa.md), with gammas and effects in addition.
#pragma once

#include "form/program.h"

// A term is the index of its node in Fssa.terms. A term may be an operand of several others; text
// writes the term each time.
typedef struct {
    uint32_t i;
} FssaTerm;

#define NO_FSSA_TERM ((FssaTerm){NO_ID})

// A loop is an index into Fssa.loops.
typedef struct {
    uint32_t i;
} FssaLoop;

#define NO_FSSA_LOOP ((FssaLoop){NO_ID})

// A condition is a term of type i32: it holds if the term is not 0, and is undefined if any bit of
// the term is.
//
//   CONST   a constant of its type, or an address: `op` with imm, high and ref, as in an Instr
//           without operands
//   NAME    the value of an identifier
//   OP      an operator of ops.def, of its arity many arguments
//   UNDEF   an undefined value of its type
//   LOOP    of a loop: argument 0 in its first iteration, otherwise argument 1 in the previous
//           iteration
//   CLOSE   of a loop: argument 1 in the first iteration in which the condition, argument 0, does
//           not hold. A condition that is undefined is a wrong step. See FssaLoopInfo.
//   GAMMA   pairs (condition, value): the value of the first pair whose condition holds. Later
//           pairs are not evaluated. It is a wrong step if no condition holds.
//   NOT     of a condition: 1 if the condition does not hold, undefined if the condition is
//   AND     of two or more conditions: the first that does not hold, or is undefined, and later
//           ones are not evaluated; else 1
//   OR      of two or more conditions: 1 if one holds, and later ones are not evaluated; else
//           undefined if one is, else 0
//   CASE    a way of a switch, of argument 0, i32 or i64: 1 if the argument equals the case number
//           `imm` of list `ref` of Fssa.cases; with `imm` -1, if it equals no case
//   STUCK   of a state and perhaps a value, i32 or i64: demands the state, then the value, and goes
//           wrong, as a branch on an undefined value does. STUCK is of any type, and stands where
//           control cannot go on.
//   ARRAY   integers (i64) at all i64 indices, all 0
//   READ    of an array and an index (i64): the element
//   WRITE   of an array, an index and an integer: the array with this element
//   PRINT   of a state and an integer (i64): the state after the integer was printed in a line
//   EFFECT  of a state: the state after node `ref` of Func.nodes, an instruction that reads or
//           changes the state, or may go wrong. Only as the right side of an equation, which names
//           the instruction's result, too.
typedef enum {
    FT_CONST,
    FT_NAME,
    FT_OP,
    FT_UNDEF,
    FT_LOOP,
    FT_CLOSE,
    FT_GAMMA,
    FT_NOT,
    FT_AND,
    FT_OR,
    FT_CASE,
    FT_STUCK,
    FT_ARRAY,
    FT_READ,
    FT_WRITE,
    FT_PRINT,
    FT_EFFECT,
    FSSA_TERM_KINDS
} FssaTermKind;

typedef struct {
    uint8_t kind;                // FssaTermKind
    uint8_t type;                // Type of its value
    uint16_t op;                 // CONST, OP: Op; else 0
    uint16_t high;               // CONST: of a const.f80
    Reg reg;                     // NAME; else NO_REG
    FssaLoop loop;               // LOOP, CLOSE; else NO_FSSA_LOOP
    uint32_t args_at, arg_count; // in Fssa.args: operands, whose terms have smaller numbers
    uint32_t ref; // CONST: Sym or Slot of an address; CASE, EFFECT: see above; else 0
    int64_t imm;  // CONST, CASE
} FssaTermNode;

// A loop and the one around it. The label is its name in text: numbers with dots between them.
//
// Functions that come from a graph must describe iterations that neither end the loop nor go on,
// since they come to a branch on an undefined value or to another loop that has no end. So an
// iteration in which the condition of a `close` holds goes on only if `goes_on` holds. Otherwise,
// or if the condition is undefined, the state `stuck` is demanded and then a wrong step is taken.
typedef struct {
    Str label;
    FssaLoop parent;  // one with a smaller number, or NO_FSSA_LOOP
    FssaTerm goes_on; // a condition; or NO_FSSA_TERM: it does whenever the loop does not end
    FssaTerm stuck;   // a state; or NO_FSSA_TERM
} FssaLoopInfo;

// dest = term. The result of an EFFECT's instruction goes to the instruction's own destination: the
// equation defines that register, too.
typedef struct {
    Reg dest;
    FssaTerm term;
} FssaEquation;

// The values that a switch tells apart, ascending: Func.case_pool[first .. first + count - 1].
typedef struct {
    uint32_t first, count;
} FssaCases;

typedef struct Fssa {
    VEC(FssaTermNode) terms;
    VEC(FssaTerm) args;
    VEC(FssaLoopInfo) loops;
    VEC(FssaEquation) equations; // in any order
    VEC(FssaCases) cases;
    Reg entry;       // the state on entering, or NO_REG: an identifier without equation
    FssaTerm result; // NO_FSSA_TERM if the function has no result
    FssaTerm state;  // the state at the end, or NO_FSSA_TERM
} Fssa;

// A function with the header of another, or of a symbol, and no equations yet. Registers of the
// other stay.
Func *fssa_like(const Func *func, Arena *arena);
// Makes a function that has no body one of FORM_FSSA.
void fssa_start(Func *func);

FssaLoop fssa_add_loop(Func *func, Str label, FssaLoop parent);
void fssa_add_equation(Func *func, Reg dest, FssaTerm term);
// Appends a list of cases; the values are copied.
uint32_t fssa_add_cases(Func *func, const int64_t *values, uint32_t count);

// ---- Terms

FssaTerm fssa_const(Func *func, Type type, int64_t value);                           // i32 and i64
FssaTerm fssa_constant(Func *func, Op op, uint16_t high, uint32_t ref, int64_t imm); // any
FssaTerm fssa_name(Func *func, Reg reg);
FssaTerm fssa_undef(Func *func, Type type);
FssaTerm fssa_op(Func *func, Op op, const FssaTerm *args, uint32_t count);
FssaTerm fssa_loop(Func *func, FssaLoop loop, FssaTerm first, FssaTerm next);
FssaTerm fssa_close(Func *func, FssaLoop loop, FssaTerm condition, FssaTerm value);
// Conditions and values in turn; `count` is the number of both together.
FssaTerm fssa_gamma(Func *func, const FssaTerm *args, uint32_t count);
FssaTerm fssa_not(Func *func, FssaTerm condition);
FssaTerm fssa_and(Func *func, FssaTerm first, FssaTerm second);
FssaTerm fssa_or(Func *func, FssaTerm first, FssaTerm second);
FssaTerm fssa_case(Func *func, FssaTerm value, uint32_t cases, int64_t which);
FssaTerm fssa_stuck(Func *func, Type type, FssaTerm state, FssaTerm value); // or NO_FSSA_TERM
FssaTerm fssa_array(Func *func);
FssaTerm fssa_read(Func *func, FssaTerm array, FssaTerm index);
FssaTerm fssa_write(Func *func, FssaTerm array, FssaTerm index, FssaTerm value);
FssaTerm fssa_print_value(Func *func, FssaTerm state, FssaTerm value);
// Of an instruction of another function of the same program with the same registers: a copy is
// made.
FssaTerm fssa_effect(Func *func, FssaTerm state, const Func *from, const Instr *instr);
// Of any kind: the other fields of `node` are taken as they are.
FssaTerm fssa_add_term(Func *func, FssaTermNode node, const FssaTerm *args, uint32_t count);

// ---- Reading

static inline const FssaTermNode *fssa_at(const Func *func, FssaTerm term) {
    return &func->fssa->terms.at[term.i];
}
static inline const FssaTerm *fssa_args(const Func *func, const FssaTermNode *node) {
    return func->fssa->args.at + node->args_at;
}
// A CONST as an instruction without destination.
static inline Instr fssa_constant_instr(const FssaTermNode *term) {
    return (Instr){.kind = I_OP,
                   .op = term->op,
                   .high = term->high,
                   .dest = NO_REG,
                   .ref = term->ref,
                   .imm = term->imm};
}
static inline Type fssa_type(const Func *func, FssaTerm term) {
    return (Type)fssa_at(func, term)->type;
}
static inline const char *fssa_loop_label(const Func *func, FssaLoop loop) {
    return program_text(func->program, func->fssa->loops.at[loop.i].label);
}
// The word that stands before its operands, NULL if more than a word does.
const char *fssa_word(FssaTermKind kind);
// The type that operand `k` has to have; TYPE_COUNT if there are several, or there is no such
// operand.
Type fssa_operand_type(const FssaTermNode *term, uint32_t k);
// Whether a term of this kind can have so many operands.
bool fssa_takes(const FssaTermNode *term, uint32_t count);
// For each register the number of the equation that defines it, or NO_ID.
uint32_t *fssa_definitions(Arena *arena, const Func *func);

// ---- Where terms belong (fssa_regions.c)

// To a loop, numbered from 1 on, if terms can depend on its iteration and on no loop inside of it;
// or, as 0, to no loop. A `loop` belongs to its loop, a `close` to the region around its loop;
// every other term belongs to the innermost region of its operands.
typedef struct {
    uint32_t *of; // of each term
    FssaTerm
        cycle; // one that depends on itself other than by the second argument of a `loop`; or NO_FSSA_TERM
} FssaRegions;

// Linear, but for the depth of loops. Registers and operands are in range.
FssaRegions fssa_regions(Arena *arena, const Func *func);
// Whether the regions are the same or the first is around the second.
bool fssa_region_contains(const Func *func, uint32_t outer, uint32_t inner);
