// The simulated memory: bounds, lifetimes, undefined bits, limits, and the reasons it gives.
#include "run/world/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct {
    Memory *memory;
    Arena *arena;
} Fixture;

static int setup(void **state) {
    Fixture *fixture = malloc(sizeof *fixture);
    *fixture = (Fixture){.memory = memory_new(), .arena = arena_new("test")};
    *state = fixture;
    return 0;
}

static int teardown(void **state) {
    Fixture *fixture = *state;
    memory_free(fixture->memory);
    arena_free(fixture->arena);
    free(fixture);
    return 0;
}

static Object *add(Fixture *fixture, ObjectKind kind, const char *name, uint64_t size) {
    Object *object = memory_add(fixture->memory, kind, name, size, 8, kind == OBJECT_GLOBAL);
    assert_non_null(object);
    return object;
}

static bool readable(Fixture *fixture, uint64_t address, uint64_t size) {
    uint8_t *undef;
    return memory_read(fixture->memory, address, size, &undef) != NULL;
}

static bool writable(Fixture *fixture, uint64_t address, uint64_t size) {
    uint8_t *undef;
    return memory_write(fixture->memory, address, size, &undef) != NULL;
}

static uint64_t random_state = 7;
static uint64_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 0x2545f4914f6cdd1d;
}

static void bounds(void **state) {
    Fixture *fixture = *state;
    for (uint64_t size = 0; size < 40; size++) {
        Object *object = add(fixture, OBJECT_HEAP, "malloc", size);
        for (uint64_t start = 0; start < size + 16; start++)
            for (uint64_t length = 0; length < size + 16; length++) {
                bool inside = start + length <= size;
                assert_int_equal(readable(fixture, object->address + start, length), inside);
                assert_int_equal(writable(fixture, object->address + start, length), inside);
            }
        for (uint64_t before = 1; before <= 16; before++)
            assert_false(readable(fixture, object->address - before, 1));
        assert_false(readable(fixture, object->address, UINT64_MAX));
    }
}

static void addresses(void **state) {
    Fixture *fixture = *state;
    enum { COUNT = 400 };
    Object *objects[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        uint64_t align = (uint64_t)1 << i % 14, size = next_random() % (i % 5 ? 100 : 10000);
        objects[i] = memory_add(fixture->memory, OBJECT_GLOBAL, "x", size, align, true);
        assert_non_null(objects[i]);
        assert_int_equal(objects[i]->address % align, 0);
        assert_true(objects[i]->address >> 42 >= 1 && objects[i]->address >> 47 == 0);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        uint64_t start = objects[i]->address, end = start + objects[i]->size;
        assert_ptr_equal(memory_find(fixture->memory, start), objects[i]);
        assert_ptr_equal(memory_find(fixture->memory, end), objects[i]);
        for (uint32_t j = 0; j < i; j++) // at least 32 bytes apart
            assert_true(end + 32 <= objects[j]->address ||
                        objects[j]->address + objects[j]->size + 32 <= start);
    }
}

static void nowhere(void **state) {
    Fixture *fixture = *state;
    const uint64_t addresses_of_nothing[] = {
        0, 1, 4096, 0x400000, (uint64_t)1 << 42, (uint64_t)1 << 47, (uint64_t)1 << 63, UINT64_MAX};
    for (uint32_t i = 0; i < 8; i++) {
        assert_null(memory_find(fixture->memory, addresses_of_nothing[i]));
        assert_false(readable(fixture, addresses_of_nothing[i], 1));
        assert_false(readable(fixture, addresses_of_nothing[i], 0));
    }
}

static void readonly(void **state) {
    Fixture *fixture = *state;
    Object *object = add(fixture, OBJECT_GLOBAL, "table", 8);
    object->readonly = true;
    assert_true(readable(fixture, object->address, 8));
    assert_false(writable(fixture, object->address, 8));
    assert_false(memory_store(fixture->memory, CHUNK_I8, object->address, value_i32(1)));
    assert_false(memory_copy(fixture->memory, object->address, object->address, 1));
    assert_false(memory_fill(fixture->memory, object->address, value_i32(1), 1));
}

// ---- Chunks

static void extension(void **state) {
    Fixture *fixture = *state;
    const struct {
        Chunk chunk;
        uint64_t bits;
    } rows[] = {{CHUNK_I8, 0xfffffff0},          {CHUNK_U8, 0xf0},
                {CHUNK_I16, 0xffffe1f0},         {CHUNK_U16, 0xe1f0},
                {CHUNK_I32, 0xc3d2e1f0},         {CHUNK_F32, 0xc3d2e1f0},
                {CHUNK_I64, 0x8796a5b4c3d2e1f0}, {CHUNK_F64, 0x8796a5b4c3d2e1f0}};
    Object *object = add(fixture, OBJECT_GLOBAL, "x", 8);
    assert_true(
        memory_store(fixture->memory, CHUNK_I64, object->address, value_i64(0x8796a5b4c3d2e1f0)));
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Value value;
        assert_true(memory_load(fixture->memory, rows[i].chunk, object->address, &value));
        assert_int_equal(value.bits, rows[i].bits);
        assert_int_equal(value.undef, 0);
    }
}

// A store of each chunk writes as many bytes as the chunk has, and their masks.
static void stores(void **state) {
    Fixture *fixture = *state;
    for (Chunk chunk = 0; chunk < CHUNK_F80; chunk++) {
        Object *object = add(fixture, OBJECT_HEAP, "malloc", 16);
        uint32_t size = chunk_size(chunk);
        Value value = {.bits = 0x1122334455667700 & type_mask(chunk_type(chunk)), .undef = 0x81};
        assert_true(memory_store(fixture->memory, chunk, object->address + 4, value));
        for (uint32_t i = 0; i < 16; i++) {
            bool inside = i >= 4 && i < 4 + size;
            uint64_t byte = inside ? value.bits >> 8 * (i - 4) & 0xff : 0;
            assert_int_equal(object->data[i], byte);
            assert_int_equal(object->undef[i], !inside ? 0xff : i == 4 ? 0x81 : 0);
        }
        assert_false(memory_store(fixture->memory, chunk, object->address + 17 - size, value));
        Value loaded;
        assert_false(memory_load(fixture->memory, chunk, object->address + 17 - size, &loaded));
    }
}

static void undefined_sign(void **state) {
    Fixture *fixture = *state;
    Object *object = add(fixture, OBJECT_SLOT, "f.x", 8);
    Value value;
    memory_store(fixture->memory, CHUNK_I16, object->address,
                 (Value){.bits = 0x7f01, .undef = 0x8000});
    assert_true(memory_load(fixture->memory, CHUNK_I16, object->address, &value));
    assert_int_equal(value.bits, 0x7f01);
    assert_int_equal(value.undef, 0xffff8000);
    memory_load(fixture->memory, CHUNK_U16, object->address, &value);
    assert_int_equal(value.undef, 0x8000);
    memory_load(fixture->memory, CHUNK_I8, object->address, &value);
    assert_int_equal(value.undef, 0);
    memory_load(fixture->memory, CHUNK_I32, object->address, &value);
    assert_int_equal(value.undef, 0xffff8000);
    assert_int_equal(value.bits, 0x7f01);
}

static void fresh_objects(void **state) {
    Fixture *fixture = *state;
    const uint64_t sizes[] = {16, 100, 5000, 100000};
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t round = 0; round < 3; round++) {
            bool defined = round % 2;
            Object *object =
                memory_add(fixture->memory, OBJECT_HEAP, "malloc", sizes[i], 16, defined);
            Value value;
            assert_true(
                memory_load(fixture->memory, CHUNK_I64, object->address + sizes[i] - 8, &value));
            assert_int_equal(value.bits, 0);
            assert_int_equal(value.undef, defined ? 0 : UINT64_MAX);
            memory_fill(fixture->memory, object->address, value_i32(0xab), sizes[i]);
            memory_load(fixture->memory, CHUNK_I64, object->address, &value);
            assert_int_equal(value.bits, 0xabababababababab);
            assert_int_equal(value.undef, 0);
            memory_remove(fixture->memory, object);
        }
}

// An object that starts out defined gets masks when something undefined is stored.
static void late_masks(void **state) {
    Fixture *fixture = *state;
    const uint64_t sizes[] = {32, 8192};
    for (uint32_t i = 0; i < 2; i++) {
        Object *object = add(fixture, OBJECT_GLOBAL, "g", sizes[i]);
        assert_null(object->undef);
        memory_fill(fixture->memory, object->address, value_i32(1), sizes[i]);
        assert_null(object->undef);
        memory_store(fixture->memory, CHUNK_I32, object->address + 8, value_undefined(TYPE_I32));
        Value value;
        memory_load(fixture->memory, CHUNK_I64, object->address + 8, &value);
        assert_int_equal(value.undef, UINT32_MAX);
        assert_int_equal(value.bits, (uint64_t)0x01010101 << 32);
        memory_load(fixture->memory, CHUNK_I64, object->address, &value);
        assert_int_equal(value.undef, 0);
        memory_fill(fixture->memory, object->address, (Value){.bits = 2, .undef = 4}, 3);
        memory_load(fixture->memory, CHUNK_I32, object->address, &value);
        assert_int_equal(value.bits, 0x01020202);
        assert_int_equal(value.undef, 0x00040404);
    }
}

static void long_doubles(void **state) {
    Fixture *fixture = *state;
    Object *object = add(fixture, OBJECT_HEAP, "malloc", 32);
    Value value;
    memory_fill(fixture->memory, object->address, value_i32(0x5a), 32);
    memory_store(fixture->memory, CHUNK_F80, object->address, value_f80(-1.5L));
    assert_true(memory_load(fixture->memory, CHUNK_F80, object->address, &value));
    assert_true(as_f80(value) == -1.5L);
    for (uint32_t i = 10; i < 16; i++) assert_int_equal(object->data[i], 0x5a);
    assert_false(memory_load(fixture->memory, CHUNK_F80, object->address + 17, &value));
    memory_store(fixture->memory, CHUNK_F80, object->address, value_undefined(TYPE_F80));
    assert_int_equal(object->undef[9], 0xff);
    assert_int_equal(object->undef[10], 0);
    memory_store(fixture->memory, CHUNK_F80, object->address, value_f80(1));
    object->undef[9] = 1; // one bit makes all of it undefined
    memory_load(fixture->memory, CHUNK_F80, object->address, &value);
    assert_int_equal(value.undef, UINT64_MAX);
    assert_int_equal(value.bits | value.high, 0);
}

static void copies(void **state) {
    Fixture *fixture = *state;
    Object *from = add(fixture, OBJECT_HEAP, "malloc", 24),
           *to = add(fixture, OBJECT_GLOBAL, "g", 24);
    memory_fill(fixture->memory, from->address, value_i32(7), 10);
    assert_true(memory_copy(fixture->memory, to->address + 4, from->address, 16));
    for (uint32_t i = 0; i < 24; i++) {
        assert_int_equal(to->data[i], i >= 4 && i < 14 ? 7 : 0);
        assert_int_equal(to->undef[i], i >= 14 && i < 20 ? 0xff : 0);
    }
    for (uint32_t i = 0; i < 24; i++) to->data[i] = (uint8_t)i;
    assert_true(memory_copy(fixture->memory, to->address + 1, to->address, 20)); // overlapping
    for (uint32_t i = 1; i < 21; i++) assert_int_equal(to->data[i], i - 1);
    assert_int_equal(to->undef[15], 0xff);
    assert_int_equal(to->undef[14], 0);
    assert_false(memory_copy(fixture->memory, to->address + 9, from->address, 16));
    assert_false(memory_copy(fixture->memory, to->address, from->address + 9, 16));
    Object *defined = add(fixture, OBJECT_GLOBAL, "d", 24);
    assert_true(memory_copy(fixture->memory, to->address, defined->address, 24));
    for (uint32_t i = 0; i < 24; i++) assert_int_equal(to->undef[i], 0);
}

// ---- Effective types

static void note(Fixture *fixture, uint64_t address, uint64_t size, EffectiveType type) {
    assert_true(memory_note_type(fixture->memory, address, size,
                                 (StoredType){.type = (uint8_t)type, .place = 7}));
}

// Whether a load by a type finds another type.
static bool differs(Fixture *fixture, uint64_t address, uint64_t size, EffectiveType type) {
    const StoredType *other = memory_other_type(fixture->memory, address, size, type);
    if (other) assert_int_equal(other->place, 7);
    return other != NULL;
}

static void types(void **state) {
    Fixture *fixture = *state;
    Object *object = add(fixture, OBJECT_HEAP, "malloc", 24);
    uint64_t at = object->address;
    uint8_t *undef;
    assert_false(differs(fixture, at, 8, EFFECTIVE_INT));
    note(fixture, at + 4, 4, EFFECTIVE_INT);
    assert_false(differs(fixture, at + 4, 4, EFFECTIVE_INT));
    assert_false(differs(fixture, at + 4, 4, EFFECTIVE_ANY));
    assert_true(differs(fixture, at + 4, 4, EFFECTIVE_FLOAT));
    assert_true(differs(fixture, at, 8, EFFECTIVE_LONG)); // its second half
    assert_false(differs(fixture, at, 4, EFFECTIVE_LONG));
    assert_false(differs(fixture, at + 8, 8, EFFECTIVE_LONG));
    note(fixture, at, 8, EFFECTIVE_LONG);
    assert_true(differs(fixture, at + 4, 4, EFFECTIVE_INT));
    // Each way to write ends the type of the bytes that it writes.
    memory_store(fixture->memory, CHUNK_I8, at + 7, value_i32(1));
    assert_true(differs(fixture, at + 4, 4, EFFECTIVE_INT));
    assert_false(differs(fixture, at + 7, 1, EFFECTIVE_INT));
    memory_fill(fixture->memory, at + 4, value_i32(1), 3);
    assert_false(differs(fixture, at + 4, 4, EFFECTIVE_INT));
    assert_true(differs(fixture, at + 3, 1, EFFECTIVE_INT));
    memory_copy(fixture->memory, at + 2, at, 2);
    assert_false(differs(fixture, at + 2, 2, EFFECTIVE_INT));
    assert_true(memory_write(fixture->memory, at + 1, 1, &undef));
    assert_false(differs(fixture, at + 1, 1, EFFECTIVE_INT));
    assert_true(differs(fixture, at, 1, EFFECTIVE_INT));
    // So does the end of the object.
    for (uint32_t i = 0; i < 3000; i++) {
        memory_remove(fixture->memory, object);
        object = add(fixture, OBJECT_HEAP, "malloc", 24);
        assert_false(differs(fixture, object->address, 24, EFFECTIVE_INT));
        note(fixture, object->address, 24, EFFECTIVE_LONG);
    }
    // Notes take memory.
    Object *large = add(fixture, OBJECT_HEAP, "malloc", 20000);
    memory_set_limit(fixture->memory, 1);
    assert_false(memory_note_type(fixture->memory, large->address, 4, (StoredType){.type = 1}));
    assert_false(differs(fixture, large->address, 4, EFFECTIVE_INT));
}

// ---- Lifetimes

static void quarantine(void **state) {
    Fixture *fixture = *state;
    Object *first = add(fixture, OBJECT_HEAP, "malloc", 24);
    uint64_t stale = first->address;
    memory_remove(fixture->memory, first);
    assert_false(readable(fixture, stale, 1));
    for (uint32_t i = 0; i < 1000; i++) {
        Object *object = add(fixture, OBJECT_HEAP, "malloc", 24);
        assert_int_not_equal(object->address, stale);
        memory_remove(fixture->memory, object);
        assert_false(readable(fixture, stale, 1));
    }
    Object *slot = add(fixture, OBJECT_SLOT, "f.x", 24);
    stale = slot->address;
    memory_remove(fixture->memory, slot);
    for (uint32_t i = 0; i < 50; i++) {
        slot = add(fixture, OBJECT_SLOT, "f.x", 24);
        assert_int_not_equal(slot->address, stale);
        memory_remove(fixture->memory, slot);
    }
}

// Addresses and host memory are used again in the end.
static void recycling(void **state) {
    Fixture *fixture = *state;
    memory_set_limit(fixture->memory, 8 << 20);
    for (uint32_t i = 0; i < 200000; i++) {
        memory_remove(fixture->memory, add(fixture, OBJECT_HEAP, "malloc", 1 + i % 300));
        memory_remove(fixture->memory, add(fixture, OBJECT_SLOT, "f.x", 1 + i % 300));
        if (i % 100 == 0)
            memory_remove(fixture->memory, add(fixture, OBJECT_HEAP, "malloc", 1 << 20));
    }
}

static void limits(void **state) {
    Fixture *fixture = *state;
    Memory *memory = fixture->memory;
    assert_null(memory_add(memory, OBJECT_HEAP, "malloc", UINT64_MAX, 16, true));
    assert_null(memory_add(memory, OBJECT_HEAP, "malloc", (uint64_t)1 << 40, 16, true));
    assert_null(memory_add(memory, OBJECT_HEAP, "malloc", 8, (uint64_t)1 << 63, true));
    assert_null(memory_add(memory, OBJECT_HEAP, "malloc", (uint64_t)5 << 30, 16, false));
    memory_set_limit(memory, 1 << 20);
    assert_null(memory_add(memory, OBJECT_HEAP, "malloc", 1 << 20, 16, false));
    Object *large = memory_add(memory, OBJECT_HEAP, "malloc", 400000, 16, false);
    assert_non_null(large);
    assert_null(memory_add(memory, OBJECT_HEAP, "malloc", 400000, 16, false));
    memory_remove(memory, large);
    large = memory_add(memory, OBJECT_HEAP, "malloc", 400000, 16, false);
    assert_non_null(large);
    uint32_t count = 0;
    while (memory_add(memory, OBJECT_HEAP, "malloc", 1, 1, false)) count++;
    assert_in_range(count, 500, 2000); // small objects cost their bookkeeping
    assert_false(memory_charge(memory, 1000));
    memory_remove(memory, large);
    assert_true(memory_charge(memory, 800000));
    assert_null(memory_add(memory, OBJECT_HEAP, "malloc", 400000, 16, false));
    memory_discharge(memory, 800000);
    assert_non_null(memory_add(memory, OBJECT_HEAP, "malloc", 390000, 16, false));
}

// When no window can be made any more, one that was freed is used early.
static void early_reuse(void **state) {
    Fixture *fixture = *state;
    memory_set_limit(fixture->memory, 10000);
    Object *last = NULL, *object;
    while ((object = memory_add(fixture->memory, OBJECT_HEAP, "malloc", 8, 8, true))) last = object;
    assert_non_null(last);
    uint64_t address = last->address;
    memory_remove(fixture->memory, last);
    object = memory_add(fixture->memory, OBJECT_SLOT, "f.x", 8, 8, true);
    assert_non_null(object);
    assert_int_equal(object->address, address);
}

// ---- Reasons

static void expect_reason(Fixture *fixture, uint64_t address, uint64_t size, bool write,
                          const char *before, const char *after) {
    const char *expected =
        arena_printf(fixture->arena, "%llu-byte %s at 0x%llx %s", (unsigned long long)size, before,
                     (unsigned long long)address, after);
    assert_string_equal(memory_reason(fixture->memory, fixture->arena, address, size, write),
                        expected);
}

static void reasons(void **state) {
    Fixture *fixture = *state;
    Object *slot = add(fixture, OBJECT_SLOT, "f.buf", 16);
    uint64_t at = slot->address;
    expect_reason(fixture, at + 20, 4, false, "read",
                  "is 4 bytes past the end of slot 'f.buf' of 16 bytes");
    expect_reason(fixture, at + 16, 1, true, "write",
                  "is just past the end of slot 'f.buf' of 16 bytes");
    expect_reason(fixture, at + 14, 4, false, "read",
                  "crosses the end of slot 'f.buf' of 16 bytes");
    expect_reason(fixture, at - 1, 4, false, "read", "is 1 byte before slot 'f.buf' of 16 bytes");
    expect_reason(fixture, 0, 4, false, "read", "goes through a null pointer");
    expect_reason(fixture, 24, 8, true, "write", "goes through a null pointer");
    expect_reason(fixture, 0x123456789, 8, true, "write", "is where no object is");
    expect_reason(fixture, UINT64_MAX, 8, true, "write", "is where no object is");
    memory_remove(fixture->memory, slot);
    expect_reason(fixture, at, 4, false, "read",
                  "is a use after the end of slot 'f.buf' of 16 bytes");
    Object *heap = add(fixture, OBJECT_HEAP, "malloc", 1);
    heap->serial = 3;
    expect_reason(fixture, heap->address + 1, 1, true, "write",
                  "is just past the end of malloc block #3 of 1 byte");
    memory_remove(fixture->memory, heap);
    expect_reason(fixture, heap->address, 1, true, "write",
                  "is a use after free of malloc block #3 of 1 byte");
    Object *global = add(fixture, OBJECT_GLOBAL, "table", 40);
    global->readonly = true;
    expect_reason(fixture, global->address, 8, true, "write",
                  "is to read-only global 'table' of 40 bytes");
    Object *missing = memory_add(fixture->memory, OBJECT_MISSING, "tab", 0, 1, true);
    expect_reason(fixture, missing->address, 8, false, "read", "needs 'tab', which is not defined");
}

// ---- Against a model

typedef struct {
    Object *object;
    uint64_t size;
    uint8_t data[64], undef[64];
} Model;

static void model(void **state) {
    Fixture *fixture = *state;
    enum { COUNT = 16 };
    Model models[COUNT] = {0};
    for (uint32_t step = 0; step < 200000; step++) {
        Model *m = &models[next_random() % COUNT], *n = &models[next_random() % COUNT];
        uint64_t at = next_random() % (m->size + 16), to = next_random() % (n->size + 16);
        uint64_t size = next_random() % 20;
        if (!m->object) {
            m->size = next_random() % 65;
            bool defined = next_random() % 2;
            m->object = memory_add(fixture->memory, next_random() % 2 ? OBJECT_HEAP : OBJECT_SLOT,
                                   "m", m->size, 8, defined);
            memset(m->data, 0, sizeof m->data);
            memset(m->undef, defined ? 0 : 0xff, sizeof m->undef);
        } else if (next_random() % 20 == 0) {
            memory_remove(fixture->memory, m->object);
            m->object = NULL;
        } else if (n->object && next_random() % 2) {
            bool fine = at + size <= m->size && to + size <= n->size;
            assert_int_equal(memory_copy(fixture->memory, n->object->address + to,
                                         m->object->address + at, size),
                             fine);
            if (fine) memmove(n->data + to, m->data + at, size);
            if (fine) memmove(n->undef + to, m->undef + at, size);
        } else {
            bool fine = at + 4 <= m->size;
            Value value = {.undef = next_random() & (next_random() % 2 ? UINT32_MAX : 0)};
            value.bits = next_random() & UINT32_MAX & ~value.undef;
            assert_int_equal(
                memory_store(fixture->memory, CHUNK_I32, m->object->address + at, value), fine);
            if (fine) memcpy(m->data + at, &value.bits, 4);
            if (fine) memcpy(m->undef + at, &value.undef, 4);
        }
        for (uint64_t i = 0; m->object && i < m->size; i++) {
            Value byte;
            assert_true(memory_load(fixture->memory, CHUNK_U8, m->object->address + i, &byte));
            assert_int_equal(byte.undef, m->undef[i]);
            assert_int_equal(byte.bits, m->data[i]);
        }
    }
}

// Objects of one size lie behind each other without a gap, and never overlap; the next object of a
// size takes the place of a dead one.
static void touching(void **state) {
    Fixture *fixture = *state;
    memory_set_placement(fixture->memory, PLACEMENT_TOUCHING);
    enum { COUNT = 32 };
    for (uint64_t size = 1; size <= 5000; size += size < 40 ? 1 : 977) {
        Object *objects[COUNT];
        uint32_t pairs = 0;
        for (uint32_t i = 0; i < COUNT; i++) {
            objects[i] = memory_add(fixture->memory, OBJECT_HEAP, "malloc", size, 1, true);
            for (uint64_t at = 0; at < size; at++) {
                assert_ptr_equal(memory_find(fixture->memory, objects[i]->address + at),
                                 objects[i]);
            }
            pairs += i && objects[i - 1]->address + size == objects[i]->address;
        }
        assert_true(pairs >= COUNT / 2 - 1);
        for (uint64_t at = 0; at < 2 && at < size; at++)
            assert_false(readable(fixture, objects[0]->address + at, size + 2));
        uint64_t address = objects[5]->address;
        memory_remove(fixture->memory, objects[5]);
        assert_false(readable(fixture, address, 1));
        Object *next = memory_add(fixture->memory, OBJECT_HEAP, "malloc", size, 1, true);
        assert_int_equal(next->address, address);
    }
    Object *aligned = memory_add(fixture->memory, OBJECT_HEAP, "malloc", 3, 256, true);
    assert_int_equal(aligned->address % 256, 0);
    Object *empty = memory_add(fixture->memory, OBJECT_HEAP, "malloc", 0, 1, true);
    assert_false(readable(fixture, empty->address, 1));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(bounds),     TEST(addresses),    TEST(nowhere),        TEST(readonly),
        TEST(extension),  TEST(stores),       TEST(undefined_sign), TEST(fresh_objects),
        TEST(late_masks), TEST(long_doubles), TEST(copies),         TEST(quarantine),
        TEST(recycling),  TEST(limits),       TEST(early_reuse),    TEST(touching),
        TEST(reasons),    TEST(model),        TEST(types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
