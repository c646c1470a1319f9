// Calls each function of <math.h> with arguments that matter, in all four rounding modes, and prints a line for each: a
// sum over the bits of all results and over the exceptions that were raised, and how often each exception was. With the
// name of a function, prints each of its calls.
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const long double special[] = {
    0,
    1,
    -1,
    0.5,
    -0.5,
    1.5,
    -1.5,
    2,
    -2,
    2.5,
    3,
    -3,
    4,
    7,
    -8,
    10,
    0.1,
    -0.1,
    0.75,
    -0.75,
    100,
    -100,
    171.5,
    -171.5,
    709.5,
    745.5,
    -745.5,
    1e4,
    -1e4,
    1e10,
    -1e10,
    1e18,
    0x1p31,
    -0x1p31,
    0x1p32,
    0x1p52,
    0x1p53,
    -0x1p63,
    0x1p63,
    0x1p64,
    1e30,
    -1e30,
    1e-5,
    -1e-5,
    1e-20,
    -1e-20,
    1e-30,
    0x1p-126,
    0x1p-127,
    0x1p-149,
    0x1p-1022,
    -0x1p-1022,
    0x1p-1030,
    0x1p-1074,
    -0x1p-1074,
    0x1p-16382L,
    0x1p-16445L,
    0x1.fffffep127,
    0x1.fffffffffffffp1023,
    -0x1.fffffffffffffp1023,
    0x1.fffffffffffffffep16383L,
    3.14159265358979323846L,
    1.57079632679489661923L,
    -0.785398163397448309616L,
    0.999999999999,
    1.0000000001,
    0x1.fffffffffffffp-1,
    0x1.0000000000001p0,
    INFINITY,
    -INFINITY,
    NAN,
    -0.0,
};
enum { SPECIAL = sizeof special / sizeof special[0] };

static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
static const int exceptions[] = {FE_INVALID, FE_DIVBYZERO, FE_OVERFLOW, FE_UNDERFLOW, FE_INEXACT};
#define STANDARD                                                                                   \
    (FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW |                                      \
     FE_INEXACT) // x86 has a further one, for denormals

// What the calls of one function in one rounding mode add up to.
typedef struct Sum {
    uint64_t bits;
    int raised[5];
} Sum;

static int shown; // each call of this function is printed

static void add_bits(Sum *sum, const void *value, size_t size) {
    const unsigned char *bytes = value;
    for (size_t i = 0; i < size; i++) sum->bits = (sum->bits ^ bytes[i]) * 0x100000001b3;
}

// All NaNs count as one: which of two operands' NaNs a result is depends on the order of registers.
static void add(Sum *sum, long double value, int raised) {
    int is_nan = value != value;
    if (is_nan) value = 0;
    add_bits(sum, &is_nan, sizeof is_nan);
    add_bits(sum, &value, 10);
    add_bits(sum, &raised, sizeof raised);
    for (int i = 0; i < 5; i++) sum->raised[i] += (raised & exceptions[i]) != 0;
    if (shown) printf("  %s%La raised %x\n", is_nan ? "nan " : "", value, raised);
}

static void print(const char *name, int mode, const Sum *sum) {
    printf("%s mode %d: %016llx invalid %d by zero %d overflow %d underflow %d inexact %d\n", name,
           mode, (unsigned long long)sum->bits, sum->raised[0], sum->raised[1], sum->raised[2],
           sum->raised[3], sum->raised[4]);
}

// Runs CALL, whose result goes to a volatile RESULT, for each argument; adds RESULT and the exceptions.
#define WITH_MODES(NAME, BODY)                                                                     \
    for (int mode = 0; mode < 4; mode++) {                                                         \
        Sum sum = {0};                                                                             \
        BODY print(NAME, mode, &sum);                                                              \
    }
#define CALL(MODE, RESULT, EXPRESSION)                                                             \
    do {                                                                                           \
        feclearexcept(FE_ALL_EXCEPT);                                                              \
        fesetround(modes[MODE]);                                                                   \
        RESULT = EXPRESSION;                                                                       \
        int raised = fetestexcept(STANDARD);                                                       \
        fesetround(FE_TONEAREST);                                                                  \
        feclearexcept(FE_ALL_EXCEPT);                                                              \
        add(&sum, RESULT, raised);                                                                 \
    } while (0)

// One argument of type T, a result of type R.
#define UNARY(T, R, NAME)                                                                          \
    static void run_##NAME(void) {                                                                 \
        R (*volatile function)(T) = NAME;                                                          \
        WITH_MODES(                                                                                \
            #NAME, for (int i = 0; i < SPECIAL; i++) {                                             \
                volatile T x = special[i];                                                         \
                volatile R result;                                                                 \
                if (shown) printf("%s(%La) mode %d", #NAME, (long double)x, mode);                 \
                CALL(mode, result, function(x));                                                   \
            })                                                                                     \
    }
// Two arguments of types T and U.
#define BINARY(T, U, NAME)                                                                         \
    static void run_##NAME(void) {                                                                 \
        T (*volatile function)(T, U) = NAME;                                                       \
        WITH_MODES(                                                                                \
            #NAME, for (int i = 0; i < SPECIAL * SPECIAL; i++) {                                   \
                volatile T x = special[i / SPECIAL];                                               \
                volatile long double wide = special[i % SPECIAL];                                  \
                if ((U)0.5 == 0 && !(wide > -100000 && wide < 100000)) continue;                   \
                volatile U y = wide;                                                               \
                volatile T result;                                                                 \
                if (shown)                                                                         \
                    printf("%s(%La, %La) mode %d", #NAME, (long double)x, (long double)y, mode);   \
                CALL(mode, result, function(x, y));                                                \
            })                                                                                     \
    }
// Three arguments.
#define TERNARY(T, NAME)                                                                           \
    static void run_##NAME(void) {                                                                 \
        T (*volatile function)(T, T, T) = NAME;                                                    \
        WITH_MODES(                                                                                \
            #NAME, for (int i = 0; i < SPECIAL * SPECIAL; i++) {                                   \
                volatile T x = special[i / SPECIAL];                                               \
                volatile T y = special[i % SPECIAL];                                               \
                volatile T z = special[i * 7 % SPECIAL];                                           \
                volatile T result;                                                                 \
                if (shown)                                                                         \
                    printf("%s(%La, %La, %La) mode %d", #NAME, (long double)x, (long double)y,     \
                           (long double)z, mode);                                                  \
                CALL(mode, result, function(x, y, z));                                             \
            })                                                                                     \
    }
// An argument and a second result through a pointer: of the same type, or int.
#define WITH_POINTER(T, U, NAME)                                                                   \
    static void run_##NAME(void) {                                                                 \
        T (*volatile function)(T, U *) = NAME;                                                     \
        WITH_MODES(                                                                                \
            #NAME, for (int i = 0; i < SPECIAL; i++) {                                             \
                volatile T x = special[i];                                                         \
                volatile T result;                                                                 \
                U second = 0;                                                                      \
                if (shown) printf("%s(%La) mode %d", #NAME, (long double)x, mode);                 \
                CALL(mode, result, function(x, &second));                                          \
                int no_number = x != x || x + x == x;                                              \
                if (!no_number) add(&sum, second, 0);                                              \
            })                                                                                     \
    }
// The quotient's low bits are a second result.
#define REMAINDER(T, NAME)                                                                         \
    static void run_##NAME(void) {                                                                 \
        T (*volatile function)(T, T, int *) = NAME;                                                \
        WITH_MODES(                                                                                \
            #NAME, for (int i = 0; i < SPECIAL * SPECIAL; i++) {                                   \
                volatile T x = special[i / SPECIAL];                                               \
                volatile T y = special[i % SPECIAL];                                               \
                volatile T result;                                                                 \
                int quotient = 0;                                                                  \
                if (shown)                                                                         \
                    printf("%s(%La, %La) mode %d", #NAME, (long double)x, (long double)y, mode);   \
                CALL(mode, result, function(x, y, &quotient));                                     \
                if (result == result) add(&sum, quotient & 7, 0);                                  \
            })                                                                                     \
    }

// clang-format off
#define UNARY_NAMES(DO) \
    DO(acos) DO(acosh) DO(asin) DO(asinh) DO(atan) DO(atanh) DO(cbrt) DO(ceil) DO(cos) \
    DO(cosh) DO(erf) DO(erfc) DO(exp) DO(exp2) DO(expm1) DO(fabs) DO(floor) DO(lgamma) \
    DO(log) DO(log10) DO(log1p) DO(log2) DO(logb) DO(nearbyint) DO(rint) DO(round) DO(sin) \
    DO(sinh) DO(sqrt) DO(tan) DO(tanh) DO(tgamma) DO(trunc)
#define BINARY_NAMES(DO) \
    DO(atan2) DO(copysign) DO(fdim) DO(fmax) DO(fmin) DO(fmod) DO(hypot) DO(nextafter) \
    DO(pow) DO(remainder)
#define INTEGER_NAMES(DO) \
    DO(lrint, long) DO(lround, long) DO(llrint, long long) DO(llround, long long) \
    DO(ilogb, int)
// clang-format on

#define DEFINE_UNARY(NAME)                                                                         \
    UNARY(double, double, NAME)                                                                    \
    UNARY(float, float, NAME##f) UNARY(long double, long double, NAME##l)
#define DEFINE_BINARY(NAME)                                                                        \
    BINARY(double, double, NAME)                                                                   \
    BINARY(float, float, NAME##f) BINARY(long double, long double, NAME##l)
#define DEFINE_INTEGER(NAME, R)                                                                    \
    UNARY(double, R, NAME) UNARY(float, R, NAME##f) UNARY(long double, R, NAME##l)
UNARY_NAMES(DEFINE_UNARY)
BINARY_NAMES(DEFINE_BINARY)
INTEGER_NAMES(DEFINE_INTEGER)
BINARY(double, long double, nexttoward)
BINARY(float, long double, nexttowardf)
BINARY(double, int, ldexp)
BINARY(float, int, ldexpf)
BINARY(long double, int, ldexpl)
BINARY(double, long, scalbln)
TERNARY(double, fma)
TERNARY(float, fmaf)
TERNARY(long double, fmal)
WITH_POINTER(double, double, modf)
WITH_POINTER(float, float, modff)
WITH_POINTER(long double, long double, modfl)
WITH_POINTER(double, int, frexp)
WITH_POINTER(float, int, frexpf)
WITH_POINTER(long double, int, frexpl)
REMAINDER(double, remquo)
REMAINDER(float, remquof)
REMAINDER(long double, remquol)

static const struct {
    const char *name;
    void (*run)(void);
} functions[] = {
#define ROW(NAME)             {#NAME, run_##NAME},
#define ROWS(NAME)            ROW(NAME) ROW(NAME##f) ROW(NAME##l)
#define INTEGER_ROWS(NAME, R) ROWS(NAME)
    UNARY_NAMES(ROWS) BINARY_NAMES(ROWS) INTEGER_NAMES(INTEGER_ROWS) ROW(nexttoward)
        ROW(nexttowardf) ROWS(ldexp) ROW(scalbln) ROWS(fma) ROWS(modf) ROWS(frexp) ROWS(remquo)};

int main(int count, char **words) {
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        shown = count > 1 && strcmp(words[1], functions[i].name) == 0;
        if (count <= 1 || shown) functions[i].run();
    }
    return 0;
}
