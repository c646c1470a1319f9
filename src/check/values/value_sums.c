#include "check/values/value_sums.h"

static uint64_t sum_mask(const ValueSum *sum) {
    return sum->bits == 32 ? UINT32_MAX : UINT64_MAX;
}

// The number of the part that a value is; if it is none, the number of parts.
static uint32_t find_part(const ValueSum *sum, uint32_t value) {
    uint32_t i = 0;
    while (i < sum->count && sum->parts[i].value != value) i++;
    return i;
}

uint64_t value_sum_factor(const ValueSum *sum, uint32_t value) {
    uint32_t i = find_part(sum, value);
    return i < sum->count ? sum->parts[i].factor : 0;
}

static bool add_part(ValueSum *sum, uint32_t value, uint64_t factor, uint32_t shift) {
    uint32_t i = find_part(sum, value);
    if (i == MOST_SUM_PARTS) return false;
    SumPart *part = &sum->parts[i];
    if (i == sum->count) {
        sum->count++;
        *part = (SumPart){.value = value, .shift = shift};
    }
    part->factor = (part->factor + factor) & sum_mask(sum);
    if (shift < part->shift) part->shift = shift;
    return true;
}

// Integers of the sum's width only: so operators with other operands are parts.
bool value_sum_add(const ValueTerms *terms, ValueSum *sum, uint32_t value, uint64_t factor,
                   uint32_t shift) {
    const HintValue *it = &terms->values[value];
    Value constant;
    if (terms_constant(terms, value, &constant)) {
        sum->constant = (sum->constant + factor * constant.bits) & sum_mask(sum);
        return true;
    }
    if (it->kind != VALUE_OP || it->count == 0) return add_part(sum, value, factor, shift);
    const uint32_t *args = terms_args(terms, value);
    OpFamily family = op_family((Op)it->op);
    bool known = it->count == 2 && terms_constant(terms, args[1], &constant);
    if (sum->ops++ == MOST_SUM_OPS) return false;
    switch (family) {
    case FAM_ADD:
    case FAM_SUB:
        return value_sum_add(terms, sum, args[0], factor, 0) &&
               value_sum_add(terms, sum, args[1], family == FAM_ADD ? factor : 0 - factor, 0);
    case FAM_NEG: return value_sum_add(terms, sum, args[0], 0 - factor, 0);
    case FAM_MUL:
        if (known) return value_sum_add(terms, sum, args[0], factor * constant.bits, 0);
        break;
    case FAM_SHL:
        if (known && constant.bits < sum->bits - shift)
            return value_sum_add(terms, sum, args[0], factor << constant.bits,
                                 shift + (uint32_t)constant.bits);
        break;
    default: break;
    }
    sum->ops--;
    return add_part(sum, value, factor, shift);
}

// Whether a value is another plus a constant.
static bool is_beside(const ValueTerms *terms, uint32_t value, uint32_t other, Type type,
                      uint64_t constant) {
    ValueSum sum;
    return value_sum(terms, value, type, &sum) && sum.count == 1 && sum.parts[0].value == other &&
           sum.parts[0].factor == 1 && !sum.parts[0].shift &&
           sum.constant == (constant & sum_mask(&sum));
}

// The other argument of an operator with a constant as its second argument; NO_ID.
static uint32_t first_arg(const ValueTerms *terms, uint32_t value, OpFamily family,
                          uint64_t constant) {
    const HintValue *it = &terms->values[value];
    Value second;
    return it->kind == VALUE_OP && it->count == 2 && op_family((Op)it->op) == family &&
                   terms_constant(terms, terms_args(terms, value)[1], &second) &&
                   second.bits == constant
               ? terms_args(terms, value)[0]
               : NO_ID;
}

uint32_t value_triangle_of(const ValueTerms *terms, uint32_t value) {
    const HintValue *it = &terms->values[value];
    if (it->kind != VALUE_OP || op_family((Op)it->op) != FAM_MUL) return NO_ID;
    for (uint32_t k = 0; k < 2; k++) {
        const uint32_t *args = terms_args(terms, value);
        uint32_t x = first_arg(terms, args[k], FAM_SHR, 1);
        uint32_t less = first_arg(terms, args[1 - k], FAM_OR, 1);
        if (x != NO_ID && less != NO_ID &&
            is_beside(terms, less, x, op_info((Op)it->op)->result, UINT64_MAX))
            return x;
    }
    return NO_ID;
}

static uint64_t triangle_of(uint64_t x) {
    return (x >> 1) * ((x - 1) | 1);
}

// Adds a multiple of the triangle of a phi on a way.
static bool add_triangle(const ValueTerms *terms, ValueSum *sum, const SumPart *part, uint32_t phi,
                         uint32_t arg, const Range *all) {
    Type type = sum->bits == 32 ? TYPE_I32 : TYPE_I64;
    Value constant;
    if (arg == NO_ID || part->shift) return false;
    if (terms_constant(terms, arg, &constant)) {
        sum->constant += part->factor * triangle_of(constant.bits & sum_mask(sum));
        sum->constant &= sum_mask(sum);
        return true;
    }
    return all && all[phi].high < sum_mask(sum) && is_beside(terms, arg, phi, type, 1) &&
           add_part(sum, part->value, part->factor, 0) && add_part(sum, phi, part->factor, 0);
}

bool value_sum_on_way(const ValueTerms *terms, const ValueSum *sum, Node join, uint32_t k,
                      const Range *all, ValueSum *result) {
    *result = (ValueSum){.bits = sum->bits, .constant = sum->constant};
    for (uint32_t i = 0; i < sum->count; i++) {
        const SumPart *part = &sum->parts[i];
        const HintValue *it = &terms->values[part->value];
        bool is_phi = it->kind == VALUE_PHI && it->ref == join.i;
        uint32_t of = value_triangle_of(terms, part->value);
        if (of != NO_ID && terms->values[of].kind == VALUE_PHI && terms->values[of].ref == join.i) {
            if (!add_triangle(terms, result, part, of, terms_args(terms, of)[k], all)) return false;
            continue;
        }
        uint32_t value = is_phi ? terms_args(terms, part->value)[k] : part->value;
        if (value == NO_ID || !value_sum_add(terms, result, value, part->factor, part->shift))
            return false;
    }
    return true;
}

void value_sum_define(ValueSum *sum, uint32_t part, const Range *range) {
    if (range->defined == sum_mask(sum)) sum->parts[part].shift = sum->bits;
}

// Whether an operator of integers with an undefined bit in an operand is undefined in all bits.
static bool is_whole(const ValueTerms *terms, uint32_t value, const ValueSum *sum) {
    const HintValue *it = &terms->values[value];
    if (it->kind != VALUE_OP) return false;
    if (it->count == 0) return !sum->count; // a constant
    return sum->ops && op_family((Op)it->op) != FAM_SHL;
}

bool value_sum(const ValueTerms *terms, uint32_t value, Type type, ValueSum *sum) {
    if (type != TYPE_I32 && type != TYPE_I64) return false;
    sum->bits = type == TYPE_I32 ? 32 : 64;
    sum->constant = 0;
    sum->count = sum->ops = 0;
    if (!value_sum_add(terms, sum, value, 1, 0)) return false;
    sum->whole = is_whole(terms, value, sum);
    return true;
}

// ---- Equal sums

// Whether all bits of a part that count in one sum count in another.
static bool counts_in(const ValueSum *sum, const SumPart *part) {
    if (!sum) return false;
    uint32_t i = find_part(sum, part->value);
    return part->shift == sum->bits || (i < sum->count && sum->parts[i].shift <= part->shift);
}

static uint64_t difference_of(const ValueSum *x, const ValueSum *y, uint32_t value) {
    return x ? value_sum_factor(x, value) - value_sum_factor(y, value) : 0;
}

// from - to = times * (a - b), in each part of a sum.
static bool parts_agree(const ValueSum *sum, const ValueSum *from, const ValueSum *to,
                        const ValueSum *a, const ValueSum *b, uint64_t times) {
    for (uint32_t i = 0; sum && i < sum->count; i++) {
        uint32_t value = sum->parts[i].value;
        uint64_t rest = difference_of(from, to, value) - times * difference_of(a, b, value);
        if (rest & sum_mask(from)) return false;
    }
    return true;
}

// How often a = b has to be used: a part that `a` has once more than `b`, or once less, tells.
static uint64_t times_of(const ValueSum *from, const ValueSum *to, const ValueSum *a,
                         const ValueSum *b) {
    const ValueSum *both[] = {a, b};
    for (uint32_t k = 0; a && k < 2; k++)
        for (uint32_t i = 0; i < both[k]->count; i++) {
            uint32_t value = both[k]->parts[i].value;
            uint64_t once = difference_of(a, b, value) & sum_mask(a);
            if (once == 1) return difference_of(from, to, value);
            if (once == sum_mask(a)) return 0 - difference_of(from, to, value);
        }
    return 0;
}

// Where `from` is not undefined as a whole, its parts and those of `a` and `b` are defined as far
// as they count; then the parts of `to` are, too.
bool value_sum_refines(const ValueSum *from, const ValueSum *to, const ValueSum *a,
                       const ValueSum *b) {
    uint64_t times = times_of(from, to, a, b);
    uint64_t rest = from->constant - to->constant - (a ? times * (a->constant - b->constant) : 0);
    if (from->bits != to->bits || (a && (a->bits != from->bits || b->bits != from->bits)))
        return false;
    if (rest & sum_mask(from) || !parts_agree(from, from, to, a, b, times) ||
        !parts_agree(to, from, to, a, b, times) || !parts_agree(a, from, to, a, b, times) ||
        !parts_agree(b, from, to, a, b, times))
        return false;
    for (uint32_t i = 0; i < to->count; i++)
        if (!counts_in(from, &to->parts[i]) && !counts_in(a, &to->parts[i]) &&
            !counts_in(b, &to->parts[i]))
            return false;
    for (uint32_t i = 0; !from->whole && i < from->count; i++)
        if (!counts_in(a, &from->parts[i]) && !counts_in(b, &from->parts[i])) return false;
    return true;
}

// Whether a - b is a value, or the negation of one, plus a constant; if so, the constant that the
// value is if a = b.
static bool is_end(const ValueSum *a, const ValueSum *b, uint32_t value, uint64_t *end) {
    uint64_t once = difference_of(a, b, value) & sum_mask(a), rest = a->constant - b->constant;
    const ValueSum *both[] = {a, b};
    if (once != 1 && once != sum_mask(a)) return false;
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < both[k]->count; i++) {
            uint32_t other = both[k]->parts[i].value;
            if (other != value && difference_of(a, b, other) & sum_mask(a)) return false;
        }
    *end = (once == 1 ? 0 - rest : rest) & sum_mask(a);
    return true;
}

void value_sum_end(const ValueTerms *terms, ValueSum *sum, const ValueSum *a, const ValueSum *b) {
    for (uint32_t i = 0; sum->bits == a->bits && i < sum->count; i++) {
        SumPart *part = &sum->parts[i];
        uint32_t of = part->factor ? value_triangle_of(terms, part->value) : NO_ID;
        uint64_t end;
        if (of == NO_ID || part->shift || !is_end(a, b, of, &end)) continue;
        sum->constant += part->factor * triangle_of(end);
        sum->constant &= sum_mask(sum);
        part->factor = 0;
    }
}

// However undefined bits are filled in, the difference is the same.
bool value_sum_test(const ValueTerms *terms, uint32_t value, bool *outcome) {
    const HintValue *it = &terms->values[value];
    OpFamily family = it->kind == VALUE_OP ? op_family((Op)it->op) : FAM_NONE;
    ValueSum sum;
    if (family != FAM_EQ && family != FAM_NE) return false;
    const uint32_t *args = terms_args(terms, value);
    if (!value_sum(terms, args[0], op_info((Op)it->op)->operand[0], &sum) ||
        !value_sum_add(terms, &sum, args[1], UINT64_MAX, 0))
        return false;
    for (uint32_t i = 0; i < sum.count; i++)
        if (sum.parts[i].factor) return false;
    *outcome = (sum.constant == 0) == (family == FAM_EQ);
    return true;
}
