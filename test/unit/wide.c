// Integers of 128 bits against the host compiler's own.
#include "base/wide.h"

#include "test/gen/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef __int128 Host;
typedef unsigned __int128 UnsignedHost;

static UnsignedHost host_of(Wide a) {
    return (UnsignedHost)a.high << 64 | a.low;
}

static Wide wide_of(UnsignedHost a) {
    return (Wide){.low = (uint64_t)a, .high = (uint64_t)(a >> 64)};
}

static void expect(const char *what, Wide a, Wide b, Wide found, UnsignedHost expected) {
    if (host_of(found) == expected) return;
    fail_msg("%s of %#llx:%016llx and %#llx:%016llx", what, (unsigned long long)a.high,
             (unsigned long long)a.low, (unsigned long long)b.high, (unsigned long long)b.low);
}

// Numbers of any length and sign; often with few ones, or few zeros.
static Wide sample(Random *random) {
    Wide value = {.low = random_next(random), .high = random_next(random)};
    uint64_t shape = random_next(random);
    if (shape & 1) value = wide_of((UnsignedHost)1 << (shape >> 8 & 127));
    if (shape & 2) value = wide_of(host_of(value) >> (shape >> 16 & 127));
    if (shape & 4) value = wide_of(host_of(value) + (shape >> 24 & 3) - 1);
    if (shape & 8) value = wide_of(-host_of(value));
    return value;
}

static void check_pair(Wide a, Wide b) {
    UnsignedHost x = host_of(a), y = host_of(b);
    Wide rest;
    expect("sum", a, b, wide_add(a, b), x + y);
    expect("difference", a, b, wide_sub(a, b), x - y);
    expect("product", a, b, wide_multiply(a, b), x * y);
    expect("product of low halves", a, b, wide_product(a.low, b.low), (UnsignedHost)a.low * b.low);
    assert_int_equal(wide_less_unsigned(a, b), x < y);
    assert_int_equal(wide_less_signed(a, b), (Host)x < (Host)y);
    assert_int_equal(wide_equal(a, b), x == y);
    if (y == 0) return;
    expect("quotient", a, b, wide_divide_unsigned(a, b, &rest), x / y);
    expect("remainder", a, b, rest, x % y);
    if (x == (UnsignedHost)1 << 127 && y == (UnsignedHost)-1) return;
    expect("signed quotient", a, b, wide_divide_signed(a, b, &rest),
           (UnsignedHost)((Host)x / (Host)y));
    expect("signed remainder", a, b, rest, (UnsignedHost)((Host)x % (Host)y));
}

static void pairs(void **state) {
    (void)state;
    Random random = random_from(1);
    for (int i = 0; i < 100000; i++) {
        Wide a = sample(&random), b = sample(&random);
        check_pair(a, b);
        check_pair(a, a);
    }
    Wide rest, least = wide_of((UnsignedHost)1 << 127), minus_one = wide_of((UnsignedHost)-1);
    expect("wrapped quotient", least, minus_one, wide_divide_signed(least, minus_one, &rest),
           host_of(least));
    expect("its remainder", least, minus_one, rest, 0);
}

static void shifts(void **state) {
    (void)state;
    Random random = random_from(2);
    for (int i = 0; i < 2000; i++) {
        Wide a = sample(&random);
        UnsignedHost x = host_of(a);
        for (unsigned count = 0; count < 128; count++) {
            Wide by = wide_unsigned(count);
            expect("left", a, by, wide_shift_left(a, count), x << count);
            expect("right", a, by, wide_shift_right(a, count), x >> count);
            expect("signed", a, by, wide_shift_right_signed(a, count),
                   (UnsignedHost)((Host)x >> count));
        }
        unsigned length = 0;
        while (length < 128 && x >> length) length++;
        assert_int_equal(wide_length(a), length);
    }
}

// The host's conversions are those of its compiler's library, which the interpreters stand in for.
static void floats(void **state) {
    (void)state;
    Random random = random_from(3);
    for (int i = 0; i < 100000; i++) {
        Wide a = sample(&random), found;
        UnsignedHost x = host_of(a);
        assert_true((float)wide_to_float(a, false, 24) == (float)x);
        assert_true((double)wide_to_float(a, false, 53) == (double)x);
        assert_true(wide_to_float(a, false, 64) == (long double)x);
        assert_true((float)wide_to_float(a, true, 24) == (float)(Host)x);
        assert_true((double)wide_to_float(a, true, 53) == (double)(Host)x);
        assert_true(wide_to_float(a, true, 64) == (long double)(Host)x);
        long double value = (long double)(Host)x * 0.99L;
        assert_true(wide_from_float(value, true, &found));
        expect("integral part", a, a, found, (UnsignedHost)(Host)value);
        value = (long double)x * 0.99L;
        assert_true(wide_from_float(value, false, &found));
        expect("unsigned integral part", a, a, found, (UnsignedHost)value);
    }
}

static void ranges(void **state) {
    (void)state;
    Wide found;
    assert_true(wide_from_float(-0x1p127L, true, &found));
    expect("least", found, found, found, (UnsignedHost)1 << 127);
    assert_true(wide_from_float(-0.75L, false, &found));
    assert_true(wide_is_zero(found));
    assert_false(wide_from_float(0x1p127L, true, &found));
    assert_true(wide_from_float(0x1p127L, false, &found));
    assert_false(wide_from_float(0x1p128L, false, &found));
    assert_false(wide_from_float(-1, false, &found));
    assert_false(wide_from_float(-0x1.0000001p127L, true, &found));
    assert_false(wide_from_float(NAN, true, &found));
    assert_false(wide_from_float(INFINITY, false, &found));
}

static void texts(void **state) {
    (void)state;
    char buffer[WIDE_DIGITS];
    Wide least = {.high = (uint64_t)1 << 63}, most = wide_not((Wide){0});
    assert_string_equal(wide_text((Wide){0}, true, buffer), "0");
    assert_string_equal(wide_text(most, true, buffer), "-1");
    assert_string_equal(wide_text(most, false, buffer), "340282366920938463463374607431768211455");
    assert_string_equal(wide_text(least, true, buffer), "-170141183460469231731687303715884105728");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs),  cmocka_unit_test(shifts), cmocka_unit_test(floats),
        cmocka_unit_test(ranges), cmocka_unit_test(texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
