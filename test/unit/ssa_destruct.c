// Out of SSA on every graph of up to five nodes, on random functions, and on SSA that no
// construction yields, in which registers interfere at random: the checker accepts, the function
// behaves as before, and there are no more copies than needed where that is easy to tell.
#include "analysis/graph.h"
#include "check/checkers.h"
#include "fact/calls.h"
#include "pass/pass.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/graphs.h"
#include "test/gen/random_func.h"
#include "test/gen/scramble.h"
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

// Every node is reachable, and they are numbered in reverse postorder.
static bool in_order(Arena *arena, const Func *func) {
    Graph graph = graph_of(arena, func);
    for (uint32_t i = 0; i < graph.reached; i++)
        if (graph.order[i] != i) return false;
    return graph.reached == func->nodes.count;
}

// How many copies stand on edges, and how many of them copy a constant. These are wanted if the
// constant is read elsewhere, too.
typedef struct {
    uint32_t count, constants;
} Copies;

static Copies count_copies(const Func *ssa, const Func *rtl, const DestructHint *hint) {
    Copies copies = {0};
    uint32_t regs = rtl->regs.count;
    bool *constant = calloc(regs, sizeof *constant), *set = calloc(regs, sizeof *set);
    for (uint32_t n = 0; n < rtl->nodes.count; n++) {
        const Instr *instr = &rtl->nodes.at[n];
        if (instr->dest.i == NO_ID) continue;
        constant[instr->dest.i] =
            !set[instr->dest.i] && instr->kind == I_OP && op_info(instr->op)->arity == 0;
        set[instr->dest.i] = true;
    }
    for (uint32_t n = 0; n < ssa->nodes.count; n++) {
        DestructNode plan = hint->nodes.at[n];
        if (ssa->nodes.at[n].kind != I_NOP) continue;
        for (uint32_t i = 0; i < plan.count; i++) {
            const Instr *copy = &rtl->nodes.at[plan.first.i + i];
            copies.count++;
            copies.constants += copy->arg_count && constant[copy->arg[0].i];
        }
    }
    free(constant);
    free(set);
    return copies;
}

static const Func *destructed(Arena *arena, const Func *ssa, Copies *copies) {
    DestructHint hint = {0};
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, ssa)) fail_with(ssa, ssa, complaints.list.at[0].message);
    const Func *rtl = ssa_destruct(arena, ssa, &hint);
    if (!verify_func(&complaints, rtl)) fail_with(ssa, rtl, complaints.list.at[0].message);
    Verdict verdict = check_ssa_destruct(arena, ssa, rtl, &hint);
    if (!verdict.accepted)
        fail_with(ssa, rtl, arena_printf(arena, "node %u: %s", verdict.site.i, verdict.reason));
    if (!in_order(arena, rtl)) fail_with(ssa, rtl, "not in reverse postorder");
    *copies = count_copies(ssa, rtl, &hint);
    return rtl;
}

static void same_behaviour(Arena *arena, const Func *before, const Func *after, uint64_t seed,
                           uint64_t fuel) {
    const char *difference = behaviour_difference(arena, before, after, seed, fuel);
    if (difference) fail_with(before, after, difference);
}

// Nops stay only where a loop holds nothing else.
static uint32_t count_nops(const Func *func) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) count += func->nodes.at[n].kind == I_NOP;
    return count;
}

static const Func *ssa_of(Arena *arena, const Func *func, uint64_t flavour) {
    CopiesHint norm_hint = {0};
    SsaHint hint = {0};
    const Func *normal = normalize(arena, func, &norm_hint);
    if (flavour % 4 == 1) return ssa_build_minimal(arena, normal, &hint);
    if (flavour % 4 == 2) return ssa_build_semi_pruned(arena, normal, &hint);
    return ssa_build(arena, normal, &hint);
}

// ---- Small graphs

typedef struct {
    uint32_t nodes;
    uint64_t graphs;
    Arena *arena;
    Program *program;
    uint64_t every; // look at one graph in so many
} Small;

static void visit_small(void *context, const uint8_t (*succs)[2], const uint8_t *counts) {
    Small *small = context;
    if (++small->graphs % small->every) return;
    const Func *before =
        func_of_graph(small->arena, small->program, small->nodes, succs, counts, small->graphs);
    const Func *ssa = ssa_of(small->arena, before, small->graphs);
    Copies copies;
    const Func *after = destructed(small->arena, ssa, &copies);
    if (copies.count - copies.constants > count_nops(after))
        fail_with(ssa, after, "there are copies on edges");
    same_behaviour(small->arena, before, after, small->graphs, 100);
    Random random = random_from(small->graphs);
    const Func *scrambled = scramble_ssa(small->arena, ssa, 50, &random);
    after = destructed(small->arena, scrambled, &copies);
    same_behaviour(small->arena, scrambled, after, small->graphs, 100);
    arena_reset(small->arena);
}

static void all_graphs(uint32_t nodes, bool with_returns, uint64_t every) {
    Arena *lasting = arena_new("program");
    Small small = {.nodes = nodes, .every = every, .arena = arena_new("graph")};
    small.program = program_new(lasting);
    each_small_graph(nodes, with_returns, visit_small, &small);
    arena_free(small.arena);
    arena_free(lasting);
}

static void test_small_graphs(void **state) {
    (void)state;
    for (uint32_t nodes = 1; nodes <= 4; nodes++)
        for (int with_returns = 0; with_returns < 2; with_returns++)
            all_graphs(nodes, with_returns, nodes < 4 ? 1 : effort(256, 32, 1));
    all_graphs(5, true, effort(16384, 2048, 1));
}

// ---- Random functions

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    for (uint64_t seed = 1; seed <= effort(50, 300, 20000); seed++) {
        Program *program = program_new(arena);
        const Func *before = random_func(arena, program, random_options(500, seed), seed);
        Copies copies;
        const Func *after = destructed(arena, ssa_of(arena, before, seed), &copies);
        bool shares = !func_returns_twice(before); // else every register has a home of its own
        if (shares && copies.count - copies.constants > count_nops(after))
            fail_with(before, after, "there are copies on edges");
        for (uint64_t run = 0; run < 3; run++)
            same_behaviour(arena, before, after, seed * 3 + run, 5000);
        arena_reset(arena);
    }
    arena_free(arena);
}

static void test_scrambled(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint32_t copied = 0;
    uint64_t count = effort(100, 600, 40000);
    for (uint64_t seed = 1; seed <= count; seed++) {
        Program *program = program_new(arena);
        Random random = random_from(seed);
        const Func *original = random_func(arena, program, random_options(300, seed), seed);
        const Func *before = scramble_ssa(arena, ssa_of(arena, original, seed),
                                          random_range(&random, 1, 60), &random);
        Copies copies;
        const Func *after = destructed(arena, before, &copies);
        copied += copies.count > 0;
        for (uint64_t run = 0; run < 3; run++)
            same_behaviour(arena, before, after, seed * 3 + run, 3000);
        arena_reset(arena);
    }
    assert_true(copied > count / 4); // registers do interfere
    arena_free(arena);
}

// ---- Parallel copies

enum { MOST_PHIS = 12 };

// A loop with `count` phis of mixed types, all used after it, the back edge giving phi i the value
// of phi to[i]. The variables start with different constants.
static const Func *rotating_loop(Arena *arena, uint32_t count, const uint32_t *to,
                                 const char *const *types) {
    Out text = {0};
    out_text(&text, "extern function i32 @putchar(i32)\n"
                    "function i32 @f(i32 %n.0, i32 %m.0) {\n");
    for (uint32_t i = 0; i < count; i++)
        out_printf(&text, "  %u: %%v%u.1 = const.%s %u\n", i, i, types[i], i + 1);
    out_printf(&text, "  100: %%limit.1 = and.i32 %%n.0, 31\n  101: nop\n");
    out_printf(&text, "  102: %%i.1 = phi(101: %%limit.1, 104: %%i.2)\n");
    for (uint32_t i = 0; i < count; i++)
        out_printf(&text, "  102: %%v%u.2 = phi(101: %%v%u.1, 104: %%v%u.2)\n", i, i, to[i]);
    out_text(&text, "  102: if gt.i32 %i.1, 0 then 103 else 105\n"
                    "  103: %i.2 = sub.i32 %i.1, 1\n  104: nop -> 102\n");
    for (uint32_t i = 0; i < count; i++) {
        const char *narrow = types[i][1] == '6' ? "trunc.i32" : "move.i32";
        out_printf(&text, "  %u: %%c%u.1 = %s %%v%u.2\n", 105 + 2 * i, i, narrow, i);
        out_printf(&text, "  %u: %%p%u.1 = call @putchar(%%c%u.1)\n", 106 + 2 * i, i, i);
    }
    out_printf(&text, "  200: return %%m.0\n}\n");
    Diag diag;
    diag_init(&diag, arena, stderr);
    Program *program = program_parse(arena, &diag, FORM_SSA, "loop.ssa", text.text, text.length);
    out_free(&text);
    assert_non_null(program);
    diag_free(&diag);
    return program_at(program, program_find(program, str_of(&program->strings, "f")))->func;
}

// The least number of copies for such a back edge: one for each phi that changes, and one more for
// each cycle from which nothing else is copied.
static uint32_t least_copies(uint32_t count, const uint32_t *to) {
    uint32_t copies = 0;
    for (uint32_t i = 0; i < count; i++) copies += to[i] != i;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = to[i], length = 1;
        bool least = true, read_outside = false;
        for (; at != i && length <= count; at = to[at], length++) least &= at > i;
        if (at != i || length == 1 || !least) continue;
        for (uint32_t member = to[i], k = 0; k < length; member = to[member], k++) {
            uint32_t readers = 0;
            for (uint32_t r = 0; r < count; r++) readers += to[r] == member;
            read_outside |= readers > 1;
        }
        copies += !read_outside;
    }
    return copies;
}

static void test_parallel_copies(void **state) {
    (void)state;
    static const char *const both[] = {"i32", "i64"};
    Arena *arena = arena_new("loop");
    for (uint64_t seed = 1; seed <= effort(100, 500, 20000); seed++) {
        Random random = random_from(seed);
        uint32_t count = random_range(&random, 2, MOST_PHIS), to[MOST_PHIS];
        const char *types[MOST_PHIS];
        for (uint32_t i = 0; i < count; i++) types[i] = both[random_below(&random, 2)];
        for (uint32_t i = 0; i < count; i++) do
                to[i] = random_below(&random, count);
            while (types[to[i]] != types[i]);
        const Func *before = rotating_loop(arena, count, to, types);
        uint32_t least = least_copies(count, to);
        Copies copies;
        const Func *after = destructed(arena, before, &copies);
        if (copies.count != least)
            fail_with(before, after, arena_printf(arena, "expected %u copies", least));
        for (uint64_t run = 0; run < 3; run++)
            same_behaviour(arena, before, after, seed * 3 + run, 5000);
        arena_reset(arena);
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_graphs),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_scrambled),
        cmocka_unit_test(test_parallel_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
