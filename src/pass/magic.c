// Each multiplier is 2^p / divisor rounded up, for the least p at which that comes close enough.
#include "pass/magic.h"

#include "base/wide.h"

// The numerator 2^exponent divided by a number, rounded up; exponent below 128. *excess is how much
// the product of result and divisor is above it.
static Wide divide_up(unsigned exponent, uint64_t divisor, Wide *excess) {
    Wide power = wide_shift_left(wide_unsigned(1), exponent), remainder;
    Wide quotient = wide_divide_unsigned(power, wide_unsigned(divisor), &remainder);
    *excess = wide_unsigned(0);
    if (wide_is_zero(remainder)) return quotient;
    *excess = wide_sub(wide_unsigned(divisor), remainder);
    return wide_add(quotient, wide_unsigned(1));
}

// The least s below `limit` such that 2^(width + s) / divisor, rounded up, has at most `width` bits
// (the lowest of width + 1 with `more`) and comes within 2^(s + slack) of it.
static bool search(unsigned width, uint64_t divisor, unsigned limit, unsigned slack, bool more,
                   unsigned *shift, uint64_t *multiplier) {
    for (unsigned s = 0; s < limit; s++) {
        Wide excess, quotient = divide_up(width + s, divisor, &excess);
        Wide allowed = wide_shift_left(wide_unsigned(1), s + slack);
        if (wide_less_unsigned(allowed, excess)) continue;
        *shift = s;
        *multiplier = quotient.low;
        return wide_length(quotient) <= width + more;
    }
    return false;
}

static bool choose_unsigned(unsigned width, uint64_t divisor, unsigned slack, bool more,
                            int64_t choice[2]) {
    unsigned shift;
    uint64_t multiplier;
    if (!search(width, divisor, width, slack, more, &shift, &multiplier)) return false;
    choice[0] = (int64_t)multiplier;
    choice[1] = (int64_t)(width == 32 ? shift + 32 : shift - more);
    return true;
}

static bool choose_signed(unsigned width, uint64_t divisor, int64_t choice[2]) {
    unsigned shift;
    uint64_t multiplier;
    if (!search(width, divisor, width - 1, 1, false, &shift, &multiplier)) return false;
    choice[0] = (int64_t)multiplier;
    choice[1] = (int64_t)(width == 32 ? shift + 32 : shift);
    return true;
}

static bool choose_even(uint64_t divisor, int64_t choice[2]) {
    unsigned zeros = (unsigned)__builtin_ctzll(divisor);
    return zeros > 0 && choose_unsigned(64, divisor >> zeros, zeros, false, choice);
}

bool magic_wanted(Rule rule) {
    switch ((int)rule) {
    case RULE_divu_multiply_I32:
    case RULE_divu_multiply_high_I32:
    case RULE_divu_multiply_I64:
    case RULE_divu_multiply_even_I64:
    case RULE_divu_multiply_add_I64:
    case RULE_divs_multiply_I32:
    case RULE_divs_multiply_I64:
    case RULE_divs_multiply_add_I64: return true;
    default: return false;
    }
}

bool magic_choose(Rule rule, int64_t divisor, int64_t choice[2]) {
    uint64_t wide = (uint64_t)divisor, narrow = (uint32_t)divisor;
    if (narrow == 0 && wide == 0) return false;
    Wide excess;
    switch ((int)rule) {
    case RULE_divu_multiply_I32: return choose_unsigned(32, narrow, 0, false, choice);
    case RULE_divu_multiply_high_I32:
        choice[0] = (int64_t)divide_up(64, narrow, &excess).low;
        return narrow > 1;
    case RULE_divu_multiply_I64: return choose_unsigned(64, wide, 0, false, choice);
    case RULE_divu_multiply_even_I64: return choose_even(wide, choice);
    case RULE_divu_multiply_add_I64: return choose_unsigned(64, wide, 0, true, choice);
    case RULE_divs_multiply_I32: return divisor > 1 && choose_signed(32, narrow, choice);
    case RULE_divs_multiply_I64:
    case RULE_divs_multiply_add_I64: return divisor > 1 && choose_signed(64, wide, choice);
    default: return false;
    }
}
