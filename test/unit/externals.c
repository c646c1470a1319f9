// External functions against the host's C library: the same call is made on both sides, on
// simulated and on real memory, and results, contents and errno must agree. Then the calls that
// must be refused.
#include "externals_world.h"

// ---- The table

static const char *const names[] = {
#define EXTERNAL(name, function, observable, types) #name,
#include "run/world/externals.def"
};

static void test_table(void **state) {
    (void)state;
    for (uint32_t i = 0; i < COUNT(names); i++) {
        if (i) assert_true(strcmp(names[i - 1], names[i]) < 0);
        assert_string_equal(external_named(names[i])->name, names[i]);
        const char *types = external_named(names[i])->types;
        assert_int_equal(strspn(types, "vwqfdxstFDX."), strlen(types));
    }
    assert_null(external_named(""));
    assert_null(external_named("zzz"));
    assert_null(external_named("fork"));
    assert_true(external_named("printf")->observable);
    assert_false(external_named("strlen")->observable);
}

static void test_signatures(void **state) {
    TestWorld *test = *state;
    uint64_t text = text_in(test, "hello");
    call(test, "strlen", "qw", 5);
    expect_wrong(test, "strlen: called as i64(i32), expected i64(i64)");
    call(test, "strlen", "q");
    expect_wrong(test, "called as i64()");
    call(test, "strlen", "qqq", text, text);
    expect_wrong(test, "called as i64(i64, i64)");
    call(test, "strlen", "dq", text);
    expect_wrong(test, "called as f64(i64)");
    call(test, "abs", "qw", 1);
    expect_wrong(test, "called as i64(i32)");
    call(test, "printf", "ww", 1);
    expect_wrong(test, "expected i32(i64, ...)");
    assert_int_equal(as_i32(call(test, "strlen", "wq", text)), 5);
    call(test, "strlen", "vq", text);
    uint64_t block = as_i64(call(test, "malloc", "wq", (uint64_t)8));
    assert_true(block <= UINT32_MAX);
    Value nothing = call(test, "srand", "ww", 1);
    assert_int_equal(nothing.undef, UINT32_MAX);
    expect_fine(test);
    call_values(test, "abs", "ww", &(Value){.undef = 1});
    expect_wrong(test, "abs: argument 1 is undefined");
}

// ---- Strings

static int sign(int n) {
    return (n > 0) - (n < 0);
}

static const char *const words[] = {"",    "a",    "b",     "ab",          "abc", "abcabd", "ABC",
                                    "aXb", "\xff", "a\xfe", "  two words", "bd",  "cabd",   "zz"};

static void check_pair(TestWorld *test, const char *a, const char *b) {
    uint64_t x = text_in(test, a), y = text_in(test, b);
    struct {
        const char *name;
        int expected;
    } orders[] = {
        {"strcmp", strcmp(a, b)}, {"strcoll", strcmp(a, b)}, {"strcasecmp", strcasecmp(a, b)}};
    for (uint32_t i = 0; i < COUNT(orders); i++)
        assert_int_equal(sign((int)as_i32(call(test, orders[i].name, "wqq", x, y))),
                         sign(orders[i].expected));
    struct {
        const char *name, *expected;
    } places[] = {
        {"strstr", strstr(a, b)}, {"strcasestr", strcasestr(a, b)}, {"strpbrk", strpbrk(a, b)}};
    for (uint32_t i = 0; i < COUNT(places); i++)
        assert_int_equal(call_q(test, places[i].name, x, y),
                         places[i].expected ? x + (uint64_t)(places[i].expected - a) : 0);
    assert_int_equal(call_q(test, "strspn", x, y), strspn(a, b));
    assert_int_equal(call_q(test, "strcspn", x, y), strcspn(a, b));
    for (uint64_t n = 0; n < 5; n++) {
        Value order = call(test, "strncmp", "wqqq", x, y, n);
        assert_int_equal(sign((int)as_i32(order)), sign(strncmp(a, b, n)));
        order = call(test, "strncasecmp", "wqqq", x, y, n);
        assert_int_equal(sign((int)as_i32(order)), sign(strncasecmp(a, b, n)));
        char expected[32];
        memset(expected, '#', sizeof expected);
        uint64_t to = bytes_in(test, expected, sizeof expected);
        strncpy(expected, a, 16);
        strncat(expected, b, n);
        call(test, "strncpy", "qqqq", to, x, (uint64_t)16);
        call(test, "strncat", "qqqq", to, y, n);
        assert_memory_equal(view(test, to, sizeof expected), expected, sizeof expected);
    }
    expect_fine(test);
}

static void test_strings(void **state) {
    TestWorld *test = *state;
    for (uint32_t i = 0; i < COUNT(words); i++) {
        const char *a = words[i];
        uint64_t x = text_in(test, a), to = buffer(test, 64, false);
        for (uint32_t j = 0; j < COUNT(words); j++) check_pair(test, a, words[j]);
        assert_int_equal(as_i64(call(test, "strlen", "qq", x)), strlen(a));
        assert_int_equal(call_q(test, "strnlen", x, 2), strnlen(a, 2));
        for (int c = 0; c < 256; c += 31) {
            const char *found = strchr(a, c), *last = strrchr(a, c);
            assert_int_equal(as_i64(call(test, "strchr", "qqw", x, c)),
                             found ? x + (uint64_t)(found - a) : 0);
            assert_int_equal(as_i64(call(test, "rindex", "qqw", x, c)),
                             last ? x + (uint64_t)(last - a) : 0);
            assert_int_equal(as_i64(call(test, "strchrnul", "qqw", x, c)),
                             x + (uint64_t)(strchrnul(a, c) - a));
        }
        assert_int_equal(call_q(test, "stpcpy", to, x), to + strlen(a));
        call_q(test, "strcat", to, text_in(test, "!"));
        assert_int_equal(as_i64(call(test, "strlen", "qq", to)), strlen(a) + 1);
        uint64_t copy = as_i64(call(test, "strdup", "qq", x));
        assert_string_equal(view(test, copy, strlen(a) + 1), a);
        call(test, "free", "vq", copy);
    }
    expect_fine(test);
}

// A needle beyond the first prefix that strstr looks at, and one that is not there.
static void test_long_search(void **state) {
    TestWorld *test = *state;
    enum { SIZE = 5000 };
    char *text = malloc(SIZE);
    memset(text, 'a', SIZE);
    strcpy(text + SIZE - 5, "bcd\n");
    uint64_t at = text_in(test, text);
    assert_int_equal(call_q(test, "strstr", at, text_in(test, "aabcd")), at + SIZE - 7);
    assert_int_equal(call_q(test, "strcasestr", at, text_in(test, "BCD")), at + SIZE - 5);
    assert_int_equal(call_q(test, "strstr", at, text_in(test, "abd")), 0);
    assert_int_equal(
        as_i64(call(test, "memmem", "qqqqq", at, (uint64_t)SIZE, text_in(test, "cd"), (uint64_t)2)),
        at + SIZE - 4);
    expect_fine(test);
    call_q(test, "strstr", bytes_in(test, text, 3000), text_in(test, "b"));
    expect_wrong(test, "strstr: ");
    free(text);
}

static void test_memory(void **state) {
    TestWorld *test = *state;
    uint64_t text = bytes_in(test, "abcdefgh", 8), other = bytes_in(test, "abcdeXgh", 8);
    assert_int_equal((int)as_i32(call(test, "memcmp", "wqqq", text, other, (uint64_t)8)),
                     'f' - 'X');
    assert_int_equal(as_i32(call(test, "bcmp", "wqqq", text, other, (uint64_t)5)), 0);
    assert_int_equal(as_i64(call(test, "memchr", "qqwq", text, 'c', (uint64_t)8)), text + 2);
    assert_int_equal(as_i64(call(test, "memchr", "qqwq", text, 'c', (uint64_t)2)), 0);
    assert_int_equal(as_i64(call(test, "memrchr", "qqwq", text, 'c', (uint64_t)8)), text + 2);
    assert_int_equal(as_i64(call(test, "rawmemchr", "qqw", text, 'h')), text + 7);
    call(test, "memmove", "qqqq", text + 2, text, (uint64_t)6);
    assert_memory_equal(view(test, text, 8), "ababcdef", 8);
    call(test, "bcopy", "vqqq", text + 2, text, (uint64_t)6);
    assert_memory_equal(view(test, text, 8), "abcdefef", 8);
    call(test, "__memset_chk", "qqwqq", text, '-', (uint64_t)3, (uint64_t)8);
    assert_memory_equal(view(test, text, 8), "---defef", 8);
    call(test, "bzero", "vqq", text, (uint64_t)2);
    assert_memory_equal(view(test, text, 3), "\0\0-", 3);
    assert_int_equal(as_i32(call(test, "memcmp", "wqqq", (uint64_t)0, (uint64_t)0, (uint64_t)0)),
                     0);
    expect_fine(test);
    assert_int_equal(as_i64(call(test, "memcpy", "qqqq", text, text, (uint64_t)3)), text);
    expect_fine(test);
    call(test, "memcpy", "qqqq", text + 2, text, (uint64_t)3);
    expect_wrong(test, "memcpy: source and destination overlap");
    call(test, "memcpy", "qqqq", text, other, (uint64_t)9);
    expect_wrong(test, "memcpy: 9-byte read");
    call(test, "memset", "qqwq", (uint64_t)0, 0, (uint64_t)1);
    expect_wrong(test, "memset: ");
    call(test, "strlen", "qq", bytes_in(test, "abc", 3));
    expect_wrong(test, "strlen: ");
    call(test, "memcmp", "wqqq", other, buffer(test, 8, false), (uint64_t)8);
    expect_wrong(test, "byte 0 of buffer is undefined");
}

// Copies carry undefined bytes, into objects with and without a mask.
static void test_undefined_copies(void **state) {
    TestWorld *test = *state;
    uint64_t from = buffer(test, 4, false), to = buffer(test, 4, true),
             again = buffer(test, 4, false);
    call(test, "memset", "qqwq", from + 1, 'x', (uint64_t)2);
    call(test, "memcpy", "qqqq", to, from, (uint64_t)4);
    call(test, "memmove", "qqqq", again, to, (uint64_t)4);
    expect_fine(test);
    assert_memory_equal(view(test, again + 1, 2), "xx", 2);
    call(test, "memchr", "qqwq", again + 1, 'y', (uint64_t)3);
    expect_wrong(test, "byte 3 of buffer is undefined");
    call(test, "memcmp", "wqqq", to, to, (uint64_t)1);
    expect_wrong(test, "byte 0 of buffer is undefined");
}

static void test_tokens(void **state) {
    TestWorld *test = *state;
    char expected[] = ",,one, two,,three;", *rest = expected;
    uint64_t text = text_in(test, expected), delimiters = text_in(test, ", ;"), first = text;
    uint64_t save = buffer(test, 8, true), copy = text_in(test, expected);
    char again[sizeof expected], *saved;
    memcpy(again, expected, sizeof again);
    for (char *token = strtok(expected, ", ;");; token = strtok(NULL, ", ;")) {
        uint64_t got = call_q(test, "strtok", first, delimiters);
        assert_int_equal(got, token ? text + (uint64_t)(token - expected) : 0);
        if (!token) break;
        assert_string_equal(view(test, got, strlen(token) + 1), token);
        first = 0;
    }
    first = copy;
    for (char *token = strtok_r(again, ",", &saved);; token = strtok_r(NULL, ",", &saved)) {
        uint64_t got = as_i64(call(test, "strtok_r", "qqqq", first, text_in(test, ","), save));
        assert_int_equal(got, token ? copy + (uint64_t)(token - again) : 0);
        if (!token) break;
        first = 0;
    }
    strcpy(expected, "a::b");
    uint64_t separated = text_in(test, expected);
    uint64_t at = bytes_in(test, &separated, 8);
    for (char *token = strsep(&rest, ":"); token; token = strsep(&rest, ":"))
        assert_int_equal(call_q(test, "strsep", at, text_in(test, ":")),
                         separated + (uint64_t)(token - expected));
    assert_int_equal(call_q(test, "strsep", at, delimiters), 0);
    assert_string_equal(view(test, as_i64(call(test, "strerror", "qw", ENOENT)), 26),
                        strerror(ENOENT));
    assert_string_equal(view(test, as_i64(call(test, "strerror", "qw", 4242)), 64),
                        "Unknown error 4242");
    expect_fine(test);
}

// ---- Numbers

// clang-format off
static const char *const numerals[] = {
    "0", "42", "-42", "+7", "  \t99bottles", "0x1F", "0X", "077", "08", "zz", "Zz9", "", "   ",
    "-", "9223372036854775807", "9223372036854775808", "-9223372036854775809",
    "18446744073709551616", "1.5", "-1.5e10", "1e400", "1e-400", ".5.5", "5.", "e5", "1e+",
    "inf", "-Infinity", "nan", "nan(12)", "nan(", "0x1.8p3", "0x", "0x.8", "1_000", "3.4e39",
    "--5", "1e5x"};
// clang-format on

static void check_number(TestWorld *test, const char *name, const char *types, const char *text,
                         int base, Value expected, uint64_t used, int code) {
    uint64_t at = text_in(test, text), end = buffer(test, 8, false);
    Value args[] = {value_i64(at), value_i64(end), value_i32((uint32_t)base)};
    external_named(name);
    memcpy(memory_find(test->world.memory, test->world.errno_address)->data, "\0\0\0\0", 4);
    Value got = call_values(test, name, types, args);
    expect_fine(test);
    if (got.bits != expected.bits || got.high != expected.high || load_q(test, end) != at + used ||
        simulated_errno(test) != code)
        fail_msg("%s(\"%s\", %d): 0x%llx, expected 0x%llx", name, text, base,
                 (unsigned long long)got.bits, (unsigned long long)expected.bits);
}

#define CHECK_NUMBER(name, types, kind, expression, text, base)                                    \
    do {                                                                                           \
        char *end;                                                                                 \
        errno = 0;                                                                                 \
        Value expected = value_##kind(expression);                                                 \
        check_number(test, name, types, text, base, expected, (uint64_t)(end - (text)), errno);    \
    } while (0)

static void test_numbers(void **state) {
    TestWorld *test = *state;
    static const int bases[] = {0, 2, 8, 10, 16, 36};
    external_state(&test->world);
    external_errno_address(&test->world);
    for (uint32_t i = 0; i < COUNT(numerals); i++) {
        const char *text = numerals[i];
        for (uint32_t b = 0; b < COUNT(bases); b++) {
            CHECK_NUMBER("strtol", "qqqw", i64, (uint64_t)strtol(text, &end, bases[b]), text,
                         bases[b]);
            CHECK_NUMBER("strtoull", "qqqw", i64, strtoull(text, &end, bases[b]), text, bases[b]);
        }
        CHECK_NUMBER("strtod", "dqq", f64, strtod(text, &end), text, 0);
        CHECK_NUMBER("strtof", "fqq", f32, strtof(text, &end), text, 0);
        CHECK_NUMBER("strtold", "xqq", f80, strtold(text, &end), text, 0);
        uint64_t at = text_in(test, text);
        assert_int_equal((int)as_i32(call(test, "atoi", "wq", at)), atoi(text));
        assert_int_equal(as_i64(call(test, "atoll", "qq", at)), (uint64_t)atoll(text));
        Value real = value_f64(atof(text));
        assert_int_equal(call(test, "atof", "dq", at).bits, real.bits);
    }
    // A number may be followed by bytes that nobody reads, but it must end.
    assert_int_equal(as_i32(call(test, "atoi", "wq", bytes_in(test, "12 ", 3))), 12);
    expect_fine(test);
    call(test, "atoi", "wq", bytes_in(test, "12", 2));
    expect_wrong(test, "atoi: ");
    assert_int_equal((int)as_i32(call(test, "abs", "ww", -5)), 5);
    assert_int_equal(as_i64(call(test, "llabs", "qq", (uint64_t)-5)), 5);
}

// An aggregate result goes to the address behind the arguments.
static void test_div(void **state) {
    TestWorld *test = *state;
    PType params[] = {PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_I32)};
    ParamType pair = {.size = 8, .align = 4, .parts = 1, .part = {TYPE_I64}};
    SigInfo sig = {.result = program_ptype(test->program, pair),
                   .param_count = 2,
                   .fixed_count = 2,
                   .params = params};
    uint64_t to = buffer(test, 8, false);
    Value args[] = {value_i32((uint32_t)-17), value_i32(5), value_i64(to)};
    ExternalCall division = {.world = &test->world, .sig = &sig, .args = args, .arg_count = 3};
    external_named("div")->function(&division);
    expect_fine(test);
    div_t expected = div(-17, 5);
    assert_memory_equal(view(test, to, 8), &expected, 8);
    args[1] = value_i32(0);
    external_named("div")->function(&division);
    expect_wrong(test, "div: -17 / 0");
    division.arg_count = 2;
    external_named("div")->function(&division);
    expect_wrong(test, "div: called as agg(8)(i32, i32), expected agg(i32, i32)");
}

static void test_random(void **state) {
    TestWorld *test = *state;
    static const unsigned seeds[] = {1, 0, 42, 12345, 0x80000000, UINT_MAX, 2147483647};
    for (int i = 0; i < 100; i++) { // unseeded, as after srand(1)
        if (!i) srand(1);
        assert_int_equal((int)as_i32(call(test, "rand", "w")), rand());
    }
    for (uint32_t s = 0; s < COUNT(seeds); s++) {
        srand(seeds[s]);
        call(test, "srand", "vw", (int)seeds[s]);
        for (int i = 0; i < 1000; i++) {
            assert_int_equal((int)as_i32(call(test, "rand", "w")), rand());
            assert_int_equal(as_i64(call(test, "random", "q")), (uint64_t)random());
        }
        unsigned own = seeds[s];
        uint64_t at = bytes_in(test, &own, 4);
        for (int i = 0; i < 100; i++)
            assert_int_equal((int)as_i32(call(test, "rand_r", "wq", at)), rand_r(&own));
        srand48((long)seeds[s]);
        call(test, "srand48", "vq", (uint64_t)seeds[s]);
        for (int i = 0; i < 100; i++) {
            assert_true(as_f64(call(test, "drand48", "d")) == drand48());
            assert_int_equal(as_i64(call(test, "lrand48", "q")), (uint64_t)lrand48());
            assert_int_equal(as_i64(call(test, "mrand48", "q")), (uint64_t)mrand48());
        }
    }
}

// ---- The heap

static void test_heap(void **state) {
    TestWorld *test = *state;
    uint64_t a = as_i64(call(test, "malloc", "qq", (uint64_t)10));
    uint64_t b = as_i64(call(test, "malloc", "qq", (uint64_t)0));
    uint64_t c = as_i64(call(test, "malloc", "qq", (uint64_t)0));
    assert_true(a && b && c && b != c && a % 16 == 0);
    call(test, "strcpy", "qqq", a, text_in(test, "content"));
    uint64_t larger = call_q(test, "realloc", a, 100);
    assert_string_equal(view(test, larger, 8), "content");
    call(test, "strlen", "qq", a);
    expect_wrong(test, "strlen: ");
    call(test, "strlen", "qq", larger + 20);
    expect_wrong(test, "undefined");
    uint64_t zero = call_q(test, "calloc", 4, 4);
    static const uint8_t zeros[16];
    assert_memory_equal(view(test, zero, 16), zeros, 16);
    assert_int_equal(call_q(test, "calloc", UINT64_MAX / 2, 3), 0);
    assert_int_equal(simulated_errno(test), ENOMEM);
    assert_int_equal(as_i64(call(test, "malloc", "qq", UINT64_MAX)), 0);
    uint64_t place = buffer(test, 8, false);
    assert_int_equal(
        as_i32(call(test, "posix_memalign", "wqqq", place, (uint64_t)256, (uint64_t)10)), 0);
    assert_int_equal(load_q(test, place) % 256, 0);
    assert_int_equal(as_i32(call(test, "posix_memalign", "wqqq", place, (uint64_t)3, (uint64_t)10)),
                     EINVAL);
    assert_int_equal(call_q(test, "aligned_alloc", 64, 10) % 64, 0);
    call(test, "free", "vq", (uint64_t)0);
    call(test, "free", "vq", larger);
    expect_fine(test);
    call(test, "free", "vq", larger);
    expect_wrong(test, "free: the heap block at address");
    call(test, "free", "vq", zero + 4);
    expect_wrong(test, "not the start of a heap block, but byte 4");
    call(test, "free", "vq", place);
    expect_wrong(test, "not that of a heap block, but in buffer");
    call(test, "realloc", "qqq", (uint64_t)12345, (uint64_t)1);
    expect_wrong(test, "realloc: ");
}

// ---- Sorting

enum { BY_VALUE = 1, BY_LOW_DIGIT, ENDS_THE_RUN };

static bool compare_back(World *world, uint64_t function, const Value *args, uint32_t count,
                         Value *result) {
    Value a = {0}, b = {0};
    assert_int_equal(count, 2);
    assert_true(memory_load(world->memory, CHUNK_I32, as_i64(args[0]), &a));
    assert_true(memory_load(world->memory, CHUNK_I32, as_i64(args[1]), &b));
    int x = (int)as_i32(a), y = (int)as_i32(b);
    if (function == BY_LOW_DIGIT) x %= 10, y %= 10;
    *result = value_i32((uint32_t)((x > y) - (x < y)));
    if (function == ENDS_THE_RUN) world_exit(world, END_ABORT, 0);
    return function != ENDS_THE_RUN;
}

static int compare_digits(const void *a, const void *b) {
    int x = *(const int *)a % 10, y = *(const int *)b % 10;
    return (x > y) - (x < y);
}

static void test_sorting(void **state) {
    TestWorld *test = *state;
    enum { N = 200 };
    int numbers[N];
    test->world.call_back = compare_back;
    srand(7);
    for (int i = 0; i < N; i++) numbers[i] = rand() % 1000;
    for (uint64_t n = 0; n <= N; n += n < 8 ? 1 : 64) {
        int expected[N];
        memcpy(expected, numbers, sizeof numbers);
        uint64_t at = bytes_in(test, numbers, sizeof numbers);
        qsort(expected, n, sizeof *expected, compare_digits);
        call(test, "qsort", "vqqqq", at, n, (uint64_t)4, (uint64_t)BY_LOW_DIGIT);
        expect_fine(test);
        assert_memory_equal(view(test, at, sizeof expected), expected, sizeof expected);
    }
    static const int sorted[] = {2, 3, 5, 7, 11, 13};
    uint64_t base = bytes_in(test, sorted, sizeof sorted);
    for (int key = 0; key < 15; key++) {
        uint64_t found = as_i64(call(test, "bsearch", "qqqqqq", bytes_in(test, &key, 4), base,
                                     (uint64_t)COUNT(sorted), (uint64_t)4, (uint64_t)BY_VALUE));
        uint64_t expected = 0;
        for (uint32_t i = 0; i < COUNT(sorted); i++)
            if (sorted[i] == key) expected = base + i * 4;
        assert_int_equal(found, expected);
    }
    call(test, "qsort", "vqqqq", base, (uint64_t)7, (uint64_t)4, (uint64_t)BY_VALUE);
    expect_wrong(test, "qsort: 28-byte");
    call(test, "qsort", "vqqqq", base, (uint64_t)6, (uint64_t)4, (uint64_t)ENDS_THE_RUN);
    expect_end(test, END_ABORT, 0);
}

// ---- Characters

static void test_ctype(void **state) {
    TestWorld *test = *state;
    struct {
        const char *name;
        int (*host)(int);
    } functions[] = {
        {"isalnum", isalnum}, {"isalpha", isalpha}, {"isblank", isblank}, {"iscntrl", iscntrl},
        {"isdigit", isdigit}, {"isgraph", isgraph}, {"islower", islower}, {"isprint", isprint},
        {"ispunct", ispunct}, {"isspace", isspace}, {"isupper", isupper}, {"isxdigit", isxdigit},
        {"tolower", tolower}, {"toupper", toupper}, {"isascii", isascii}, {"toascii", toascii}};
    for (uint32_t f = 0; f < COUNT(functions); f++)
        for (int c = -1; c < 256; c++)
            assert_int_equal((int)as_i32(call(test, functions[f].name, "ww", c)),
                             functions[f].host(c));
    uint64_t classes = load_q(test, as_i64(call(test, "__ctype_b_loc", "q")));
    uint64_t lower = load_q(test, as_i64(call(test, "__ctype_tolower_loc", "q")));
    uint64_t upper = load_q(test, as_i64(call(test, "__ctype_toupper_loc", "q")));
    assert_memory_equal(view(test, classes - 256, 768), *__ctype_b_loc() - 128, 768);
    assert_memory_equal(view(test, lower - 512, 1536), *__ctype_tolower_loc() - 128, 1536);
    assert_memory_equal(view(test, upper - 512, 1536), *__ctype_toupper_loc() - 128, 1536);
    static const uint32_t wide[] = {'a', 'b', 0};
    assert_int_equal(as_i64(call(test, "wcslen", "qq", bytes_in(test, wide, sizeof wide))), 2);
    expect_fine(test);
    call(test, "isalpha", "ww", 256);
    expect_wrong(test, "isalpha: 256 is neither a character nor EOF");
}

// ---- Mathematics

// Volatile, so that the compiler leaves the host's functions to the host.
static const volatile double arguments[] = {0.0,   -0.0,   0.3,      -0.7,      1.0,     -1.0,
                                            1.5,   2.5,    -2.5,     10.0,      123.456, 1e-310,
                                            1e300, -1e300, INFINITY, -INFINITY, NAN};

static void check_math(TestWorld *test, const char *name, char letter, Value got, Value expected) {
    expect_fine(test);
    if (got.bits != expected.bits || got.high != expected.high)
        fail_msg("%s (%c): 0x%llx, expected 0x%llx", name, letter, (unsigned long long)got.bits,
                 (unsigned long long)expected.bits);
}

#define CHECK_UNARY(name)                                                                          \
    for (uint32_t i = 0; i < COUNT(arguments); i++) {                                              \
        double x = arguments[i];                                                                   \
        check_math(test, #name, 'd', call(test, #name, "dd", x), value_f64(name(x)));              \
        check_math(test, #name, 'f', call(test, #name "f", "ff", x),                               \
                   value_f32(name##f((float)x)));                                                  \
        check_math(test, #name, 'x', call(test, #name "l", "xx", (long double)x),                  \
                   value_f80(name##l((long double)x)));                                            \
    }
// Through volatile pointers: compilers know that fmax commutes, but the sign of a zero does not.
#define CHECK_BINARY(name)                                                                         \
    for (uint32_t i = 0; i < COUNT(arguments); i++)                                                \
        for (uint32_t j = 0; j < COUNT(arguments); j++) {                                          \
            double x = arguments[i], y = arguments[j];                                             \
            double (*volatile host)(double, double) = name;                                        \
            float (*volatile host_f)(float, float) = name##f;                                      \
            long double (*volatile host_l)(long double, long double) = name##l;                    \
            check_math(test, #name, 'd', call(test, #name, "ddd", x, y), value_f64(host(x, y)));   \
            check_math(test, #name, 'f', call(test, #name "f", "fff", x, y),                       \
                       value_f32(host_f((float)x, (float)y)));                                     \
            check_math(test, #name, 'x',                                                           \
                       call(test, #name "l", "xxx", (long double)x, (long double)y),               \
                       value_f80(host_l((long double)x, (long double)y)));                         \
        }
#define CHECK_INTEGER(name, letter, kind, type)                                                    \
    for (uint32_t i = 0; i < COUNT(arguments); i++) {                                              \
        double x = arguments[i];                                                                   \
        check_math(test, #name, 'd', call(test, #name, letter "d", x),                             \
                   value_##kind((type)name(x)));                                                   \
        check_math(test, #name, 'f', call(test, #name "f", letter "f", x),                         \
                   value_##kind((type)name##f((float)x)));                                         \
        check_math(test, #name, 'x', call(test, #name "l", letter "x", (long double)x),            \
                   value_##kind((type)name##l((long double)x)));                                   \
    }

static void test_math_unary(void **state) {
    TestWorld *test = *state;
    CHECK_UNARY(acos)
    CHECK_UNARY(acosh)
    CHECK_UNARY(asin)
    CHECK_UNARY(asinh)
    CHECK_UNARY(atan)
    CHECK_UNARY(atanh)
    CHECK_UNARY(cbrt)
    CHECK_UNARY(ceil)
    CHECK_UNARY(cos)
    CHECK_UNARY(cosh)
    CHECK_UNARY(erf)
    CHECK_UNARY(erfc)
    CHECK_UNARY(exp)
    CHECK_UNARY(exp2)
    CHECK_UNARY(expm1)
    CHECK_UNARY(fabs)
    CHECK_UNARY(floor)
    CHECK_UNARY(lgamma)
    CHECK_UNARY(log)
    CHECK_UNARY(log10)
    CHECK_UNARY(log1p)
    CHECK_UNARY(log2)
    CHECK_UNARY(logb)
    CHECK_UNARY(nearbyint)
    CHECK_UNARY(rint)
    CHECK_UNARY(round)
    CHECK_UNARY(sin)
    CHECK_UNARY(sinh)
    CHECK_UNARY(sqrt)
    CHECK_UNARY(tan)
    CHECK_UNARY(tanh)
    CHECK_UNARY(tgamma)
    CHECK_UNARY(trunc)
}

static void test_math_others(void **state) {
    TestWorld *test = *state;
    CHECK_BINARY(atan2)
    CHECK_BINARY(copysign)
    CHECK_BINARY(fdim)
    CHECK_BINARY(fmax)
    CHECK_BINARY(fmin)
    CHECK_BINARY(fmod)
    CHECK_BINARY(hypot)
    CHECK_BINARY(nextafter)
    CHECK_BINARY(pow)
    CHECK_BINARY(remainder)
    CHECK_INTEGER(ilogb, "w", i32, uint32_t)
    CHECK_INTEGER(lround, "q", i64, uint64_t)
    CHECK_INTEGER(llrint, "q", i64, uint64_t)
    CHECK_INTEGER(__isnan, "w", i32, uint32_t)
    CHECK_INTEGER(__isinf, "w", i32, uint32_t)
    CHECK_INTEGER(__finite, "w", i32, uint32_t)
    CHECK_INTEGER(__fpclassify, "w", i32, uint32_t)
    CHECK_INTEGER(__signbit, "w", i32, uint32_t)
}

static void test_math_pointers(void **state) {
    TestWorld *test = *state;
    uint64_t out = buffer(test, 16, true);
    for (uint32_t i = 0; i < COUNT(arguments); i++) {
        double x = arguments[i], whole;
        int n = 0;
        check_math(test, "frexp", 'd', call(test, "frexp", "ddq", x, out), value_f64(frexp(x, &n)));
        if (isfinite(x)) assert_memory_equal(view(test, out, 4), &n, 4);
        check_math(test, "modf", 'd', call(test, "modf", "ddq", x, out),
                   value_f64(modf(x, &whole)));
        assert_memory_equal(view(test, out, 8), &whole, 8);
        check_math(test, "remquo", 'd', call(test, "remquo", "dddq", x, 0.75, out),
                   value_f64(remquo(x, 0.75, &n)));
        check_math(test, "ldexp", 'd', call(test, "ldexp", "ddw", x, 3), value_f64(ldexp(x, 3)));
        check_math(test, "scalbln", 'd', call(test, "scalbln", "ddq", x, (uint64_t)-4),
                   value_f64(scalbln(x, -4)));
        check_math(test, "nexttoward", 'd', call(test, "nexttoward", "ddx", x, 2.0L),
                   value_f64(nexttoward(x, 2.0L)));
        check_math(test, "fma", 'd', call(test, "fma", "dddd", x, 3.0, 0.1),
                   value_f64(fma(x, 3.0, 0.1)));
    }
    check_math(test, "nan", 'd', call(test, "nan", "dq", text_in(test, "5")), value_f64(nan("5")));
    call(test, "log", "dd", -1.0);
    assert_int_equal(simulated_errno(test), EDOM);
    call(test, "exp", "dd", 1e5);
    assert_int_equal(simulated_errno(test), ERANGE);
    call(test, "frexp", "ddq", 1.0, (uint64_t)0);
    expect_wrong(test, "frexp: ");
}

// ---- Streams

static uint64_t standard(TestWorld *test, const char *name) {
    return load_q(test, external_data(&test->world, name));
}

static void expect_output(TestWorld *test, const char *expected) {
    Out *out = &test->result.output;
    out_char(out, 0);
    assert_string_equal(out->text, expected);
    out->length = 0;
}

static void test_output(void **state) {
    TestWorld *test = *state;
    uint64_t out = standard(test, "stdout"), err = standard(test, "stderr");
    assert_int_equal((int)as_i32(call(test, "puts", "wq", text_in(test, "hello"))), 6);
    assert_int_equal(as_i32(call(test, "fputs", "wqq", text_in(test, "error "), err)), 1);
    assert_int_equal(as_i32(call(test, "putchar", "ww", 'x' + 256)), 'x');
    assert_int_equal(as_i32(call(test, "_IO_putc", "wwq", 'y', out)), 'y');
    assert_int_equal(as_i32(call(test, "printf", "wqwd", text_in(test, "%d %.1f\n"), 5, 2.25)), 6);
    assert_int_equal(as_i32(call(test, "__fprintf_chk", "wqwqw", err, 1, text_in(test, "%x"), 255)),
                     2);
    assert_int_equal(as_i64(call(test, "fwrite", "qqqqq", text_in(test, "abcdef"), (uint64_t)2,
                                 (uint64_t)2, out)),
                     2);
    assert_int_equal(as_i64(call(test, "write", "qwqq", 1, text_in(test, "raw\n"), (uint64_t)4)),
                     4);
    expect_fine(test);
    expect_output(test, "hello\nerror xy5 2.2\nffabcdraw\n");
    call(test, "puts", "wq", buffer(test, 4, false));
    expect_wrong(test, "puts: byte 0 of buffer is undefined");
    call(test, "fwrite", "qqqqq", buffer(test, 4, false), (uint64_t)1, (uint64_t)4, out);
    expect_wrong(test, "undefined");
    call(test, "fputc", "wwq", 'x', (uint64_t)4096);
    expect_wrong(test, "fputc: 0x1000 is not an open stream");
    assert_int_equal(as_i32(call(test, "fclose", "wq", out)), 0);
    assert_int_equal((int)as_i32(call(test, "puts", "wq", text_in(test, "lost"))), EOF);
    expect_output(test, "");
    call(test, "fputc", "wwq", 'x', out);
    expect_wrong(test, "is not an open stream");
}

// Runs that write different bytes from the same place have different traces.
static void test_events(void **state) {
    TestWorld *test = *state;
    uint64_t at = text_in(test, "one");
    call(test, "puts", "wq", at);
    call(test, "strcpy", "qqq", at, text_in(test, "two"));
    call(test, "puts", "wq", at);
    call(test, "strcpy", "qqq", at, text_in(test, "one"));
    call(test, "puts", "wq", at);
    const Behaviour *behaviour = &test->result.behaviour;
    assert_int_equal(behaviour->event_hashes.count, 3);
    assert_true(behaviour->event_hashes.at[0] != behaviour->event_hashes.at[1]);
    assert_true(behaviour->event_hashes.at[0] == behaviour->event_hashes.at[2]);
}

static void test_input(void **state) {
    TestWorld *test = *state;
    uint64_t in = standard(test, "stdin"), to = buffer(test, 8, false);
    assert_int_equal((int)as_i32(call(test, "getchar", "w")), EOF);
    assert_int_equal(as_i32(call(test, "feof", "wq", in)), 1);
    assert_int_equal((int)as_i32(call(test, "scanf", "wqq", text_in(test, "%d"), to)), EOF);
    assert_int_equal(as_i64(call(test, "fgets", "qqwq", to, 8, in)), 0);
    assert_int_equal(as_i64(call(test, "read", "qwqq", 0, to, (uint64_t)8)), 0);
    expect_fine(test);
}

static uint64_t file_with(TestWorld *test, const char *text) {
    uint64_t file = as_i64(call(test, "tmpfile", "q"));
    assert_true(file != 0);
    call(test, "fputs", "wqq", text_in(test, text), file);
    call(test, "rewind", "vq", file);
    return file;
}

static void test_names_of_files(void **state) {
    TestWorld *test = *state;
    uint64_t name = as_i64(call(test, "tmpnam", "qq", (uint64_t)0));
    assert_int_equal((int)as_i32(call(test, "access", "wqw", name, 0)), -1);
    uint64_t to = buffer(test, L_tmpnam, false);
    assert_int_equal(as_i64(call(test, "tmpnam", "qq", to)), to);
    assert_true(as_i32(call(test, "strcmp", "wqq", name, to)) != 0);
    expect_fine(test);
}

// What the external functions asked the interpreter for.
typedef struct {
    uint64_t set, to;
    uint32_t value;
} Jumps;

static bool note_set_jump(World *world, uint64_t address) {
    ((Jumps *)world->interpreter)->set = address;
    return true;
}

static bool note_jump(World *world, uint64_t address, uint32_t value) {
    Jumps *jumps = world->interpreter;
    jumps->to = address;
    jumps->value = value;
    return true;
}

static void test_jumps(void **state) {
    TestWorld *test = *state;
    uint64_t place = buffer(test, 200, false);
    Jumps jumps = {0};
    test->world.interpreter = &jumps;
    test->world.set_jump = note_set_jump;
    test->world.jump = note_jump;
    assert_int_equal(as_i32(call(test, "_setjmp", "wq", place)), 0);
    assert_true(jumps.set == place);
    assert_int_equal(as_i32(call(test, "__sigsetjmp", "wqw", place + 8, 1)), 0);
    assert_true(jumps.set == place + 8);
    call(test, "siglongjmp", "vqw", place, 5);
    assert_true(jumps.to == place);
    assert_int_equal(jumps.value, 5);
    expect_fine(test);
}

static void test_atomics(void **state) {
    TestWorld *test = *state;
    uint64_t object = bytes_in(test, "abc", 3), other = bytes_in(test, "xyz", 3), three = 3;
    uint64_t to = buffer(test, 3, false);
    call(test, "__atomic_exchange", "vqqqqw", three, object, other, other, 5);
    assert_memory_equal(view(test, object, 3), "xyz", 3);
    assert_memory_equal(view(test, other, 3), "abc", 3);
    call(test, "__atomic_load", "vqqqw", three, object, to, 5);
    assert_memory_equal(view(test, to, 3), "xyz", 3);
    const char *compare = "__atomic_compare_exchange", *types = "wqqqqww";
    assert_int_equal(as_i32(call(test, compare, types, three, object, to, other, 5, 5)), 1);
    assert_memory_equal(view(test, object, 3), "abc", 3);
    assert_int_equal(as_i32(call(test, compare, types, three, object, to, other, 5, 5)), 0);
    assert_memory_equal(view(test, to, 3), "abc", 3);
    assert_int_equal(as_i32(call(test, "__atomic_is_lock_free", "wqq", (uint64_t)8, object)), 1);
    assert_int_equal(as_i32(call(test, "__atomic_is_lock_free", "wqq", (uint64_t)9, object)), 0);
    expect_fine(test);
    uint64_t undefined = buffer(test, 3, false), copy = buffer(test, 3, false);
    call(test, compare, types, three, object, undefined, other, 5, 5);
    expect_wrong(test, "byte 0 is undefined");
    call(test, "__atomic_store", "vqqqw", three, copy, undefined, 5);
    assert_int_equal(as_i32(call(test, compare, types, three, copy, undefined, to, 5, 5)), 1);
    expect_fine(test);
    call(test, "__atomic_load", "vqqqw", (uint64_t)4, object, to, 5);
    expect_wrong(test, "__atomic_load: 4-byte");
}

static void test_files(void **state) {
    TestWorld *test = *state;
    uint64_t file = file_with(test, "first\nsecond line\n42 0x1f word\nlast");
    uint64_t to = buffer(test, 64, false), line = buffer(test, 8, true),
             size = buffer(test, 8, true);
    assert_int_equal(as_i32(call(test, "fileno", "wq", file)), 3);
    assert_int_equal(as_i64(call(test, "fgets", "qqwq", to, 64, file)), to);
    assert_string_equal(view(test, to, 7), "first\n");
    assert_int_equal(as_i32(call(test, "getc", "wq", file)), 's');
    assert_int_equal(as_i32(call(test, "ungetc", "wwq", 'S', file)), 'S');
    assert_int_equal(as_i64(call(test, "getline", "qqqq", line, size, file)), 12);
    assert_string_equal(view(test, load_q(test, line), 13), "Second line\n");
    assert_int_equal(load_q(test, size), 120);
    uint64_t a = buffer(test, 4, false), b = buffer(test, 4, false);
    assert_int_equal(
        as_i32(call(test, "fscanf", "wqqqqq", file, text_in(test, "%d%i %s"), a, b, to)), 3);
    assert_int_equal(*(const uint8_t *)view(test, a, 4), 42);
    assert_int_equal(*(const uint8_t *)view(test, b, 4), 31);
    assert_string_equal(view(test, to, 5), "word");
    uint64_t here = as_i64(call(test, "ftell", "qq", file));
    assert_int_equal(here, strlen("first\nsecond line\n42 0x1f word"));
    // Asks for more than the object holds; the file is short enough.
    assert_int_equal(as_i64(call(test, "fread", "qqqqq", to, (uint64_t)2, (uint64_t)500, file)), 2);
    assert_memory_equal(view(test, to, 5), "\nlast", 5);
    assert_int_equal(as_i32(call(test, "feof", "wq", file)), 1);
    assert_int_equal(as_i32(call(test, "fseek", "wqqw", file, (uint64_t)-4, SEEK_END)), 0);
    assert_int_equal(as_i32(call(test, "fgetc", "wq", file)), 'l');
    expect_fine(test);
    assert_int_equal(as_i32(call(test, "fclose", "wq", file)), 0);
    call(test, "fclose", "wq", file);
    expect_wrong(test, "is not an open stream");
    uint64_t longer = file_with(test, "much too long for its buffer");
    call(test, "fgets", "qqwq", buffer(test, 4, false), 64, longer);
    expect_wrong(test, "fgets: ");
}

static void test_named_files(void **state) {
    TestWorld *test = *state;
    char path[] = "/tmp/externals-XXXXXX";
    int made = mkstemp(path);
    assert_true(made >= 0);
    close(made);
    uint64_t name = text_in(test, path), to = buffer(test, 16, false);
    uint64_t file = call_q(test, "fopen", name, text_in(test, "w"));
    call(test, "fprintf", "wqqw", file, text_in(test, "%d\n"), 77);
    call(test, "fclose", "wq", file);
    int32_t number = (int32_t)as_i32(call(test, "open", "wqw", name, 0));
    assert_int_equal(number, 3);
    assert_int_equal(as_i64(call(test, "read", "qwqq", number, to, (uint64_t)16)), 3);
    assert_memory_equal(view(test, to, 3), "77\n", 3);
    assert_int_equal(as_i64(call(test, "lseek", "qwqw", number, (uint64_t)1, SEEK_SET)), 1);
    assert_int_equal(as_i32(call(test, "close", "ww", number)), 0);
    assert_int_equal((int)as_i32(call(test, "close", "ww", number)), -1);
    assert_int_equal(simulated_errno(test), EBADF);
    assert_int_equal(as_i32(call(test, "remove", "wq", name)), 0);
    assert_int_equal(call_q(test, "fopen", name, text_in(test, "r")), 0);
    assert_int_equal(simulated_errno(test), ENOENT);
    call(test, "perror", "vq", text_in(test, "open"));
    expect_output(test, "open: No such file or directory\n");
    expect_fine(test);
}

// With no_files the program cannot touch the host's files.
static void test_no_files(void **state) {
    TestWorld *test = *state;
    test->options.no_files = true;
    uint64_t name = text_in(test, "/dev/null");
    assert_int_equal(call_q(test, "fopen", name, text_in(test, "r")), 0);
    assert_int_equal(simulated_errno(test), EACCES);
    assert_int_equal(as_i64(call(test, "tmpfile", "q")), 0);
    assert_int_equal((int)as_i32(call(test, "open", "wqw", name, 0)), -1);
    assert_int_equal((int)as_i32(call(test, "remove", "wq", text_in(test, "no-such-file"))), -1);
    assert_int_equal(simulated_errno(test), EACCES);
    expect_fine(test);
}

// ---- Time, the end, the rest

static void test_time(void **state) {
    TestWorld *test = *state;
    uint64_t first = as_i64(call(test, "time", "qq", (uint64_t)0)), last = first;
    for (int i = 0; i < 2500; i++) last = as_i64(call(test, "time", "qq", (uint64_t)0));
    assert_true(last > first && last < first + 10);
    static const time_t times[] = {0, 1, 951782400, 1700000000, -86400, 4102444800};
    for (uint32_t i = 0; i < COUNT(times); i++) {
        struct tm tm = *gmtime(&times[i]);
        uint64_t at = bytes_in(test, &times[i], 8);
        uint64_t got = as_i64(call(test, "localtime", "qq", at));
        assert_memory_equal(view(test, got, 36), &tm, 36);
        assert_int_equal(as_i64(call(test, "mktime", "qq", got)), (uint64_t)times[i]);
        char expected[128];
        uint64_t to = buffer(test, 128, false);
        size_t length = strftime(expected, sizeof expected, "%Y-%m-%d %H:%M:%S %a %b %j %p", &tm);
        Value written = call(test, "strftime", "qqqqq", to, (uint64_t)128,
                             text_in(test, "%Y-%m-%d %H:%M:%S %a %b %j %p"), got);
        assert_int_equal(as_i64(written), length);
        assert_string_equal(view(test, to, length + 1), expected);
        assert_string_equal(view(test, as_i64(call(test, "asctime", "qq", got)), 26), asctime(&tm));
    }
    assert_true(as_f64(call(test, "difftime", "dqq", (uint64_t)5, (uint64_t)7)) == -2.0);
    uint64_t spec = buffer(test, 16, false);
    assert_int_equal(as_i32(call(test, "clock_gettime", "wwq", 0, spec)), 0);
    assert_true(load_q(test, spec) >= last);
    expect_fine(test);
}

static void test_ends(void **state) {
    TestWorld *test = *state;
    call(test, "exit", "vw", 3);
    expect_end(test, END_RESULT, 3);
    assert_false(test->world.skip_at_exit);
    call(test, "_exit", "vw", 4);
    expect_end(test, END_RESULT, 4);
    assert_true(test->world.skip_at_exit);
    call(test, "abort", "v");
    expect_end(test, END_ABORT, 0);
    call(test, "raise", "ww", 6);
    expect_end(test, END_ABORT, 0);
    call(test, "__assert_fail", "vqqwq", text_in(test, "x > 0"), text_in(test, "prog.c"), 12,
         text_in(test, "main"));
    expect_end(test, END_ABORT, 0);
    expect_output(test, "prog.c:12: main: Assertion `x > 0' failed.\n");
    call(test, "atexit", "wq", (uint64_t)77);
    assert_int_equal(test->world.at_exit.at[test->world.at_exit.count - 1], 77);
    expect_fine(test);
}

static void test_environment(void **state) {
    TestWorld *test = *state;
    uint64_t name = text_in(test, "NAME");
    assert_int_equal(as_i64(call(test, "getenv", "qq", name)), 0);
    call(test, "setenv", "wqqw", name, text_in(test, "one"), 1);
    call(test, "setenv", "wqqw", name, text_in(test, "two"), 0);
    assert_string_equal(view(test, as_i64(call(test, "getenv", "qq", name)), 4), "one");
    call(test, "unsetenv", "wq", name);
    assert_int_equal(as_i64(call(test, "getenv", "qq", name)), 0);
    uint64_t locale = as_i64(call(test, "setlocale", "qwq", 6, text_in(test, "")));
    assert_string_equal(view(test, locale, 2), "C");
    assert_string_equal(view(test, load_q(test, as_i64(call(test, "localeconv", "q"))), 2), ".");
    assert_int_equal(external_data(&test->world, "no_such_thing"), 0);
    assert_int_equal(load_q(test, load_q(test, external_data(&test->world, "environ"))), 0);
    expect_fine(test);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_make, world_drop)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_table),         TEST(test_signatures),     TEST(test_strings),
        TEST(test_long_search),   TEST(test_memory),         TEST(test_undefined_copies),
        TEST(test_tokens),        TEST(test_numbers),        TEST(test_div),
        TEST(test_random),        TEST(test_heap),           TEST(test_sorting),
        TEST(test_ctype),         TEST(test_math_unary),     TEST(test_math_others),
        TEST(test_math_pointers), TEST(test_output),         TEST(test_events),
        TEST(test_input),         TEST(test_names_of_files), TEST(test_jumps),
        TEST(test_atomics),       TEST(test_files),          TEST(test_named_files),
        TEST(test_no_files),      TEST(test_time),           TEST(test_ends),
        TEST(test_environment)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
