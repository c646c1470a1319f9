// Each formula stands beside the reason why it holds. All work on three views of a set at once: the
// unsigned interval, the signed interval, the known bits. A formula may leave a view full;
// `tighten` then takes over what the other views say.
#include "fact/range.h"

#include "fact/eval.h"

static uint64_t mask_of(uint32_t bits) {
    return bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static int64_t as_signed(uint32_t bits, uint64_t value) {
    uint64_t sign = (uint64_t)1 << (bits - 1);
    return (int64_t)((value ^ sign) - sign);
}

static int64_t least_of(uint32_t bits) {
    return as_signed(bits, (uint64_t)1 << (bits - 1));
}

static int64_t most_of(uint32_t bits) {
    return (int64_t)(mask_of(bits) >> 1);
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}
static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}
static int64_t lesser(int64_t a, int64_t b) {
    return a < b ? a : b;
}
static int64_t greater(int64_t a, int64_t b) {
    return a > b ? a : b;
}

Range range_full(uint32_t bits) {
    return (Range){.high = mask_of(bits), .least = least_of(bits), .most = most_of(bits)};
}

Range range_constant(uint32_t bits, uint64_t value) {
    int64_t number = as_signed(bits, value);
    return (Range){.low = value,
                   .high = value,
                   .least = number,
                   .most = number,
                   .zeros = ~value & mask_of(bits),
                   .ones = value,
                   .defined = mask_of(bits)};
}

bool range_is_empty(const Range *range) {
    return range->low > range->high || range->least > range->most || range->zeros & range->ones;
}

bool range_is_constant(const Range *range, uint64_t *value) {
    *value = range->low;
    return range->low == range->high;
}

bool range_contains(const Range *outer, const Range *inner) {
    if (outer->defined & ~inner->defined) return false;
    return outer->low <= inner->low && inner->high <= outer->high && outer->least <= inner->least &&
           inner->most <= outer->most && !(outer->zeros & ~inner->zeros) &&
           !(outer->ones & ~inner->ones);
}

bool range_has(const Range *range, uint32_t bits, uint64_t value) {
    int64_t number = as_signed(bits, value);
    return range->low <= value && value <= range->high && range->least <= number &&
           number <= range->most && !(range->zeros & value) && !(range->ones & ~value);
}

// The smallest value from `low` on with the known bits; false if there is none.
static bool next_with_bits(const Range *range, uint32_t bits, uint64_t low, uint64_t *result) {
    uint64_t value = (low & ~range->zeros) | range->ones;
    *result = value;
    if (value == low) return true;
    uint32_t at = 63 - (uint32_t)__builtin_clzll(value ^ low);
    // A one that must be a zero: a zero further up becomes a one.
    if (value < low) do
            at++;
        while (at < bits && ((low | range->zeros) >> at & 1));
    if (at >= bits) return false;
    // Above this bit as before, and as small as can be below.
    *result = (value & ~mask_of(at + 1)) | (uint64_t)1 << at | (range->ones & mask_of(at + 1));
    return true;
}

bool range_is_claim(const Range *range, uint32_t bits) {
    Range full = range_full(bits);
    return range->low <= range->high && range->high <= full.high && range->least >= full.least &&
           range->least <= range->most && range->most <= full.most &&
           !((range->zeros | range->ones | range->defined) & ~full.high) &&
           range_has_some(range, bits);
}

bool range_has_some(const Range *range, uint32_t bits) {
    uint64_t sign = (uint64_t)1 << (bits - 1), value;
    if (range_is_empty(range)) return false;
    // Among values of one sign, both orders are the same.
    for (uint32_t negative = 0; negative < 2; negative++) {
        int64_t least = negative ? range->least : greater(range->least, 0);
        int64_t most = negative ? lesser(range->most, -1) : range->most;
        if (least > most) continue;
        uint64_t low = larger(range->low, (uint64_t)least & mask_of(bits));
        uint64_t high = smaller(range->high, (uint64_t)most & mask_of(bits));
        if (low <= high && (low & sign) == (high & sign) &&
            next_with_bits(range, bits, low, &value) && value <= high)
            return true;
    }
    return false;
}

// Whether nothing is known of a value.
static bool is_full(const Range *range, uint32_t bits) {
    return range->low == 0 && range->high == mask_of(bits) && !range->zeros && !range->ones &&
           !range->defined && range->least == least_of(bits) && range->most == most_of(bits);
}

// ---- The three views

// The bits above the highest in which the ends of an interval differ are the same in all of it.
static void bits_of_interval(uint32_t bits, Range *range) {
    uint64_t same = mask_of(bits);
    if (range->low != range->high) {
        uint32_t highest = 63 - (uint32_t)__builtin_clzll(range->low ^ range->high);
        same &= ~(mask_of(highest + 1));
    }
    range->ones |= range->low & same;
    range->zeros |= ~range->low & same;
}

// The order of signed and of unsigned integers is the same among those of one sign.
static void signs_of_intervals(uint32_t bits, Range *range) {
    uint64_t sign = (uint64_t)1 << (bits - 1), mask = mask_of(bits);
    if ((range->low & sign) == (range->high & sign)) {
        range->least = greater(range->least, as_signed(bits, range->low));
        range->most = lesser(range->most, as_signed(bits, range->high));
    }
    if ((range->least < 0) == (range->most < 0) && range->least <= range->most) {
        range->low = larger(range->low, (uint64_t)range->least & mask);
        range->high = smaller(range->high, (uint64_t)range->most & mask);
    }
}

// Takes over into each view what the others say. A second round can find more only if the first has
// found something for the unsigned interval or the known bits.
static Range tighten(uint32_t bits, Range range) {
    // A signed interval around zero, and nothing else, tells the others nothing.
    if (!range.zeros && !range.ones && range.low == 0 && range.high == mask_of(bits) &&
        range.least < 0 && range.most >= 0)
        return range;
    for (uint32_t round = 0; round < 2; round++) {
        uint64_t low = range.low, high = range.high, zeros = range.zeros, ones = range.ones;
        range.low = larger(range.low, range.ones);
        range.high = smaller(range.high, ~range.zeros & mask_of(bits));
        if (range_is_empty(&range)) return range;
        signs_of_intervals(bits, &range);
        if (range_is_empty(&range)) return range;
        bits_of_interval(bits, &range);
        if (range.low == low && range.high == high && range.zeros == zeros && range.ones == ones)
            break;
    }
    return range;
}

Range range_both(uint32_t bits, const Range *a, const Range *b) {
    return tighten(bits, (Range){.low = larger(a->low, b->low),
                                 .high = smaller(a->high, b->high),
                                 .least = greater(a->least, b->least),
                                 .most = lesser(a->most, b->most),
                                 .zeros = a->zeros | b->zeros,
                                 .ones = a->ones | b->ones,
                                 .defined = a->defined | b->defined});
}

Range range_either(const Range *a, const Range *b) {
    return (Range){.low = smaller(a->low, b->low),
                   .high = larger(a->high, b->high),
                   .least = lesser(a->least, b->least),
                   .most = greater(a->most, b->most),
                   .zeros = a->zeros & b->zeros,
                   .ones = a->ones & b->ones,
                   .defined = a->defined & b->defined};
}

// ---- Sums and products: exact results of intervals, if they fit

typedef __int128 Int128;

static void set_unsigned(uint32_t bits, Range *range, Int128 low, Int128 high) {
    Int128 size = (Int128)1 << bits;
    // All of it may lie one round further, where it wraps to the same order.
    if (low >= size && high < 2 * size) low -= size, high -= size;
    if (low < 0 && high < 0 && low >= -size) low += size, high += size;
    if (low < 0 || high >= size) return;
    range->low = (uint64_t)low;
    range->high = (uint64_t)high;
}

static void set_signed(uint32_t bits, Range *range, Int128 least, Int128 most) {
    if (least < least_of(bits) || most > most_of(bits)) return;
    range->least = (int64_t)least;
    range->most = (int64_t)most;
}

// The lowest bits that are known of both operands.
static uint64_t known_end(const Range *a, const Range *b) {
    uint64_t known = (a->zeros | a->ones) & (b->zeros | b->ones);
    return ~known ? mask_of((uint32_t)__builtin_ctzll(~known)) : known;
}

// The low bits of sums, differences and products depend on the low bits of operands only.
static void set_end(Range *range, uint64_t end, uint64_t result) {
    range->ones |= result & end;
    range->zeros |= ~result & end;
}

static Range sum_of(uint32_t bits, const Range *a, const Range *b) {
    Range result = range_full(bits);
    set_unsigned(bits, &result, (Int128)a->low + b->low, (Int128)a->high + b->high);
    set_signed(bits, &result, (Int128)a->least + b->least, (Int128)a->most + b->most);
    set_end(&result, known_end(a, b) & mask_of(bits), a->ones + b->ones);
    return result;
}

static Range difference_of(uint32_t bits, const Range *a, const Range *b) {
    Range result = range_full(bits);
    set_unsigned(bits, &result, (Int128)a->low - b->high, (Int128)a->high - b->low);
    set_signed(bits, &result, (Int128)a->least - b->most, (Int128)a->most - b->least);
    set_end(&result, known_end(a, b) & mask_of(bits), a->ones - b->ones);
    return result;
}

// The zeros at the end of both operands add up.
static uint64_t zeros_of_product(uint32_t bits, const Range *a, const Range *b) {
    uint32_t count = 0;
    const Range *operands[] = {a, b};
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t k = 0; k < bits && operands[i]->zeros >> k & 1; k++) count++;
    return mask_of(count < bits ? count : bits);
}

static Range product_of(uint32_t bits, const Range *a, const Range *b) {
    Range result = range_full(bits);
    unsigned __int128 largest = (unsigned __int128)a->high * b->high;
    if (largest >> bits == 0) {
        result.low = a->low * b->low;
        result.high = (uint64_t)largest;
    }
    // A product is largest and smallest at ends of intervals.
    Int128 ends[] = {(Int128)a->least * b->least, (Int128)a->least * b->most,
                     (Int128)a->most * b->least, (Int128)a->most * b->most};
    Int128 least = ends[0], most = ends[0];
    for (uint32_t i = 1; i < 4; i++) {
        least = ends[i] < least ? ends[i] : least;
        most = ends[i] > most ? ends[i] : most;
    }
    set_signed(bits, &result, least, most);
    result.zeros |= zeros_of_product(bits, a, b);
    return result;
}

// ---- Quotients and remainders

static Range unsigned_quotient(uint32_t bits, const Range *a, const Range *b) {
    Range result = range_full(bits);
    if (b->high == 0) return result; // it goes wrong
    result.low = a->low / b->high;
    result.high = a->high / larger(b->low, 1);
    return result;
}

static Range unsigned_remainder(uint32_t bits, const Range *a, const Range *b) {
    Range result = range_full(bits);
    if (b->high == 0) return result;
    if (a->high < b->low) return *a;
    result.high = smaller(a->high, b->high - 1);
    return result;
}

// For positive divisors: the quotient grows with the dividend and goes towards zero with the
// divisor.
static Range signed_quotient(uint32_t bits, const Range *a, const Range *b) {
    Range result = range_full(bits);
    if (b->least < 1) return result;
    result.least = a->least / (a->least < 0 ? b->least : b->most);
    result.most = a->most / (a->most < 0 ? b->most : b->least);
    return result;
}

// Not larger in size than the dividend, less than the divisor, with the sign of the dividend.
static Range signed_remainder(uint32_t bits, const Range *a, const Range *b) {
    Range result = range_full(bits);
    if (b->least < 1) return result;
    result.least = a->least < 0 ? greater(a->least, 1 - b->most) : 0;
    result.most = a->most > 0 ? lesser(a->most, b->most - 1) : 0;
    return result;
}

// ---- Bits

static Range bits_and(uint32_t bits, const Range *a, const Range *b) {
    Range result = range_full(bits);
    result.zeros = a->zeros | b->zeros;
    result.ones = a->ones & b->ones;
    result.high = smaller(a->high, b->high);
    result.defined = (a->defined & b->defined) | (a->defined & a->zeros) | (b->defined & b->zeros);
    return result;
}

static Range bits_or(uint32_t bits, const Range *a, const Range *b) {
    Range result = range_full(bits);
    result.zeros = a->zeros & b->zeros;
    result.ones = a->ones | b->ones;
    result.low = larger(a->low, b->low);
    result.defined = (a->defined & b->defined) | (a->defined & a->ones) | (b->defined & b->ones);
    return result;
}

static Range bits_xor(uint32_t bits, const Range *a, const Range *b) {
    Range result = range_full(bits);
    result.zeros = (a->zeros & b->zeros) | (a->ones & b->ones);
    result.ones = (a->zeros & b->ones) | (a->ones & b->zeros);
    result.defined = a->defined & b->defined;
    return result;
}

static Range bits_not(uint32_t bits, const Range *a) {
    uint64_t mask = mask_of(bits);
    return (Range){.low = ~a->high & mask,
                   .high = ~a->low & mask,
                   .least = -1 - a->most,
                   .most = -1 - a->least,
                   .zeros = a->ones,
                   .ones = a->zeros,
                   .defined = a->defined};
}

// ---- Shifts

static Range shifted_left(uint32_t bits, const Range *a, uint32_t count) {
    Range result = range_full(bits);
    uint64_t mask = mask_of(bits), entered = ((uint64_t)1 << count) - 1;
    Int128 scale = (Int128)1 << count;
    if (a->high <= mask >> count) {
        result.low = a->low << count;
        result.high = a->high << count;
    }
    set_signed(bits, &result, a->least * scale, a->most * scale);
    result.zeros = (a->zeros << count & mask) | entered;
    result.ones = a->ones << count & mask;
    result.defined = (a->defined << count & mask) | entered;
    return result;
}

static Range shifted_right(uint32_t bits, const Range *a, uint32_t count) {
    Range result = range_full(bits);
    uint64_t entered = mask_of(bits) & ~(mask_of(bits) >> count);
    result.low = a->low >> count;
    result.high = a->high >> count;
    result.zeros = a->zeros >> count | entered;
    result.ones = a->ones >> count;
    result.defined = a->defined >> count | entered;
    return result;
}

// The sign enters: of a mask, too.
static uint64_t with_sign(uint32_t bits, uint64_t mask, uint32_t count) {
    return (uint64_t)(as_signed(bits, mask) >> count) & mask_of(bits);
}

static Range shifted_signed(uint32_t bits, const Range *a, uint32_t count) {
    Range result = range_full(bits);
    result.least = a->least >> count;
    result.most = a->most >> count;
    result.zeros = with_sign(bits, a->zeros, count);
    result.ones = with_sign(bits, a->ones, count);
    result.defined = with_sign(bits, a->defined, count);
    return result;
}

static Range shifted(OpFamily family, uint32_t bits, const Range *a, const Range *b) {
    uint64_t count;
    Range result = range_full(bits);
    if (range_is_constant(b, &count) && b->defined == UINT32_MAX) {
        count &= bits - 1;
        if (family == FAM_SHL) return shifted_left(bits, a, (uint32_t)count);
        return family == FAM_SHR ? shifted_right(bits, a, (uint32_t)count)
                                 : shifted_signed(bits, a, (uint32_t)count);
    }
    // Towards zero, or minus one.
    if (family == FAM_SHR) result.high = a->high;
    if (family == FAM_SAR) {
        result.least = lesser(a->least, 0);
        result.most = greater(a->most, -1);
    }
    return result;
}

// ---- Widths

static Range cut(uint32_t to, const Range *a) {
    Range result = range_full(to);
    uint64_t mask = mask_of(to);
    if (a->high <= mask) {
        result.low = a->low;
        result.high = a->high;
    }
    if (a->least >= least_of(to) && a->most <= most_of(to)) {
        result.least = a->least;
        result.most = a->most;
    }
    result.zeros = a->zeros & mask;
    result.ones = a->ones & mask;
    result.defined = a->defined & mask;
    return tighten(to, result);
}

static Range zero_extended(uint32_t from, uint32_t to, const Range *a) {
    Range result = range_full(to);
    uint64_t above = mask_of(to) & ~mask_of(from);
    result.low = a->low;
    result.high = a->high;
    result.zeros = a->zeros | above;
    result.ones = a->ones;
    result.defined = a->defined | above;
    return result;
}

static uint64_t sign_extended_mask(uint32_t from, uint32_t to, uint64_t mask) {
    return (uint64_t)as_signed(from, mask) & mask_of(to);
}

static Range sign_extended(uint32_t from, uint32_t to, const Range *a) {
    Range result = range_full(to);
    result.least = a->least;
    result.most = a->most;
    result.zeros = sign_extended_mask(from, to, a->zeros);
    result.ones = sign_extended_mask(from, to, a->ones);
    result.defined = sign_extended_mask(from, to, a->defined);
    return result;
}

// The low bits of an operand, extended to its width.
static Range extended(OpFamily family, uint32_t bits, const Range *a) {
    uint32_t from = family == FAM_SEXT8 || family == FAM_ZEXT8 ? 8 : 16;
    Range low = cut(from, a);
    return family == FAM_ZEXT8 || family == FAM_ZEXT16 ? zero_extended(from, bits, &low)
                                                       : sign_extended(from, bits, &low);
}

// ---- Comparisons

// Whether a comparison surely holds.
static bool holds(OpFamily family, uint32_t bits, const Range *a, const Range *b) {
    Range shared;
    switch (family) {
    case FAM_EQ: return a->low == a->high && b->low == b->high && a->low == b->low;
    case FAM_NE:
        if (is_full(a, bits) || is_full(b, bits)) return false;
        shared = range_both(bits, a, b);
        return range_is_empty(&shared);
    case FAM_LT: return a->most < b->least;
    case FAM_LE: return a->most <= b->least;
    case FAM_GT: return a->least > b->most;
    case FAM_GE: return a->least >= b->most;
    case FAM_ULT: return a->high < b->low;
    case FAM_ULE: return a->high <= b->low;
    case FAM_UGT: return a->low > b->high;
    case FAM_UGE: return a->low >= b->high;
    default: return false;
    }
}

static bool fits(uint32_t bits, Int128 least, Int128 most) {
    return least >= least_of(bits) && most <= most_of(bits);
}

// Whether sums, differences or products of two ranges surely fit into the type.
static bool is_exact(OpFamily family, uint32_t bits, const Range *a, const Range *b) {
    if (family == FAM_NADDO)
        return fits(bits, (Int128)a->least + b->least, (Int128)a->most + b->most);
    if (family == FAM_NSUBO)
        return fits(bits, (Int128)a->least - b->most, (Int128)a->most - b->least);
    if (family == FAM_NRSUBO)
        return fits(bits, (Int128)b->least - a->most, (Int128)b->most - a->least);
    if (family != FAM_NMULO) return false;
    return fits(bits, (Int128)a->least * b->least, (Int128)a->least * b->least) &&
           fits(bits, (Int128)a->least * b->most, (Int128)a->least * b->most) &&
           fits(bits, (Int128)a->most * b->least, (Int128)a->most * b->least) &&
           fits(bits, (Int128)a->most * b->most, (Int128)a->most * b->most);
}

static OpFamily negation_of(OpFamily family) {
    return op_family(op_negation(op_of(family, TYPE_I64)));
}

static bool is_comparison(OpFamily family) {
    Op op = op_of(family, TYPE_I64);
    return op != OP_COUNT && op_info(op)->flags & OPF_COND;
}

// The result is an i32.
static Range compared(OpFamily family, uint32_t bits, uint32_t to, const Range *a, const Range *b) {
    OpFamily other = negation_of(family);
    Range result = range_constant(to, 1);
    if (holds(family, bits, a, b) || is_exact(family, bits, a, b)) return result;
    if (holds(other, bits, a, b) || is_exact(other, bits, a, b)) return range_constant(to, 0);
    Range zero = range_constant(to, 0);
    return range_either(&result, &zero);
}

// ---- Operators

static Range selected(const Range *condition, const Range *yes, const Range *no) {
    uint64_t value;
    bool known = range_is_constant(condition, &value);
    Range result = known ? value ? *yes : *no : range_either(yes, no);
    // With an undefined condition the result is undefined.
    if (condition->defined != UINT32_MAX) result.defined = 0;
    return result;
}

static Range count_of(uint32_t bits, uint32_t to) {
    Range result = range_full(to);
    result.high = bits;
    return result;
}

// The sets and, where they do not follow the rule ANY, the defined bits.
static Range formula(OpFamily family, uint32_t from, uint32_t to, const Range *args) {
    const Range *a = &args[0], *b = &args[1];
    Range zero;
    if (is_comparison(family)) return compared(family, from, to, a, b);
    switch (family) {
    case FAM_MOVE: return *a;
    case FAM_SELECT: return selected(a, b, &args[2]);
    case FAM_ADD: return sum_of(to, a, b);
    case FAM_SUB: return difference_of(to, a, b);
    case FAM_NEG: zero = range_constant(from, 0); return difference_of(to, &zero, a);
    case FAM_MUL: return product_of(to, a, b);
    case FAM_DIVU: return unsigned_quotient(to, a, b);
    case FAM_MODU: return unsigned_remainder(to, a, b);
    case FAM_DIVS: return signed_quotient(to, a, b);
    case FAM_MODS: return signed_remainder(to, a, b);
    case FAM_AND: return bits_and(to, a, b);
    case FAM_OR: return bits_or(to, a, b);
    case FAM_XOR: return bits_xor(to, a, b);
    case FAM_NOT: return bits_not(to, a);
    case FAM_SHL:
    case FAM_SHR:
    case FAM_SAR: return shifted(family, to, a, b);
    case FAM_CLZ:
    case FAM_CTZ:
    case FAM_POPCOUNT: return count_of(from, to);
    case FAM_SEXT8:
    case FAM_SEXT16:
    case FAM_ZEXT8:
    case FAM_ZEXT16: return extended(family, to, a);
    case FAM_SEXT: return sign_extended(from, to, a);
    case FAM_ZEXT: return zero_extended(from, to, a);
    case FAM_TRUNC: return cut(to, a);
    default: return range_full(to);
    }
}

// Whether the defined bits of a result are those that its formula gives. Of other operators the
// result is defined if all operands are.
static bool has_own_bits(OpFamily family, const Range *args) {
    uint64_t count;
    switch (family) {
    case FAM_MOVE:
    case FAM_SELECT:
    case FAM_AND:
    case FAM_OR:
    case FAM_XOR:
    case FAM_NOT:
    case FAM_SEXT8:
    case FAM_SEXT16:
    case FAM_ZEXT8:
    case FAM_ZEXT16:
    case FAM_SEXT:
    case FAM_ZEXT:
    case FAM_TRUNC: return true;
    case FAM_SHL:
    case FAM_SHR:
    case FAM_SAR: return range_is_constant(&args[1], &count) && args[1].defined == UINT32_MAX;
    default: return false;
    }
}

// Whether an operator is one of integers that does not go wrong, so that defined operands give a
// defined result.
static bool is_total(OpFamily family) {
    Op op = op_of(family, TYPE_I64);
    return op != OP_COUNT && !op_is_partial(op) && type_is_int(op_info(op)->operand[0]);
}

static bool all_defined(OpFamily family, uint32_t from, const Range *args) {
    const OpInfo *info = op_info(op_of(family, TYPE_I64));
    for (uint32_t k = 0; k < info->arity; k++) {
        // A count of bits is an i32 whatever is shifted.
        uint64_t mask = info->operand[k] == TYPE_I32 ? UINT32_MAX : mask_of(from);
        if ((args[k].defined & mask) != mask) return false;
    }
    return true;
}

Range range_of_family(OpFamily family, uint32_t from, uint32_t to, const Range *args) {
    // Nothing follows from nothing: most values are such sums.
    if ((family == FAM_ADD || family == FAM_SUB || family == FAM_MUL) &&
        (is_full(&args[0], to) || is_full(&args[1], to)) && !args[0].zeros && !args[1].zeros)
        return range_full(to);
    Range result = formula(family, from, to, args);
    if (!has_own_bits(family, args)) {
        bool defined = args[0].defined && is_total(family) && all_defined(family, from, args);
        result.defined = defined ? mask_of(to) : 0;
    }
    result = tighten(to, result);
    return range_is_empty(&result) ? range_full(to) : result;
}

Range range_of_op(Op op, const Range *args) {
    const OpInfo *info = op_info(op);
    // Of an operand that has no value, at a place that is never reached, nothing follows.
    for (uint32_t k = 0; k < info->arity; k++)
        if (!type_is_int(info->operand[k]) || range_is_empty(&args[k]))
            return range_full(range_bits(info->result));
    Type from = info->family == FAM_SELECT ? info->result : info->operand[0];
    return range_of_family(info->family, range_bits(from), range_bits(info->result), args);
}

// ---- Behind comparisons

// Values that are left of `a` below or above an end of `b`.
Range range_if(OpFamily family, uint32_t bits, const Range *a, const Range *b) {
    Range result = range_full(bits);
    uint64_t value;
    switch (family) {
    case FAM_EQ: result = *b; break;
    case FAM_NE:
        if (!range_is_constant(b, &value)) break;
        if (a->low == value) result.low = value < mask_of(bits) ? value + 1 : value;
        if (a->high == value) result.high = value ? value - 1 : value;
        if (a->least == as_signed(bits, value) && a->least < most_of(bits))
            result.least = a->least + 1;
        if (a->most == as_signed(bits, value) && a->most > least_of(bits))
            result.most = a->most - 1;
        break;
    case FAM_LT: result.most = b->most > least_of(bits) ? b->most - 1 : b->most; break;
    case FAM_LE: result.most = b->most; break;
    case FAM_GT: result.least = b->least < most_of(bits) ? b->least + 1 : b->least; break;
    case FAM_GE: result.least = b->least; break;
    case FAM_ULT: result.high = b->high ? b->high - 1 : 0; break;
    case FAM_ULE: result.high = b->high; break;
    case FAM_UGT: result.low = b->low < mask_of(bits) ? b->low + 1 : b->low; break;
    case FAM_UGE: result.low = b->low; break;
    default: break;
    }
    result.defined = mask_of(bits);
    return tighten(bits, result);
}

// The ends of both intervals move over a case that they meet.
static void leave_out(uint32_t bits, Range *range, int64_t value) {
    uint64_t number = (uint64_t)value & mask_of(bits);
    bool meets = (range->low == number && range->high == number) ||
                 (range->least == value && range->most == value);
    if (meets) {
        *range = (Range){.low = 1}; // nothing is left
        return;
    }
    if (range->low == number && !next_with_bits(range, bits, number + 1, &range->low))
        *range = (Range){.low = 1};
    if (range->high == number && !range_is_empty(range)) range->high--;
    if (range->least == value) range->least++;
    if (range->most == value) range->most--;
}

// Cases in ascending order move the smaller ends as far as they go; in descending order, the larger
// ends. Unsigned integers begin with the cases that are not negative: so each order goes twice
// round, from there.
Range range_beside(uint32_t bits, const Range *a, const int64_t *cases, uint32_t count) {
    Range result = *a;
    for (uint32_t i = 0; i < 2 * count && !range_is_empty(&result); i++)
        leave_out(bits, &result, cases[i % count]);
    for (uint32_t i = 2 * count; i-- > 0 && !range_is_empty(&result);)
        leave_out(bits, &result, cases[i % count]);
    if (range_is_empty(&result)) return result;
    result.defined = mask_of(bits);
    return tighten(bits, result);
}

// An operand of a sum, a difference, an extension or an `and` by a constant is computed back.
Range range_of_operand(OpFamily family, uint32_t from, uint32_t to, const Range *args, uint32_t k,
                       const Range *result) {
    Range back = range_full(from);
    switch (family) {
    case FAM_ADD: back = difference_of(from, result, &args[1 - k]); break;
    case FAM_SUB:
        back = k == 0 ? sum_of(from, result, &args[1]) : difference_of(from, &args[0], result);
        break;
    case FAM_XOR: back = bits_xor(from, result, &args[1 - k]); break;
    case FAM_AND: back.ones = result->ones; break;
    case FAM_OR: back.zeros = result->zeros; break;
    case FAM_SEXT:
    case FAM_ZEXT: back = cut(from, result); break;
    default: break;
    }
    (void)to;
    back.defined = 0;
    return tighten(from, back);
}

// ---- Loads

Range range_of_chunk(Chunk chunk) {
    Op extension = chunk_extension(chunk);
    Range full = range_full(32);
    if (extension != OP_COUNT) return range_of_op(extension, &full);
    return range_full(chunk == CHUNK_I32 ? 32 : 64);
}

Range range_of_address(const Func *func, Op op, uint32_t ref, int64_t imm) {
    const Symbol *symbol = op == OP_ADDR_SYMBOL ? program_at(func->program, (Sym){ref}) : NULL;
    uint64_t size = symbol ? symbol->size : func->slots.at[ref].size;
    Range range = range_full(64);
    range.defined = UINT64_MAX;
    if ((symbol && !symbol_is_own_object(symbol)) || imm < 0 || (uint64_t)imm > size) return range;
    range.low = NULL_PAGE + (uint64_t)imm;
    range.high = UINT64_MAX - (size - (uint64_t)imm);
    return range;
}
