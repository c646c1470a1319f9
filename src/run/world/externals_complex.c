// <complex.h> and the arithmetic that compilers leave to libgcc: the host's, for the three types.
//
// A complex number is an aggregate of two floats: an argument is the address of one, a result is
// stored at the address that follows the arguments.
#include "run/world/externals.h"

#include <complex.h>
#include <errno.h>

// The address that an aggregate result goes to.
static uint64_t result_address(const ExternalCall *call) {
    return arg_i64(call, call->sig->param_count);
}

// TYPE defines how complex numbers of a type are made, and taken from and given to the program.
// (CMPLX is not there with every compiler, and a sum would lose the sign of zeros.)
#define TYPE(type, c_type, chunk, size, real, imaginary)                                           \
    static c_type complex make_##type(Value x, Value y) {                                          \
        c_type parts[2] = {as_##type(x), as_##type(y)};                                            \
        c_type complex z;                                                                          \
        memcpy(&z, parts, sizeof z);                                                               \
        return z;                                                                                  \
    }                                                                                              \
    static bool take_##type(ExternalCall *call, uint32_t i, c_type complex *z) {                   \
        Value parts[2];                                                                            \
        for (uint32_t k = 0; k < 2; k++)                                                           \
            if (!external_load(call, chunk, arg_i64(call, i) + k * size, &parts[k])) return false; \
        *z = make_##type(parts[0], parts[1]);                                                      \
        return true;                                                                               \
    }                                                                                              \
    static void give_##type(ExternalCall *call, c_type complex z) {                                \
        uint64_t to = result_address(call);                                                        \
        if (external_store(call, chunk, to, value_##type(real(z))))                                \
            external_store(call, chunk, to + size, value_##type(imaginary(z)));                    \
    }
TYPE(f32, float, CHUNK_F32, 4, crealf, cimagf)
TYPE(f64, double, CHUNK_F64, 8, creal, cimag)
TYPE(f80, long double, CHUNK_F80, 16, creall, cimagl)

static void pass_errno(ExternalCall *call) {
    if (errno) external_errno(call, errno);
}

// EACH(FAMILY, name) defines external_<name> for the three types: name, namef, namel.
#define EACH(FAMILY, name)                                                                         \
    FAMILY(name, f64, double) FAMILY(name##f, f32, float) FAMILY(name##l, f80, long double)

#define TO_COMPLEX(name, type, c_type)                                                             \
    void external_##name(ExternalCall *call) {                                                     \
        c_type complex z;                                                                          \
        errno = 0;                                                                                 \
        if (take_##type(call, 0, &z)) give_##type(call, name(z));                                  \
        pass_errno(call);                                                                          \
    }
#define TO_REAL(name, type, c_type)                                                                \
    void external_##name(ExternalCall *call) {                                                     \
        c_type complex z;                                                                          \
        errno = 0;                                                                                 \
        if (take_##type(call, 0, &z)) call->result = value_##type(name(z));                        \
        pass_errno(call);                                                                          \
    }
#define POWER(name, type, c_type)                                                                  \
    void external_##name(ExternalCall *call) {                                                     \
        c_type complex x, y;                                                                       \
        errno = 0;                                                                                 \
        if (take_##type(call, 0, &x) && take_##type(call, 1, &y)) give_##type(call, name(x, y));   \
        pass_errno(call);                                                                          \
    }

EACH(TO_REAL, cabs)
EACH(TO_REAL, carg)
EACH(TO_REAL, cimag)
EACH(TO_REAL, creal)
EACH(TO_COMPLEX, cacos)
EACH(TO_COMPLEX, cacosh)
EACH(TO_COMPLEX, casin)
EACH(TO_COMPLEX, casinh)
EACH(TO_COMPLEX, catan)
EACH(TO_COMPLEX, catanh)
EACH(TO_COMPLEX, ccos)
EACH(TO_COMPLEX, ccosh)
EACH(TO_COMPLEX, cexp)
EACH(TO_COMPLEX, clog)
EACH(TO_COMPLEX, clog10)
EACH(TO_COMPLEX, conj)
EACH(TO_COMPLEX, cproj)
EACH(TO_COMPLEX, csin)
EACH(TO_COMPLEX, csinh)
EACH(TO_COMPLEX, csqrt)
EACH(TO_COMPLEX, ctan)
EACH(TO_COMPLEX, ctanh)
EACH(POWER, cpow)

// The products and quotients of C's Annex G, from the parts of two numbers.
#define ARITHMETIC(name, op, type)                                                                 \
    void external_##name(ExternalCall *call) {                                                     \
        const Value *parts = call->args;                                                           \
        give_##type(call, make_##type(parts[0], parts[1]) op make_##type(parts[2], parts[3]));     \
    }
ARITHMETIC(__mulsc3, *, f32)
ARITHMETIC(__muldc3, *, f64)
ARITHMETIC(__mulxc3, *, f80)
ARITHMETIC(__divsc3, /, f32)
ARITHMETIC(__divdc3, /, f64)
ARITHMETIC(__divxc3, /, f80)
