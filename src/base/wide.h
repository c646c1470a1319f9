// Arithmetic on 128-bit integers, each a pair of 64-bit words. The evaluation of constants and the
// library functions of the interpreters use it, because gatecc's own sources do without a type of
// that width. Values have no sign of their own; where the sign matters, a function says how it
// reads them.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t low, high;
} Wide;

enum { WIDE_DIGITS = 41 }; // of the longest decimal number, with its sign and a final zero

static inline Wide wide_unsigned(uint64_t value) {
    return (Wide){.low = value};
}
static inline Wide wide_signed(uint64_t value) {
    return (Wide){.low = value, .high = value >> 63 ? UINT64_MAX : 0};
}
static inline bool wide_negative(Wide a) {
    return a.high >> 63;
}
static inline bool wide_is_zero(Wide a) {
    return (a.low | a.high) == 0;
}
static inline bool wide_equal(Wide a, Wide b) {
    return a.low == b.low && a.high == b.high;
}
static inline bool wide_less_unsigned(Wide a, Wide b) {
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}
static inline bool wide_less_signed(Wide a, Wide b) {
    return a.high != b.high ? (int64_t)a.high < (int64_t)b.high : a.low < b.low;
}
static inline Wide wide_not(Wide a) {
    return (Wide){.low = ~a.low, .high = ~a.high};
}
static inline Wide wide_add(Wide a, Wide b) {
    uint64_t low = a.low + b.low;
    return (Wide){.low = low, .high = a.high + b.high + (low < a.low)};
}
static inline Wide wide_sub(Wide a, Wide b) {
    return (Wide){.low = a.low - b.low, .high = a.high - b.high - (a.low < b.low)};
}
static inline Wide wide_negate(Wide a) {
    return wide_sub((Wide){0}, a);
}

// The whole product of two integers of 64 bits, from four products of halves.
static inline Wide wide_product(uint64_t a, uint64_t b) {
    uint64_t a_low = a & UINT32_MAX, a_high = a >> 32, b_low = b & UINT32_MAX, b_high = b >> 32;
    uint64_t low = a_low * b_low, cross = a_high * b_low, other = a_low * b_high;
    uint64_t middle = (low >> 32) + (cross & UINT32_MAX) + (other & UINT32_MAX);
    return (Wide){.low = middle << 32 | (low & UINT32_MAX),
                  .high = a_high * b_high + (cross >> 32) + (other >> 32) + (middle >> 32)};
}

Wide wide_multiply(Wide a, Wide b); // the low 128 bits of the product
// Shifts by less than 128.
Wide wide_shift_left(Wide a, unsigned count);
Wide wide_shift_right(Wide a, unsigned count);        // zeros enter
Wide wide_shift_right_signed(Wide a, unsigned count); // the sign enters
// The number of bits up to the highest one that is set; 0 for zero.
unsigned wide_length(Wide a);

// Quotients, rounded towards zero; the divisor is not zero. The remainder has the sign of the
// dividend. The least signed number divided by -1 wraps.
Wide wide_divide_unsigned(Wide a, Wide b, Wide *remainder);
Wide wide_divide_signed(Wide a, Wide b, Wide *remainder);

// The nearest number with that many significant bits (at most 64), ties to the even one.
long double wide_to_float(Wide a, bool is_signed, unsigned precision);
// The integral part of a number; false if it is out of the range of signed or unsigned integers.
bool wide_from_float(long double value, bool is_signed, Wide *result);

// Writes a number in decimal; yields its first character, which lies in the buffer.
const char *wide_text(Wide a, bool is_signed, char buffer[WIDE_DIGITS]);
