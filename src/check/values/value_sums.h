// Values as sums: a constant, and other values times constant factors, modulo 2^32 or 2^64. Two
// values with the same sum are equal where all their parts are defined.
//
// Sums, differences, negations and products with a constant are undefined in all bits if an operand
// has an undefined bit. A shift to the left passes the undefined bits of its operand on, but for
// the bits that are shifted out. So a sum tells how far each part is shifted before other operators
// read the part: only the bits that stay count.
//
// A *triangle* of x is (x >> 1) * ((x - 1) | 1): the sum of the numbers below x, since one of x and
// x - 1 is even, and the other is odd. A triangle is undefined in all bits if x has an undefined
// bit, as the difference is. Unless x + 1 wraps to zero, its triangle is the sum of x and of the
// triangle of x.
#pragma once

#include "check/values/value_steps.h"

enum { MOST_SUM_PARTS = 8, MOST_SUM_OPS = 24 };

typedef struct {
    uint32_t value;
    uint64_t factor; // may be 0: the part cancels itself out
    uint32_t shift;  // the least one with which it occurs; all bits: none counts
} SumPart;

typedef struct {
    uint32_t bits; // 32 or 64
    uint64_t constant;
    uint32_t count;
    SumPart parts[MOST_SUM_PARTS];
    uint32_t ops; // operators that were looked into
    bool whole;   // if a part has an undefined bit that counts, all bits are undefined
} ValueSum;

// The sum of a value of a type, an integer. False if it has too many parts or operators.
bool value_sum(const ValueTerms *terms, uint32_t value, Type type, ValueSum *sum);
// Adds a multiple of a value of the same type to a sum; the value is shifted before anything else
// happens to it. False if there are too many parts or operators now.
bool value_sum_add(const ValueTerms *terms, ValueSum *sum, uint32_t value, uint64_t factor,
                   uint32_t shift);
// The value of whose numbers below a value is the sum, its triangle; NO_ID if it is none.
uint32_t value_triangle_of(const ValueTerms *terms, uint32_t value);
// The sum with arguments in the place of phis: those for the k-th way into the join of the phis. A
// triangle of such a phi may be a part if the argument is a constant, or one more than the phi,
// whose range among `all` (or NULL) excludes the largest number. False if an argument is undefined,
// or there are too many parts or operators.
bool value_sum_on_way(const ValueTerms *terms, const ValueSum *sum, Node join, uint32_t k,
                      const Range *all, ValueSum *result);
// The range of a part of a sum is known: if the part is defined, none of its bits can be undefined
// and count.
void value_sum_define(ValueSum *sum, uint32_t part, const Range *range);
// How often a value is a part of a sum.
uint64_t value_sum_factor(const ValueSum *sum, uint32_t value);
// Whether a value with the sum `to` refines a value with the sum `from`. If `a` and `b` are given,
// only where values with these sums are equal and defined in all bits.
bool value_sum_refines(const ValueSum *from, const ValueSum *to, const ValueSum *a,
                       const ValueSum *b);
// Puts constants in the place of triangles in a sum, where two values with the sums `a` and `b` are
// equal and defined in all bits, and so say which constants the values of the triangles are.
void value_sum_end(const ValueTerms *terms, ValueSum *sum, const ValueSum *a, const ValueSum *b);
// Whether a value tests two sums for equality whose difference is a constant; if so, the outcome.
bool value_sum_test(const ValueTerms *terms, uint32_t value, bool *outcome);
