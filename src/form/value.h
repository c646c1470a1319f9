// The value of a register: its bits and which of them are undefined.
#pragma once

#include "form/types.h"

#include <string.h>

// i32 and f32 use the low 32 bits and keep the rest zero, in both words. f80 uses bits for its
// significand and high for sign and exponent; its undef is all zeros or all ones.
typedef struct {
    uint64_t bits;
    uint64_t undef; // ones mark undefined bits; 0 is a fully defined value
    uint64_t high;
} Value;

static inline uint64_t type_mask(Type type) {
    return type == TYPE_I32 || type == TYPE_F32 ? UINT32_MAX : UINT64_MAX;
}
static inline Value value_undefined(Type type) {
    return (Value){.undef = type_mask(type)};
}
static inline Value value_i32(uint32_t n) {
    return (Value){.bits = n};
}
static inline Value value_i64(uint64_t n) {
    return (Value){.bits = n};
}
static inline Value value_f32(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (Value){.bits = bits};
}
static inline Value value_f64(double x) {
    Value value = {0};
    memcpy(&value.bits, &x, sizeof x);
    return value;
}
static inline Value value_f80(long double x) {
    Value value = {0};
    memcpy(&value.bits, &x, 8);
    memcpy(&value.high, (const char *)&x + 8, 2);
    return value;
}
static inline uint32_t as_i32(Value value) {
    return (uint32_t)value.bits;
}
static inline uint64_t as_i64(Value value) {
    return value.bits;
}
static inline float as_f32(Value value) {
    uint32_t bits = (uint32_t)value.bits;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline double as_f64(Value value) {
    double x;
    memcpy(&x, &value.bits, sizeof x);
    return x;
}
static inline long double as_f80(Value value) {
    long double x = 0;
    memcpy(&x, &value.bits, 8);
    memcpy((char *)&x + 8, &value.high, 2);
    return x;
}
