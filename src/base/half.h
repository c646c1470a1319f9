// Arithmetic on 16-bit floating-point numbers, as IEEE 754 lays them out (binary16). The evaluation
// of constants and the library functions of the interpreters use it, because gatecc's own sources
// do without _Float16.
#pragma once

#include <stdint.h>

enum {
    HALF_QUIET = 0x200,     // of a NaN: the NaN is quiet
    HALF_MAX_BITS = 0x7bff, // of the largest finite number
};

// The bits of the number nearest to a value, of two the even one. A NaN keeps its sign, the part of
// its payload that fits, and whether it is quiet.
uint16_t half_of(long double value);
// The number that bits stand for, exactly; a NaN stays the same NaN.
long double half_value(uint16_t bits);
