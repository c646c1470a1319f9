// x64.def as data.
#pragma once

#include "form/ops.h"

typedef enum {
    X64_NO_SHAPE, // of no operator
    X64_CONSTANT,
    X64_ADDRESS,
    X64_COPY,
    X64_BINARY,
    X64_MULTIPLY,
    X64_SHIFT,
    X64_HIGH,
    X64_DIVIDE,
    X64_REMAINDER,
    X64_UNARY,
    X64_REVERSE,
    X64_EXTEND,
    X64_TRUNCATE,
    X64_COUNT,
    X64_POPCOUNT,
    X64_COMPARE,
    X64_OVERFLOW,
    X64_FLOAT,
    X64_FCOMPARE,
    X64_SIGN,
    X64_ROOT,
    X64_CONVERT,
    X64_FROM_INT,
    X64_FROM_WIDE,
    X64_TO_INT,
    X64_TO_WIDE,
    X64_BITS,
    X64_X87,
    X64_CHOOSE
} X64Shape;

typedef struct {
    X64Shape shape;
    const char *mnemonic;
} X64Info;

extern const X64Info x64_table[OP_COUNT];

static inline X64Shape x64_shape(Op op) {
    return x64_table[op].shape;
}
