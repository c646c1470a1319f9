// Random orders of the instructions of machine functions, in both states. What the checker accepts
// must behave as the original. What exchanges only pairs that the facts say nothing about, one by
// one, must be accepted: the checker finds by walking what is defined for pairs.
#include "base/bits.h"
#include "check/checkers.h"
#include "check/passes.h"
#include "fact/calls.h"
#include "mach/allocate_private.h"
#include "pass/pass.h"
#include "target/mach_access.h"
#include "target/x64/model/constraints.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/in_memory.h"
#include "test/gen/random.h"
#include "test/gen/random_func.h"
#include "test/gen/records.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct {
    uint64_t made, accepted, different;
} Score;

typedef struct {
    Arena *arena;
    Random random;
    const Func *before;
    Func *after;
    ScheduleHint hint;
    MachAccesses accesses;
    OrderOps ops; // of the block that is being changed
} Mutant;

static uint32_t draw(Mutant *mutant, uint32_t limit) {
    return random_below(&mutant->random, limit);
}

// ---- Originals

static const Func *rtl_func(Mutant *mutant, Program *program, uint64_t seed) {
    RandomOptions options = random_options(draw(mutant, 2) ? 60 : 200, seed);
    options.variables = 2 + (uint32_t)(seed % 5);
    options.distances = draw(mutant, 2);
    switch (draw(mutant, 4)) {
    case 0: return record_func(mutant->arena, program, seed);
    case 1: return random_func(mutant->arena, program, options, seed);
    default:
        return func_in_memory(mutant->arena, random_func(mutant->arena, program, options, seed),
                              seed);
    }
}

static void make(Mutant *mutant, uint64_t seed) {
    static const MachineRegSet few = {
        {X64_BIT(M_RAX) | X64_BIT(M_RCX) | X64_BIT(M_RBX) | X64_BIT(M_RDI) | X64_BIT(M_XMM0)}};
    Program *program = program_new(mutant->arena);
    program->pic = (PicLevel)(seed / 7 % 3);
    const Func *rtl = rtl_func(mutant, program, seed);
    Arena *arena = mutant->arena;
    const Func *func = select_code(arena, rtl, &(SelectHint){0});
    uint32_t way = draw(mutant, 4);
    AllocateHint hint = {0};
    if (way == 0 || (way < 3 && func_returns_twice(func)))
        func = allocate_plain(arena, func, &hint);
    else if (way == 1)
        func = allocate_within(arena, func, few, &hint);
    else if (way == 2)
        func = allocate(arena, func, &hint);
    mutant->before = func;
    mutant->accesses = mach_accesses_new(arena, func);
    for (uint32_t i = 0; i < func->mach->code.count; i++) vec_push(arena, &mutant->hint.old, i);
}

// ---- What pairs are known to do to each other

static bool touches(const OrderOps *ops, uint32_t i, uint32_t from, uint32_t count,
                    uint32_t place) {
    const uint32_t *places = ops->places.at + ops->ops.at[i].places + from;
    for (uint32_t k = 0; k < count; k++)
        if (places[k] == place) return true;
    return false;
}

// Whether an operation reads, destroys or sets what another one destroys or sets.
static bool meets(const OrderOps *ops, uint32_t i, uint32_t k) {
    const OrderOp *a = &ops->ops.at[i], *b = &ops->ops.at[k];
    for (uint32_t p = a->reads; p < a->reads + a->losses + a->sets; p++)
        if (touches(ops, k, 0, b->reads + b->losses + b->sets, ops->places.at[a->places + p]))
            return true;
    return false;
}

static bool may_exchange(const OrderOps *ops, uint32_t earlier, uint32_t later) {
    return !ops_keep_order(ops, earlier, later) && !meets(ops, earlier, later) &&
           !meets(ops, later, earlier);
}

// ---- Kinds of orders, of a block with the numbers of its instructions

static void exchange(uint32_t *order, uint32_t i, uint32_t k) {
    uint32_t first = order[i];
    order[i] = order[k];
    order[k] = first;
}

static void exchange_neighbours(Mutant *mutant, uint32_t *order, uint32_t count, uint32_t base) {
    (void)base;
    for (uint32_t times = 1 + draw(mutant, 3); times-- > 0;) {
        uint32_t i = draw(mutant, count - 1);
        exchange(order, i, i + 1);
    }
}

static void move_one(Mutant *mutant, uint32_t *order, uint32_t count, uint32_t base) {
    (void)base;
    uint32_t from = draw(mutant, count), to = draw(mutant, count);
    for (; from < to; from++) exchange(order, from, from + 1);
    for (; from > to; from--) exchange(order, from, from - 1);
}

static void shuffle(Mutant *mutant, uint32_t *order, uint32_t count, uint32_t base) {
    (void)base;
    for (uint32_t i = count; i > 1; i--) exchange(order, i - 1, draw(mutant, i));
}

// Neighbours that may be exchanged are, many times.
static void shuffle_legally(Mutant *mutant, uint32_t *order, uint32_t count, uint32_t base) {
    for (uint32_t times = 0; times < 8 * count; times++) {
        uint32_t i = draw(mutant, count - 1), a = order[i] - base, b = order[i + 1] - base;
        bool back = a > b;
        if (back || may_exchange(&mutant->ops, a, b)) exchange(order, i, i + 1);
    }
}

// One moves as far as it may, and then one step further.
static void move_too_far(Mutant *mutant, uint32_t *order, uint32_t count, uint32_t base) {
    uint32_t at = draw(mutant, count);
    while (at > 0 && may_exchange(&mutant->ops, order[at - 1] - base, order[at] - base)) {
        exchange(order, at - 1, at);
        at--;
    }
    if (at > 0) exchange(order, at - 1, at);
}

typedef struct {
    const char *name;
    void (*change)(Mutant *mutant, uint32_t *order, uint32_t count, uint32_t base);
    bool legal;
} OrderKind;

static const OrderKind kinds[] = {
    {"exchange neighbours", exchange_neighbours, false},
    {"move one", move_one, false},
    {"shuffle a block", shuffle, false},
    {"move one too far", move_too_far, false},
    {"shuffle as facts allow", shuffle_legally, true},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// ---- Trying them

static void reorder(Mutant *mutant) {
    mutant->after = func_clone(mutant->before, mutant->arena);
    for (uint32_t i = 0; i < mutant->hint.old.count; i++)
        mutant->after->mach->code.at[i] = *mach_at(mutant->before, mutant->hint.old.at[i]);
}

// A block with something between parameters and its end.
static bool change(Mutant *mutant, const OrderKind *kind) {
    uint32_t blocks = mutant->before->mach->blocks.count;
    for (uint32_t tries = 0; tries < 20; tries++) {
        uint32_t b = draw(mutant, blocks);
        const MachBlock *block = mach_block(mutant->before, b);
        uint32_t first = block->first + (b == 0 && !kind->legal), end = block->first + block->count;
        if (!kind->legal) end--; // which the verifier wants to be the last
        if (end < first + 2) continue;
        mach_accesses_of(&mutant->accesses, b, &mutant->ops);
        kind->change(mutant, mutant->hint.old.at + first, end - first, block->first);
        reorder(mutant);
        for (uint32_t i = first; i < end; i++)
            if (mutant->hint.old.at[i] != i) return true;
    }
    return false;
}

static void fail_with(const Mutant *mutant, uint64_t seed, const char *kind, const char *what) {
    Out text = {0};
    func_print(&text, mutant->before, &(PrintOptions){0});
    func_print(&text, mutant->after, &(PrintOptions){0});
    out_char(&text, '\0');
    fail_msg("seed %llu, %s: %s\n%s", (unsigned long long)seed, kind, what, text.text);
}

static void try_mutant(Mutant *mutant, const OrderKind *kind, uint64_t seed, Score *score) {
    make(mutant, seed);
    bool twice = func_returns_twice(mutant->before);
    if (!change(mutant, kind)) return;
    score->made++;
    Complaints complaints = {.arena = mutant->arena};
    if (!verify_func(&complaints, mutant->after))
        fail_with(mutant, seed, kind->name, complaints.list.at[0].message);
    Verdict verdict = pass_check(PASS_schedule, mutant->arena, NULL, mutant->before, mutant->after,
                                 &mutant->hint);
    if (kind->legal && !twice && !verdict.accepted)
        fail_with(mutant, seed, kind->name, verdict.reason);
    const char *difference = NULL;
    for (uint64_t run = 0; run < 3 && !difference; run++)
        difference =
            behaviour_difference(mutant->arena, mutant->before, mutant->after, seed + run, 2000);
    score->accepted += verdict.accepted;
    score->different += difference != NULL;
    if (verdict.accepted && difference) fail_with(mutant, seed, kind->name, difference);
}

static void test_mutants(void **state) {
    (void)state;
    Arena *arena = arena_new("mutant");
    Score scores[KINDS] = {{0}}, total = {0};
    uint64_t count = effort(2000, 20000, 300000);
    for (uint64_t seed = 1; seed <= count; seed++) {
        Mutant mutant = {.arena = arena, .random = random_from(seed)};
        try_mutant(&mutant, &kinds[seed % KINDS], seed, &scores[seed % KINDS]);
        arena_reset(arena);
    }
    for (uint32_t i = 0; i < KINDS; i++) {
        const Score *score = &scores[i];
        print_message("%-24s %6ju orders, %6ju accepted, %6ju behave differently\n", kinds[i].name,
                      (uintmax_t)score->made, (uintmax_t)score->accepted,
                      (uintmax_t)score->different);
        assert_true(score->accepted > 0);
        total.made += score->made;
        total.accepted += score->accepted;
        total.different += score->different;
    }
    print_message("%ju orders, %ju accepted, %ju behave differently, all of those rejected\n",
                  (uintmax_t)total.made, (uintmax_t)total.accepted, (uintmax_t)total.different);
    assert_true(total.different > total.made / 20);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
