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
    Machine machine;
} World;

static inline int world_make(void **state) {
    World *world = calloc(1, sizeof *world);
    world->arena = arena_new("test");
    world->program = program_new(world->arena);
    world->options = (RunOptions){.capture = true, .no_input = true};
    machine_init(&world->machine, world->arena, world->program, &world->options, &world->result);
    *state = world;
    return 0;
}

static inline int world_drop(void **state) {
    World *world = *state;
    machine_free(&world->machine);
    out_free(&world->result.output);
    arena_free(world->arena);
    free(world);
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
static inline Value call_values(World *world, const char *name, const char *types,
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
    ExternalCall call = {.machine = &world->machine, .sig = &sig, .args = args, .arg_count = count};
    external->function(&call);
    return call.result;
}

static inline Value call(World *world, const char *name, const char *types, ...) {
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
    return call_values(world, name, types, values);
}

static inline uint64_t call_q(World *world, const char *name, uint64_t a, uint64_t b) {
    return as_i64(call(world, name, "qqq", a, b));
}

// The run ended with a wrong step whose reason has this in it; goes on after it.
static inline void expect_wrong(World *world, const char *part) {
    const char *reason = world->result.behaviour.reason;
    assert_true(world->machine.stopped);
    assert_int_equal(world->result.behaviour.end, END_WRONG);
    if (!strstr(reason, part)) fail_msg("expected \"%s\" in \"%s\"", part, reason);
    world->machine.stopped = false;
}

static inline void expect_end(World *world, EndKind end, int32_t status) {
    assert_true(world->machine.stopped);
    assert_int_equal(world->result.behaviour.end, end);
    assert_int_equal(world->result.behaviour.status, status);
    world->machine.stopped = false;
}

static inline void expect_fine(const World *world) {
    if (world->machine.stopped) fail_msg("ended: %s", world->result.behaviour.reason);
}

static inline uint64_t buffer(World *world, uint64_t size, bool defined) {
    return memory_add(world->machine.memory, OBJECT_GLOBAL, "buffer", size, 16, defined)->address;
}

static inline uint64_t bytes_in(World *world, const void *bytes, uint64_t size) {
    uint64_t address = buffer(world, size, true);
    memcpy(memory_find(world->machine.memory, address)->data, bytes, size);
    return address;
}

static inline uint64_t text_in(World *world, const char *text) {
    return bytes_in(world, text, strlen(text) + 1);
}

static inline const void *view(const World *world, uint64_t address, uint64_t size) {
    uint8_t *undef = NULL;
    const uint8_t *data = memory_read(world->machine.memory, address, size, &undef);
    assert_non_null(data);
    for (uint64_t i = 0; undef && i < size; i++) assert_int_equal(undef[i], 0);
    return data;
}

static inline uint64_t load_q(const World *world, uint64_t address) {
    uint64_t n;
    memcpy(&n, view(world, address, 8), 8);
    return n;
}

static inline int simulated_errno(const World *world) {
    int n;
    memcpy(&n, view(world, world->machine.errno_address, 4), 4);
    return n;
}
