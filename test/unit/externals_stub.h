// A handful of external functions for tests of the interpreter, so that these do not depend on the
// C library that src/run/world/externals*.c simulates. The definitions are weak: whichever of the
// two is linked in is complete.
#pragma once

#include "run/world/world.h"

static void stub_putchar(ExternalCall *call) {
    if (call->args[0].undef) {
        world_wrong(call->world, "putchar: argument 1 is undefined");
        return;
    }
    out_char(&call->world->result->output, (char)as_i32(call->args[0]));
    call->result = call->args[0];
}
static void stub_exit(ExternalCall *call) {
    world_exit(call->world, END_RESULT, (int32_t)as_i32(call->args[0]));
}
static void stub_exit_now(ExternalCall *call) {
    call->world->skip_at_exit = true;
    world_exit(call->world, END_RESULT, (int32_t)as_i32(call->args[0]));
}
static void stub_abort(ExternalCall *call) {
    world_exit(call->world, END_ABORT, 0);
}
static void stub_atexit(ExternalCall *call) {
    vec_push(call->world->arena, &call->world->at_exit, as_i64(call->args[0]));
}
static void stub_malloc(ExternalCall *call) {
    Object *object =
        memory_add(call->world->memory, OBJECT_HEAP, "malloc", as_i64(call->args[0]), 16, false);
    if (!object) return;
    object->serial = ++call->world->heap_count;
    call->result = value_i64(object->address);
}
static void stub_free(ExternalCall *call) {
    Object *object = memory_find(call->world->memory, as_i64(call->args[0]));
    if (object && object->live)
        memory_remove(call->world->memory, object);
    else
        world_wrong(call->world, "free of something else");
}
// apply(f, x): f(x)
static void stub_apply(ExternalCall *call) {
    call->world->call_back(call->world, as_i64(call->args[0]), &call->args[1], 1, &call->result);
}
// show(...): an event with arguments of all types
static void stub_show(ExternalCall *call) {
    call->result = value_i32(call->arg_count);
}
// pair(n): two i32, n and n + 1, as an aggregate
static void stub_pair(ExternalCall *call) {
    uint64_t to = as_i64(call->args[call->arg_count - 1]);
    memory_store(call->world->memory, CHUNK_I32, to, call->args[0]);
    memory_store(call->world->memory, CHUNK_I32, to + 4, value_i32(as_i32(call->args[0]) + 1));
}
// vsum(n, list): the sum of n i32 arguments of a va_list
static void stub_vsum(ExternalCall *call) {
    uint32_t sum = 0;
    Value value;
    for (uint32_t i = 0; i < as_i32(call->args[0]); i++) {
        if (!world_next_vararg(call->world, as_i64(call->args[1]), PTYPE_OF(TYPE_I32), &value))
            return;
        sum += as_i32(value);
    }
    call->result = value_i32(sum);
}

__attribute__((weak)) const External *external_named(const char *name) {
    static const External table[] = {
        {.name = "putchar", .function = stub_putchar, .observable = true, .types = "ww"},
        {.name = "exit", .function = stub_exit, .types = "vw"},
        {.name = "_exit", .function = stub_exit_now, .types = "vw"},
        {.name = "abort", .function = stub_abort, .types = "v"},
        {.name = "atexit", .function = stub_atexit, .types = "wq"},
        {.name = "malloc", .function = stub_malloc, .types = "qq"},
        {.name = "free", .function = stub_free, .types = "vq"},
        {.name = "apply", .function = stub_apply, .types = "wqw"},
        {.name = "show", .function = stub_show, .observable = true, .types = "ww."},
        {.name = "pair", .function = stub_pair, .observable = true, .types = "sw"},
        {.name = "vsum", .function = stub_vsum, .types = "wwq"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}

__attribute__((weak)) uint64_t external_data(World *world, const char *name) {
    if (strcmp(name, "stdout") != 0) return 0;
    return memory_add(world->memory, OBJECT_SYSTEM, "stdout", 8, 8, true)->address;
}

__attribute__((weak)) void external_finish(World *world) {
    (void)world;
}
