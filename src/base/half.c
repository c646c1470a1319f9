#include "base/half.h"

#include <math.h>

// The extended format of an f80: 64 bits with the leading one, then sign and exponent.
typedef union {
    long double value;
    struct {
        uint64_t significand;
        uint16_t top;
    };
} Extended;

enum { SIGN = 0x8000, INFINITE = 0x7c00, EXTENDED_INFINITE = 0x7fff };

// A significand without its lowest bits, rounded to nearest, in a tie to even.
static uint64_t cut(uint64_t significand, int bits) {
    if (bits > 64) return 0;
    uint64_t kept = bits < 64 ? significand >> bits : 0;
    uint64_t rest = bits < 64 ? significand & (((uint64_t)1 << bits) - 1) : significand;
    uint64_t middle = (uint64_t)1 << (bits - 1);
    return kept + (rest > middle || (rest == middle && kept & 1));
}

uint16_t half_of(long double value) {
    Extended from = {.value = value};
    uint16_t sign = from.top & SIGN;
    int exponent = from.top & EXTENDED_INFINITE;
    if (exponent == EXTENDED_INFINITE) {
        uint16_t payload = from.significand >> 53 & 0x3ff;
        if (from.significand << 1 == 0) return sign | INFINITE;
        return sign | INFINITE | (payload ? payload : HALF_QUIET);
    }
    exponent -= 16383;
    if (exponent > 15) return sign | INFINITE;
    // Below the smallest normal number the distance of numbers does not shrink any more. A carry
    // out of the rounded bits goes where it belongs, into the exponent.
    if (exponent < -14) return sign | (uint16_t)cut(from.significand, 53 + (-14 - exponent));
    return sign | (uint16_t)(((uint64_t)(exponent + 14) << 10) + cut(from.significand, 53));
}

long double half_value(uint16_t bits) {
    unsigned exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
    Extended size;
    if (exponent == 31)
        size.significand = (uint64_t)1 << 63 | (uint64_t)fraction << 53,
        size.top = EXTENDED_INFINITE;
    else
        size.value = exponent ? ldexpl(1024 + fraction, (int)exponent - 25) : ldexpl(fraction, -24);
    size.top |= bits & SIGN;
    return size.value;
}
