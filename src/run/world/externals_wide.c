// The functions of the compiler's library on integers of 128 bits: division, and conversions from
// and to floating point. Such an integer is an aggregate: an argument is the address of its sixteen
// bytes, the low half first, and the result goes to the address after the arguments.
//
// Where the system's functions compute something that the language leaves undefined, these take a
// wrong step: a division by zero, and a number without an integral part in range.
#include "run/world/externals.h"

#include "base/half.h"
#include "base/wide.h"

#include <string.h>

static bool read_wide(ExternalCall *call, uint32_t i, Wide *value) {
    const uint8_t *bytes = external_read(call, arg_i64(call, i), 16);
    if (!bytes) return false;
    memcpy(&value->low, bytes, 8);
    memcpy(&value->high, bytes + 8, 8);
    return true;
}

static void give_wide(ExternalCall *call, Wide value) {
    uint64_t halves[2] = {value.low, value.high};
    external_put(call, arg_i64(call, call->sig->param_count), halves, sizeof halves);
}

// ---- Division

static void divide(ExternalCall *call, bool is_signed, bool wants_remainder) {
    Wide a, b, remainder;
    if (!read_wide(call, 0, &a) || !read_wide(call, 1, &b)) return;
    if (wide_is_zero(b)) {
        external_wrong(call, "division by zero");
        return;
    }
    Wide quotient =
        is_signed ? wide_divide_signed(a, b, &remainder) : wide_divide_unsigned(a, b, &remainder);
    give_wide(call, wants_remainder ? remainder : quotient);
}

void external_divti3(ExternalCall *call) {
    divide(call, true, false);
}
void external_modti3(ExternalCall *call) {
    divide(call, true, true);
}
void external_udivti3(ExternalCall *call) {
    divide(call, false, false);
}
void external_umodti3(ExternalCall *call) {
    divide(call, false, true);
}

// ---- Floating point

static void fix(ExternalCall *call, long double value, bool is_signed) {
    Wide result;
    if (wide_from_float(value, is_signed, &result))
        give_wide(call, result);
    else
        external_wrong(call, "%Lg is out of range", value);
}

#define FIX(letters, type)                                                                         \
    void external_fix##letters##ti(ExternalCall *call) {                                           \
        fix(call, as_##type(call->args[0]), true);                                                 \
    }                                                                                              \
    void external_fixuns##letters##ti(ExternalCall *call) {                                        \
        fix(call, as_##type(call->args[0]), false);                                                \
    }
FIX(sf, f32)
FIX(df, f64)
FIX(xf, f80)

// A number of 16 bits is in the low ones of an f32.
void external_fixhfti(ExternalCall *call) {
    fix(call, half_value((uint16_t)as_i32(call->args[0])), true);
}
void external_fixunshfti(ExternalCall *call) {
    fix(call, half_value((uint16_t)as_i32(call->args[0])), false);
}

// Rounding happens once, to the precision of the result; then the casts are exact, but for a float
// that becomes infinite.
#define FLOAT(letters, type, c_type, precision)                                                    \
    void external_floatti##letters(ExternalCall *call) {                                           \
        Wide value;                                                                                \
        if (read_wide(call, 0, &value))                                                            \
            call->result = value_##type((c_type)wide_to_float(value, true, precision));            \
    }                                                                                              \
    void external_floatunti##letters(ExternalCall *call) {                                         \
        Wide value;                                                                                \
        if (read_wide(call, 0, &value))                                                            \
            call->result = value_##type((c_type)wide_to_float(value, false, precision));           \
    }
FLOAT(sf, f32, float, 24)
FLOAT(df, f64, double, 53)
FLOAT(xf, f80, long double, 64)

static void float_to_half(ExternalCall *call, bool is_signed) {
    enum { HALF_PRECISION = 11 };
    Wide value;
    if (read_wide(call, 0, &value))
        call->result = value_i32(half_of(wide_to_float(value, is_signed, HALF_PRECISION)));
}

void external_floattihf(ExternalCall *call) {
    float_to_half(call, true);
}
void external_floatuntihf(ExternalCall *call) {
    float_to_half(call, false);
}
