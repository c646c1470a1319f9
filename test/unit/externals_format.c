// printf and scanf for interpreted programs against the host's: every conversion with many flags,
// widths, precisions and values; and the calls that must be refused.
#include "externals_world.h"

// ---- printf

// Formats one value on both sides.
#define CHECK_FORMAT(test, format, letter, value)                                                  \
    do {                                                                                           \
        char expected[512];                                                                        \
        int length = snprintf(expected, sizeof expected, format, value);                           \
        uint64_t to = buffer(test, sizeof expected, false);                                        \
        Value got = call(test, "snprintf", "wqqq" letter, to, (uint64_t)sizeof expected,           \
                         text_in(test, format), value);                                            \
        expect_fine(test);                                                                         \
        if (strcmp(view(test, to, (uint64_t)length + 1), expected))                                \
            fail_msg("%s: \"%s\", expected \"%s\"", format,                                        \
                     (const char *)view(test, to, (uint64_t)length + 1), expected);                \
        assert_int_equal((int)as_i32(got), length);                                                \
    } while (0)

static void test_print_integers(void **state) {
    static const char *const flags[] = {"", "-", "+", " ", "0", "#", "-+#", "+0", "'", "-0 "};
    static const char *const sizes[] = {"", "1", "12", ".0", ".5", "12.5", "3.8", "40"};
    static const struct {
        const char *name;
        bool wide;
    } lengths[] = {{"", false},  {"hh", false}, {"h", false}, {"l", true},
                   {"ll", true}, {"j", true},   {"z", true},  {"t", true}};
    static const int64_t values[] = {0,   1,     -1,        42,        -42,
                                     255, 32768, INT32_MIN, INT64_MIN, INT64_MAX};
    for (uint32_t f = 0; f < COUNT(flags); f++)
        for (uint32_t s = 0; s < COUNT(sizes); s++)
            for (uint32_t l = 0; l < COUNT(lengths); l++) {
                TestWorld *test = *state;
                for (const char *letter = "diuoxX"; *letter; letter++)
                    for (uint32_t v = 0; v < COUNT(values); v += 1 + (f + s + l) % 3) {
                        char format[32];
                        snprintf(format, sizeof format, "<%%%s%s%s%c>", flags[f], sizes[s],
                                 lengths[l].name, *letter);
                        if (lengths[l].wide)
                            CHECK_FORMAT(test, format, "q", values[v]);
                        else
                            CHECK_FORMAT(test, format, "w", (int)values[v]);
                    }
                world_drop(state);
                world_make(state);
            }
}

static void test_print_floats(void **state) {
    TestWorld *test = *state;
    static const char *const flags[] = {"", "-", "+", " ", "0", "#", "+0"};
    static const char *const sizes[] = {"", "1", "15", ".0", ".3", "15.4", ".25"};
    static const double values[] = {0.0,   -0.0,          1.0,   -1.5,    0.1,      1e10,
                                    1e-10, 123456789.125, 1e300, 5e-324,  INFINITY, -INFINITY,
                                    NAN,   2.5,           3.5,   999999.5};
    for (uint32_t f = 0; f < COUNT(flags); f++)
        for (uint32_t s = 0; s < COUNT(sizes); s++)
            for (const char *letter = "fFeEgGaA"; *letter; letter++)
                for (uint32_t v = 0; v < COUNT(values); v++) {
                    char format[32];
                    if (fabs(values[v]) > 1e100 && strchr("fF", *letter)) continue;
                    snprintf(format, sizeof format, "%%%s%s%c", flags[f], sizes[s], *letter);
                    CHECK_FORMAT(test, format, "d", values[v]);
                    snprintf(format, sizeof format, "%%%s%sL%c", flags[f], sizes[s], *letter);
                    CHECK_FORMAT(test, format, "x", (long double)values[v] / 3);
                }
}

static void check_string_format(TestWorld *test, const char *format, const char *text) {
    char expected[256], *got;
    int length = snprintf(expected, sizeof expected, format, text);
    uint64_t to = buffer(test, sizeof expected, false);
    call(test, "sprintf", "wqqq", to, text_in(test, format), text ? text_in(test, text) : 0);
    expect_fine(test);
    got = (char *)(uintptr_t)view(test, to, (uint64_t)length + 1);
    assert_string_equal(got, expected);
}

static void test_print_texts(void **state) {
    TestWorld *test = *state;
    static const char *const strings[] = {"%s",     "[%10s]", "[%-10s]", "%.3s",
                                          "%8.3s|", "%.0s",   "%.9s"};
    for (uint32_t i = 0; i < COUNT(strings); i++) {
        check_string_format(test, strings[i], "hello");
        check_string_format(test, strings[i], "");
        check_string_format(test, strings[i], NULL);
    }
    static const char *const characters[] = {"%c", "[%5c]", "[%-5c]", "100%%%c"};
    for (uint32_t i = 0; i < COUNT(characters); i++) CHECK_FORMAT(test, characters[i], "w", 'x');
    static const char *const pointers[] = {"%p", "[%20p]", "[%-20p]"};
    for (uint32_t i = 0; i < COUNT(pointers); i++) {
        CHECK_FORMAT(test, pointers[i], "q", (uint64_t)0x1234abcd);
        CHECK_FORMAT(test, pointers[i], "q", (uint64_t)0);
    }
    // Stars, %n, and a NUL in the middle.
    uint64_t to = buffer(test, 64, false), count = buffer(test, 8, false);
    call(test, "sprintf", "wqqwwdwqw", to, text_in(test, "%*.*f|%-*d|"), 8, 2, 3.14159, -4, 7, 0);
    expect_wrong(test, "wants i32 as argument 7, found i64");
    call(test, "sprintf", "wqqwwdww", to, text_in(test, "%*.*f|%*d|"), 8, 2, 3.14159, -4, 7);
    assert_string_equal(view(test, to, 15), "    3.14|7   |");
    call(test, "sprintf", "wqqqw", to, text_in(test, "abc%hnde%d"), count, 12);
    assert_int_equal(*(const uint8_t *)view(test, count, 2), 3);
    assert_int_equal(as_i32(call(test, "sprintf", "wqqw", to, text_in(test, "a%cb"), 0)), 3);
    assert_memory_equal(view(test, to, 4), "a\0b", 4);
    static const uint32_t wide[] = {'w', 'i', 'd', 'e', 0, 0x20ac, 0};
    uint64_t wide_text = bytes_in(test, wide, sizeof wide);
    call(test, "sprintf", "wqqqw", to, text_in(test, "%.3ls%lc"), wide_text, '!');
    assert_string_equal(view(test, to, 5), "wid!");
    Value failed = call(test, "sprintf", "wqqq", to, text_in(test, "%ls"), wide_text + 20);
    assert_int_equal((int)as_i32(failed), -1);
    assert_int_equal(simulated_errno(test), EILSEQ);
    expect_fine(test);
}

static void test_print_bounds(void **state) {
    TestWorld *test = *state;
    for (uint64_t size = 0; size < 9; size++) {
        char expected[8] = {0};
        uint64_t to = buffer(test, size, false);
        int length = snprintf(expected, size, "%d", 123456);
        Value got = call(test, "snprintf", "wqqqw", to, size, text_in(test, "%d"), 123456);
        expect_fine(test);
        assert_int_equal((int)as_i32(got), length);
        if (size) assert_string_equal(view(test, to, strlen(expected) + 1), expected);
    }
    call(test, "sprintf", "wqqw", buffer(test, 6, false), text_in(test, "%d"), 123456);
    expect_wrong(test, "sprintf: ");
}

static void test_print_refusals(void **state) {
    TestWorld *test = *state;
    uint64_t to = buffer(test, 64, false);
    static const struct {
        const char *format, *reason;
    } cases[] = {{"%d", "wants another argument of type i32"},
                 {"%s", "wants another argument of type i64"},
                 {"%Lf", "wants another argument of type f80"},
                 {"%*d", "wants another argument of type i32"},
                 {"%y", "unknown conversion 'y'"},
                 {"%l", "ends inside a conversion"},
                 {"%99999999999d", "too large"},
                 {"%1$d", "unknown conversion '$'"}};
    for (uint32_t i = 0; i < COUNT(cases); i++) {
        call(test, "sprintf", "wqq", to, text_in(test, cases[i].format));
        expect_wrong(test, cases[i].reason);
    }
    call(test, "sprintf", "wqqw", to, text_in(test, "%ld"), 1);
    expect_wrong(test, "wants i64 as argument 3, found i32");
    call(test, "sprintf", "wqqd", to, text_in(test, "%d"), 1.0);
    expect_wrong(test, "wants i32 as argument 3, found f64");
    call(test, "sprintf", "wqqq", to, text_in(test, "%s"), buffer(test, 4, false));
    expect_wrong(test, "byte 0 of buffer is undefined");
    call(test, "sprintf", "wqqq", to, text_in(test, "%s"), bytes_in(test, "abc", 3));
    expect_wrong(test, "sprintf: ");
    call(test, "sprintf", "wqqq", to, text_in(test, "%.3s"), bytes_in(test, "abc", 3));
    expect_fine(test);
    Value args[] = {value_i64(to), value_i64(text_in(test, "%d")), value_undefined(TYPE_I32)};
    call_values(test, "sprintf", "wqqw", args);
    expect_wrong(test, "sprintf: argument 3 is undefined");
}

// The address of a va_list with these arguments.
static uint64_t list_in(TestWorld *test, VarArgs list) {
    uint64_t head[3] = {world_add_varargs(&test->world, list) + 1};
    return bytes_in(test, head, sizeof head);
}

static void test_va_list(void **state) {
    TestWorld *test = *state;
    uint64_t to = buffer(test, 64, false);
    Value args[] = {value_i32(7), value_f64(2.5), value_i64(text_in(test, "end"))};
    Value undefined = value_undefined(TYPE_I32);
    PType types[] = {PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_F64), PTYPE_OF(TYPE_I64)};
    uint64_t list = list_in(test, (VarArgs){.args = args, .types = types, .count = 3});
    call(test, "vsnprintf", "wqqqq", to, (uint64_t)64, text_in(test, "%d %g %s"), list);
    expect_fine(test);
    assert_string_equal(view(test, to, 10), "7 2.5 end");
    call(test, "vsprintf", "wqqq", to, text_in(test, "%d"), list);
    expect_wrong(test, "va_arg");
    list = list_in(test, (VarArgs){.args = args, .types = types, .count = 3});
    call(test, "vsprintf", "wqqq", to, text_in(test, "%s"), list);
    expect_wrong(test, "va_arg");
    list = list_in(test, (VarArgs){.args = &undefined, .types = types, .count = 1});
    call(test, "vsprintf", "wqqq", to, text_in(test, "%d"), list);
    expect_wrong(test, "an argument of the format is undefined");
    uint64_t number = buffer(test, 4, false);
    Value address = value_i64(number);
    list = list_in(test, (VarArgs){.args = &address, .types = types + 2, .count = 1});
    assert_int_equal(
        as_i32(call(test, "vsscanf", "wqqq", text_in(test, "42"), text_in(test, "%d"), list)), 1);
    assert_int_equal(*(const uint8_t *)view(test, number, 4), 42);
}

// ---- scanf

// clang-format off
static const char *const scan_inputs[] = {
    "", "   ", "42", " -17 rest", "+5", "0x1fz", "0x", "0779", "099", "abc", "- 5", "123456789",
    "9999999999999999999999", "-9999999999999999999999", "1.5e3x", "1e", "1e+", ".5", ".",
    "-inf", "infinityx", "infix", "nanx", "0x1.8p1", "0x.p", "5e-3 7", "12,34", "(nil)", "%7",
    "a-b]c", "1 2 3", "\n\t8", "-", "1e5.5", "0b11", "hello world"};
// clang-format on

static void check_scan_integer(TestWorld *test, const char *input, const char *format) {
    int64_t expected[2] = {-77, -77}, got[2] = {-77, -77};
    uint64_t at = bytes_in(test, got, sizeof got);
    int count = sscanf(input, format, &expected[0], &expected[1]);
    Value result =
        call(test, "sscanf", "wqqqq", text_in(test, input), text_in(test, format), at, at + 8);
    expect_fine(test);
    memcpy(got, view(test, at, sizeof got), sizeof got);
    if ((int)as_i32(result) != count || got[0] != expected[0] || got[1] != expected[1])
        fail_msg("sscanf(\"%s\", \"%s\"): %d %lld %lld, expected %d %lld %lld", input, format,
                 (int)as_i32(result), (long long)got[0], (long long)got[1], count,
                 (long long)expected[0], (long long)expected[1]);
}

static void test_scan_integers(void **state) {
    TestWorld *test = *state;
    static const char *const formats[] = {
        "%d",    "%ld",    "%lld%ln", "%i%n",   "%li%ln",  "%u",   "%lu",
        "%x%n",  "%lx%ln", "%o%n",    "%2d%n",  "%3i%n",   "%hd",  "%hhd%n",
        "%*d%n", "%p",     "%jd%zd",  "%2d%2d", " %d ,%d", "%%%d", "%c%n",
        "%5c%n", "%1x%n",  "%2x%n",   "0%d",    "%d%%",    "%X%n", "%lo"};
    for (uint32_t i = 0; i < COUNT(scan_inputs); i++)
        for (uint32_t f = 0; f < COUNT(formats); f++)
            check_scan_integer(test, scan_inputs[i], formats[f]);
}

static void test_scan_floats(void **state) {
    TestWorld *test = *state;
    static const char *const formats[] = {"%f%n",   "%3f%n", "%lf%n", "%Lf%n",
                                          "%4le%n", "%g%n",  "%La%n"};
    for (uint32_t i = 0; i < COUNT(scan_inputs); i++)
        for (uint32_t f = 0; f < COUNT(formats); f++) {
            uint8_t expected[16] = {0};
            int expected_used = -5, used = -5;
            uint64_t at = buffer(test, 16, true), used_at = bytes_in(test, &used, 4);
            int count = sscanf(scan_inputs[i], formats[f], expected, &expected_used);
            Value result = call(test, "__isoc99_sscanf", "wqqqq", text_in(test, scan_inputs[i]),
                                text_in(test, formats[f]), at, used_at);
            expect_fine(test);
            memcpy(&used, view(test, used_at, 4), 4);
            if ((int)as_i32(result) != count || memcmp(view(test, at, 10), expected, 10) ||
                used != expected_used)
                fail_msg("sscanf(\"%s\", \"%s\"): %d, used %d; expected %d, used %d",
                         scan_inputs[i], formats[f], (int)as_i32(result), used, count,
                         expected_used);
        }
}

static void test_scan_texts(void **state) {
    TestWorld *test = *state;
    static const char *const formats[] = {"%s%n",      "%3s%n",    "%[a-z]%n",
                                          "%[^ ]%n",   "%[]a-]%n", "%2[0-9]%n",
                                          " %[^\n]%n", "%*s%s%n",  "%*[a-c]%s%n"};
    for (uint32_t i = 0; i < COUNT(scan_inputs); i++)
        for (uint32_t f = 0; f < COUNT(formats); f++) {
            char expected[64] = "unchanged";
            int expected_used = -5, used = -5;
            uint64_t at = bytes_in(test, expected, 64), used_at = bytes_in(test, &used, 4);
            int count = sscanf(scan_inputs[i], formats[f], expected, &expected_used);
            Value result = call(test, "sscanf", "wqqqq", text_in(test, scan_inputs[i]),
                                text_in(test, formats[f]), at, used_at);
            expect_fine(test);
            memcpy(&used, view(test, used_at, 4), 4);
            if ((int)as_i32(result) != count || strcmp(view(test, at, 64), expected) ||
                used != expected_used)
                fail_msg("sscanf(\"%s\", \"%s\"): %d \"%s\", expected %d \"%s\"", scan_inputs[i],
                         formats[f], (int)as_i32(result), (const char *)view(test, at, 64), count,
                         expected);
        }
}

static void test_scan_refusals(void **state) {
    TestWorld *test = *state;
    call(test, "sscanf", "wqqq", text_in(test, "hello"), text_in(test, "%s"),
         buffer(test, 5, false));
    expect_wrong(test, "sscanf: ");
    call(test, "sscanf", "wqq", text_in(test, "5"), text_in(test, "%d"));
    expect_wrong(test, "wants another argument of type i64");
    call(test, "sscanf", "wqqw", text_in(test, "5"), text_in(test, "%d"), 5);
    expect_wrong(test, "wants i64 as argument 3, found i32");
    call(test, "sscanf", "wqqq", buffer(test, 4, false), text_in(test, "%d"),
         buffer(test, 4, false));
    expect_wrong(test, "byte 0 of buffer is undefined");
    call(test, "sscanf", "wqqq", text_in(test, "5"), text_in(test, "%y"), buffer(test, 4, true));
    expect_wrong(test, "not known");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_make, world_drop)

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_print_integers), TEST(test_print_floats),
                                       TEST(test_print_texts),    TEST(test_print_bounds),
                                       TEST(test_print_refusals), TEST(test_va_list),
                                       TEST(test_scan_integers),  TEST(test_scan_floats),
                                       TEST(test_scan_texts),     TEST(test_scan_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
