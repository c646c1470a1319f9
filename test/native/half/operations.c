// What each operation on _Float16 makes of random and of special bits: its result, and the exceptions that it raises.
// Prints a line for each: name, bits, exceptions. A NaN that comes of two is only called so, since the
// compiler is free to put either first.
#ifdef NO_EXCEPTIONS
#define FE_ALL_EXCEPT 0
#define fetestexcept(which) (which)
#define feclearexcept(which) (void)(which)
#else
#include <fenv.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef _Float16 H;
typedef _Complex _Float16 C;
typedef unsigned short Bits;
typedef unsigned long Word;
typedef __int128 Wide;
typedef unsigned __int128 Uwide;

// ---- Random operands

static Word state = 88172645463325252;

static Word next(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

static H half_of(Bits bits) {
    H h;
    memcpy(&h, &bits, sizeof h);
    return h;
}
static Bits bits_of(H h) {
    Bits bits;
    memcpy(&bits, &h, sizeof bits);
    return bits;
}

static H random_half(void) {
    static const Bits special[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x7c00,
                                   0xfc00, 0x7e00, 0xfe12, 0x7d00, 0xfd01, 0x7c01, 0x3555, 0x6400, 0x6801, 0x77ff};
    return half_of(next() % 4 ? (Bits)next() : special[next() % (sizeof special / sizeof *special)]);
}

// Often next to, or half way between, two numbers of 16 bits.
static float random_float(void) {
    unsigned bits = (unsigned)next();
    float f;
    if (next() % 2) {
        f = (float)half_of((Bits)(next() % 0x7c00));
        memcpy(&bits, &f, sizeof bits);
        bits += next() % 3 ? 0xfff + next() % 3 : next() % 0x2000;
        bits |= (unsigned)next() << 31;
    }
    memcpy(&f, &bits, sizeof f);
    return f;
}
static double random_double(void) {
    Word bits = next();
    double d;
    if (next() % 2) {
        d = random_float();
        if (d != d) d = 1;
        memcpy(&bits, &d, sizeof bits);
        bits += next() % 3 - 1;
    }
    memcpy(&d, &bits, sizeof d);
    return d;
}

// ---- Results

static void put(const char *name, Word bits) {
    int raised = fetestexcept(FE_ALL_EXCEPT);
    printf("%s %lx %x\n", name, bits, raised);
    feclearexcept(FE_ALL_EXCEPT);
}
static int is_nan(H h) {
    return (bits_of(h) & 0x7fff) > 0x7c00;
}
static void put_half(const char *name, H h, int any_nan) {
    put(name, is_nan(h) && any_nan ? 0x7e00 : bits_of(h));
}
static void put_bytes(const char *name, const void *bytes, size_t size) {
    Word word[2] = {0, 0};
    memcpy(word, bytes, size);
    put(name, word[0] ^ word[1] * 31);
}

// ---- Operations, each in a function of its own

#define APART __attribute__((noinline))
APART H add(H a, H b) { return a + b; }
APART H subtract(H a, H b) { return a - b; }
APART H multiply(H a, H b) { return a * b; }
APART H divide(H a, H b) { return a / b; }
APART H copy_sign(H a, H b) { return __builtin_copysignf16(a, b); }
APART H either(H a, H b) { return a ?: b; }
APART H chain(H a, H b, H c) { return a * b + c / a - b; }
APART float in_float(H a, H b) { return a * b - b; }
APART H negate(H a) { return -a; }
APART H magnitude(H a) { return __builtin_fabsf16(a); }
APART H choose(int i, H a, H b) { return i ? a : b; }
APART H choose_sum(int i, H a, H b) { return i ? a + 1 : b; }
APART H choose_mixed(int i, H a, int b) { return i ? a : b; }
APART int compare(H a, H b) {
    return (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | !a << 6 | (a && b) << 7 |
           (a || b) << 8;
}
APART int quiet(H a, H b) {
    return __builtin_isless(a, b) | __builtin_islessequal(a, b) << 1 | __builtin_isunordered(a, b) << 2 |
           __builtin_islessgreater(a, b) << 3 | __builtin_isgreater(a, b) << 4 | __builtin_isgreaterequal(a, b) << 5;
}
APART int classes(H a) {
    return !!__builtin_isnan(a) | !!__builtin_isinf(a) << 1 | !!__builtin_isfinite(a) << 2 | !!__builtin_isnormal(a) << 3 |
           __builtin_fpclassify(1, 2, 3, 4, 5, a) << 4;
}
APART int sign(H a) { return __builtin_signbit(a) != 0; }
APART float to_float(H a) { return a; }
APART double to_double(H a) { return a; }
APART long double to_extended(H a) { return a; }
APART H from_float(float a) { return a; }
APART H from_double(double a) { return a; }
APART H from_extended(long double a) { return a; }
APART H increment(H *a) { return ++*a; }
APART H decrement(H *a) { return (*a)--; }
APART H add_double(H a, double b) { a += b; return a; }
APART H subtract_float(H a, float b) { a -= b; return a; }
APART H divide_extended(H a, long double b) { a /= b; return a; }

#define INTEGERS(X)                                                                                                     \
    X(signed char, i8) X(unsigned char, u8) X(short, i16) X(unsigned short, u16) X(int, i32) X(unsigned, u32) X(long, i64) \
    X(Word, u64) X(Wide, i128) X(Uwide, u128) X(_Bool, truth)
#define DEFINE(type, name)                                                                                              \
    APART type to_##name(H a) { return a; }                                                                             \
    APART H from_##name(type a) { return a; }                                                                           \
    APART H plus_##name(H a, type b) { return a + b; }                                                                  \
    APART H times_##name(H a, type b) { a *= b; return a; }
INTEGERS(DEFINE)

APART C complex_add(C a, C b) { return a + b; }
APART C complex_multiply(C a, C b) { return a * b; }
APART C complex_divide(C a, C b) { return a / b; }
APART C complex_negate(C a) { return -a; }
APART C complex_scale(C a, H b) { return a * b; }
APART C complex_from(_Complex float a) { return a; }
APART C complex_step(C a) { a++; return a; }
APART int complex_equal(C a, C b) { return a == b; }

// ---- All of them

static void reals(H a, H b, H c) {
    int both = is_nan(a) && is_nan(b), any = is_nan(a) + is_nan(b) + is_nan(c) > 1, which = next() % 2;
    put_half("add", add(a, b), both);
    put_half("subtract", subtract(a, b), both);
    put_half("multiply", multiply(a, b), both);
    put_half("divide", divide(a, b), both);
    put_half("copy_sign", copy_sign(a, b), 0);
    put_half("either", either(a, b), 0);
    put_half("chain", chain(a, b, c), any || is_nan(chain(a, b, c)));
    put_half("in_float", (H)in_float(a, b), both);
    put_half("negate", negate(a), 0);
    put_half("magnitude", magnitude(a), 0);
    put_half("choose", choose(which, a, b), 0);
    put_half("choose_sum", choose_sum(which, a, b), 0);
    put_half("choose_mixed", choose_mixed(which, a, (int)next() & 0x1ffff), 0);
    put("compare", (Word)compare(a, b));
    put("quiet", (Word)quiet(a, b));
    put("classes", (Word)classes(a));
    put("sign", (Word)sign(a));
    H step = a;
    put_half("increment", increment(&step), 0);
    put_half("decrement", decrement(&step), 0);
    put_half("after", step, 0);
}

static void floats(H a) {
    float f = to_float(a);
    put_bytes("to_float", &f, sizeof f);
    double d = to_double(a);
    put_bytes("to_double", &d, sizeof d);
    long double x = to_extended(a);
    put_bytes("to_extended", &x, 10);
    volatile float from = random_float();
    volatile double wide = random_double();
    volatile long double extended = wide != wide ? 0 : wide;
    feclearexcept(FE_ALL_EXCEPT);
    put_half("from_float", from_float(from), 0);
    put_half("from_double", from_double(wide), 0);
    put_half("from_extended", from_extended(extended), 0);
    put_half("add_double", add_double(a, wide), is_nan(a) && wide != wide);
    put_half("subtract_float", subtract_float(a, from), is_nan(a) && from != from);
    put_half("divide_extended", divide_extended(a, extended), 0);
}

// A number without an integral part in range is not converted: the result has no meaning.
static int in_range(H a, double least, double most) {
    double d = is_nan(a) ? most + 1 : (double)a;
    feclearexcept(FE_ALL_EXCEPT);
    return d > least - 1 && d < most + 1;
}

static void integers(H a) {
    static const double limits[][2] = {{-128, 127}, {0, 255}, {-32768, 32767}, {0, 65535}, {-65504, 65504}, {0, 65504}};
#define LIMITS(type) limits[(sizeof(type) == 1 ? 0 : sizeof(type) == 2 ? 2 : 4) + ((type)-1 > 0)]
#define CONVERT(type, name)                                                                                             \
    {                                                                                                                   \
        type value = (type)(next() >> next() % 64);                                                                     \
        if (sizeof value == 16 && next() % 2) value = (type)((Uwide)value << next() % 64);                              \
        feclearexcept(FE_ALL_EXCEPT);                                                                                   \
        put_half("from_" #name, from_##name(value), 0);                                                                 \
        put_half("plus_" #name, plus_##name(a, value), 0);                                                              \
        put_half("times_" #name, times_##name(a, value), 0);                                                            \
        if (in_range(a, LIMITS(type)[0], LIMITS(type)[1])) put("to_" #name, (Word)to_##name(a));                        \
    }
    INTEGERS(CONVERT)
}

static void put_complex(const char *name, C z) {
    put_half(name, __real__ z, 1);
    put_half(name, __imag__ z, 1);
}

static void complexes(H a, H b, H c) {
    C x = __builtin_complex(a, b), y = __builtin_complex(c, random_half());
    _Complex float z = __builtin_complex(random_float(), random_float());
    feclearexcept(FE_ALL_EXCEPT);
    put_complex("complex_add", complex_add(x, y));
    put_complex("complex_multiply", complex_multiply(x, y));
    put_complex("complex_divide", complex_divide(x, y));
    put_complex("complex_negate", complex_negate(x));
    put_complex("complex_scale", complex_scale(x, c));
    put_complex("complex_from", complex_from(z));
    put_complex("complex_step", complex_step(x));
    put("complex_equal", (Word)complex_equal(x, y));
}

int main(int count, char **words) {
    int rounds = count > 1 ? atoi(words[1]) : 100;
    state += count > 2 ? (Word)atoi(words[2]) * 7919 : 0;
    for (int i = 0; i < rounds; i++) {
        H a = random_half(), b = random_half(), c = random_half();
        feclearexcept(FE_ALL_EXCEPT);
        printf("%x %x %x\n", bits_of(a), bits_of(b), bits_of(c));
        reals(a, b, c);
        floats(a);
        integers(a);
        complexes(a, b, c);
    }
    return 0;
}
