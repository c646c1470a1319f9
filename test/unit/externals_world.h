// What the tests of external functions share: a machine without a program, calls by name and
// letters of types, and a view of simulated memory.
#pragma once

#include "run/world/externals.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

// ---- The fixture

typedef struct {
    Arena *arena;
    Program *program;
    RunOptions options;
    RunResult result;
    World world;
} TestWorld;

// There is no program that could be anywhere.
static inline uint32_t no_place(const World *world) {
    (void)world;
    return 0;
}

static inline int world_make(void **state) {
    TestWorld *test = calloc(1, sizeof *test);
    test->arena = arena_new("test");
    test->program = program_new(test->arena);
    test->options = (RunOptions){.capture = true, .no_input = true};
    world_init(&test->world, test->arena, test->program, &test->options, &test->result);
    test->world.place = no_place;
    *state = test;
    return 0;
}

static inline int world_drop(void **state) {
    TestWorld *test = *state;
    world_free(&test->world);
    out_free(&test->result.output);
    arena_free(test->arena);
    free(test);
    return 0;
}

static inline Type type_of(char letter) {
    switch (letter) {
    case 'w': return TYPE_I32;
    case 'q': return TYPE_I64;
    case 'f': return TYPE_F32;
    case 'd': return TYPE_F64;
    case 'x': return TYPE_F80;
    default: return TYPE_VOID;
    }
}

// Performs a call with these arguments; types are the result's, then the arguments' letters.
static inline Value call_values(TestWorld *test, const char *name, const char *types,
                                const Value *args) {
    const External *external = external_named(name);
    if (!external) fail_msg("%s is not provided", name);
    PType params[16];
    uint32_t count = 0;
    for (; types[count + 1]; count++) params[count] = PTYPE_OF(type_of(types[count + 1]));
    SigInfo sig = {.result = PTYPE_OF(type_of(types[0])),
                   .param_count = count,
                   .fixed_count = count,
                   .params = params};
    ExternalCall call = {.world = &test->world, .sig = &sig, .args = args, .arg_count = count};
    external->function(&call);
    return call.result;
}

static inline Value call(TestWorld *test, const char *name, const char *types, ...) {
    Value values[16];
    va_list args;
    va_start(args, types);
    for (uint32_t i = 0; types[i + 1]; i++) switch (types[i + 1]) {
        case 'w': values[i] = value_i32((uint32_t)va_arg(args, int)); break;
        case 'q': values[i] = value_i64(va_arg(args, uint64_t)); break;
        case 'f': values[i] = value_f32((float)va_arg(args, double)); break;
        case 'd': values[i] = value_f64(va_arg(args, double)); break;
        default: values[i] = value_f80(va_arg(args, long double)); break;
        }
    va_end(args);
    return call_values(test, name, types, values);
}

static inline uint64_t call_q(TestWorld *test, const char *name, uint64_t a, uint64_t b) {
    return as_i64(call(test, name, "qqq", a, b));
}

// The run ended with a wrong step whose reason has this in it; goes on after it.
static inline void expect_wrong(TestWorld *test, const char *part) {
    const char *reason = test->result.behaviour.reason;
    assert_true(test->world.stopped);
    assert_int_equal(test->result.behaviour.end, END_WRONG);
    if (!strstr(reason, part)) fail_msg("expected \"%s\" in \"%s\"", part, reason);
    test->world.stopped = false;
}

static inline void expect_end(TestWorld *test, EndKind end, int32_t status) {
    assert_true(test->world.stopped);
    assert_int_equal(test->result.behaviour.end, end);
    assert_int_equal(test->result.behaviour.status, status);
    test->world.stopped = false;
}

static inline void expect_fine(const TestWorld *test) {
    if (test->world.stopped) fail_msg("ended: %s", test->result.behaviour.reason);
}

static inline uint64_t buffer(TestWorld *test, uint64_t size, bool defined) {
    return memory_add(test->world.memory, OBJECT_GLOBAL, "buffer", size, 16, defined)->address;
}

static inline uint64_t bytes_in(TestWorld *test, const void *bytes, uint64_t size) {
    uint64_t address = buffer(test, size, true);
    memcpy(memory_find(test->world.memory, address)->data, bytes, size);
    return address;
}

static inline uint64_t text_in(TestWorld *test, const char *text) {
    return bytes_in(test, text, strlen(text) + 1);
}

static inline const void *view(const TestWorld *test, uint64_t address, uint64_t size) {
    uint8_t *undef = NULL;
    const uint8_t *data = memory_read(test->world.memory, address, size, &undef);
    assert_non_null(data);
    for (uint64_t i = 0; undef && i < size; i++) assert_int_equal(undef[i], 0);
    return data;
}

static inline uint64_t load_q(const TestWorld *test, uint64_t address) {
    uint64_t n;
    memcpy(&n, view(test, address, 8), 8);
    return n;
}

static inline int simulated_errno(const TestWorld *test) {
    int n;
    memcpy(&n, view(test, test->world.errno_address, 4), 4);
    return n;
}
