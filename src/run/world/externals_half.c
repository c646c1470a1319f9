// The functions of the compiler's library on numbers of 16 bits: conversions from and to other
// types. Such a number is passed in the low bits of an f32; in what these functions return the
// other bits are zero. Each result is rounded once, to nearest, and no NaN that comes out is a
// signaling one.
#include "run/world/externals.h"

#include "base/half.h"

static long double argument(const ExternalCall *call) {
    return half_value((uint16_t)as_i32(call->args[0]));
}

void external_extendhfsf2(ExternalCall *call) {
    call->result = value_f32((float)argument(call));
}
void external_extendhfdf2(ExternalCall *call) {
    call->result = value_f64((double)argument(call));
}
void external_extendhfxf2(ExternalCall *call) {
    Value value = value_f80(argument(call));
    if (argument(call) != argument(call)) value.bits |= (uint64_t)1 << 62;
    call->result = value;
}

static void give(ExternalCall *call, long double value) {
    uint16_t bits = half_of(value);
    call->result = value_i32(value != value ? bits | HALF_QUIET : bits);
}

void external_truncsfhf2(ExternalCall *call) {
    give(call, as_f32(call->args[0]));
}
void external_truncdfhf2(ExternalCall *call) {
    give(call, as_f64(call->args[0]));
}
void external_truncxfhf2(ExternalCall *call) {
    give(call, as_f80(call->args[0]));
}
