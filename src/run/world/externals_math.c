// <math.h>: the host's functions, for double, float and long double. The host rounds to nearest, as
// the program's machine does; errors set the program's errno.
#include "run/world/externals.h"

#include <errno.h>
#include <math.h>

static void pass_errno(ExternalCall *call) {
    if (errno) external_errno(call, errno);
}

// FUNCTION(name, kind, expression) defines external_<name>, whose result is of that kind (f64, i32,
// ...). EACH(FAMILY, name) does so for the three types: name, namef, namel.
#define FUNCTION(name, kind, expression)                                                           \
    void external_##name(ExternalCall *call) {                                                     \
        errno = 0;                                                                                 \
        call->result = value_##kind(expression);                                                   \
        pass_errno(call);                                                                          \
    }
#define EACH(FAMILY, name) FAMILY(name, f64) FAMILY(name##f, f32) FAMILY(name##l, f80)

#define UNARY(name, type) FUNCTION(name, type, name(as_##type(call->args[0])))
#define BINARY(name, type)                                                                         \
    FUNCTION(name, type, name(as_##type(call->args[0]), as_##type(call->args[1])))
#define TERNARY(name, type)                                                                        \
    FUNCTION(name, type,                                                                           \
             name(as_##type(call->args[0]), as_##type(call->args[1]), as_##type(call->args[2])))
#define TO_INT(name, type)    FUNCTION(name, i32, (uint32_t)name(as_##type(call->args[0])))
#define TO_LONG(name, type)   FUNCTION(name, i64, (uint64_t)name(as_##type(call->args[0])))
#define SCALE_INT(name, type) FUNCTION(name, type, name(as_##type(call->args[0]), arg_int(call, 1)))
#define SCALE_LONG(name, type)                                                                     \
    FUNCTION(name, type, name(as_##type(call->args[0]), (long)arg_i64(call, 1)))
#define TOWARD(name, type)                                                                         \
    FUNCTION(name, type, name(as_##type(call->args[0]), as_f80(call->args[1])))

EACH(UNARY, acos)
EACH(UNARY, acosh)
EACH(UNARY, asin)
EACH(UNARY, asinh)
EACH(UNARY, atan)
EACH(UNARY, atanh)
EACH(UNARY, cbrt)
EACH(UNARY, ceil)
EACH(UNARY, cos)
EACH(UNARY, cosh)
EACH(UNARY, erf)
EACH(UNARY, erfc)
EACH(UNARY, exp)
EACH(UNARY, exp10)
EACH(UNARY, exp2)
EACH(UNARY, expm1)
EACH(UNARY, fabs)
EACH(UNARY, floor)
EACH(UNARY, lgamma)
EACH(UNARY, log)
EACH(UNARY, log10)
EACH(UNARY, log1p)
EACH(UNARY, log2)
EACH(UNARY, logb)
EACH(UNARY, nearbyint)
EACH(UNARY, rint)
EACH(UNARY, round)
EACH(UNARY, sin)
EACH(UNARY, sinh)
EACH(UNARY, sqrt)
EACH(UNARY, tan)
EACH(UNARY, tanh)
EACH(UNARY, tgamma)
EACH(UNARY, trunc)

EACH(BINARY, atan2)
EACH(BINARY, copysign)
EACH(BINARY, fdim)
EACH(BINARY, fmod)
EACH(BINARY, hypot)
EACH(BINARY, nextafter)
EACH(BINARY, pow)
EACH(BINARY, remainder)
EACH(TERNARY, fma)

EACH(TO_INT, ilogb)
EACH(TO_LONG, llrint)
EACH(TO_LONG, llround)
EACH(TO_LONG, lrint)
EACH(TO_LONG, lround)
EACH(SCALE_INT, ldexp)
EACH(SCALE_INT, scalbn)
EACH(SCALE_LONG, scalbln)
EACH(TOWARD, nexttoward)

// Called through a pointer that the compiler cannot see through: its own fmax(0.0, -0.0) may differ
// from glibc's.
#define CALLED(name, type, c_type)                                                                 \
    void external_##name(ExternalCall *call) {                                                     \
        c_type (*volatile function)(c_type, c_type) = name;                                        \
        call->result = value_##type(function(as_##type(call->args[0]), as_##type(call->args[1]))); \
    }
CALLED(fmax, f64, double)
CALLED(fmaxf, f32, float)
CALLED(fmaxl, f80, long double)
CALLED(fmin, f64, double)
CALLED(fminf, f32, float)
CALLED(fminl, f80, long double)

// The functions behind the macros of <math.h>, and the older ones of BSD.
EACH(TO_INT, __isnan)
EACH(TO_INT, __isinf)
EACH(TO_INT, __finite)
EACH(TO_INT, __fpclassify)
EACH(TO_INT, __signbit)

// ---- Results through pointers

#define FREXP(name, type)                                                                          \
    void external_##name(ExternalCall *call) {                                                     \
        int exponent = 0;                                                                          \
        call->result = value_##type(name(as_##type(call->args[0]), &exponent));                    \
        external_store(call, CHUNK_I32, arg_i64(call, 1), value_i32((uint32_t)exponent));          \
    }
EACH(FREXP, frexp)
FREXP(lgamma_r, f64)
FREXP(lgammaf_r, f32)
FREXP(lgammal_r, f80)

#define REMQUO(name, type)                                                                         \
    void external_##name(ExternalCall *call) {                                                     \
        int quotient = 0;                                                                          \
        errno = 0;                                                                                 \
        call->result =                                                                             \
            value_##type(name(as_##type(call->args[0]), as_##type(call->args[1]), &quotient));     \
        pass_errno(call);                                                                          \
        external_store(call, CHUNK_I32, arg_i64(call, 2), value_i32((uint32_t)quotient));          \
    }
EACH(REMQUO, remquo)

#define MODF(name, type, c_type, chunk)                                                            \
    void external_##name(ExternalCall *call) {                                                     \
        c_type whole = 0;                                                                          \
        call->result = value_##type(name(as_##type(call->args[0]), &whole));                       \
        external_store(call, chunk, arg_i64(call, 1), value_##type(whole));                        \
    }
MODF(modf, f64, double, CHUNK_F64)
MODF(modff, f32, float, CHUNK_F32)
MODF(modfl, f80, long double, CHUNK_F80)

#define SINCOS(name, type, c_type, chunk)                                                          \
    void external_##name(ExternalCall *call) {                                                     \
        c_type sine = 0, cosine = 0;                                                               \
        errno = 0;                                                                                 \
        name(as_##type(call->args[0]), &sine, &cosine);                                            \
        pass_errno(call);                                                                          \
        if (external_store(call, chunk, arg_i64(call, 1), value_##type(sine)))                     \
            external_store(call, chunk, arg_i64(call, 2), value_##type(cosine));                   \
    }
SINCOS(sincos, f64, double, CHUNK_F64)
SINCOS(sincosf, f32, float, CHUNK_F32)
SINCOS(sincosl, f80, long double, CHUNK_F80)

#define NAN_OF(name, type)                                                                         \
    void external_##name(ExternalCall *call) {                                                     \
        uint64_t length;                                                                           \
        const char *tag = external_string(call, arg_i64(call, 0), &length);                        \
        if (tag) call->result = value_##type(name(tag));                                           \
    }
EACH(NAN_OF, nan)
