// Forged straightenings: branches dropped that make a difference, and wrong claims about what nodes
// stand for. A forgery is a hint ("5=9": node 5 stands for 9; nodes that are not named for
// themselves), and changes of the code.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "test/gen/compare.h"
#include "test/gen/diamonds.h"
#include "test/gen/effort.h"
#include "test/gen/random.h"
#include "test/gen/twins.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Empty arms, nested; arms with something in them; a join with phis.
static const char arms[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                           "  0: if lt.i32 %a.0, 9 then 1 else 6\n"
                           "  1: if gt.i32 %b.0, 5 then 2 else 3\n"
                           "  2: nop -> 4\n"
                           "  3: nop\n"
                           "  4: nop\n"
                           "  5: nop -> 7\n"
                           "  6: nop\n"
                           "  7: if lt.i32 %a.0, %b.0 then 8 else 10\n"
                           "  8: check %a.0\n"
                           "  9: nop -> 11\n"
                           "  10: nop\n"
                           "  11: if eq.i32 %a.0, 3 then 12 else 13\n"
                           "  12: nop -> 14\n"
                           "  13: nop\n"
                           "  14: %y.1 = phi(12: %a.0, 13: %b.0)\n"
                           "  14: switch %y.1 { 1: 15, 2: 16, default: 17 }\n"
                           "  15: nop -> 18\n"
                           "  16: nop -> 18\n"
                           "  17: nop\n"
                           "  18: if ne.i32 %a.0, 0 then 19 else 20\n"
                           "  19: return %a.0\n"
                           "  20: return %y.1\n"
                           "}\n";

// A loop with an empty body and a branch in it, which may run for ever.
#define LOOPS(second)                                                                              \
    "function i32 @f(i32 %n.0, i32 %m.0) {\n"                                                      \
    "  0: %i.1 = const.i32 0\n"                                                                    \
    "  1: nop\n"                                                                                   \
    "  2: " second "\n"                                                                            \
    "  3: if lt.i32 %n.0, %m.0 then 4 else 8\n"                                                    \
    "  4: if eq.i32 %n.0, 7 then 5 else 6\n"                                                       \
    "  5: nop -> 7\n"                                                                              \
    "  6: nop\n"                                                                                   \
    "  7: nop -> 2\n"                                                                              \
    "  8: nop\n"                                                                                   \
    "  9: return %i.1\n"                                                                           \
    "}\n"
static const char loops[] = LOOPS("nop"), spinning[] = LOOPS("spin");

typedef struct {
    const char *text, *leads, *changes, *reason;
} Case;

static Func *parse(Arena *arena, const char *text) {
    Diag diag;
    diag_init(&diag, arena, stderr);
    Program *program = program_parse(arena, &diag, FORM_SSA, "forgery", text, strlen(text));
    diag_free(&diag);
    assert_non_null(program);
    Sym f = program_find(program, str_of(&program->strings, "f"));
    return func_clone(program_at(program, f)->func, arena);
}

// Changes: "N>K" makes N a nop to its successor K; "N->M" sends N to M; "N~R" sets its first
// argument; "^R" the first argument of the first phi.
static void change(Func *func, const char *changes) {
    unsigned n, k;
    int length;
    while (*changes) {
        if (sscanf(changes, " %u->%u%n", &n, &k, &length) == 2) {
            func_set_succ(func, (Node){n}, 0, (Node){k});
        } else if (sscanf(changes, " %u>%u%n", &n, &k, &length) == 2) {
            Node succ = instr_succs(func, &func->nodes.at[n])[k];
            func->nodes.at[n] =
                (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {succ}};
        } else if (sscanf(changes, " %u~%u%n", &n, &k, &length) == 2) {
            func->nodes.at[n].arg[0] = (Reg){k};
        } else if (sscanf(changes, " ^%u%n", &k, &length) == 1) {
            func->phi_args.at[0] = (Reg){k};
        } else {
            fail_msg("unknown change: %s", changes);
        }
        changes += length;
    }
}

static void claim(Arena *arena, CopiesHint *hint, uint32_t nodes, const char *leads) {
    unsigned n, k;
    int length;
    for (uint32_t i = 0; i < nodes; i++) vec_push(arena, &hint->old, (Node){i});
    for (; sscanf(leads, " %u=%u%n", &n, &k, &length) == 2; leads += length)
        hint->old.at[n] = (Node){k};
}

static void try_case(const Case *it) {
    Arena *arena = arena_new("forgery");
    Func *before = parse(arena, it->text), *after = func_clone(before, arena);
    CopiesHint hint = {0};
    claim(arena, &hint, before->nodes.count, it->leads);
    change(after, it->changes);
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, after))
        fail_msg("\"%s\" \"%s\": %s", it->leads, it->changes, complaints.list.at[0].message);
    Verdict verdict = pass_check(PASS_straighten, arena, NULL, before, after, &hint);
    if (verdict.accepted != !it->reason || (it->reason && !strstr(verdict.reason, it->reason)))
        fail_msg("\"%s\" \"%s\": %s, expected: %s", it->leads, it->changes,
                 verdict.accepted ? "accepted" : verdict.reason,
                 it->reason ? it->reason : "accepted");
    arena_free(arena);
}

#define INNER "2=7 3=7 4=7 5=7 1=7"
#define OUTER INNER " 6=7 0=7"

static void test_accepted(void **state) {
    (void)state;
    static const Case right[] = {
        {arms, "", "", NULL},
        {arms, "", "1>0 1->7", NULL},
        {arms, "", "0>0 0->7", NULL},
        {arms, "", "0>0 0->7 1>0 1->7", NULL},
        {arms, "", "14>1 14->18", NULL},
        {loops, "", "4>1 4->7", NULL},
        // By one of the ways: then what stands there stands for the end.
        {arms, INNER, "1>0", NULL},
        {arms, INNER, "1>1", NULL},
        {arms, "2=7 3=4 4=7 5=7 1=7", "1>0", NULL},
        {arms, OUTER, "0>1 1>0", NULL},
        {loops, "5=7 6=7 4=7", "4>1", NULL},
        // Nops may stand for what is behind them.
        {loops, "7=2", "", NULL},
        {loops, "2=3 3=3 7=3", "", NULL},
    };
    for (uint32_t i = 0; i < sizeof right / sizeof right[0]; i++) try_case(&right[i]);
}

static void test_rejected(void **state) {
    (void)state;
    static const Case wrong[] = {
        {arms, "", "1>0", "it leaves out the branch of old node 7"},
        {arms, "", "0>0", "it leaves out the branch of old node 7"},
        {arms, INNER, "0>0", "the instruction differs from that of old node 7"},
        {arms, INNER, "7>1", "the instruction differs from that of old node 7"},
        {arms, "9=11 10=11 7=11", "7>1", "it leaves out the branch of old node 7"},
        {arms, "8=11 9=11 10=11 7=11", "7>1", "it leaves out the branch of old node 7"},
        {arms, "8=9", "", "it leaves out old node 8"},
        {arms, "18=19", "18>0", "it leaves out the branch of old node 18"},
        {arms, "18=20", "18>1", "it leaves out the branch of old node 18"},
        {arms, "18=20 19=20", "18>0", "it leaves out the branch of old node 18"},
        {arms, "19=20", "", "it leaves out the return of old node 19"},
        {arms, "12=14 13=14 11=14", "11>0", "it leaves out the branch of old node 11"},
        {arms, "12=18 13=18 11=18 14=18 15=18 16=18 17=18", "11>0",
         "it leaves out the branch of old node 11"},
        {arms, "12=14", "", "register 2 does not hold"},
        {arms, "2=5 3=4 1=4", "", "it leaves out the branch of old node 7"},
        {arms, INNER " 0=7", "0>0", "the instruction differs from that of old node 7"},
        {arms, OUTER " 7=11", "0>0", "the instruction differs from that of old node 7"},
        {arms, "1=99", "", "the hint names an old node that does not exist"},
        {arms, "0=7", "0>0", "it leaves out the branch of old node 7"},
        {arms, "2=4 3=7 4=7 5=7 1=4", "1>0", "it leaves out the branch of old node 7"},
        {arms, "15=18 16=18 14=18", "14>0", "register 2 does not hold"},
        {arms, "15=18 17=18 14=18", "14>0", "register 2 does not hold"},
        {arms, OUTER, "0>0 8>0", "the instruction differs from that of old node 7"},
        {arms, "", "8>0", "it leaves out old node 8"},
        {arms, OUTER, "0>0 7~1", "the instruction differs from that of old node 7"},
        {arms, OUTER, "0>0 8~1", "the instruction differs from that of old node 7"},
        {arms, OUTER, "0>0 ^1", "the instruction differs from that of old node 7"},
        {arms, "15=18 16=18 17=18 14=18", "14>0 19~1", "register 2 does not hold"},
        {arms, INNER, "1>0 19~1", "the instruction differs from that of old node 19"},
        {spinning, "8=9 3=9", "3>1", "it leaves out the branch of old node 3"},
        {spinning, "8=9 3=9 4=9 5=9 6=9 7=9", "3>1", "it leaves out the branch of old node 3"},
        {spinning, "3=8 4=8 5=8 6=8 7=8", "3>1", "it leaves out the branch of old node 3"},
        {spinning, "5=7 6=7 4=7", "3>1", "it leaves out the branch of old node 3"},
        {arms, "", "7>1 7->11", "it leaves out the branch of old node 7"},
    };
    for (uint32_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) try_case(&wrong[i]);
}

// A hint that does not cover everything.
static void test_short_hint(void **state) {
    (void)state;
    Arena *arena = arena_new("forgery");
    Func *before = parse(arena, arms);
    CopiesHint hint = {0};
    claim(arena, &hint, before->nodes.count - 1, "");
    Verdict verdict = pass_check(PASS_straighten, arena, NULL, before, before, &hint);
    assert_false(verdict.accepted);
    assert_string_equal(verdict.reason, "the hint does not cover every node");
    arena_free(arena);
}

// Random claims, and branches dropped at random: what is accepted behaves the same.
static void test_mutants(void **state) {
    (void)state;
    Arena *arena = arena_new("mutant");
    uint32_t made = 0, rejected = 0, different = 0, removed = 0;
    for (uint64_t seed = 1; seed <= effort(300, 4000, 200000); seed++, arena_reset(arena)) {
        Random random = random_from(seed);
        const Func *before = ssa_of(arena, diamonds_func(arena, program_new(arena), seed));
        CopiesHint hint = {0};
        Func *after = straighten(arena, before, &hint);
        if (after) {
            Verdict verdict = pass_check(PASS_straighten, arena, NULL, before, after, &hint);
            if (!verdict.accepted)
                fail_msg("seed %llu: %s", (unsigned long long)seed, verdict.reason);
            const char *difference = behaviour_difference(arena, before, after, seed, 2000);
            if (difference) fail_msg("seed %llu: %s", (unsigned long long)seed, difference);
            for (uint32_t n = 0; n < before->nodes.count; n++)
                removed += before->nodes.at[n].kind != after->nodes.at[n].kind;
        }
        after = func_clone(after ? after : before, arena);
        uint32_t n;
        do n = random_below(&random, before->nodes.count);
        while (before->nodes.at[n].kind != I_COND);
        Node way = before->nodes.at[n].succ[random_below(&random, 2)];
        after->nodes.at[n] = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {way}};
        claim(arena, &hint, before->nodes.count, "");
        hint.old.at[way.i].i =
            random_chance(&random, 1, 2) ? way.i : random_below(&random, before->nodes.count);
        Verdict verdict = pass_check(PASS_straighten, arena, NULL, before, after, &hint);
        const char *difference = NULL;
        for (uint64_t run = 0; run < 4 && !difference; run++)
            difference = behaviour_difference(arena, before, after, seed + run, 2000);
        made++;
        rejected += !verdict.accepted;
        different += difference != NULL;
        if (verdict.accepted && difference)
            fail_msg("seed %llu: accepted, but %s", (unsigned long long)seed, difference);
    }
    print_message(
        "%u branches removed\n%u mutants, %u rejected, %u behave differently, all of those "
        "rejected\n",
        removed, made, rejected, different);
    assert_true(removed > 0 && different > made / 20);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted), cmocka_unit_test(test_rejected),
        cmocka_unit_test(test_short_hint), cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
