// Tests of src/base: each structure against a naive twin. Output and diagnostics have files of
// their own, out.c and diag.c.
#include "base/arena.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "ending.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static uint64_t next_random(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15u;
    return hash_mix(*state);
}

static bool all_zero(const void *memory, size_t size) {
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++)
        if (bytes[i]) return false;
    return true;
}

// ---- Sizes and memory ----

static void multiply_too_much(void) {
    size_mul(SIZE_MAX / 2, 3);
}
static void add_too_much(void) {
    size_add(SIZE_MAX / 2, 1);
}
static void too_many(void) {
    size_to_u32(UINT32_MAX, "nodes");
}
// What these leave allocated stays reachable, or a leak checker would add lines of its own.
static Arena *kept;

static void huge_array(void) {
    kept = arena_new("pass");
    ARENA_ARRAY(kept, uint64_t, SIZE_MAX / 4);
}
static void huge_list(void) {
    VEC(char) list = {0};
    kept = arena_new("pass");
    vec_push(kept, &list, 'x');
    (void)vec_extend(kept, &list, UINT32_MAX);
}

static void test_size_arithmetic(void **state) {
    (void)state;
    assert_int_equal(size_mul(0, SIZE_MAX), 0);
    assert_int_equal(size_mul(SIZE_MAX, 0), 0);
    assert_int_equal(size_mul(SIZE_MAX / 2, 1), SIZE_MAX / 2);
    assert_int_equal(size_add(SIZE_MAX / 2 - 1, 1), SIZE_MAX / 2);
    assert_int_equal(size_to_u32(UINT32_MAX - 1, "nodes"), UINT32_MAX - 1);
    assert_fatal(multiply_too_much,
                 "gatecc: fatal: out of memory (9223372036854775807 times 3 bytes)\n");
    assert_fatal(add_too_much, "gatecc: fatal: out of memory (9223372036854775807 plus 1 bytes)\n");
    assert_fatal(too_many, "gatecc: fatal: too many nodes (4294967295)\n");
    assert_fatal(huge_array, "gatecc: fatal: out of memory (8 times 4611686018427387903 bytes)\n");
    assert_fatal(huge_list, "gatecc: fatal: too many elements in one list (4294967296)\n");
}

// A limit on the address space makes the allocator fail; sanitizers and valgrind reserve more than
// any limit, so there the test cannot be made.
static bool memory_can_be_limited(void) {
#if defined(__SANITIZE_ADDRESS__)
    return false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    return false;
#endif
#endif
    const char *preload = getenv("LD_PRELOAD");
    return !preload || !strstr(preload, "vgpreload");
}

static void use_all_memory(void) {
    struct rlimit limit = {.rlim_cur = 256 << 20, .rlim_max = 256 << 20};
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(3);
    kept = arena_new("function");
    for (;;) arena_alloc(kept, 300 << 10);
}

static void test_out_of_memory(void **state) {
    (void)state;
    if (!memory_can_be_limited()) skip();
    assert_fatal(use_all_memory, "gatecc: fatal: out of memory (arena 'function', 307200 bytes)\n");
}

// ---- Arenas ----

static void test_arena_basics(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    assert_int_equal(arena_used(arena), 0);
    uint64_t seed = 1;
    for (int i = 0; i < 5000; i++) {
        size_t size = (size_t)(next_random(&seed) % (i % 100 ? 200 : 400000));
        unsigned char *memory = arena_alloc(arena, size);
        assert_int_equal((uintptr_t)memory % 16, 0);
        assert_true(all_zero(memory, size));
        memset(memory, 0xaa, size);
    }
    assert_true(arena_used(arena) > 5000);
    arena_reset(arena);
    assert_int_equal(arena_used(arena), 0);
    // Memory that is used again is clean again.
    for (int i = 0; i < 1000; i++) assert_true(all_zero(arena_alloc(arena, 100), 100));
    assert_string_equal(arena_printf(arena, "%s-%d", "x", 42), "x-42");
    const char *text = arena_text(arena, "abcdef", 3);
    assert_string_equal(text, "abc");
    assert_memory_equal(arena_copy(arena, "ab\0cd", 5), "ab\0cd", 5);
    assert_non_null(arena_alloc(arena, 0));
    arena_free(arena);
    arena_free(NULL);
}

static void test_arena_grows_in_place(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    unsigned char *memory = arena_alloc(arena, 100);
    memset(memory, 1, 100);
    assert_ptr_equal(arena_grow(arena, memory, 100, 1000), memory); // the newest allocation
    assert_true(all_zero(memory + 100, 900));
    assert_ptr_equal(arena_grow(arena, memory, 1000, 500), memory); // nothing to do
    memset(memory, 2, 1000);
    unsigned char *other = arena_alloc(arena, 16);
    unsigned char *moved = arena_grow(arena, memory, 1000, 2000); // not the newest any more
    assert_ptr_not_equal(moved, memory);
    for (int i = 0; i < 1000; i++) assert_int_equal(moved[i], 2);
    assert_true(all_zero(moved + 1000, 1000));
    assert_true(all_zero(other, 16));
    assert_true(all_zero(arena_grow(arena, NULL, 0, 64), 64));
    arena_free(arena);
}

// Several blocks grow in turn, from bytes to megabytes, each checked against its pattern.
static void test_arena_grows_large(void **state) {
    (void)state;
    enum { BLOCKS = 5 };
    Arena *arena = arena_new("test");
    unsigned char *blocks[BLOCKS] = {0};
    size_t sizes[BLOCKS] = {0};
    uint64_t seed = 2;
    for (int step = 0; step < 400; step++) {
        size_t b = next_random(&seed) % BLOCKS;
        size_t larger = sizes[b] + (size_t)(next_random(&seed) % (sizes[b] / 4 + 40));
        blocks[b] = arena_grow(arena, blocks[b], sizes[b], larger);
        for (size_t i = 0; i < sizes[b]; i++)
            if (blocks[b][i] != (unsigned char)(i * 7 + b)) fail_msg("block %zu at %zu", b, i);
        assert_true(all_zero(blocks[b] + sizes[b], larger - sizes[b]));
        for (size_t i = sizes[b]; i < larger; i++) blocks[b][i] = (unsigned char)(i * 7 + b);
        sizes[b] = larger;
    }
    for (size_t b = 0; b < BLOCKS; b++) assert_true(sizes[b] > 300000);
    arena_free(arena);
}

// ---- Vectors ----

static void test_vec(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    VEC(uint32_t) numbers = {0};
    VEC(struct Pair {
        uint64_t first;
        char second;
    })
    pairs = {0};
    for (uint32_t i = 0; i < 300000; i++) {
        vec_push(arena, &numbers, i * 3);
        vec_push(arena, &pairs, (struct Pair){.first = ~(uint64_t)i, .second = (char)i});
    }
    assert_int_equal(numbers.count, 300000);
    for (uint32_t i = 0; i < 300000; i++) {
        if (numbers.at[i] != i * 3) fail_msg("numbers at %u", i);
        if (pairs.at[i].first != ~(uint64_t)i || pairs.at[i].second != (char)i)
            fail_msg("pairs at %u", i);
    }
    assert_int_equal(vec_pop(&numbers), 299999 * 3);
    assert_int_equal(numbers.count, 299999);
    uint32_t *added = vec_extend(arena, &numbers, 1000000);
    assert_ptr_equal(added, numbers.at + 299999);
    assert_int_equal(numbers.count, 1299999);
    assert_int_equal(numbers.at[299998], 299998 * 3);
    added = vec_extend(arena, &numbers, 0);
    assert_ptr_equal(added, numbers.at + 1299999);
    vec_clear(&numbers);
    assert_int_equal(numbers.count, 0);
    arena_free(arena);
}

// ---- Sets ----

static void assert_same_set(const Bits *set, const bool *naive) {
    uint32_t count = 0, next = bits_next(set, 0);
    for (uint32_t i = 0; i < set->size; i++) {
        if (bits_has(set, i) != naive[i]) fail_msg("member %u of %u", i, set->size);
        if (!naive[i]) continue;
        count++;
        assert_int_equal(next, i);
        next = bits_next(set, i + 1);
    }
    assert_int_equal(next, set->size);
    assert_int_equal(bits_count(set), count);
}

// Random operations on two sets and on arrays of truth values, for sizes around word boundaries.
static void test_bits(void **state) {
    (void)state;
    static const uint32_t sizes[] = {0, 1, 2, 63, 64, 65, 127, 128, 129, 300};
    enum { LARGEST = 300 };
    uint64_t seed = 3;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        Arena *arena = arena_new("test");
        uint32_t size = sizes[s];
        Bits sets[2] = {bits_new(arena, size), bits_new(arena, size)};
        bool naive[2][LARGEST] = {0};
        for (int step = 0; step < 2000; step++) {
            uint64_t random = next_random(&seed);
            size_t a = random & 1, b = 1 - a;
            uint32_t i = size ? (uint32_t)(random >> 8) % size : 0;
            bool changed = false;
            switch (random >> 1 & 15) {
            case 0:
                bits_clear(&sets[a]);
                memset(naive[a], 0, sizeof naive[a]);
                break;
            case 1:
                bits_copy(&sets[a], &sets[b]);
                memcpy(naive[a], naive[b], LARGEST);
                break;
            case 2:
                for (uint32_t k = 0; k < size; k++) {
                    changed |= naive[b][k] && !naive[a][k];
                    naive[a][k] |= naive[b][k];
                }
                assert_int_equal(bits_union(&sets[a], &sets[b]), changed);
                break;
            case 3:
                for (uint32_t k = 0; k < size; k++) naive[a][k] &= naive[b][k];
                bits_intersect(&sets[a], &sets[b]);
                break;
            case 4:
                for (uint32_t k = 0; k < size; k++) naive[a][k] &= !naive[b][k];
                bits_subtract(&sets[a], &sets[b]);
                break;
            case 5:
            case 6:
            case 7:
                if (!size) break;
                bits_remove(&sets[a], i);
                naive[a][i] = false;
                break;
            case 8:
            case 9:
            case 10:
                if (!size) break;
                assert_int_equal(bits_put(&sets[a], i), !naive[a][i]);
                naive[a][i] = true;
                break;
            default:
                if (!size) break;
                bits_add(&sets[a], i);
                naive[a][i] = true;
            }
            assert_same_set(&sets[a], naive[a]);
            assert_int_equal(bits_equal(&sets[0], &sets[1]),
                             memcmp(naive[0], naive[1], LARGEST) == 0);
        }
        arena_free(arena);
    }
}

static void test_sparse_set(void **state) {
    (void)state;
    enum { SIZE = 200 };
    Arena *arena = arena_new("test");
    SparseSet set = sparse_new(arena, SIZE);
    bool naive[SIZE] = {0};
    uint32_t order[SIZE], count = 0;
    uint64_t seed = 4;
    for (int step = 0; step < 50000; step++) {
        uint64_t random = next_random(&seed);
        uint32_t i = (uint32_t)(random >> 8) % SIZE;
        switch (random & 127) {
        case 0:
            sparse_clear(&set);
            memset(naive, 0, sizeof naive);
            count = 0;
            break;
        case 1:
        case 2:
        case 3:
        case 4:
        case 5:
        case 6:
        case 7:
        case 8:
            if (!count) break;
            assert_int_equal(sparse_pop(&set), order[--count]);
            naive[order[count]] = false;
            break;
        default:
            assert_int_equal(sparse_put(&set, i), !naive[i]);
            if (!naive[i]) order[count++] = i;
            naive[i] = true;
        }
        assert_int_equal(set.count, count);
        for (uint32_t k = 0; k < SIZE; k++) assert_int_equal(sparse_has(&set, k), naive[k]);
        if (count) assert_memory_equal(set.members, order, count * sizeof *order);
    }
    arena_free(arena);
}

// ---- Hash tables ----

static void test_map_million(void **state) {
    (void)state;
    enum { KEYS = 1000000 };
    Arena *arena = arena_new("test");
    Map map = {0};
    assert_int_equal(map_get(&map, 0), HASH_NONE);
    // Keys of three kinds: small, multiples of a large power of two, and random.
    for (uint32_t pass = 0; pass < 2; pass++) {
        uint64_t seed = 5;
        for (uint32_t i = 0; i < KEYS; i++) {
            uint64_t random = next_random(&seed);
            uint64_t key = i % 3 == 0 ? i : i % 3 == 1 ? (uint64_t)i << 32 : random;
            map_set(arena, &map, key, i + pass); // the second pass replaces
        }
        assert_int_equal(map.count, KEYS);
    }
    uint64_t seed = 5;
    for (uint32_t i = 0; i < KEYS; i++) {
        uint64_t random = next_random(&seed);
        uint64_t key = i % 3 == 0 ? i : i % 3 == 1 ? (uint64_t)i << 32 : random;
        if (map_get(&map, key) != i + 1) fail_msg("key number %u", i);
    }
    for (uint64_t key = 1; key < KEYS; key += 3) assert_int_equal(map_get(&map, key), HASH_NONE);
    arena_free(arena);
}

static uint32_t find_number(const Table *table, const uint64_t *numbers, uint64_t hash,
                            uint64_t number) {
    uint32_t id;
    for (uint32_t at = table_first(table, hash); (id = table_id(table, hash, &at)) != HASH_NONE;)
        if (numbers[id] == number) return id;
    return HASH_NONE;
}

static void test_table_million(void **state) {
    (void)state;
    enum { IDS = 1000000 };
    Arena *arena = arena_new("test");
    Table table = {0};
    uint64_t *numbers = ARENA_ARRAY(arena, uint64_t, IDS);
    for (uint32_t i = 0; i < IDS; i++) {
        numbers[i] = (uint64_t)i * i;
        table_insert(arena, &table, hash_mix(numbers[i]), i);
    }
    assert_int_equal(table.count, IDS);
    for (uint32_t i = 0; i < IDS; i++)
        if (find_number(&table, numbers, hash_mix(numbers[i]), numbers[i]) != i)
            fail_msg("id %u", i);
    assert_int_equal(find_number(&table, numbers, hash_mix(2), 2), HASH_NONE);
    arena_free(arena);
}

// All ids under four hashes, which agree in the bits that choose the first slot: every id filed
// under a hash is met once, none of another.
static void test_table_collisions(void **state) {
    (void)state;
    enum { IDS = 3000 };
    Arena *arena = arena_new("test");
    Table table = {0};
    for (uint32_t i = 0; i < IDS; i++) table_insert(arena, &table, (uint64_t)(i % 4) << 28, i);
    for (uint32_t h = 0; h < 4; h++) {
        bool met[IDS] = {0};
        uint32_t count = 0, id, at = table_first(&table, (uint64_t)h << 28);
        while ((id = table_id(&table, (uint64_t)h << 28, &at)) != HASH_NONE) {
            assert_int_equal(id % 4, h);
            assert_false(met[id]);
            met[id] = true;
            count++;
        }
        assert_int_equal(count, IDS / 4);
    }
    arena_free(arena);
}

// Different texts of every length up to 40 have different hashes, and each byte counts.
static void test_hash_bytes(void **state) {
    (void)state;
    char text[40] = {0};
    Arena *arena = arena_new("test");
    Map seen = {0};
    uint32_t expected = 0;
    for (size_t length = 0; length <= sizeof text; length++) {
        map_set(arena, &seen, hash_bytes(text, length), 1);
        expected++;
        for (size_t i = 0; i < length; i++) {
            text[i] = 1;
            map_set(arena, &seen, hash_bytes(text, length), 1);
            expected++;
            text[i] = 0;
        }
    }
    assert_int_equal(seen.count, expected);
    arena_free(arena);
}

// ---- Strings ----

static void test_strings(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    StrTable table;
    str_init(&table, arena);
    assert_true(str_same(str_of(&table, ""), STR_NONE));
    assert_true(str_same(str_intern(&table, NULL, 0), STR_NONE));
    Str plain = str_of(&table, "ab");
    Str with_nul = str_intern(&table, "ab\0cd", 5);
    Str other_nul = str_intern(&table, "ab\0ce", 5);
    assert_false(str_same(plain, with_nul));
    assert_false(str_same(with_nul, other_nul));
    assert_true(str_same(with_nul, str_intern(&table, "ab\0cd", 5)));
    assert_int_equal(str_length(&table, with_nul), 5);
    assert_memory_equal(str_text(&table, with_nul), "ab\0cd", 6); // and a NUL at the end
    assert_true(str_same(plain, str_intern(&table, "abc", 2)));
    char name[32];
    for (uint32_t i = 0; i < 100000; i++) {
        snprintf(name, sizeof name, "name%u", i);
        assert_int_equal(str_of(&table, name).i, plain.i + 3 + i);
    }
    for (uint32_t i = 0; i < 100000; i++) {
        snprintf(name, sizeof name, "name%u", i);
        Str again = str_of(&table, name);
        assert_int_equal(again.i, plain.i + 3 + i);
        assert_string_equal(str_text(&table, again), name);
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_size_arithmetic),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_arena_basics),
        cmocka_unit_test(test_arena_grows_in_place),
        cmocka_unit_test(test_arena_grows_large),
        cmocka_unit_test(test_vec),
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_sparse_set),
        cmocka_unit_test(test_map_million),
        cmocka_unit_test(test_table_million),
        cmocka_unit_test(test_table_collisions),
        cmocka_unit_test(test_hash_bytes),
        cmocka_unit_test(test_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
