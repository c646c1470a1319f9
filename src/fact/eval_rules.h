// The helpers that the evaluation rules of ops.def call, and how the rules read and write values.
// The files that turn the rows into code include this header: eval.c and the interpreters. Floats
// have one result everywhere, down to the sign of a NaN. Where a machine has the same results
// (TargetModel.floats_as_evaluated), an interpreted program prints the same as the compiled one.
#pragma once

#include "base/wide.h"
#include "form/value.h"

#include <math.h>

static inline int32_t S32(uint32_t a) {
    return (int32_t)a;
}
static inline int64_t S64(uint64_t a) {
    return (int64_t)a;
}

static inline bool divs_32_defined(uint32_t a, uint32_t b) {
    return b != 0 && !(a == (uint32_t)1 << 31 && b == UINT32_MAX);
}
static inline bool divs_64_defined(uint64_t a, uint64_t b) {
    return b != 0 && !(a == (uint64_t)1 << 63 && b == UINT64_MAX);
}

static inline uint32_t mulhu_32(uint32_t a, uint32_t b) {
    return (uint32_t)((uint64_t)a * b >> 32);
}
static inline uint32_t mulhs_32(uint32_t a, uint32_t b) {
    return (uint32_t)((uint64_t)((int64_t)S32(a) * S32(b)) >> 32);
}
static inline uint64_t mulhu_64(uint64_t a, uint64_t b) {
    return wide_product(a, b).high;
}
static inline uint64_t mulhs_64(uint64_t a, uint64_t b) {
    return mulhu_64(a, b) - (a >> 63 ? b : 0) - (b >> 63 ? a : 0);
}

// Whether signed arithmetic leaves the type: two numbers of one sign have a sum of the other sign,
// ...
static inline bool addo_32(uint32_t a, uint32_t b) {
    return ((a ^ (a + b)) & (b ^ (a + b))) >> 31;
}
static inline bool addo_64(uint64_t a, uint64_t b) {
    return ((a ^ (a + b)) & (b ^ (a + b))) >> 63;
}
static inline bool subo_32(uint32_t a, uint32_t b) {
    return ((a ^ b) & (a ^ (a - b))) >> 31;
}
static inline bool subo_64(uint64_t a, uint64_t b) {
    return ((a ^ b) & (a ^ (a - b))) >> 63;
}
// ... and the high half of a product does not extend the low half.
static inline bool mulo_32(uint32_t a, uint32_t b) {
    return mulhs_32(a, b) != 0 - (a * b >> 31);
}
static inline bool mulo_64(uint64_t a, uint64_t b) {
    return mulhs_64(a, b) != 0 - (a * b >> 63);
}

static inline uint32_t sar_32(uint32_t a, uint32_t b) {
    uint32_t sign = a >> 31 ? ~(UINT32_MAX >> (b & 31)) : 0;
    return a >> (b & 31) | sign;
}
static inline uint64_t sar_64(uint64_t a, uint32_t b) {
    uint64_t sign = a >> 63 ? ~(UINT64_MAX >> (b & 63)) : 0;
    return a >> (b & 63) | sign;
}
static inline uint32_t rotl_32(uint32_t a, uint32_t b) {
    return a << (b & 31) | a >> (-b & 31);
}
static inline uint64_t rotl_64(uint64_t a, uint32_t b) {
    return a << (b & 63) | a >> (-b & 63);
}
static inline uint32_t clz_32(uint32_t a) {
    return a ? (uint32_t)__builtin_clz(a) : 32;
}
static inline uint64_t clz_64(uint64_t a) {
    return a ? (uint64_t)__builtin_clzll(a) : 64;
}
static inline uint32_t ctz_32(uint32_t a) {
    return a ? (uint32_t)__builtin_ctz(a) : 32;
}
static inline uint64_t ctz_64(uint64_t a) {
    return a ? (uint64_t)__builtin_ctzll(a) : 64;
}
static inline uint32_t popcount_64(uint64_t a) {
    return (uint32_t)__builtin_popcountll(a);
}

static inline uint32_t bits_of_f32(float x) {
    return (uint32_t)value_f32(x).bits;
}
static inline uint64_t bits_of_f64(double x) {
    return value_f64(x).bits;
}
static inline float f32_of_bits(uint32_t bits) {
    return as_f32((Value){.bits = bits});
}
static inline double f64_of_bits(uint64_t bits) {
    return as_f64((Value){.bits = bits});
}

// The result of an operation on a and b, with our choice of NaN, where IEEE 60559 leaves the choice
// open (op_is_open): the first operand that is one, made quiet, else the negative one. The compiler
// that builds us may swap operands or fold, so the choice is made here.
static inline float nan_f32(float a, float b, float result) {
    if (result == result) return result;
    if (a != a) return f32_of_bits(bits_of_f32(a) | 0x00400000);
    if (b != b) return f32_of_bits(bits_of_f32(b) | 0x00400000);
    return f32_of_bits(0xffc00000);
}
static inline double nan_f64(double a, double b, double result) {
    if (result == result) return result;
    if (a != a) return f64_of_bits(bits_of_f64(a) | 0x0008000000000000);
    if (b != b) return f64_of_bits(bits_of_f64(b) | 0x0008000000000000);
    return f64_of_bits(0xfff8000000000000);
}
static inline float flip_f32(float a) {
    return f32_of_bits(bits_of_f32(a) ^ 0x80000000);
}
static inline float clear_f32(float a) {
    return f32_of_bits(bits_of_f32(a) & 0x7fffffff);
}
static inline double flip_f64(double a) {
    return f64_of_bits(bits_of_f64(a) ^ 0x8000000000000000);
}
static inline double clear_f64(double a) {
    return f64_of_bits(bits_of_f64(a) & 0x7fffffffffffffff);
}

static inline double f32_to_f64(float a) {
    if (a == a) return (double)a;
    uint64_t bits = bits_of_f32(a);
    return f64_of_bits((bits & 0x80000000) << 32 | 0x7ff8000000000000 | (bits & 0x003fffff) << 29);
}
static inline float f64_to_f32(double a) {
    if (a == a) return (float)a;
    uint64_t bits = bits_of_f64(a);
    return f32_of_bits((uint32_t)(bits >> 32 & 0x80000000) | 0x7fc00000 |
                       (uint32_t)(bits >> 29 & 0x003fffff));
}

static inline uint64_t f80_to_i64(long double a) {
    bool fits = a > -0x1.0000000000000002p63L && a < 0x1p63L;
    return fits ? (uint64_t)(int64_t)a : (uint64_t)1 << 63;
}
static inline uint32_t f80_to_i32(long double a) {
    bool fits = a > -0x1.00000002p31L && a < 0x1p31L;
    return fits ? (uint32_t)(int32_t)a : (uint32_t)1 << 31;
}
// The top half of the unsigned range goes through the signed conversion of a - 2^63.
static inline uint64_t f80_to_u64(long double a) {
    return a >= 0x1p63L ? f80_to_i64(a - 0x1p63L) ^ (uint64_t)1 << 63 : f80_to_i64(a);
}
static inline uint64_t f64_to_i64(double a) {
    return f80_to_i64(a);
}
static inline uint32_t f64_to_i32(double a) {
    return f80_to_i32(a);
}
static inline uint64_t f64_to_u64(double a) {
    return f80_to_u64(a);
}

// ---- Types of the rows in C, and operands and results as values

#define C_I32   uint32_t
#define C_I64   uint64_t
#define C_F32   float
#define C_F64   double
#define C_F80   long double
#define GET_I32 as_i32
#define GET_I64 as_i64
#define GET_F32 as_f32
#define GET_F64 as_f64
#define GET_F80 as_f80
#define PUT_I32 value_i32
#define PUT_I64 value_i64
#define PUT_F32 value_f32
#define PUT_F64 value_f64
#define PUT_F80 value_f80
