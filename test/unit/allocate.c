// Register allocation on random functions, with all registers, with few, and plainly: the result is
// well-formed, the checker accepts it and it behaves as before. And its parts: moves that act at
// once for every way to move four registers about, and the record of taken ranges against a plain
// list.
#include "check/checkers.h"
#include "fact/calls.h"
#include "mach/allocate_private.h"
#include "pass/pass.h"
#include "target/x64/model/constraints.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/random_func.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void fail_with(const Func *before, const Func *after, const char *what) {
    Out text = {0};
    func_print(&text, before, &(PrintOptions){0});
    func_print(&text, after, &(PrintOptions){0});
    out_char(&text, '\0');
    fail_msg("%s\n%s", what, text.text);
}

// ---- Random functions

typedef Func *Way(Arena *arena, const Func *func, AllocateHint *hint);

static const MachineRegSet few_registers = {{X64_BIT(M_RAX) | X64_BIT(M_RCX) | X64_BIT(M_RBX) |
                                             X64_BIT(M_RDI) | X64_BIT(M_XMM0) |
                                             X64_BIT(M_XMM0 + 1)}};

static Func *with_few(Arena *arena, const Func *func, AllocateHint *hint) {
    return allocate_within(arena, func, few_registers, hint);
}

static Func *with_none(Arena *arena, const Func *func, AllocateHint *hint) {
    return allocate_within(arena, func, NO_REGS, hint);
}

// In loops, not every value can be kept that a call which returns twice would have to bring back.
static bool cannot_be_kept(const Func *func, Verdict verdict) {
    return func_returns_twice(func) && strstr(verdict.reason, "and written again");
}

// False if the function cannot be allocated.
static bool try_way(Arena *arena, const Func *unbounded, Way *way, uint64_t seed) {
    AllocateHint hint = {0};
    Complaints complaints = {.arena = arena};
    Func *allocated = way(arena, unbounded, &hint);
    if (!allocated && func_returns_twice(unbounded)) return false; // only the plain way will do
    if (!verify_func(&complaints, allocated))
        fail_with(unbounded, allocated, complaints.list.at[0].message);
    Verdict verdict = check_allocate(arena, unbounded, allocated, &hint);
    if (!verdict.accepted && cannot_be_kept(unbounded, verdict)) return false;
    if (!verdict.accepted)
        fail_with(unbounded, allocated,
                  arena_printf(arena, "instruction %u: %s", verdict.site.i, verdict.reason));
    const char *difference = behaviour_difference(arena, unbounded, allocated, seed, 20000);
    if (difference) fail_with(unbounded, allocated, difference);
    return true;
}

static void test_random(void **state) {
    (void)state;
    Way *const ways[] = {allocate, with_few, with_none, allocate_plain};
    Arena *arena = arena_new("test");
    for (uint64_t seed = 1; seed <= effort(40, 400, 4000); seed++) {
        Program *program = program_new(arena);
        program->pic = (PicLevel)(seed % 3);
        const Func *rtl = random_func(arena, program, random_options(300, seed), seed);
        const Func *unbounded = select_code(arena, rtl, &(SelectHint){0});
        for (uint32_t k = 0; k < sizeof ways / sizeof ways[0]; k++)
            try_way(arena, unbounded, ways[k], seed);
        arena_reset(arena);
    }
    arena_free(arena);
}

// Calls that return twice, outside of loops and in them, with what machine code may not do about
// them.
static void test_jumps(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    uint64_t count = effort(200, 2000, 20000), twice = 0, done = 0;
    for (uint64_t seed = 1; seed <= count; seed++) {
        Program *program = program_new(arena);
        RandomOptions options = random_options(seed % 2 ? 60 : 200, seed);
        options.jumps = true;
        if (seed % 3) options.variables = 3;
        const Func *rtl = random_func(arena, program, options, seed);
        const Func *unbounded = select_code(arena, rtl, &(SelectHint){0});
        bool kept = try_way(arena, unbounded, allocate_plain, seed);
        twice += func_returns_twice(rtl);
        done += kept && func_returns_twice(rtl);
        arena_reset(arena);
    }
    assert_true(twice > count / 4);
    assert_true(done > twice / 2);
    arena_free(arena);
}

// With few registers much is in memory, with all of them little: otherwise the test above would say
// nothing about one of them.
static void test_spills(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    uint64_t all = 0, few = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        Program *program = program_new(arena);
        RandomOptions options = random_options(300, seed);
        options.jumps = false;
        const Func *rtl = random_func(arena, program, options, seed);
        const Func *unbounded = select_code(arena, rtl, &(SelectHint){0});
        all += allocate(arena, unbounded, &(AllocateHint){0})->mach->spills.count;
        few += with_few(arena, unbounded, &(AllocateHint){0})->mach->spills.count;
    }
    assert_true(few > 3 * all);
    assert_true(all > 0);
    arena_free(arena);
}

// ---- Moves that act at once

enum { TRIED = 4, SPILLS = 2 };

typedef struct {
    uint32_t registers[MACHINE_REG_LIMIT];
    uint32_t spills[SPILLS + 1]; // the last one is the allocator's own
} Contents;

static uint32_t *content_of(Contents *contents, Place place) {
    return place_is_spill(place) ? &contents->spills[place_index(place)]
                                 : &contents->registers[place_index(place)];
}

static Contents fresh_contents(void) {
    Contents contents;
    for (uint32_t r = 0; r < MACHINE_REG_LIMIT; r++) contents.registers[r] = 100 + r;
    for (uint32_t s = 0; s <= SPILLS; s++) contents.spills[s] = 200 + s;
    return contents;
}

static void act(Contents *contents, const Func *func) {
    for (uint32_t i = 0; i < func->mach->code.count; i++) {
        const MachInstr *instr = mach_at(func, i);
        uint32_t *dest = content_of(contents, instr->dest);
        uint32_t *src = content_of(contents, instr->src[0]), old = *dest;
        *dest = *src;
        if (instr->kind == MK_EXCHANGE) *src = old;
        // A move has a register on one side at least.
        assert_true(place_is_machine(instr->dest) || place_is_machine(instr->src[0]));
    }
}

// Sources of the destinations: 0 to TRIED - 1 registers, TRIED none, above that a spill. Spill 1 is
// loaded only: what is stored goes to spill 0.
static void try_moves(Arena *arena, const Func *like, uint32_t base, const uint32_t *sources,
                      uint32_t stored) {
    AllocateHint hint;
    Writer writer = writer_new(arena, arena, like, &hint);
    MoveList moves = {0};
    Contents expected = fresh_contents(), got = expected;
    for (uint32_t s = 0; s < SPILLS; s++) writer_spill(&writer, TYPE_I64);
    writer_open(&writer, 0);
    for (uint32_t d = 0; d < TRIED; d++) {
        if (sources[d] == TRIED) continue;
        Place src = sources[d] > TRIED ? place_spill(1) : place_machine(base + sources[d]);
        vec_push(arena, &moves,
                 (PlaceMove){.dest = place_machine(base + d), .src = src, .type = TYPE_I64});
        expected.registers[base + d] = sources[d] > TRIED ? 201 : 100 + base + sources[d];
    }
    if (stored < TRIED) {
        vec_push(arena, &moves,
                 (PlaceMove){.dest = place_spill(0),
                             .src = place_machine(base + stored),
                             .type = TYPE_I64});
        expected.spills[0] = 100 + base + stored;
    }
    writer_moves(&writer, &moves);
    act(&got, writer.to);
    expected.spills[SPILLS] = got.spills[SPILLS];
    assert_memory_equal(&expected, &got, sizeof got);
    assert_int_equal(moves.count, 0);
}

static const Func *small_func(Arena *arena) {
    Program *program = program_new(arena);
    const Func *rtl = random_func(arena, program, random_options(10, 1), 1);
    return select_code(arena, rtl, &(SelectHint){0});
}

static void test_moves(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    const Func *like = small_func(arena);
    const uint32_t bases[] = {M_RAX, M_XMM0};
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t code = 0; code < 6 * 6 * 6 * 6 * 5; code++) {
            uint32_t sources[TRIED], rest = code;
            for (uint32_t d = 0; d < TRIED; d++, rest /= 6) sources[d] = rest % 6;
            try_moves(arena, like, bases[k], sources, rest);
        }
    arena_free(arena);
}

// ---- Taken ranges

enum { RANGES = 400, UNIVERSE = 4000 };

static void test_occupancy(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Allocator allocator = {.arena = arena};
    Occupancy occupancy = {0};
    Random random = random_from(7);
    uint32_t taken[UNIVERSE] = {0}; // position -> piece + 1
    LiveSegment ranges[RANGES] = {{0, 0}};
    for (uint32_t round = 0; round < 20000; round++) {
        uint32_t piece = random_below(&random, RANGES);
        LiveSegment *range = &ranges[piece];
        Segments one = {.at = range, .count = 1};
        if (range->end) {
            occupancy_remove(&occupancy, one);
            memset(taken + range->start, 0, (range->end - range->start) * sizeof *taken);
            *range = (LiveSegment){0, 0};
            continue;
        }
        range->start = random_below(&random, UNIVERSE - 20);
        range->end = range->start + random_range(&random, 1, 20);
        occupancy_meet(arena, &occupancy, one, UINT32_MAX, &allocator);
        uint32_t met = 0;
        for (uint32_t p = range->start, last = 0; p < range->end; p++) {
            if (taken[p] && taken[p] != last) {
                assert_true(met < allocator.found.count);
                assert_int_equal(allocator.found.at[met++], taken[p] - 1);
            }
            last = taken[p] ? taken[p] : last;
        }
        assert_int_equal(met, allocator.found.count);
        if (met) {
            *range = (LiveSegment){0, 0};
            continue;
        }
        occupancy_add(arena, &occupancy, one, piece);
        for (uint32_t p = range->start; p < range->end; p++) taken[p] = piece + 1;
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),    cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_spills),    cmocka_unit_test(test_moves),
        cmocka_unit_test(test_occupancy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
