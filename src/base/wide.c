// Arithmetic on integers of 128 bits.
#include "base/wide.h"

#include <math.h>

Wide wide_multiply(Wide a, Wide b) {
    Wide product = wide_product(a.low, b.low);
    product.high += a.low * b.high + a.high * b.low;
    return product;
}

// ---- Shifts

Wide wide_shift_left(Wide a, unsigned count) {
    if (count == 0) return a;
    if (count >= 64) return (Wide){.high = a.low << (count - 64)};
    return (Wide){.low = a.low << count, .high = a.high << count | a.low >> (64 - count)};
}

Wide wide_shift_right(Wide a, unsigned count) {
    if (count == 0) return a;
    if (count >= 64) return (Wide){.low = a.high >> (count - 64)};
    return (Wide){.low = a.low >> count | a.high << (64 - count), .high = a.high >> count};
}

Wide wide_shift_right_signed(Wide a, unsigned count) {
    if (!wide_negative(a)) return wide_shift_right(a, count);
    return wide_not(wide_shift_right(wide_not(a), count));
}

unsigned wide_length(Wide a) {
    if (a.high) return 128 - (unsigned)__builtin_clzll(a.high);
    return a.low ? 64 - (unsigned)__builtin_clzll(a.low) : 0;
}

// ---- Division

// Bit by bit, from the first in which the quotient can have a one.
Wide wide_divide_unsigned(Wide a, Wide b, Wide *remainder) {
    Wide quotient = {0};
    unsigned length_a = wide_length(a), length_b = wide_length(b);
    if (length_a >= length_b) {
        for (unsigned count = length_a - length_b + 1; count-- > 0;) {
            Wide part = wide_shift_left(b, count);
            quotient = wide_shift_left(quotient, 1);
            if (wide_less_unsigned(a, part)) continue;
            a = wide_sub(a, part);
            quotient.low |= 1;
        }
    }
    *remainder = a;
    return quotient;
}

static Wide magnitude(Wide a) {
    return wide_negative(a) ? wide_negate(a) : a;
}

Wide wide_divide_signed(Wide a, Wide b, Wide *remainder) {
    Wide quotient = wide_divide_unsigned(magnitude(a), magnitude(b), remainder);
    if (wide_negative(a)) *remainder = wide_negate(*remainder);
    return wide_negative(a) != wide_negative(b) ? wide_negate(quotient) : quotient;
}

// ---- Floating point

// The number is cut to the precision; the part that was cut off decides about rounding up. Scaling
// is exact, so that this is the only rounding.
long double wide_to_float(Wide a, bool is_signed, unsigned precision) {
    bool negative = is_signed && wide_negative(a);
    if (negative) a = wide_negate(a);
    unsigned length = wide_length(a), cut = length > precision ? length - precision : 0;
    uint64_t kept = wide_shift_right(a, cut).low;
    Wide rest = wide_sub(a, wide_shift_left(wide_unsigned(kept), cut));
    long double value = (long double)kept;
    if (cut) {
        Wide half = wide_shift_left(wide_unsigned(1), cut - 1);
        bool tie = wide_equal(rest, half);
        if (tie ? kept & 1 : wide_less_unsigned(half, rest)) value += 1;
    }
    value = ldexpl(value, (int)cut);
    return negative ? -value : value;
}

bool wide_from_float(long double value, bool is_signed, Wide *result) {
    value = truncl(value);
    bool negative = value < 0;
    long double limit = ldexpl(1, is_signed ? 127 : 128), size = negative ? -value : value;
    bool least = is_signed && negative && size == limit;
    if (!(size < limit || least) || (negative && !is_signed)) return false;
    uint64_t high = (uint64_t)ldexpl(size, -64);
    Wide whole = {.low = (uint64_t)(size - ldexpl((long double)high, 64)), .high = high};
    *result = negative ? wide_negate(whole) : whole;
    return true;
}

// ---- Text

const char *wide_text(Wide a, bool is_signed, char buffer[WIDE_DIGITS]) {
    bool negative = is_signed && wide_negative(a);
    if (negative) a = wide_negate(a);
    char *at = buffer + WIDE_DIGITS - 1;
    *at = '\0';
    do {
        Wide digit;
        a = wide_divide_unsigned(a, wide_unsigned(10), &digit);
        *--at = (char)('0' + digit.low);
    } while (!wide_is_zero(a));
    if (negative) *--at = '-';
    return at;
}
