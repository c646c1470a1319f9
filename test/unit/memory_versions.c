// Versions of the simulated memory against a model that copies everything; what they cost, counted;
// limits and reasons.
#include "run/world/memory_versions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
    MODEL_OBJECTS = 24,  // that live at once
    MODEL_VERSIONS = 12, // that are held at once
    MODEL_ROOM =
        8000, // bytes of the largest object; from 4064 on an object has a buffer of its own
    MODEL_STEPS = 20000,
};

static uint64_t random_state = 11;
static uint64_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 0x2545f4914f6cdd1d;
}
static uint64_t below(uint64_t bound) {
    return (next_random() >> 20) % bound;
}

// ---- The model

typedef struct {
    uint64_t address, size;
    uint8_t *data, *undef; // NULL if the object does not live
} ModelObject;

typedef struct {
    MemoryVersion *version; // NULL if it is free
    ModelObject objects[MODEL_OBJECTS];
} ModelVersion;

typedef struct {
    Memory *memory;
    Arena *arena;
    Object *live[MODEL_OBJECTS];
    ModelVersion versions[MODEL_VERSIONS];
    uint64_t old_address[64]; // of objects that died
} Model;

static void *copy_bytes(const void *bytes, uint64_t size) {
    void *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    if (size) memcpy(copy, bytes, size);
    return copy;
}

static void model_hold(Model *model, ModelVersion *at) {
    at->version = memory_hold(model->memory);
    assert_non_null(at->version);
    for (uint32_t i = 0; i < MODEL_OBJECTS; i++) {
        const Object *object = model->live[i];
        at->objects[i] = (ModelObject){0};
        if (!object) continue;
        at->objects[i] = (ModelObject){.address = object->address,
                                       .size = object->size,
                                       .data = copy_bytes(object->data, object->size),
                                       .undef = calloc(object->size + 1, 1)};
        if (object->undef && object->size)
            memcpy(at->objects[i].undef, object->undef, object->size);
    }
}

static void model_release(Model *model, ModelVersion *at) {
    memory_release(model->memory, at->version);
    at->version = NULL;
    for (uint32_t i = 0; i < MODEL_OBJECTS; i++) {
        free(at->objects[i].data);
        free(at->objects[i].undef);
    }
}

// Whether the model has bytes at an address of a version.
static const ModelObject *model_find(const ModelVersion *at, uint64_t address, uint64_t size) {
    for (uint32_t i = 0; i < MODEL_OBJECTS; i++) {
        const ModelObject *object = &at->objects[i];
        if (object->data && address >= object->address &&
            address - object->address <= object->size &&
            size <= object->size - (address - object->address))
            return object;
    }
    return NULL;
}

static void check_read(Model *model, const ModelVersion *at, uint64_t address, uint64_t size) {
    static uint8_t data[MODEL_ROOM], undef[MODEL_ROOM];
    const ModelObject *object = model_find(at, address, size);
    bool there = memory_read_at(model->memory, at->version, address, size, data, undef);
    assert_int_equal(there, object != NULL);
    if (!there || !size) return;
    assert_memory_equal(data, object->data + (address - object->address), size);
    assert_memory_equal(undef, object->undef + (address - object->address), size);
}

// A load at a version is the load of the same bytes in another memory.
static void check_load(Model *model, const ModelVersion *at, uint64_t address) {
    Chunk chunk = (Chunk)below(CHUNK_COUNT);
    const ModelObject *object = model_find(at, address, chunk_size(chunk));
    Value found, expected;
    bool there = memory_load_at(model->memory, at->version, chunk, address, &found);
    assert_int_equal(there, object != NULL);
    if (!there) return;
    Memory *other = memory_new();
    Object *copy = memory_add(other, OBJECT_HEAP, "malloc", chunk_size(chunk), 8, false);
    memcpy(copy->data, object->data + (address - object->address), chunk_size(chunk));
    memcpy(copy->undef, object->undef + (address - object->address), chunk_size(chunk));
    assert_true(memory_load(other, chunk, copy->address, &expected));
    assert_int_equal(found.bits, expected.bits);
    assert_int_equal(found.undef, expected.undef);
    assert_int_equal(found.high, expected.high);
    memory_free(other);
}

static uint64_t random_address(Model *model, uint64_t size) {
    const Object *object = model->live[below(MODEL_OBJECTS)];
    if (!object || !below(16)) return model->old_address[below(64)];
    return object->address + (size < object->size ? below(object->size - size + 1) : 0);
}

static void check_version(Model *model, const ModelVersion *at) {
    for (uint32_t i = 0; i < MODEL_OBJECTS; i++) {
        const ModelObject *object = &at->objects[i];
        if (object->data) check_read(model, at, object->address, object->size);
        if (model->live[i]) check_read(model, at, model->live[i]->address, 1);
    }
    check_read(model, at, model->old_address[below(64)], 1);
}

// ---- Steps

static void step_life(Model *model) {
    uint32_t i = (uint32_t)below(MODEL_OBJECTS);
    if (model->live[i]) {
        model->old_address[below(64)] = model->live[i]->address;
        memory_remove(model->memory, model->live[i]);
        model->live[i] = NULL;
        return;
    }
    static const ObjectKind kinds[] = {OBJECT_SLOT, OBJECT_HEAP, OBJECT_ALLOCA};
    uint64_t size = below(8) ? below(200) : below(MODEL_ROOM);
    model->live[i] =
        memory_add(model->memory, kinds[below(3)], "object", size, 1u << below(6), below(2));
    assert_non_null(model->live[i]);
}

static void step_write(Model *model) {
    uint64_t size = below(4) ? below(24) : below(300), address = random_address(model, size);
    Value value = {.bits = next_random(), .undef = below(3) ? 0 : next_random() & 0xff00ff};
    uint8_t *data, *undef;
    switch (below(4)) {
    case 0:
        if (value.undef) value.bits &= ~value.undef;
        memory_store(model->memory, CHUNK_I64, address, value);
        break;
    case 1: memory_fill(model->memory, address, value, size); break;
    case 2: memory_copy(model->memory, address, random_address(model, size), size); break;
    default:
        data = memory_write(model->memory, address, size, &undef);
        for (uint64_t i = 0; data && i < size; i++) {
            data[i] = (uint8_t)next_random();
            if (undef) undef[i] = 0;
        }
    }
}

static ModelVersion *some_version(Model *model, bool held) {
    uint32_t start = (uint32_t)below(MODEL_VERSIONS);
    for (uint32_t i = 0; i < MODEL_VERSIONS; i++) {
        ModelVersion *at = &model->versions[(start + i) % MODEL_VERSIONS];
        if ((at->version != NULL) == held) return at;
    }
    return NULL;
}

// Phases with many births and deaths, and phases without, in which one can go back.
static void step(Model *model, bool lives) {
    ModelVersion *held = some_version(model, true), *free_one = some_version(model, false);
    uint64_t what = below(40), size = below(80);
    if (what < 16)
        step_write(model);
    else if (what < 22 && lives)
        step_life(model);
    else if (what < 25 && free_one)
        model_hold(model, free_one);
    else if (what < 27 && held)
        model_release(model, held);
    else if (what < 33 && held)
        check_read(model, held, random_address(model, size), size);
    else if (what < 37 && held)
        check_load(model, held, random_address(model, 8));
    else if (what < 38 && held)
        check_version(model, held);
}

static void model(void **state) {
    (void)state;
    Model *model = calloc(1, sizeof *model);
    model->memory = memory_new();
    for (uint32_t i = 0; i < MODEL_STEPS; i++) step(model, i / 500 % 2 == 0);
    for (uint32_t i = 0; i < MODEL_VERSIONS; i++)
        if (model->versions[i].version) {
            check_version(model, &model->versions[i]);
            model_release(model, &model->versions[i]);
        }
    MemoryVersionCosts costs = memory_version_costs(model->memory);
    assert_int_equal(costs.versions | costs.records | costs.lives | costs.slots, 0);
    memory_free(model->memory);
    free(model);
}

// ---- What a program meets

static void dead_and_unborn(void **state) {
    (void)state;
    Memory *memory = memory_new();
    Arena *arena = arena_new("test");
    Object *old = memory_add(memory, OBJECT_HEAP, "malloc", 8, 8, true);
    uint64_t old_address = old->address;
    Value value;
    assert_true(memory_store(memory, CHUNK_I64, old_address, value_i64(42)));
    MemoryVersion *version = memory_hold(memory);
    memory_remove(memory, old);
    Object *young = memory_add(memory, OBJECT_HEAP, "malloc", 8, 8, true);
    assert_true(memory_load_at(memory, version, CHUNK_I64, old_address, &value));
    assert_int_equal(value.bits, 42);
    assert_false(memory_load(memory, CHUNK_I64, old_address, &value));
    assert_false(memory_load_at(memory, version, CHUNK_I64, young->address, &value));
    assert_non_null(strstr(memory_reason_at(memory, version, arena, young->address, 8),
                           "is where no object is"));
    assert_non_null(strstr(memory_reason_at(memory, version, arena, old_address + 8, 8),
                           "just past the end of malloc block"));
    memory_release(memory, version);
    version = memory_hold(memory);
    assert_false(memory_load_at(memory, version, CHUNK_I64, old_address, &value));
    assert_non_null(
        strstr(memory_reason_at(memory, version, arena, old_address, 8), "is a use after free"));
    memory_free(memory); // and what is held with it
    arena_free(arena);
}

// Objects get the addresses that they would get if nothing were held.
static void same_addresses(void **state) {
    (void)state;
    Memory *memories[2] = {memory_new(), memory_new()};
    for (uint32_t i = 0; i < 5000; i++) {
        Object *objects[2];
        if (i % 7 == 0) assert_non_null(memory_hold(memories[0]));
        for (uint32_t k = 0; k < 2; k++)
            objects[k] = memory_add(memories[k], OBJECT_SLOT, "x", i % 100, 8, true);
        assert_int_equal(objects[0]->address, objects[1]->address);
        for (uint32_t k = 0; k < 2; k++) memory_remove(memories[k], objects[k]);
    }
    memory_free(memories[0]);
    memory_free(memories[1]);
}

// A write that cannot be kept is refused and says why; versions are not harmed, and after a release
// it goes on.
static void limit(void **state) {
    (void)state;
    enum { SIZE = 1 << 16 };
    Memory *memory = memory_new();
    Arena *arena = arena_new("test");
    Object *object = memory_add(memory, OBJECT_GLOBAL, "table", SIZE, 8, true);
    memory_set_limit(memory, 4 * SIZE);
    MemoryVersion *version = memory_hold(memory);
    uint64_t refused = SIZE;
    for (uint64_t at = 0; at < SIZE && refused == SIZE; at += 8)
        if (!memory_store(memory, CHUNK_I64, object->address + at, value_i64(at + 1))) refused = at;
    assert_in_range(refused, 8, SIZE - 8);
    assert_non_null(strstr(memory_reason(memory, arena, object->address + refused, 8, true),
                           "no memory to keep what it held"));
    uint8_t *undef;
    assert_null(memory_write(memory, object->address + refused, 8, &undef));
    assert_false(memory_fill(memory, object->address, value_i64(1), SIZE));
    for (uint64_t at = 0; at < SIZE; at += 8) {
        Value value;
        assert_true(memory_load_at(memory, version, CHUNK_I64, object->address + at, &value));
        assert_int_equal(value.bits, 0);
    }
    memory_release(memory, version);
    assert_true(memory_fill(memory, object->address, value_i64(1), SIZE));
    memory_set_limit(memory, 10 * SIZE);
    for (uint32_t i = 0; i < 10000; i++) { // all that was counted is given back
        Object *heap = memory_add(memory, OBJECT_HEAP, "malloc", 8000 * (i % 2), 8, i % 3);
        assert_non_null(heap);
        assert_non_null(version = memory_hold(memory));
        assert_true(
            memory_store(memory, CHUNK_I64, object->address + i % SIZE / 8 * 8, value_i64(i)));
        memory_remove(memory, heap);
        memory_release(memory, version);
    }
    memory_set_limit(memory, 1);
    assert_null(memory_hold(memory));
    memory_free(memory);
    arena_free(arena);
}

// ---- Costs

static uint64_t work(const Memory *memory) {
    return memory_version_costs(memory).work;
}

// Many writes with many versions: per write, read and release at most a logarithm of the number of
// versions; in each order of release all is freed.
typedef enum { FROM_OLDEST, FROM_NEWEST, AT_RANDOM, RELEASE_ORDER_COUNT } ReleaseOrder;

static void release_all(Memory *memory, MemoryVersion **versions, uint64_t count,
                        ReleaseOrder order) {
    for (uint64_t i = 0; i < count; i++) {
        MemoryVersionCosts costs = memory_version_costs(memory);
        assert_true(costs.slots <= 2 * (costs.records + costs.lives));
        uint64_t pick = order == FROM_OLDEST   ? i
                        : order == FROM_NEWEST ? count - 1 - i
                                               : i + below(count - i);
        MemoryVersion *version = versions[pick];
        if (order == AT_RANDOM) versions[pick] = versions[i];
        memory_release(memory, version);
    }
}

static void growth(void **state) {
    (void)state;
    enum {
        WRITES = 1000000,
        VERSIONS = 16384,
        SIZE = 1 << 16,
        STEPS_PER_WRITE = 16,
        READS = 100000
    };
    static MemoryVersion *versions[VERSIONS];
    for (ReleaseOrder order = FROM_OLDEST; order < RELEASE_ORDER_COUNT; order++) {
        Memory *memory = memory_new();
        const Object *object = memory_add(memory, OBJECT_GLOBAL, "table", SIZE, 8, true);
        for (uint64_t i = 0; i < WRITES; i++) {
            if (i % (WRITES / VERSIONS) == 0 && i / (WRITES / VERSIONS) < VERSIONS)
                versions[i / (WRITES / VERSIONS)] = memory_hold(memory);
            memory_store(memory, CHUNK_I64, object->address + 8 * below(i % 2 ? 8 : SIZE / 8),
                         value_i64(i));
        }
        assert_in_range(work(memory), WRITES / 2, WRITES);
        assert_int_equal(memory_version_costs(memory).versions, VERSIONS);
        uint64_t before = work(memory);
        for (uint64_t i = 0; i < READS; i++) {
            Value value;
            assert_true(memory_load_at(memory, versions[below(VERSIONS)], CHUNK_I64,
                                       object->address + 8 * below(i % 2 ? 8 : SIZE / 8), &value));
        }
        assert_in_range(work(memory) - before, READS, READS * STEPS_PER_WRITE);
        before = work(memory);
        release_all(memory, versions, VERSIONS, order);
        assert_in_range(work(memory) - before, 1, (uint64_t)WRITES * STEPS_PER_WRITE);
        MemoryVersionCosts costs = memory_version_costs(memory);
        assert_int_equal(costs.versions | costs.records | costs.lives | costs.slots, 0);
        memory_free(memory);
    }
}

// What is kept is what was touched, not what there is; without a version, nothing is; to hold the
// same again is nothing; a short life between two versions is not kept.
static void nothing_for_nothing(void **state) {
    (void)state;
    Memory *memory = memory_new();
    const Object *object = memory_add(memory, OBJECT_GLOBAL, "table", 1 << 20, 8, true);
    memory_fill(memory, object->address, value_i64(1), 1 << 20);
    assert_int_equal(work(memory), 0);
    MemoryVersion *first = memory_hold(memory), *again = memory_hold(memory);
    assert_ptr_equal(first, again);
    for (uint32_t i = 0; i < 1000; i++) {
        memory_store(memory, CHUNK_I64, object->address, value_i64(i));
        Object *slot = memory_add(memory, OBJECT_SLOT, "x", 8, 8, false);
        memory_store(memory, CHUNK_I64, slot->address, value_i64(i));
        memory_remove(memory, slot);
    }
    MemoryVersionCosts costs = memory_version_costs(memory);
    assert_int_equal(costs.versions, 1);
    assert_int_equal(costs.records, 1);
    assert_int_equal(costs.lives, 0);
    assert_in_range(costs.work, 1, 8);
    memory_release(memory, first);
    assert_int_equal(memory_version_costs(memory).records, 1);
    memory_release(memory, again);
    assert_int_equal(memory_version_costs(memory).records, 0);
    memory_free(memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model),          cmocka_unit_test(dead_and_unborn),
        cmocka_unit_test(same_addresses), cmocka_unit_test(limit),
        cmocka_unit_test(growth),         cmocka_unit_test(nothing_for_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
