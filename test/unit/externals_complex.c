// <complex.h> and libgcc's complex arithmetic against the host's, in the three types; then the
// calls that must be refused.
#include "externals_world.h"

#include <complex.h>

// The size of a part, and of the number, that a letter of complex types stands for.
static uint64_t part_size(char letter) {
    return letter == 'F' ? 4 : letter == 'D' ? 8 : letter == 'X' ? 16 : 0;
}

static PType param_type(TestWorld *test, char letter) {
    uint64_t size = part_size(letter);
    if (!size) return PTYPE_OF(type_of(letter));
    return program_ptype(test->program, (ParamType){.size = 2 * size, .align = (uint32_t)size});
}

// Like call_values, but with complex letters: their arguments, and the last one for a complex
// result, are addresses.
static Value call_complex(TestWorld *test, const char *name, const char *types, const Value *args) {
    PType params[8];
    uint32_t count = 0;
    for (; types[count + 1]; count++) params[count] = param_type(test, types[count + 1]);
    SigInfo sig = {.result = param_type(test, types[0]),
                   .param_count = count,
                   .fixed_count = count,
                   .params = params};
    ExternalCall call = {.world = &test->world,
                         .sig = &sig,
                         .args = args,
                         .arg_count = count + (part_size(types[0]) != 0)};
    external_named(name)->function(&call);
    return call.result;
}

static void put(TestWorld *test, uint64_t to, const void *bytes, uint64_t size) {
    uint8_t *undef, *data = memory_write(test->world.memory, to, size, &undef);
    assert_non_null(data);
    memcpy(data, bytes, size);
}

// CMPLX is not there with every compiler.
static double complex number(double x, double y) {
    double complex z;
    memcpy(&z, (double[]){x, y}, sizeof z);
    return z;
}

static const double parts[] = {0.0, -0.0, 0.5, -1.25, 3, 1e-3};
static const double special[] = {0.0, 2, -INFINITY, INFINITY, NAN};

static bool same(long double a, long double b) {
    return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

// ---- Functions of one number

#define ROW(name)                                                                                  \
    { #name, name, name##f, name##l }

static const struct {
    const char *name;
    double complex (*on_double)(double complex);
    float complex (*on_float)(float complex);
    long double complex (*on_long)(long double complex);
} unary[] = {ROW(cacos), ROW(cacosh), ROW(casin), ROW(casinh), ROW(catan),  ROW(catanh),
             ROW(ccos),  ROW(ccosh),  ROW(cexp),  ROW(clog),   ROW(clog10), ROW(conj),
             ROW(cproj), ROW(csin),   ROW(csinh), ROW(csqrt),  ROW(ctan),   ROW(ctanh)};

static const struct {
    const char *name;
    double (*on_double)(double complex);
    float (*on_float)(float complex);
    long double (*on_long)(long double complex);
} real[] = {ROW(cabs), ROW(carg), ROW(creal), ROW(cimag)};

static const char *variant(char *buffer, const char *name, const char *suffix) {
    snprintf(buffer, 32, "%s%s", name, suffix);
    return buffer;
}

static void test_unary(void **state) {
    TestWorld *test = *state;
    uint64_t from = buffer(test, 32, true), to = buffer(test, 32, true);
    const Value args[] = {value_i64(from), value_i64(to)};
    char name[32];
    for (uint32_t i = 0; i < COUNT(parts) * COUNT(parts) * COUNT(unary); i++) {
        uint32_t row = i % COUNT(unary), at = i / COUNT(unary);
        double x = parts[at / COUNT(parts)], y = parts[at % COUNT(parts)];
        double complex z = number(x, y), w = unary[row].on_double(z), got;
        put(test, from, &z, sizeof z);
        call_complex(test, unary[row].name, "DD", args);
        memcpy(&got, view(test, to, 16), 16);
        assert_true(same(creal(w), creal(got)) && same(cimag(w), cimag(got)));
        float complex zf = (float complex)z, wf = unary[row].on_float(zf), gotf;
        put(test, from, &zf, sizeof zf);
        call_complex(test, variant(name, unary[row].name, "f"), "FF", args);
        memcpy(&gotf, view(test, to, 8), 8);
        assert_true(same(crealf(wf), crealf(gotf)) && same(cimagf(wf), cimagf(gotf)));
        long double complex zl = z, wl = unary[row].on_long(zl), gotl;
        put(test, from, &zl, sizeof zl);
        call_complex(test, variant(name, unary[row].name, "l"), "XX", args);
        memcpy(&gotl, view(test, to, 32), 32);
        assert_true(same(creall(wl), creall(gotl)) && same(cimagl(wl), cimagl(gotl)));
    }
    expect_fine(test);
}

static void test_real(void **state) {
    TestWorld *test = *state;
    uint64_t from = buffer(test, 32, true);
    const Value args[] = {value_i64(from)};
    char name[32];
    for (uint32_t row = 0; row < COUNT(real); row++) {
        double complex z = number(-3, 4.5);
        put(test, from, &z, sizeof z);
        assert_true(
            same(as_f64(call_complex(test, real[row].name, "dD", args)), real[row].on_double(z)));
        float complex zf = (float complex)z;
        put(test, from, &zf, sizeof zf);
        assert_true(same(as_f32(call_complex(test, variant(name, real[row].name, "f"), "fF", args)),
                         real[row].on_float(zf)));
        long double complex zl = z;
        put(test, from, &zl, sizeof zl);
        assert_true(same(as_f80(call_complex(test, variant(name, real[row].name, "l"), "xX", args)),
                         real[row].on_long(zl)));
    }
    expect_fine(test);
}

// ---- Two numbers

static void test_power(void **state) {
    TestWorld *test = *state;
    uint64_t x = buffer(test, 16, true), y = buffer(test, 16, true), to = buffer(test, 16, true);
    // Not folded by the compiler, which rounds better.
    double complex (*volatile power)(double complex, double complex) = cpow;
    double complex a = number(1, 2), b = number(-0.5, 1.5), expected = power(a, b), got;
    put(test, x, &a, sizeof a);
    put(test, y, &b, sizeof b);
    call_complex(test, "cpow", "DDD", (Value[]){value_i64(x), value_i64(y), value_i64(to)});
    memcpy(&got, view(test, to, 16), 16);
    assert_true(same(creal(got), creal(expected)) && same(cimag(got), cimag(expected)));
    expect_fine(test);
}

static void test_arithmetic(void **state) {
    TestWorld *test = *state;
    uint64_t to = buffer(test, 32, true);
    for (uint32_t i = 0; i < 625; i++) {
        double a = special[i / 125], b = special[i / 25 % 5], c = special[i / 5 % 5],
               d = special[i % 5];
        double complex product = number(a, b) * number(c, d), got;
        Value args[] = {value_f64(a), value_f64(b), value_f64(c), value_f64(d), value_i64(to)};
        call_complex(test, "__muldc3", "Ddddd", args);
        memcpy(&got, view(test, to, 16), 16);
        assert_true(same(creal(got), creal(product)) && same(cimag(got), cimag(product)));
        double complex quotient = number(a, b) / number(c, d);
        call_complex(test, "__divdc3", "Ddddd", args);
        memcpy(&got, view(test, to, 16), 16);
        assert_true(same(creal(got), creal(quotient)) && same(cimag(got), cimag(quotient)));
    }
    Value floats[] = {value_f32(INFINITY), value_f32(0), value_f32(1), value_f32(1), value_i64(to)};
    float complex f;
    call_complex(test, "__mulsc3", "Fffff", floats);
    memcpy(&f, view(test, to, 8), 8);
    assert_true(isinf(crealf(f)) && isinf(cimagf(f)));
    Value wide[] = {value_f80(5), value_f80(0), value_f80(1), value_f80(2), value_i64(to)};
    long double complex l;
    call_complex(test, "__divxc3", "Xxxxx", wide);
    memcpy(&l, view(test, to, 32), 32);
    assert_true(creall(l) == 1 && cimagl(l) == -2);
    expect_fine(test);
}

// ---- Refusals

static void test_refused(void **state) {
    TestWorld *test = *state;
    uint64_t at = buffer(test, 32, true), undefined = buffer(test, 16, false);
    const Value args[] = {value_i64(at), value_i64(at)};
    call_complex(test, "csqrt", "FD", args);
    expect_wrong(test, "csqrt: called as agg(8)(agg(16)), expected agg(16)(agg(16))");
    call_complex(test, "csqrt", "DF", args);
    expect_wrong(test, "called as agg(16)(agg(8))");
    call_complex(test, "csqrt", "Dq", args);
    expect_wrong(test, "called as agg(16)(i64)");
    call_complex(test, "cabs", "qD", args);
    expect_wrong(test, "called as i64(agg(16)), expected f64(agg(16))");
    call_complex(test, "csqrt", "DD", (Value[]){value_i64(undefined), value_i64(at)});
    expect_wrong(test, "csqrt: the value at address");
    call_complex(test, "csqrt", "DD", (Value[]){value_i64(at), value_i64(0)});
    expect_wrong(test, "csqrt: ");
    call_complex(test, "csqrt", "DD", (Value[]){value_i64(at), {.undef = 1}});
    expect_wrong(test, "csqrt: argument 2 is undefined");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_unary, world_make, world_drop),
        cmocka_unit_test_setup_teardown(test_real, world_make, world_drop),
        cmocka_unit_test_setup_teardown(test_power, world_make, world_drop),
        cmocka_unit_test_setup_teardown(test_arithmetic, world_make, world_drop),
        cmocka_unit_test_setup_teardown(test_refused, world_make, world_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
