// Operators against definitions that share nothing with eval.c: wide arithmetic and loops over bits
// for integers, the processor's own instructions for floats, and for undefined bits the enumeration
// of everything they could have been.
#include "fact/eval.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

typedef __int128 Wide;
typedef unsigned __int128 UnsignedWide;

static Value evaluate(Op op, Value a, Value b, Value c) {
    Value result = {.bits = 0xdead};
    if (!op_eval(op, a, b, c, &result)) fail_msg("%s goes wrong", op_info(op)->name);
    assert_int_equal(result.undef, 0);
    return result;
}

static uint64_t bits2(Op op, uint64_t a, uint64_t b) {
    return evaluate(op, value_i64(a), value_i64(b), (Value){0}).bits;
}

static void expect2(Op op, uint64_t a, uint64_t b, uint64_t expected) {
    uint64_t found = bits2(op, a, b);
    if (found != expected)
        fail_msg("%s of %#llx and %#llx: expected %#llx; found %#llx", op_info(op)->name,
                 (unsigned long long)a, (unsigned long long)b, (unsigned long long)expected,
                 (unsigned long long)found);
}

static uint64_t random_state = 1;
static uint64_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 0x2545f4914f6cdd1d;
}

// ---- Integers

// The 256 patterns that have ones only at positions where something can happen.
static uint64_t corner(uint32_t pattern, uint32_t width) {
    static const uint8_t at_32[8] = {0, 1, 7, 8, 15, 16, 30, 31};
    static const uint8_t at_64[8] = {0, 1, 7, 15, 31, 32, 62, 63};
    uint64_t bits = 0;
    for (uint32_t i = 0; i < 8; i++)
        if (pattern >> i & 1) bits |= (uint64_t)1 << (width == 32 ? at_32[i] : at_64[i]);
    return bits;
}

// Corners, small numbers of both signs, and random ones.
static uint64_t sample(uint32_t i, uint32_t width) {
    uint64_t mask = width == 32 ? UINT32_MAX : UINT64_MAX;
    if (i < 256) return corner(i, width);
    if (i < 300) return ((uint64_t)i - 278) & mask;
    return next_random() & mask;
}
enum { SAMPLES = 320 };

static Wide signed_value(uint64_t bits, uint32_t width) {
    return width == 32 ? (Wide)(int32_t)(uint32_t)bits : (Wide)(int64_t)bits;
}

static uint64_t cut(UnsignedWide n, uint32_t width) {
    return width == 32 ? (uint64_t)(uint32_t)n : (uint64_t)n;
}

static bool bit(uint64_t bits, uint32_t i) {
    return bits >> i & 1;
}

typedef struct {
    Op add, sub, mul, mulhs, mulhu, divs, divu, mods, modu, bit_and, bit_or, bit_xor, shl, shr, sar,
        rotl, rotr;
    Op eq, ne, lt, le, gt, ge, ult, ule, ugt, uge;
} Family;

#define FAMILY(w)                                                                                  \
    {                                                                                              \
        .add = OP_ADD_##w, .sub = OP_SUB_##w, .mul = OP_MUL_##w, .mulhs = OP_MULHS_##w,            \
        .mulhu = OP_MULHU_##w, .divs = OP_DIVS_##w, .divu = OP_DIVU_##w, .mods = OP_MODS_##w,      \
        .modu = OP_MODU_##w, .bit_and = OP_AND_##w, .bit_or = OP_OR_##w, .bit_xor = OP_XOR_##w,    \
        .shl = OP_SHL_##w, .shr = OP_SHR_##w, .sar = OP_SAR_##w, .rotl = OP_ROTL_##w,              \
        .rotr = OP_ROTR_##w, .eq = OP_EQ_##w, .ne = OP_NE_##w, .lt = OP_LT_##w, .le = OP_LE_##w,   \
        .gt = OP_GT_##w, .ge = OP_GE_##w, .ult = OP_ULT_##w, .ule = OP_ULE_##w, .ugt = OP_UGT_##w, \
        .uge = OP_UGE_##w                                                                          \
    }
static const Family families[2] = {FAMILY(I32), FAMILY(I64)};

static void check_arithmetic(const Family *f, uint32_t width, uint64_t a, uint64_t b) {
    Wide x = signed_value(a, width), y = signed_value(b, width);
    UnsignedWide u = a, v = b;
    expect2(f->add, a, b, cut(u + v, width));
    expect2(f->sub, a, b, cut(u - v, width));
    expect2(f->mul, a, b, cut(u * v, width));
    expect2(f->mulhu, a, b, cut(u * v >> width, width));
    expect2(f->mulhs, a, b, cut((UnsignedWide)(x * y) >> width, width));
    Value result;
    Wide least = -((Wide)1 << (width - 1));
    bool fits = y != 0 && !(x == least && y == -1);
    assert_int_equal(op_eval(f->divs, value_i64(a), value_i64(b), (Value){0}, &result), fits);
    assert_int_equal(op_eval(f->mods, value_i64(a), value_i64(b), (Value){0}, &result), fits);
    assert_int_equal(op_eval(f->divu, value_i64(a), value_i64(b), (Value){0}, &result), b != 0);
    assert_int_equal(op_eval(f->modu, value_i64(a), value_i64(b), (Value){0}, &result), b != 0);
    if (fits) {
        expect2(f->divs, a, b, cut((UnsignedWide)(x / y), width));
        expect2(f->mods, a, b, cut((UnsignedWide)(x - x / y * y), width));
    }
    if (b) {
        expect2(f->divu, a, b, cut(u / v, width));
        expect2(f->modu, a, b, cut(u - u / v * v, width));
    }
}

static void check_comparisons(const Family *f, uint32_t width, uint64_t a, uint64_t b) {
    Wide x = signed_value(a, width), y = signed_value(b, width);
    expect2(f->eq, a, b, x - y == 0);
    expect2(f->ne, a, b, x - y != 0);
    expect2(f->lt, a, b, x - y < 0);
    expect2(f->le, a, b, x - y <= 0);
    expect2(f->gt, a, b, x - y > 0);
    expect2(f->ge, a, b, x - y >= 0);
    Wide u = (Wide)a, v = (Wide)b;
    expect2(f->ult, a, b, u - v < 0);
    expect2(f->ule, a, b, u - v <= 0);
    expect2(f->ugt, a, b, u - v > 0);
    expect2(f->uge, a, b, u - v >= 0);
}

static void check_bits(const Family *f, uint32_t width, uint64_t a, uint64_t b) {
    uint32_t count = (uint32_t)(b % width);
    uint64_t bit_and = 0, bit_or = 0, bit_xor = 0, shl = 0, shr = 0, sar = 0, rotl = 0, rotr = 0;
    for (uint32_t i = 0; i < width; i++) {
        uint64_t one = (uint64_t)1 << i;
        if (bit(a, i) && bit(b, i)) bit_and |= one;
        if (bit(a, i) || bit(b, i)) bit_or |= one;
        if (bit(a, i) != bit(b, i)) bit_xor |= one;
        if (i >= count && bit(a, i - count)) shl |= one;
        if (i + count < width && bit(a, i + count)) shr |= one;
        if (bit(a, i + count < width ? i + count : width - 1)) sar |= one;
        if (bit(a, (i + width - count) % width)) rotl |= one;
        if (bit(a, (i + count) % width)) rotr |= one;
    }
    expect2(f->bit_and, a, b, bit_and);
    expect2(f->bit_or, a, b, bit_or);
    expect2(f->bit_xor, a, b, bit_xor);
    expect2(f->shl, a, (uint32_t)b, shl);
    expect2(f->shr, a, (uint32_t)b, shr);
    expect2(f->sar, a, (uint32_t)b, sar);
    expect2(f->rotl, a, (uint32_t)b, rotl);
    expect2(f->rotr, a, (uint32_t)b, rotr);
}

static void integer_pairs(void **state) {
    (void)state;
    for (uint32_t wide = 0; wide < 2; wide++) {
        uint32_t width = wide ? 64 : 32;
        for (uint32_t i = 0; i < SAMPLES; i++)
            for (uint32_t j = 0; j < SAMPLES; j++) {
                uint64_t a = sample(i, width), b = sample(j, width);
                check_arithmetic(&families[wide], width, a, b);
                check_comparisons(&families[wide], width, a, b);
                check_bits(&families[wide], width, a, b);
            }
    }
}

static uint64_t count_zeros(uint64_t a, uint32_t width, bool leading) {
    uint32_t count = 0;
    while (count < width && !bit(a, leading ? width - 1 - count : count)) count++;
    return count;
}

static uint64_t count_ones(uint64_t a) {
    uint64_t count = 0;
    for (; a; a /= 2) count += a % 2;
    return count;
}

static uint64_t reverse_bytes(uint64_t a, uint32_t bytes) {
    uint64_t reversed = 0;
    for (uint32_t i = 0; i < bytes; i++) reversed = reversed << 8 | (a >> 8 * i & 0xff);
    return reversed;
}

static uint64_t extend(uint64_t a, uint32_t from, uint32_t to, bool sign) {
    uint64_t result = 0;
    for (uint32_t i = 0; i < to; i++)
        if (i < from ? bit(a, i) : sign && bit(a, from - 1)) result |= (uint64_t)1 << i;
    return result;
}

static void integer_single(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 4 * SAMPLES; i++) {
        uint64_t a = sample(i, 64), n = sample(i, 32);
        expect2(OP_NEG_I32, n, 0, cut(-(UnsignedWide)n, 32));
        expect2(OP_NEG_I64, a, 0, cut(-(UnsignedWide)a, 64));
        expect2(OP_NOT_I32, n, 0, UINT32_MAX - n);
        expect2(OP_NOT_I64, a, 0, UINT64_MAX - a);
        expect2(OP_CLZ_I32, n, 0, count_zeros(n, 32, true));
        expect2(OP_CLZ_I64, a, 0, count_zeros(a, 64, true));
        expect2(OP_CTZ_I32, n, 0, count_zeros(n, 32, false));
        expect2(OP_CTZ_I64, a, 0, count_zeros(a, 64, false));
        expect2(OP_POPCOUNT_I32, n, 0, count_ones(n));
        expect2(OP_POPCOUNT_I64, a, 0, count_ones(a));
        expect2(OP_BSWAP_I16, n, 0, reverse_bytes(n, 2));
        expect2(OP_BSWAP_I32, n, 0, reverse_bytes(n, 4));
        expect2(OP_BSWAP_I64, a, 0, reverse_bytes(a, 8));
        expect2(OP_SEXT8_I32, n, 0, extend(n, 8, 32, true));
        expect2(OP_SEXT16_I32, n, 0, extend(n, 16, 32, true));
        expect2(OP_ZEXT8_I32, n, 0, extend(n, 8, 32, false));
        expect2(OP_ZEXT16_I32, n, 0, extend(n, 16, 32, false));
        expect2(OP_SEXT_I64, n, 0, extend(n, 32, 64, true));
        expect2(OP_ZEXT_I64, n, 0, extend(n, 32, 64, false));
        expect2(OP_TRUNC_I32, a, 0, extend(a, 32, 32, false));
        expect2(OP_MOVE_I32, n, 0, n);
        expect2(OP_MOVE_I64, a, 0, a);
    }
}

static void choice(void **state) {
    (void)state;
    const uint64_t conditions[] = {0, 1, 2, 0x80000000, UINT32_MAX};
    for (Type type = TYPE_I32; type < TYPE_COUNT; type++)
        for (uint32_t i = 0; i < 5; i++) {
            Value b = {.bits = 0x3ff00000, .high = type == TYPE_F80 ? 0x3fff : 0};
            Value c = {.bits = 0x40000000, .high = type == TYPE_F80 ? 0xc000 : 0};
            if (type == TYPE_F80) b.bits = c.bits = (uint64_t)1 << 63;
            Value found = evaluate(op_select(type), value_i64(conditions[i]), b, c);
            Value wanted = conditions[i] ? b : c;
            assert_int_equal(found.bits, wanted.bits);
            assert_int_equal(found.high, wanted.high);
            found = evaluate(op_move(type), c, (Value){0}, (Value){0});
            assert_int_equal(found.bits, c.bits);
            assert_int_equal(found.high, c.high);
        }
}

// ---- Floats: bit patterns in, bit patterns out, by the processor

static const uint64_t doubles[] = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800fffffffffffff,
    0x0010000000000000, 0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
    0xbff0000000000000, 0x3fefffffffffffff, 0x3ff8000000000000, 0xc004000000000000,
    0x400921fb54442d18, 0x41dfffffffc00000, 0x41dfffffffffffff, 0x41e0000000000000,
    0xc1e0000000000000, 0xc1e0000000200000, 0xc1e00000001fffff, 0x41efffffffe00000,
    0x41f0000000000000, 0x43dfffffffffffff, 0x43e0000000000000, 0xc3e0000000000000,
    0xc3e0000000000001, 0x43e0000000000001, 0x43efffffffffffff, 0x43f0000000000000,
    0x36a0000000000000, 0x3690000000000001, 0x47efffffe0000000, 0x47effffff0000000,
    0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
    0x7ff8000000000000, 0xfff8000000000000, 0x7ff8000000000123, 0xfff8abcdef012345,
    0x7ff0000000000001, 0xfff4000020000000, 0x7ff7ffffffffffff};
static const uint32_t floats[] = {
    0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x3f000000, 0xbf000000, 0x3f800000,
    0xbf800000, 0x3f7fffff, 0x3fc00000, 0xc0200000, 0x40490fdb, 0x4effffff, 0x4f000000, 0xcf000000,
    0xcf000001, 0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000, 0xdf000000, 0xdf000001, 0x5f000001,
    0x5f7fffff, 0x5f800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
    0x7fc00123, 0xffcabcde, 0x7f800001, 0xffa00000};
enum { DOUBLES = sizeof doubles / sizeof *doubles, FLOATS = sizeof floats / sizeof *floats };

#define MACHINE2(name, type, instruction)                                                          \
    static type name(type a, type b) {                                                             \
        __asm__(instruction " %1, %0" : "+x"(a) : "x"(b));                                         \
        return a;                                                                                  \
    }
#define MACHINE1(name, to, from, constraint, instruction)                                          \
    static to name(from a) {                                                                       \
        to result;                                                                                 \
        __asm__(instruction " %1, %0" : "=" constraint(result) : "x"(a));                          \
        return result;                                                                             \
    }
MACHINE2(addss, float, "addss")
MACHINE2(subss, float, "subss")
MACHINE2(mulss, float, "mulss")
MACHINE2(divss, float, "divss")
MACHINE2(minss, float, "minss")
MACHINE2(maxss, float, "maxss")
MACHINE2(addsd, double, "addsd")
MACHINE2(subsd, double, "subsd")
MACHINE2(mulsd, double, "mulsd")
MACHINE2(divsd, double, "divsd")
MACHINE2(minsd, double, "minsd")
MACHINE2(maxsd, double, "maxsd")
MACHINE1(sqrtss, float, float, "x", "sqrtss")
MACHINE1(sqrtsd, double, double, "x", "sqrtsd")
MACHINE1(cvtss2sd, double, float, "x", "cvtss2sd")
MACHINE1(cvtsd2ss, float, double, "x", "cvtsd2ss")
MACHINE1(cvttss2si, int32_t, float, "r", "cvttss2si")
MACHINE1(cvttsd2si, int32_t, double, "r", "cvttsd2si")
MACHINE1(cvttss2siq, int64_t, float, "r", "cvttss2siq")
MACHINE1(cvttsd2siq, int64_t, double, "r", "cvttsd2siq")

static float f32(uint32_t bits) {
    return as_f32((Value){.bits = bits});
}
static double f64(uint64_t bits) {
    return as_f64((Value){.bits = bits});
}

static void float_arithmetic(void **state) {
    (void)state;
    for (uint32_t i = 0; i < FLOATS; i++)
        for (uint32_t j = 0; j < FLOATS; j++) {
            float a = f32(floats[i]), b = f32(floats[j]);
            expect2(OP_ADD_F32, floats[i], floats[j], value_f32(addss(a, b)).bits);
            expect2(OP_SUB_F32, floats[i], floats[j], value_f32(subss(a, b)).bits);
            expect2(OP_MUL_F32, floats[i], floats[j], value_f32(mulss(a, b)).bits);
            expect2(OP_DIV_F32, floats[i], floats[j], value_f32(divss(a, b)).bits);
            expect2(OP_MIN_F32, floats[i], floats[j], value_f32(minss(a, b)).bits);
            expect2(OP_MAX_F32, floats[i], floats[j], value_f32(maxss(a, b)).bits);
        }
    for (uint32_t i = 0; i < DOUBLES; i++)
        for (uint32_t j = 0; j < DOUBLES; j++) {
            double a = f64(doubles[i]), b = f64(doubles[j]);
            expect2(OP_ADD_F64, doubles[i], doubles[j], value_f64(addsd(a, b)).bits);
            expect2(OP_SUB_F64, doubles[i], doubles[j], value_f64(subsd(a, b)).bits);
            expect2(OP_MUL_F64, doubles[i], doubles[j], value_f64(mulsd(a, b)).bits);
            expect2(OP_DIV_F64, doubles[i], doubles[j], value_f64(divsd(a, b)).bits);
            expect2(OP_MIN_F64, doubles[i], doubles[j], value_f64(minsd(a, b)).bits);
            expect2(OP_MAX_F64, doubles[i], doubles[j], value_f64(maxsd(a, b)).bits);
        }
}

static void float_single(void **state) {
    (void)state;
    for (uint32_t i = 0; i < FLOATS; i++) {
        uint32_t bits = floats[i];
        expect2(OP_SQRT_F32, bits, 0, value_f32(sqrtss(f32(bits))).bits);
        expect2(OP_NEG_F32, bits, 0, bits ^ 0x80000000);
        expect2(OP_ABS_F32, bits, 0, bits & 0x7fffffff);
        expect2(OP_BITS_I32_F32, bits, 0, bits);
        expect2(OP_BITS_F32_I32, bits, 0, bits);
        expect2(OP_MOVE_F32, bits, 0, bits);
        expect2(OP_CVT_F64_F32, bits, 0, value_f64(cvtss2sd(f32(bits))).bits);
        expect2(OP_CVT_I32_F32, bits, 0, (uint32_t)cvttss2si(f32(bits)));
        expect2(OP_CVT_I64_F32, bits, 0, (uint64_t)cvttss2siq(f32(bits)));
        expect2(OP_CVT_U32_F32, bits, 0, (uint32_t)cvttss2siq(f32(bits)));
    }
    for (uint32_t i = 0; i < DOUBLES; i++) {
        uint64_t bits = doubles[i];
        expect2(OP_SQRT_F64, bits, 0, value_f64(sqrtsd(f64(bits))).bits);
        expect2(OP_NEG_F64, bits, 0, bits ^ 0x8000000000000000);
        expect2(OP_ABS_F64, bits, 0, bits & 0x7fffffffffffffff);
        expect2(OP_BITS_I64_F64, bits, 0, bits);
        expect2(OP_BITS_F64_I64, bits, 0, bits);
        expect2(OP_MOVE_F64, bits, 0, bits);
        expect2(OP_CVT_F32_F64, bits, 0, value_f32(cvtsd2ss(f64(bits))).bits);
        expect2(OP_CVT_I32_F64, bits, 0, (uint32_t)cvttsd2si(f64(bits)));
        expect2(OP_CVT_I64_F64, bits, 0, (uint64_t)cvttsd2siq(f64(bits)));
        expect2(OP_CVT_U32_F64, bits, 0, (uint32_t)cvttsd2siq(f64(bits)));
    }
}

// To unsigned 64 bits: exact where the value fits, and elsewhere what the usual sequence of
// instructions gives.
static uint64_t to_u64(double x) {
    if (x >= 0x1p63) return (uint64_t)cvttsd2siq(x - 0x1p63) ^ (uint64_t)1 << 63;
    return (uint64_t)cvttsd2siq(x);
}

static void float_to_unsigned(void **state) {
    (void)state;
    for (uint32_t i = 0; i < DOUBLES; i++)
        expect2(OP_CVT_U64_F64, doubles[i], 0, to_u64(f64(doubles[i])));
    for (uint32_t i = 0; i < FLOATS; i++)
        expect2(OP_CVT_U64_F32, floats[i], 0, to_u64(cvtss2sd(f32(floats[i]))));
    expect2(OP_CVT_U64_F64, value_f64(18446744073709549568.0).bits, 0, 18446744073709549568u);
    expect2(OP_CVT_U32_F64, value_f64(4294967295.0).bits, 0, 4294967295u);
}

// Rounds a magnitude to `digits` binary digits, ties to even, and builds the float from sign,
// exponent and fraction.
static uint64_t round_to_float(UnsignedWide magnitude, bool negative, uint32_t digits,
                               uint32_t exponent_bits) {
    uint64_t sign = (uint64_t)negative << (digits - 1 + exponent_bits);
    if (!magnitude) return sign;
    uint32_t top = 0;
    while (magnitude >> (top + 1)) top++;
    UnsignedWide fraction = magnitude;
    if (top >= digits) {
        uint32_t drop = top + 1 - digits;
        UnsignedWide rest = magnitude & (((UnsignedWide)1 << drop) - 1);
        UnsignedWide half = (UnsignedWide)1 << (drop - 1);
        fraction = magnitude >> drop;
        if (rest > half || (rest == half && (fraction & 1))) fraction++;
        if (fraction >> digits) {
            fraction >>= 1;
            top++;
        }
    } else {
        fraction <<= digits - 1 - top;
    }
    uint64_t bias = ((uint64_t)1 << (exponent_bits - 1)) - 1;
    uint64_t stored = (uint64_t)fraction & (((uint64_t)1 << (digits - 1)) - 1);
    return sign | (bias + top) << (digits - 1) | stored;
}

static uint64_t integer_to_float(Wide n, bool wide) {
    UnsignedWide magnitude = n < 0 ? -(UnsignedWide)n : (UnsignedWide)n;
    return round_to_float(magnitude, n < 0, wide ? 53 : 24, wide ? 11 : 8);
}

static void integer_to_floats(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 4 * SAMPLES; i++) {
        uint64_t a = sample(i, 64), n = sample(i, 32);
        if (i % 3 == 0) a = a >> (i % 41) | 1; // long runs that need rounding
        expect2(OP_CVT_F32_I32, n, 0, integer_to_float(signed_value(n, 32), false));
        expect2(OP_CVT_F64_I32, n, 0, integer_to_float(signed_value(n, 32), true));
        expect2(OP_CVT_F32_U32, n, 0, integer_to_float((Wide)n, false));
        expect2(OP_CVT_F64_U32, n, 0, integer_to_float((Wide)n, true));
        expect2(OP_CVT_F32_I64, a, 0, integer_to_float(signed_value(a, 64), false));
        expect2(OP_CVT_F64_I64, a, 0, integer_to_float(signed_value(a, 64), true));
        expect2(OP_CVT_F32_U64, a, 0, integer_to_float((Wide)a, false));
        expect2(OP_CVT_F64_U64, a, 0, integer_to_float((Wide)a, true));
    }
}

// How two floats compare, from their bits: -1, 0, 1, or 2 if one is a NaN.
static int relation(uint64_t a, uint64_t b, bool wide) {
    uint64_t infinity = wide ? 0x7ff0000000000000 : 0x7f800000;
    uint64_t sign = wide ? (uint64_t)1 << 63 : (uint64_t)1 << 31;
    if ((a & ~sign) > infinity || (b & ~sign) > infinity) return 2;
    Wide x = a & sign ? -(Wide)(a & ~sign) : (Wide)a, y = b & sign ? -(Wide)(b & ~sign) : (Wide)b;
    return x < y ? -1 : x > y;
}

static const OpFamily relations[14] = {FAM_EQ, FAM_NE,  FAM_LT,  FAM_LE,  FAM_GT,
                                       FAM_GE, FAM_NLT, FAM_NLE, FAM_NGT, FAM_NGE,
                                       FAM_LG, FAM_NLG, FAM_ORD, FAM_UNO};

static void expect_relation(Type type, uint64_t a, uint64_t b, int r) {
    const bool wanted[14] = {r == 0,
                             r != 0,
                             r == -1,
                             r == -1 || r == 0,
                             r == 1,
                             r == 1 || r == 0,
                             r != -1,
                             !(r == -1 || r == 0),
                             r != 1,
                             !(r == 1 || r == 0),
                             r == -1 || r == 1,
                             !(r == -1 || r == 1),
                             r != 2,
                             r == 2};
    for (uint32_t i = 0; i < 14; i++) expect2(op_of(relations[i], type), a, b, wanted[i]);
}

// Whether a sum, difference or product of numbers around the corners fits, in the operators and in
// the host's arithmetic.
static void overflow_predicates(void **state) {
    (void)state;
    static const int64_t bases[] = {0,          1 << 16,   INT32_MAX, INT32_MIN,
                                    3037000499, INT64_MAX, INT64_MIN};
    enum { COUNT = sizeof bases / sizeof *bases * 5 };
    int64_t numbers[COUNT];
    for (int i = 0; i < COUNT; i++)
        numbers[i] = (int64_t)((uint64_t)bases[i / 5] + (uint64_t)(int64_t)(i % 5 - 2));
    uint32_t tried = 0, over = 0;
    for (int i = 0; i < COUNT * COUNT; i++) {
        int64_t a = numbers[i / COUNT], b = numbers[i % COUNT], wide;
        int32_t low_a = (int32_t)(uint32_t)a, low_b = (int32_t)(uint32_t)b, narrow;
        const bool expected[2][4] = {
            {__builtin_add_overflow(low_a, low_b, &narrow),
             __builtin_sub_overflow(low_a, low_b, &narrow),
             __builtin_sub_overflow(low_b, low_a, &narrow),
             __builtin_mul_overflow(low_a, low_b, &narrow)},
            {__builtin_add_overflow(a, b, &wide), __builtin_sub_overflow(a, b, &wide),
             __builtin_sub_overflow(b, a, &wide), __builtin_mul_overflow(a, b, &wide)}};
        static const OpFamily tells[] = {FAM_ADDO, FAM_SUBO, FAM_RSUBO, FAM_MULO};
        for (int k = 0; k < 8; k++) {
            Type type = k / 4 ? TYPE_I64 : TYPE_I32;
            Op op = op_of(tells[k % 4], type);
            Value left = value_immediate(type, k / 4 ? a : low_a),
                  right = value_immediate(type, k / 4 ? b : low_b), result;
            assert_true(op_eval(op, left, right, (Value){0}, &result));
            assert_int_equal(result.bits, expected[k / 4][k % 4]);
            assert_true(op_eval(op_negation(op), left, right, (Value){0}, &result));
            assert_int_equal(result.bits, !expected[k / 4][k % 4]);
            tried++;
            over += expected[k / 4][k % 4];
        }
    }
    assert_int_equal(tried, 8 * COUNT * COUNT);
    assert_in_range(over, tried / 10, tried);
}

static void float_comparisons(void **state) {
    (void)state;
    for (uint32_t i = 0; i < DOUBLES; i++)
        for (uint32_t j = 0; j < DOUBLES; j++)
            expect_relation(TYPE_F64, doubles[i], doubles[j],
                            relation(doubles[i], doubles[j], true));
    for (uint32_t i = 0; i < FLOATS; i++)
        for (uint32_t j = 0; j < FLOATS; j++)
            expect_relation(TYPE_F32, floats[i], floats[j], relation(floats[i], floats[j], false));
}

// ---- f80

static const long double longs[] = {0.0L,
                                    -0.0L,
                                    1.0L,
                                    -1.0L,
                                    0.5L,
                                    3.25L,
                                    -2.75L,
                                    1e4000L,
                                    -1e4000L,
                                    0x1p63L,
                                    -0x1p63L,
                                    0x1p64L,
                                    0x1p31L,
                                    -0x1p31L,
                                    0x1.fffffffep31L,
                                    0x1p-16445L,
                                    0x1.fffffffffffffffep16383L,
                                    0x1.00000001p31L};
enum { LONGS = sizeof longs / sizeof *longs };

static void expect_f80(Op op, Value a, Value b, long double expected) {
    Value found = evaluate(op, a, b, (Value){0}), wanted = value_f80(expected);
    if (found.bits != wanted.bits || found.high != wanted.high)
        fail_msg("%s: expected %La; found %La", op_info(op)->name, expected, as_f80(found));
}

static void extended(void **state) {
    (void)state;
    for (uint32_t i = 0; i < LONGS; i++) {
        volatile long double x = longs[i];
        Value a = value_f80(x);
        if (x >= 0) expect_f80(OP_SQRT_F80, a, (Value){0}, sqrtl(x));
        Value negative = evaluate(OP_NEG_F80, a, (Value){0}, (Value){0});
        assert_int_equal(negative.high, a.high ^ 0x8000);
        assert_int_equal(evaluate(OP_ABS_F80, a, (Value){0}, (Value){0}).high, a.high & 0x7fff);
        assert_int_equal(evaluate(OP_CVT_F64_F80, a, (Value){0}, (Value){0}).bits,
                         value_f64((double)x).bits);
        assert_int_equal(evaluate(OP_CVT_F32_F80, a, (Value){0}, (Value){0}).bits,
                         value_f32((float)x).bits);
        for (uint32_t j = 0; j < LONGS; j++) {
            volatile long double y = longs[j];
            Value b = value_f80(y);
            expect_f80(OP_ADD_F80, a, b, x + y);
            expect_f80(OP_SUB_F80, a, b, x - y);
            expect_f80(OP_MUL_F80, a, b, x * y);
            if (y != 0) expect_f80(OP_DIV_F80, a, b, x / y);
            expect_f80(OP_MIN_F80, a, b, x < y ? x : y);
            expect_f80(OP_MAX_F80, a, b, x > y ? x : y);
            int order = x < y ? -1 : x > y;
            const bool wanted[6] = {order == 0, order != 0, order<0, order <= 0, order> 0,
                                    order >= 0};
            for (uint32_t k = 0; k < 6; k++)
                assert_int_equal(evaluate(op_of(relations[k], TYPE_F80), a, b, (Value){0}).bits,
                                 wanted[k]);
        }
    }
    Value nan = value_f80(__builtin_nanl("")), one = value_f80(1);
    for (uint32_t k = 0; k < 14; k++) // ne, the negated ones, nlg and uno hold
        assert_int_equal(evaluate(op_of(relations[k], TYPE_F80), nan, one, (Value){0}).bits,
                         0x2bc2 >> k & 1);
}

static void extended_to_integer(void **state) {
    (void)state;
    volatile long double one = 1, tiny = 0x1p-60L;
    if (one + tiny == one) skip(); // valgrind computes long double with 53 bits
    const struct {
        long double x;
        uint64_t i32, i64, u64;
    } rows[] = {
        {0.0L, 0, 0, 0},
        {-0.75L, 0, 0, 0},
        {2147483647.9L, 0x7fffffff, 0x7fffffff, 0x7fffffff},
        {2147483648.0L, 0x80000000, 0x80000000, 0x80000000},
        {-2147483648.5L, 0x80000000, 0xffffffff80000000, 0xffffffff80000000},
        {-2147483649.0L, 0x80000000, 0xffffffff7fffffff, 0xffffffff7fffffff},
        {0x1.fffffffffffffffcp62L, 0x80000000, 0x7fffffffffffffff, 0x7fffffffffffffff},
        {0x1p63L, 0x80000000, 0x8000000000000000, 0x8000000000000000},
        {-0x1p63L, 0x80000000, 0x8000000000000000, 0x8000000000000000},
        {0x1.fffffffffffffffep63L, 0x80000000, 0x8000000000000000, UINT64_MAX},
        {__builtin_nanl(""), 0x80000000, 0x8000000000000000, 0x8000000000000000},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Value a = value_f80(rows[i].x);
        assert_int_equal(evaluate(OP_CVT_I32_F80, a, a, a).bits, rows[i].i32);
        assert_int_equal(evaluate(OP_CVT_I64_F80, a, a, a).bits, rows[i].i64);
        assert_int_equal(evaluate(OP_CVT_U32_F80, a, a, a).bits, (uint32_t)rows[i].i64);
        assert_int_equal(evaluate(OP_CVT_U64_F80, a, a, a).bits, rows[i].u64);
    }
    // Every 64-bit integer is exact in f80 and comes back.
    for (uint32_t i = 0; i < SAMPLES; i++) {
        Value a = value_i64(sample(i, 64)), n = value_i64(sample(i, 32));
        Value x = evaluate(OP_CVT_F80_I64, a, a, a), y = evaluate(OP_CVT_F80_U64, a, a, a);
        assert_int_equal(evaluate(OP_CVT_I64_F80, x, x, x).bits, a.bits);
        assert_int_equal(evaluate(OP_CVT_U64_F80, y, y, y).bits, a.bits);
        x = evaluate(OP_CVT_F80_I32, n, n, n);
        y = evaluate(OP_CVT_F80_U32, n, n, n);
        assert_int_equal(evaluate(OP_CVT_I32_F80, x, x, x).bits, n.bits);
        assert_int_equal(evaluate(OP_CVT_U32_F80, y, y, y).bits, n.bits);
    }
    for (uint32_t i = 0; i < DOUBLES; i++)
        if (!isnan(f64(doubles[i]))) {
            Value x = evaluate(OP_CVT_F80_F64, value_i64(doubles[i]), (Value){0}, (Value){0});
            assert_int_equal(evaluate(OP_CVT_F64_F80, x, x, x).bits, doubles[i]);
        }
    for (uint32_t i = 0; i < FLOATS; i++)
        if (!isnan(f32(floats[i]))) {
            Value x = evaluate(OP_CVT_F80_F32, value_i64(floats[i]), (Value){0}, (Value){0});
            assert_int_equal(evaluate(OP_CVT_F32_F80, x, x, x).bits, floats[i]);
        }
}

// ---- Undefined bits

enum { MOST_UNDEFINED = 5 };

// A random value with at most `most` undefined bits, which hold zero.
static Value random_partial(Type type, uint32_t most) {
    uint32_t width = type_mask(type) == UINT32_MAX ? 32 : 64;
    Value value = value_i64(sample((uint32_t)(next_random() % 400), width));
    for (uint64_t i = next_random() % (most + 1); i; i--)
        value.undef |= (uint64_t)1 << next_random() % width;
    value.bits &= ~value.undef;
    return value;
}

// The k-th way of choosing the undefined bits.
static Value filled(Value value, uint64_t k) {
    Value result = value_i64(value.bits);
    for (uint32_t i = 0; i < 64; i++)
        if (bit(value.undef, i)) {
            if (k & 1) result.bits |= (uint64_t)1 << i;
            k >>= 1;
        }
    return result;
}

// The bits of the result that are not the same for all fillings.
static uint64_t varying_bits(Op op, const Value operand[3], uint64_t *common) {
    uint64_t ones = 0, zeros = 0, ways[3];
    for (uint32_t i = 0; i < 3; i++) ways[i] = (uint64_t)1 << count_ones(operand[i].undef);
    for (uint64_t i = 0; i < ways[0]; i++)
        for (uint64_t j = 0; j < ways[1]; j++)
            for (uint64_t k = 0; k < ways[2]; k++) {
                uint64_t bits = evaluate(op, filled(operand[0], i), filled(operand[1], j),
                                         filled(operand[2], k))
                                    .bits;
                ones |= bits;
                zeros |= ~bits;
            }
    *common = ones & ~zeros;
    return ones & zeros;
}

// Operators that follow bits exactly: none is called undefined without need, as long as what steers
// them (a shift count, a condition) is defined.
static bool is_exact(Op op, const Value operand[3]) {
    const char *name = op_info(op)->name;
    static const char *const exact[] = {"and.",  "or.",  "xor.", "not.", "move.",
                                        "bswap", "sext", "zext", "trunc"};
    static const char *const steered[] = {"shl.", "shr.", "sar.", "rotl.", "rotr."};
    for (uint32_t i = 0; i < sizeof exact / sizeof *exact; i++)
        if (strncmp(name, exact[i], strlen(exact[i])) == 0) return true;
    for (uint32_t i = 0; i < sizeof steered / sizeof *steered; i++)
        if (strncmp(name, steered[i], strlen(steered[i])) == 0) return !operand[1].undef;
    return strncmp(name, "select.", 7) == 0 && !operand[0].undef;
}

static bool has_f80(const OpInfo *info) {
    bool found = info->result == TYPE_F80;
    for (uint32_t i = 0; i < info->arity; i++) found |= info->operand[i] == TYPE_F80;
    return found;
}

static void check_undefined(Op op, const Value operand[3]) {
    const OpInfo *info = op_info(op);
    Value result;
    assert_true(op_eval(op, operand[0], operand[1], operand[2], &result));
    uint64_t common, varying = varying_bits(op, operand, &common);
    assert_int_equal(result.undef & ~type_mask(info->result), 0);
    assert_int_equal(result.bits & result.undef, 0);
    if (varying & ~result.undef)
        fail_msg("%s calls bits %#llx defined that are not", info->name,
                 (unsigned long long)(varying & ~result.undef));
    assert_int_equal(result.bits, common & ~result.undef);
    if (is_exact(op, operand)) assert_int_equal(result.undef, varying);
}

static void undefined_bits(void **state) {
    (void)state;
    for (Op op = 0; op < OP_COUNT; op++) {
        const OpInfo *info = op_info(op);
        if (info->arity == 0 || has_f80(info) || (info->flags & OPF_PARTIAL)) continue;
        for (uint32_t round = 0; round < 60; round++) {
            Value operand[3] = {{0}};
            uint32_t most = info->arity == 3 ? 2 : info->arity == 2 ? 3 : MOST_UNDEFINED;
            for (uint32_t i = 0; i < info->arity; i++)
                operand[i] = random_partial(info->operand[i], round % 4 == i ? 0 : most);
            check_undefined(op, operand);
        }
    }
}

static void undefined_partial(void **state) {
    (void)state;
    Value undefined = {.undef = 1}, result;
    uint32_t count = 0;
    for (Op op = 0; op < OP_COUNT; op++)
        if (op_info(op)->flags & OPF_PARTIAL) {
            count++;
            assert_false(op_eval(op, undefined, value_i64(3), undefined, &result));
            assert_false(op_eval(op, value_i64(8), undefined, undefined, &result));
            assert_true(op_eval(op, value_i64(8), value_i64(2), undefined, &result));
        }
    assert_int_equal(count, 8); // quotients and remainders
}

static void undefined_f80(void **state) {
    (void)state;
    Value one = value_f80(1), undefined = value_undefined(TYPE_F80), result;
    assert_true(op_eval(OP_ADD_F80, one, undefined, (Value){0}, &result));
    assert_int_equal(result.undef, UINT64_MAX);
    assert_int_equal(result.bits | result.high, 0);
    assert_true(op_eval(OP_MOVE_F80, undefined, one, one, &result));
    assert_int_equal(result.undef, UINT64_MAX);
    assert_true(op_eval(OP_SELECT_F80, value_i32(1), one, undefined, &result));
    assert_int_equal(result.undef, 0);
    assert_int_equal(result.high, 0x3fff);
    assert_true(op_eval(OP_SELECT_F80, value_undefined(TYPE_I32), one, one, &result));
    assert_int_equal(result.undef, UINT64_MAX);
    assert_true(op_eval(OP_LT_F80, one, undefined, (Value){0}, &result));
    assert_int_equal(result.undef, UINT32_MAX);
}

static void unused_operands(void **state) {
    (void)state;
    Value junk = {.bits = 5, .undef = UINT64_MAX};
    for (Op op = 0; op < OP_COUNT; op++) {
        const OpInfo *info = op_info(op);
        Value a = value_i64(1), b = info->arity > 1 ? value_i64(1) : junk, result;
        if (info->arity == 1 || info->arity == 2) {
            assert_true(op_eval(op, a, b, junk, &result));
            assert_int_equal(result.undef, 0);
        }
    }
}

static void constants_are_not_evaluated(void **state) {
    (void)state;
    Value result;
    for (Op op = 0; op < OP_COUNT; op++)
        if (op_info(op)->arity == 0)
            assert_false(op_eval(op, (Value){0}, (Value){0}, (Value){0}, &result));
    assert_int_equal(value_immediate(TYPE_I32, -1).bits, UINT32_MAX);
    assert_int_equal(value_immediate(TYPE_I64, -1).bits, UINT64_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_pairs),
        cmocka_unit_test(integer_single),
        cmocka_unit_test(choice),
        cmocka_unit_test(float_arithmetic),
        cmocka_unit_test(float_single),
        cmocka_unit_test(float_to_unsigned),
        cmocka_unit_test(integer_to_floats),
        cmocka_unit_test(overflow_predicates),
        cmocka_unit_test(float_comparisons),
        cmocka_unit_test(extended),
        cmocka_unit_test(extended_to_integer),
        cmocka_unit_test(undefined_bits),
        cmocka_unit_test(undefined_partial),
        cmocka_unit_test(undefined_f80),
        cmocka_unit_test(unused_operands),
        cmocka_unit_test(constants_are_not_evaluated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
