// Symbolic values: terms over the operators of ops.def, each kept once, in a normal form.
//
// Two instruction sequences compute the same if they yield the same term; the normal form makes
// equal the several ways in which instruction selection may write a value. Every identity is a row
// of fact/term_rules.def, or follows from lemmas there by an induction that docs/rewriting.md has;
// solvers prove both. A term reads everything that its operators read: x - x is 0 times x, not 0,
// as x may have no value.
//   sums       add, sub, neg, not, multiplication and left shift by constants become linear sums
//              with coefficients modulo 2^32 or 2^64; where a sum of many summands is settled, or
//              is an operand of another operator, it is taken as a whole
//   constants  an operator on constants is its value
//   compares   one direction of each (lt, not gt), negations undone, ne with 0 of a comparison gone
//   widths     extensions of extended values, masks that are extensions, halves of i64
//   select     by a comparison that is not a negation
#pragma once

#include "base/hash.h"
#include "base/vec.h"
#include "form/program.h"

typedef struct {
    uint32_t i;
} Term;

#define NO_TERM ((Term){NO_ID})

static inline bool term_same(Term a, Term b) {
    return a.i == b.i;
}

//   ATOM   an unknown value: `tag` and two numbers tell atoms apart
//   CONST  imm and high
//   OP     op of up to three terms
//   SUM    of terms times coefficients, and imm
//   WHOLE  the value of the sum a, taken as a whole
//   LOAD   chunk at the address a in the memory of version b
typedef enum { TERM_ATOM, TERM_CONST, TERM_OP, TERM_SUM, TERM_WHOLE, TERM_LOAD } TermKind;

typedef struct {
    uint8_t kind;  // TermKind
    uint8_t type;  // Type of its value
    uint16_t code; // ATOM: tag; OP: Op; LOAD: Chunk
    uint16_t high; // CONST of f80
    uint32_t a, b,
        c; // OP, WHOLE: terms; LOAD: address, version; ATOM: numbers; SUM: a = first of Terms.parts
    uint32_t count; // OP: of terms; SUM: of parts
    int64_t imm;
} TermNode;

// One summand.
typedef struct {
    uint32_t term;
    int64_t factor;
} TermPart;

// A sum of more than TERM_PARTS summands is settled as a whole, so that long chains take linear
// time; where they are added in another order in between, nothing is settled. One of more than
// TERM_MOST stays as its operator.
enum { TERM_PARTS = 16, TERM_MOST = 4 * TERM_PARTS };

typedef struct {
    Arena *arena;
    VEC(TermNode) nodes;
    VEC(TermPart) parts;
    Table table;
    const struct TargetModel *target; // on which operators are evaluated
    Map low; // of a term, a number of bits and a depth: what low_bits yields
} Terms;

static inline const TermNode *term_at(const Terms *terms, Term term) {
    return &terms->nodes.at[term.i];
}

// Forgets all terms if there are many; earlier terms may not be used any more then. Where each
// block has terms of its own, all terms take no more memory than the terms of a few blocks.
void terms_forget(Terms *terms);
Term term_atom(Terms *terms, Type type, uint32_t tag, uint32_t a, uint32_t b);
Term term_const(Terms *terms, Type type, int64_t imm, uint32_t high);
// op(args), an operator with operands. Integer immediates are constants of the operand's type.
Term term_op(Terms *terms, Op op, const Term *args);
Term term_load(Terms *terms, Chunk chunk, Term address, uint32_t version);
// a + factor * b, in the integer type of a.
Term term_add(Terms *terms, Term a, Term b, int64_t factor);
Term term_offset(Terms *terms, Term a, int64_t offset);
// The same value; a sum of many summands as a whole, apart from its constant. Both sides of a
// comparison settle the values that both of them name.
Term term_settled(Terms *terms, Term term);
// The relevant part of a value when only its low bits, as a store of the chunk writes them, count.
Term term_low(Terms *terms, Chunk chunk, Term value);
// The comparison that is 1 where the given one is 0; NO_TERM for a term that is no comparison.
Term term_negation(Terms *terms, Term comparison);
// The comparison "is not zero" of an i32, which for a comparison is itself.
Term term_truth(Terms *terms, Term value);
