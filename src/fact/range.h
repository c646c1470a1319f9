// Ranges: what a value of an integer type can be, and which of its bits are surely defined.
//
// Think of a *shadow run*: the same run with every undefined bit filled in somehow. Operators are
// monotone, so the shadow run goes the same way, and every value refines to its shadow. A range
// holds the shadow of a value: it lies in both intervals, and has the known bits. So some filling
// of the value lies in the range; not every filling need. `defined` is about the value itself:
// these bits are defined, and so equal to the bits of the shadow.
//
// Widths are given in bits, from 1 to 64; bits above the width are zero. test/unit/ranges.c tries
// every formula on all ranges and values of four bits, and on random ones of 32 and 64.
#pragma once

#include "form/program.h"
#include "form/value.h"

typedef struct {
    uint64_t low, high;   // smallest and largest, as unsigned integers
    int64_t least, most;  // the same as signed integers
    uint64_t zeros, ones; // bits that are known
    uint64_t defined;     // bits of the value that are defined
} Range;

// No object lies in the first bytes of the address space (docs/rtl.md, "Memory").
enum { NULL_PAGE = 4096 };

static inline uint32_t range_bits(Type type) {
    return type == TYPE_I32 ? 32 : 64;
}
// Every value, of which nothing is known.
Range range_full(uint32_t bits);
// One value, defined.
Range range_constant(uint32_t bits, uint64_t value);

// Whether no value is left: a place where a value has this range is never reached.
bool range_is_empty(const Range *range);
// Whether one value is left; if so, which.
bool range_is_constant(const Range *range, uint64_t *value);
// Whether every value of `inner` is one of `outer`, and at least as many bits are known to be
// defined.
bool range_contains(const Range *outer, const Range *inner);
bool range_has(const Range *range, uint32_t bits, uint64_t value);
// Whether some value lies in both intervals and has the known bits. A range that is not empty by
// its ends may have none: 5, with a second bit that is one.
bool range_has_some(const Range *range, uint32_t bits);

// Whether a claim that may come from a file is a range of so many bits, with room for some value.
bool range_is_claim(const Range *range, uint32_t bits);

// What both say. Each must be true of the same value.
Range range_both(uint32_t bits, const Range *a, const Range *b);
// What either says.
Range range_either(const Range *a, const Range *b);

// The range of the result of an operator of integers, from a width to a width. Not empty if the
// operands are not, and right for operators that may go wrong: if they do, the result is undefined
// and none of its bits is defined. A full range for all that is not known here.
Range range_of_family(OpFamily family, uint32_t from, uint32_t to, const Range *args);
// The same for an operator of ops.def whose result is an integer; `args` has a range for each
// operand that is one.
Range range_of_op(Op op, const Range *args);

// What is known of `a` if the comparison family(a, b) holds, beside its own range. If the
// comparison has decided a branch that went right, `a` is defined in all bits.
Range range_if(OpFamily family, uint32_t bits, const Range *a, const Range *b);
// What is known of `a` if it is none of the cases of a switch, integers that ascend, beside its own
// range. If the switch went right, `a` is defined in all bits.
Range range_beside(uint32_t bits, const Range *a, const int64_t *cases, uint32_t count);
// What is known of operand k of family(...), which has the result `result`, beside its own range.
Range range_of_operand(OpFamily family, uint32_t from, uint32_t to, const Range *args, uint32_t k,
                       const Range *result);

// The range of what a load of a chunk yields.
Range range_of_chunk(Chunk chunk);
// The range of the address of a slot or symbol of a function, with a number added. An address is
// defined. The addresses of an object that is defined for good, and the address of its end, are
// neither null nor so high that the object would reach the end of the address space.
Range range_of_address(const Func *func, Op op, uint32_t ref, int64_t imm);
