// Sea of Nodes on random functions: what is built is accepted by the verifier, reads back as it was
// printed, and behaves as the SSA function does; values are preserved where theorem 3.7 of Demange
// et al. says so; and check_elim removes exactly the checks of definition 4.1.
#include "fact/son_regions.h"
#include "pass/pass.h"
#include "pass/son/son_trail.h"
#include "run/world/run.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/graphs.h"
#include "test/gen/random_func.h"
#include "text/print/son_dominance.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- Functions

static const Func *ssa_of(Arena *arena, const Func *func) {
    CopiesHint normal = {0};
    SsaHint ssa = {0};
    const Func *norm = normalize(arena, func, &normal);
    return ssa_build(arena, norm ? norm : func, &ssa);
}

static char *text_of(Arena *arena, const Program *program) {
    Out out = {0};
    program_print(&out, program, &(PrintOptions){0});
    char *text = arena_text(arena, out.text, out.length);
    out_free(&out);
    return text;
}

static void expect_verified(Arena *arena, const Func *func, const char *text, uint64_t seed) {
    Complaints complaints = {.arena = arena};
    if (verify_func(&complaints, func)) return;
    Out out = {0};
    complaint_print(&out, func->program, &complaints.list.at[0]);
    fail_msg("seed %llu: %.*s\n%s", (unsigned long long)seed, (int)out.length, out.text, text);
}

// Every fifth is large and accesses memory. With `straight` there are no calls that return twice.
static Func *random_son(Arena *arena, uint64_t seed, bool straight, const Func **original,
                        char **text) {
    Program *program = program_new(arena);
    RandomOptions options = random_options(seed % 5 ? 120 : 800, seed);
    if (straight) options.jumps = false;
    if (seed % 5 == 0) options.omit = 0;
    Func *func = random_func(arena, program, options, seed);
    *original = ssa_of(arena, func);
    Func *son = son_build(arena, *original);
    program_at(program, func->symbol)->func = son;
    *text = text_of(arena, program);
    return son;
}

// ---- Building, reading back, running

static void expect_read_back(Arena *arena, const char *text, uint64_t seed) {
    Diag diag;
    diag_init(&diag, arena, stderr);
    const Program *program = program_parse(arena, &diag, FORM_SON, "text", text, strlen(text));
    if (!program) fail_msg("seed %llu: not read back\n%s", (unsigned long long)seed, text);
    const char *again = text_of(arena, program);
    if (strcmp(text, again) != 0)
        fail_msg("seed %llu: read back as another\n%s\n%s", (unsigned long long)seed, text, again);
    for (uint32_t i = 0; i < program->symbols.count; i++)
        if (program->symbols.at[i].func)
            expect_verified(arena, program->symbols.at[i].func, text, seed);
    diag_free(&diag);
}

// Each register of the SSA function has a leader that is defined, and each node of the skeleton is
// one of the function.
static void expect_trail(const Func *ssa, const Func *son) {
    const SonTrail *trail = son->son->trail;
    assert_ptr_equal(trail->before, ssa);
    assert_int_equal(trail->old.count, son->nodes.count);
    assert_int_equal(trail->leader.count, ssa->regs.count);
    for (uint32_t n = 0; n < son->nodes.count; n++) {
        const Instr *now = &son->nodes.at[n], *then = func_at(ssa, trail->old.at[n]);
        assert_true(n == 0 || trail->old.at[n - 1].i < trail->old.at[n].i);
        assert_true(now->kind == I_NOP || (now->kind == then->kind && now->op == then->op));
    }
}

static void test_random(void **state) {
    (void)state;
    uint64_t count = effort(200, 2000, 50000), phis = 0, floating = 0;
    Arena *arena = arena_new("test");
    for (uint64_t seed = 0; seed < count; seed++) {
        const Func *ssa;
        char *text;
        Func *son = random_son(arena, seed, false, &ssa, &text);
        expect_verified(arena, son, text, seed);
        expect_trail(ssa, son);
        expect_read_back(arena, text, seed);
        for (uint64_t run = 0; run < 3; run++) {
            const char *difference = behaviour_difference(arena, ssa, son, seed * 8 + run, 100000);
            if (difference)
                fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, difference, text);
        }
        phis += son->son->memory_phis.count;
        floating += son->son->floating.count;
        arena_reset(arena);
    }
    print_message("%llu functions, %llu floating operators, %llu memory phis\n",
                  (unsigned long long)count, (unsigned long long)floating,
                  (unsigned long long)phis);
    assert_true(phis > count);
    arena_free(arena);
}

// ---- Values are preserved

typedef struct {
    const Func *func;
    SonDominance dom;
    bool *pinned;  // register -> its value depends on what the skeleton computes
    Value *then;   // register -> its value when it was seen last
    bool *watched; // register -> it dominates, strictly, all regions since
    uint64_t seed, compared;
    uint32_t entered;
} Preservation;

static bool same_value(Value a, Value b) {
    return a.bits == b.bits && a.high == b.high && a.undef == b.undef;
}

// What depends on the skeleton may change in the region of the node; so it is watched from the next
// region on.
static void watch(void *context, const Func *func, Node region, const Value *regs) {
    Preservation *p = context;
    if (func != p->func) return;
    for (uint32_t r = 0; r < func->regs.count; r++) {
        bool strictly = son_data_dominates_strictly(&p->dom, (Reg){r}, region);
        if (p->watched[r] && strictly) {
            p->compared++;
            if (!same_value(p->then[r], regs[r]))
                fail_msg("seed %llu: register %u changes at region %u", (unsigned long long)p->seed,
                         r, region.i);
        }
        p->watched[r] = p->pinned[r] ? strictly : son_data_dominates(&p->dom, (Reg){r}, region);
        p->then[r] = regs[r];
    }
    p->entered++;
}

static void find_pinned(Preservation *p) {
    const Func *func = p->func;
    for (uint32_t r = 0; r < func->regs.count; r++)
        p->pinned[r] = p->dom.definitions[r].by == SET_BY_INSTR;
    for (uint32_t i = 0; i < func->son->floating.count; i++) {
        const Instr *instr = &func->son->floating.at[i];
        for (uint32_t k = 0; k < instr->arg_count; k++)
            p->pinned[instr->dest.i] |= p->pinned[instr->arg[k].i];
    }
}

static void test_values_preserved(void **state) {
    (void)state;
    uint64_t count = effort(50, 400, 10000), compared = 0;
    Arena *arena = arena_new("test");
    for (uint64_t seed = 0; seed < count; seed++) {
        const Func *ssa;
        char *text;
        const Func *son = random_son(arena, seed, true, &ssa, &text);
        Preservation p = {.func = son, .dom = son_dominance_of(arena, son), .seed = seed};
        p.pinned = ARENA_ARRAY(arena, bool, son->regs.count);
        p.watched = ARENA_ARRAY(arena, bool, son->regs.count);
        p.then = ARENA_ARRAY(arena, Value, son->regs.count);
        find_pinned(&p);
        RunResult result = {0};
        RunOptions options = {.fuel = 20000,
                              .capture = true,
                              .no_input = true,
                              .no_files = true,
                              .watch = watch,
                              .watch_context = &p};
        Value args[2] = {value_i64(seed), value_i64(seed * 7)};
        rtl_run_func(arena, son->program, son, args, 2, &options, &result);
        out_free(&result.output);
        compared += p.compared;
        arena_reset(arena);
    }
    print_message("%llu values compared\n", (unsigned long long)compared);
    assert_true(compared > 1000 * count);
    arena_free(arena);
}

// ---- Checks

// Which nodes can be reached from the entry without passing one.
static void reach_without(const Func *func, Node without, bool *reached, Node *stack) {
    uint32_t count = 0;
    memset(reached, 0, func->nodes.count);
    if (without.i != 0) stack[count++] = (Node){0};
    reached[0] = without.i != 0;
    while (count) {
        const Instr *instr = func_at(func, stack[--count]);
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            Node next = instr_succs(func, instr)[k];
            if (next.i == without.i || reached[next.i]) continue;
            reached[next.i] = true;
            stack[count++] = next;
        }
    }
}

// Definition 4.1, word for word: `redundant` has, for each node, whether it is a redundant check.
static void find_redundant(Arena *arena, const Func *func, bool *redundant) {
    Preds preds = preds_of(arena, func);
    const uint32_t *region = son_regions(arena, func, &preds);
    bool *reached = ARENA_ARRAY(arena, bool, func->nodes.count);
    bool *reachable = ARENA_ARRAY(arena, bool, func->nodes.count);
    Node *stack = ARENA_ARRAY(arena, Node, func->nodes.count + 1);
    reach_without(func, NO_NODE, reachable, stack);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        if (func->nodes.at[n].kind != I_CHECK || !reachable[n]) continue;
        reach_without(func, (Node){region[n]}, reached, stack);
        for (uint32_t m = 0; m < func->nodes.count; m++)
            if (func->nodes.at[m].kind == I_CHECK && reachable[m] && region[m] != region[n] &&
                !reached[region[m]] && func->nodes.at[m].arg[0].i == func->nodes.at[n].arg[0].i)
                redundant[m] = true;
    }
}

// A function with the edges of a graph: checks of a few values at some nodes, nops elsewhere. It is
// not one in which only nops lead to joins: check_elim does not care.
static Func *check_graph(Arena *arena, Random *random, uint32_t count) {
    Program *program = program_new(arena);
    PType types[3] = {PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_I32)};
    Sig sig = program_sig(program, (SigInfo){.param_count = 3, .fixed_count = 3, .params = types});
    Sym symbol = program_symbol(program, str_intern(&program->strings, "f", 1), SYM_FUNC);
    Func *func = func_new(program, arena, symbol, sig);
    func->form = FORM_SON;
    func->son = son_new(arena);
    for (uint32_t i = 0; i < 3; i++)
        vec_push(arena, &func->params,
                 func_add_reg(func, (RegInfo){.number = i, .version = 1, .type = TYPE_I32}));
    for (uint32_t n = 0; n < count; n++) {
        Node near = {(n + 1) % count}, far = {random_below(random, count)};
        Reg reg = {random_below(random, 3)};
        Instr instr = {.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {near}};
        uint32_t choice = random_below(random, 8);
        if (choice < 4)
            instr = (Instr){.kind = I_CHECK,
                            .dest = NO_REG,
                            .arg_count = 1,
                            .arg = {reg},
                            .succ_count = 1,
                            .succ = {choice ? near : far}};
        else if (choice < 6)
            instr = (Instr){.kind = I_COND,
                            .op = OP_EQ_I32,
                            .immediate = true,
                            .dest = NO_REG,
                            .arg_count = 1,
                            .arg = {reg},
                            .succ_count = 2,
                            .succ = {near, far}};
        func_add(func, instr);
    }
    son_end_memory(func);
    return func;
}

static uint64_t expect_exact(Arena *arena, const Func *func, uint64_t seed) {
    bool *redundant = ARENA_ARRAY(arena, bool, func->nodes.count);
    find_redundant(arena, func, redundant);
    const Func *after = check_elim(arena, func);
    uint64_t removed = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        bool gone = after && func->nodes.at[n].kind == I_CHECK && after->nodes.at[n].kind == I_NOP;
        if (gone != redundant[n])
            fail_msg("seed %llu: the check at %u is %s", (unsigned long long)seed, n,
                     gone ? "removed" : "not removed");
        removed += gone;
    }
    assert_int_equal(after != NULL, removed > 0);
    return removed;
}

static void test_checks_on_graphs(void **state) {
    (void)state;
    uint64_t count = effort(500, 10000, 200000), removed = 0;
    Arena *arena = arena_new("test");
    for (uint64_t seed = 0; seed < count; seed++) {
        Random random = random_from(seed);
        Func *func = check_graph(arena, &random, 2 + random_below(&random, 30));
        removed += expect_exact(arena, func, seed);
        arena_reset(arena);
    }
    print_message("%llu graphs, %llu checks removed\n", (unsigned long long)count,
                  (unsigned long long)removed);
    assert_true(removed > count / 2);
    arena_free(arena);
}

static void test_checks_on_functions(void **state) {
    (void)state;
    uint64_t count = effort(100, 1000, 20000);
    Arena *arena = arena_new("test");
    for (uint64_t seed = 0; seed < count; seed++) {
        const Func *ssa;
        char *text;
        Func *son = random_son(arena, seed, false, &ssa, &text);
        expect_exact(arena, son, seed);
        const Func *after = check_elim(arena, son);
        if (after) {
            expect_verified(arena, after, text, seed);
            const char *difference = behaviour_difference(arena, ssa, after, seed, 100000);
            if (difference)
                fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, difference, text);
        }
        arena_reset(arena);
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_values_preserved),
        cmocka_unit_test(test_checks_on_graphs),
        cmocka_unit_test(test_checks_on_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
