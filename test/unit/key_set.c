// Sets that share their parts, against plain arrays: keys put, dropped, found and united at random,
// and sets that were kept stay as they were.
#include "check/machine/key_set.h"
#include "test/gen/effort.h"
#include "test/gen/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SETS = 12, KEYS = 300 };

typedef struct {
    KeySets sets;
    KeySet set[SETS];
    bool has[SETS][KEYS];
    uint64_t key[KEYS]; // ascending
} Both;

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// Keys near to each other and far apart.
static void make_keys(Both *both, Random *random) {
    for (uint32_t k = 0; k < KEYS; k++) {
        uint64_t high = random_below(random, 5), low = random_below(random, 1u << 20) * KEYS + k;
        if (random_chance(random, 1, 3)) high = random_next(random) >> 33;
        both->key[k] = high << 32 | (low & UINT32_MAX);
    }
    qsort(both->key, KEYS, sizeof both->key[0], by_number);
}

static void compare(Both *both, uint32_t set) {
    uint32_t count = 0;
    uint64_t from = 0, found;
    for (uint32_t k = 0; k < KEYS; k++) {
        if (!both->has[set][k]) continue;
        found = keys_next(&both->sets, both->set[set], from);
        if (found != both->key[k]) fail_msg("expected key %u of set %u", k, set);
        from = found + 1;
        count++;
    }
    assert_true(keys_next(&both->sets, both->set[set], from) == NO_KEY);
    assert_int_equal(keys_count(&both->sets, both->set[set]), count);
}

static void copy(Both *both, uint32_t to, uint32_t from) {
    keys_keep(&both->sets);
    both->set[to] = both->set[from];
    memcpy(both->has[to], both->has[from], sizeof both->has[to]);
}

static void step(Both *both, Random *random) {
    uint32_t to = random_below(random, SETS), from = random_below(random, SETS);
    switch (random_below(random, 8)) {
    case 0: copy(both, to, from); break;
    case 1:
        both->set[to] = keys_union(&both->sets, both->set[to], both->set[from]);
        for (uint32_t k = 0; k < KEYS; k++) both->has[to][k] |= both->has[from][k];
        break;
    default:
        // What is changed may have nodes in common with others until it is copied.
        keys_keep(&both->sets);
        for (uint32_t i = random_below(random, 40); i > 0; i--) {
            uint32_t k = random_below(random, KEYS);
            both->has[to][k] = random_chance(random, 1, 2);
            both->set[to] = both->has[to][k] ? keys_put(&both->sets, both->set[to], both->key[k])
                                             : keys_drop(&both->sets, both->set[to], both->key[k]);
        }
    }
}

static void test_random(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= effort(20, 200, 5000); seed++) {
        Arena *arena = arena_new("keys");
        Both *both = ARENA_NEW(arena, Both);
        Random random = random_from(seed);
        both->sets.arena = arena;
        for (uint32_t s = 0; s < SETS; s++) both->set[s] = NO_KEYS;
        make_keys(both, &random);
        for (uint32_t i = 0; i < 200; i++) {
            step(both, &random);
            compare(both, random_below(&random, SETS));
        }
        for (uint32_t s = 0; s < SETS; s++) compare(both, s);
        arena_free(arena);
    }
}

// The union of two large sets that differ by one key takes as many steps as the key has bits.
static void test_union_is_cheap(void **state) {
    (void)state;
    Arena *arena = arena_new("keys");
    KeySets sets = {.arena = arena};
    KeySet large = NO_KEYS;
    for (uint64_t k = 0; k < 100000; k++) large = keys_put(&sets, large, k * 7919);
    keys_keep(&sets);
    KeySet one = keys_put(&sets, large, 1), other = keys_drop(&sets, large, 7919);
    uint64_t before = sets.work;
    assert_int_equal(keys_count(&sets, keys_union(&sets, one, other)), 100001);
    assert_true(sets.work - before < 200);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_union_is_cheap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
