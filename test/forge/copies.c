// What the kernel copies is to take besides the passes that there are: unrolling, peeling,
// unswitching, threading of jumps, duplicated tails, other registers, inserted branches. Each case
// is a pair of functions by hand with its hint; the wrong ones are well-formed and look much like
// the right ones. Then copies of random nodes of random functions, and damage to them.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "test/gen/effort.h"
#include "test/gen/forge.h"
#include "test/gen/mutants.h"
#include "test/gen/random_func.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_invert_loops, arena, NULL, before, after, hint);
}

// ---- By hand

// The hint: what each node stands for; "N:B.W", at N the branch B went the way W; "N:%x=%y", at N
// %x holds %y ("%x=-": nothing).
typedef struct {
    const char *before, *after, *old, *claims;
    const char *reason; // NULL: it is right
} Case;

#define HEAD "function i32 @f(i32 %n, i32 %m) {\n  slot $s size 8 align 8\n"

static const char loop[] = HEAD "  0: %i = const.i32 0\n"
                                "  1: if lt.i32 %i, %n then 2 else 4\n"
                                "  2: %m = add.i32 %m, %i\n"
                                "  3: %i = add.i32 %i, 1 -> 1\n"
                                "  4: return %m\n}\n";
static const char unrolled[] = HEAD "  0: %i = const.i32 0\n"
                                    "  1: if lt.i32 %i, %n then 2 else 7\n"
                                    "  2: %m = add.i32 %m, %i\n"
                                    "  3: %i = add.i32 %i, 1\n"
                                    "  4: if lt.i32 %i, %n then 5 else 7\n"
                                    "  5: %m = add.i32 %m, %i\n"
                                    "  6: %i = add.i32 %i, 1 -> 1\n"
                                    "  7: return %m\n}\n";
static const char untested[] = HEAD "  0: %i = const.i32 0\n"
                                    "  1: if lt.i32 %i, %n then 2 else 7\n"
                                    "  2: %m = add.i32 %m, %i\n"
                                    "  3: %i = add.i32 %i, 1\n"
                                    "  4: nop\n"
                                    "  5: %m = add.i32 %m, %i\n"
                                    "  6: %i = add.i32 %i, 1 -> 1\n"
                                    "  7: return %m\n}\n";
static const char peeled[] = HEAD "  0: %i = const.i32 0\n"
                                  "  1: if lt.i32 %i, %n then 2 else 7\n"
                                  "  2: %m = add.i32 %m, %i\n"
                                  "  3: %i = add.i32 %i, 1 -> 4\n"
                                  "  4: if lt.i32 %i, %n then 5 else 7\n"
                                  "  5: %m = add.i32 %m, %i\n"
                                  "  6: %i = add.i32 %i, 1 -> 4\n"
                                  "  7: return %m\n}\n";
static const char peeled_wrongly[] = HEAD "  0: %i = const.i32 0\n"
                                          "  1: if lt.i32 %i, %n then 2 else 7\n"
                                          "  2: %m = add.i32 %m, %i\n"
                                          "  3: %i = add.i32 %i, 1 -> 5\n"
                                          "  4: if lt.i32 %i, %n then 5 else 7\n"
                                          "  5: %m = add.i32 %m, %i\n"
                                          "  6: %i = add.i32 %i, 1 -> 4\n"
                                          "  7: return %m\n}\n";

// The second test follows from the first, whichever way that went.
static const char twice[] = HEAD "  0: if lt.i32 %n, 10 then 1 else 2\n"
                                 "  1: %m = const.i32 1 -> 3\n"
                                 "  2: nop\n"
                                 "  3: if lt.i32 %n, 10 then 4 else 5\n"
                                 "  4: return %m\n"
                                 "  5: return %n\n}\n";
static const char weaker[] = HEAD "  0: if lt.i32 %n, 10 then 1 else 2\n"
                                  "  1: %m = const.i32 1 -> 3\n"
                                  "  2: nop\n"
                                  "  3: if lt.i32 %n, 11 then 4 else 5\n"
                                  "  4: return %m\n"
                                  "  5: return %n\n}\n";
static const char changed[] = HEAD "  0: if lt.i32 %n, 10 then 1 else 2\n"
                                   "  1: %n = const.i32 12 -> 3\n"
                                   "  2: nop\n"
                                   "  3: if lt.i32 %n, 10 then 4 else 5\n"
                                   "  4: return %m\n"
                                   "  5: return %n\n}\n";
static const char threaded[] = HEAD "  0: if lt.i32 %n, 10 then 1 else 3\n"
                                    "  1: %m = const.i32 1\n"
                                    "  2: return %m\n"
                                    "  3: return %n\n}\n";
static const char threaded_changed[] = HEAD "  0: if lt.i32 %n, 10 then 1 else 3\n"
                                            "  1: %n = const.i32 12\n"
                                            "  2: return %m\n"
                                            "  3: return %n\n}\n";

// A false `<` of floats is no `>=`.
static const char floats[] = "function i32 @f(f64 %n, f64 %m) {\n"
                             "  0: if lt.f64 %n, %m then 1 else 2\n"
                             "  1: %r = const.i32 1 -> 5\n"
                             "  2: if ge.f64 %n, %m then 3 else 4\n"
                             "  3: %r = const.i32 2 -> 5\n"
                             "  4: %r = const.i32 3\n"
                             "  5: return %r\n}\n";
static const char floats_threaded[] = "function i32 @f(f64 %n, f64 %m) {\n"
                                      "  0: if lt.f64 %n, %m then 1 else 2\n"
                                      "  1: %r = const.i32 1 -> 3\n"
                                      "  2: %r = const.i32 2\n"
                                      "  3: return %r\n}\n";

// The test in the loop does not change.
static const char invariant[] = HEAD "  0: %i = const.i32 0\n"
                                     "  1: if lt.i32 %m, 5 then 2 else 3\n"
                                     "  2: store.i32 [$s], %i -> 4\n"
                                     "  3: store.i32 [$s + 4], %i\n"
                                     "  4: %i = add.i32 %i, 1\n"
                                     "  5: if lt.i32 %i, %n then 1 else 6\n"
                                     "  6: return %i\n}\n";
static const char variant[] = HEAD "  0: %i = const.i32 0\n"
                                   "  1: if lt.i32 %m, 5 then 2 else 3\n"
                                   "  2: store.i32 [$s], %i -> 4\n"
                                   "  3: store.i32 [$s + 4], %i\n"
                                   "  4: %m = add.i32 %m, 1\n"
                                   "  5: if lt.i32 %m, %n then 1 else 6\n"
                                   "  6: return %i\n}\n";
static const char unswitched[] = HEAD "  0: %i = const.i32 0\n"
                                      "  1: if lt.i32 %m, 5 then 2 else 5\n"
                                      "  2: store.i32 [$s], %i\n"
                                      "  3: %i = add.i32 %i, 1\n"
                                      "  4: if lt.i32 %i, %n then 2 else 8\n"
                                      "  5: store.i32 [$s + 4], %i\n"
                                      "  6: %i = add.i32 %i, 1\n"
                                      "  7: if lt.i32 %i, %n then 5 else 8\n"
                                      "  8: return %i\n}\n";
static const char unswitched_variant[] = HEAD "  0: %i = const.i32 0\n"
                                              "  1: if lt.i32 %m, 5 then 2 else 5\n"
                                              "  2: store.i32 [$s], %i\n"
                                              "  3: %m = add.i32 %m, 1\n"
                                              "  4: if lt.i32 %m, %n then 2 else 8\n"
                                              "  5: store.i32 [$s + 4], %i\n"
                                              "  6: %m = add.i32 %m, 1\n"
                                              "  7: if lt.i32 %m, %n then 5 else 8\n"
                                              "  8: return %i\n}\n";

// A branch that was not there, on what was tested, and on what may be undefined: %u is set only
// later.
static const char tested[] = HEAD "  0: if lt.i32 %n, 5 then 1 else 2\n"
                                  "  1: return %n\n"
                                  "  2: if ge.i32 %u, -2147483648 then 3 else 1\n"
                                  "  3: %u = const.i32 1\n"
                                  "  4: return %m\n}\n";
static const char tested_more[] = HEAD "  0: if lt.i32 %n, 5 then 1 else 4\n"
                                       "  1: if eq.i32 %n, 3 then 2 else 3\n"
                                       "  2: return %n\n"
                                       "  3: return %n\n"
                                       "  4: if ge.i32 %u, -2147483648 then 5 else 3\n"
                                       "  5: %u = const.i32 1\n"
                                       "  6: return %m\n}\n";
static const char tested_undefined[] = HEAD "  0: if lt.i32 %n, 5 then 1 else 4\n"
                                            "  1: if eq.i32 %u, 3 then 2 else 3\n"
                                            "  2: return %n\n"
                                            "  3: return %n\n"
                                            "  4: if ge.i32 %u, -2147483648 then 5 else 3\n"
                                            "  5: %u = const.i32 1\n"
                                            "  6: return %m\n}\n";

// Both ways lead to one node: nothing is known there.
static const char both[] = HEAD "  0: if lt.i32 %n, 5 then 1 else 1\n"
                                "  1: if lt.i32 %n, 5 then 2 else 3\n"
                                "  2: return %n\n"
                                "  3: return %m\n}\n";
static const char both_decided[] = HEAD "  0: if lt.i32 %n, 5 then 1 else 1\n"
                                        "  1: nop\n"
                                        "  2: return %n\n}\n";
static const char both_once[] = HEAD "  0: if lt.i32 %n, 5 then 1 else 2\n"
                                     "  1: return %n\n"
                                     "  2: return %m\n}\n";
static const char both_dropped[] = HEAD "  0: if lt.i32 %n, 5 then 1 else 2\n"
                                        "  1: return %n\n"
                                        "  2: return %n\n}\n";

static const char straight[] = HEAD "  0: store.i32 [$s], %n\n"
                                    "  1: return %n\n}\n";
static const char ring[] = HEAD "  0: store.i32 [$s], %n\n"
                                "  1: nop\n"
                                "  2: %m = move.i32 %m -> 1\n"
                                "  3: return %n\n}\n";
static const char self[] = HEAD "  0: nop -> 0\n"
                                "  1: return %n\n}\n";
static const char self_twice[] = HEAD "  0: nop\n"
                                      "  1: nop -> 0\n"
                                      "  2: return %n\n}\n";

// Other registers: %k in the place of %m.
static const char renamed[] = HEAD "  0: %i = const.i32 0\n"
                                   "  1: %k = move.i32 %m\n"
                                   "  2: if lt.i32 %i, %n then 3 else 5\n"
                                   "  3: %k = add.i32 %k, %i\n"
                                   "  4: %i = add.i32 %i, 1 -> 2\n"
                                   "  5: return %k\n}\n";
static const char renamed_wrongly[] = HEAD "  0: %i = const.i32 0\n"
                                           "  1: %k = move.i32 %m\n"
                                           "  2: if lt.i32 %i, %n then 3 else 5\n"
                                           "  3: %k = add.i32 %k, %i\n"
                                           "  4: %i = add.i32 %i, 1 -> 2\n"
                                           "  5: return %m\n}\n";

static const char differs[] = "the instruction differs", leaves[] = "does not lead on from that";

#define EIGHT_FACTS "1:0.0 1:0.0 1:0.0 1:0.0 1:0.0 1:0.0 1:0.0 1:0.0 "

static const Case cases[] = {
    {loop, unrolled, "0 1 2 3 1 2 3 4", "", NULL},
    {loop, unrolled, "0 1 2 3 2 2 3 4", "", leaves},
    {loop, unrolled, "0 1 2 3 1 2 3 2", "", leaves},
    {loop, unrolled, "0 1 2 3 1 2 3 9", "", "does not exist"},
    {loop, untested, "0 1 2 3 1 2 3 4", "", "it leaves out the branch of old node 1"},
    {loop, untested, "0 1 2 3 1 2 3 4", "4:1.0", "fact 0 of node 4 does not follow"},
    {loop, untested, "0 1 2 3 1 2 3 4", "2:1.0", "it leaves out the branch of old node 1"},
    {loop, peeled, "0 1 2 3 1 2 3 4", "", NULL},
    {loop, peeled_wrongly, "0 1 2 3 1 2 3 4", "", "it leaves out the branch of old node 1"},
    {twice, threaded, "0 1 4 5", "1:0.0", NULL},
    {twice, threaded, "0 1 4 5", "", "it leaves out the branch of old node 3"},
    {twice, threaded, "0 1 5 4", "1:0.0", leaves},
    {twice, threaded, "0 1 4 5", "1:0.1", "fact 0 of node 1 does not follow"},
    {twice, threaded, "0 1 4 5", "0:0.0", "fact 0 of node 0 does not follow"},
    {twice, threaded, "0 1 4 5", "1:3.0", NULL},
    {twice, threaded, "0 1 4 5", "1:1.0", "fact 0 is no way of a branch"},
    {twice, threaded, "0 1 4 5", "1:0.2", "fact 0 is no way of a branch"},
    {twice, threaded, "0 1 4 5", "1:9.0", "fact 0 is no way of a branch"},
    {twice, threaded, "0 1 4 5", "9:0.0", "fact 0 is out of order or range"},
    {twice, threaded, "0 1 4 5", EIGHT_FACTS EIGHT_FACTS "1:0.0", "more than 16 facts"},
    {twice, threaded, "0 1 4 5", EIGHT_FACTS EIGHT_FACTS, NULL},
    {weaker, threaded, "0 1 4 5", "1:0.0", "it leaves out the branch of old node 3"},
    {changed, threaded_changed, "0 1 4 5", "1:0.0", "it leaves out the branch of old node 3"},
    {floats, floats_threaded, "0 1 3 5", "", "it leaves out the branch of old node 2"},
    {invariant, unswitched, "0 1 2 4 5 3 4 5 6", "2:1.0 5:1.1", NULL},
    {invariant, unswitched, "0 1 2 4 5 3 4 5 6", "", "it leaves out the branch of old node 1"},
    {invariant, unswitched, "0 1 2 4 5 3 4 5 6", "2:1.0", "it leaves out the branch of old node 1"},
    {invariant, unswitched, "0 1 2 4 5 3 4 5 6", "2:1.1 5:1.1", "fact 0 of node 2 does not follow"},
    {variant, unswitched_variant, "0 1 2 4 5 3 4 5 6", "2:1.0 5:1.1",
     "it leaves out the branch of old node 1"},
    {tested, tested_more, "0 1 1 1 2 3 4", "1:0.0", NULL},
    {tested, tested_more, "0 1 1 1 2 3 4", "", differs},
    {tested, tested_undefined, "0 1 1 1 2 3 4", "1:0.0", differs},
    {tested, tested_undefined, "0 1 1 1 2 3 4", "1:2.0", "fact 0 of node 1 does not follow"},
    {tested, tested_undefined, "0 1 1 1 2 3 4", "1:0.0 1:2.0", "fact 1 of node 1 does not follow"},
    {both, both_decided, "0 1 2", "1:0.0", "fact 0 of node 1 does not follow"},
    {both, both_decided, "0 1 2", "", "it leaves out the branch of old node 1"},
    {both, both_once, "0 2 3", "", NULL},
    {both, both_dropped, "0 2 2", "", "it leaves out the"},
    {straight, ring, "0 1 1 1", "", "added nodes form a cycle"},
    {self, self_twice, "0 0 1", "", NULL},
    {self, self_twice, "0 1 1", "", "it takes too long"},
    {loop, renamed, "0 1 1 2 3 4", "2:%k=%m 2:%m=-", NULL},
    {loop, renamed, "0 1 1 2 3 4", "2:%k=%m", "does not hold"},
    {loop, renamed, "0 1 1 2 3 4", "", differs},
    {loop, renamed, "0 1 1 2 3 4", "2:%k=%i 2:%m=-", "does not hold at node 2 what is claimed"},
    {loop, renamed, "0 1 1 2 3 4", "2:%m=- 2:%k=%m 2:%k=%k", "out of order or range"},
    {loop, renamed_wrongly, "0 1 1 2 3 4", "2:%k=%m 2:%m=-", differs},
};

static void add_claims(Arena *arena, const Func *before, const Func *after, CopiesHint *hint,
                       const char *claims) {
    char now[16], then[16];
    unsigned node, branch, way;
    int length;
    for (; *claims; claims += length + (claims[length] == ' ')) {
        if (sscanf(claims, "%u:%u.%u%n", &node, &branch, &way, &length) == 3) {
            vec_push(arena, &hint->facts, (CopiesFact){{node}, {branch}, way});
            continue;
        }
        assert_int_equal(sscanf(claims, "%u:%15[^=]=%15[^ ]%n", &node, now, then, &length), 3);
        bool none = strcmp(then, "-") == 0, both_new = strcmp(now, then) == 0;
        Reg held = none ? NO_REG : forge_reg(both_new ? after : before, then);
        vec_push(arena, &hint->pairs, (CopiesPair){{node}, forge_reg(after, now), held});
    }
    // In order of registers, but for what is claimed twice.
    for (uint32_t i = 1; i < hint->pairs.count; i++)
        for (uint32_t k = i; k > 0 && hint->pairs.at[k - 1].now.i > hint->pairs.at[k].now.i; k--) {
            CopiesPair pair = hint->pairs.at[k];
            hint->pairs.at[k] = hint->pairs.at[k - 1];
            hint->pairs.at[k - 1] = pair;
        }
}

static void test_by_hand(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Arena *arena = arena_new("forgery");
        CopiesHint hint = {0};
        Forgery forgery = {.arena = arena, .hint = &hint, .check = check};
        forgery.before = forge_parse(arena, FORM_RTL, cases[i].before);
        forgery.after = forge_read(arena, forgery.before, FORM_RTL, cases[i].after);
        assert_true(forge_is_well_formed(&forgery));
        const char *old = cases[i].old;
        for (char *end; *old; old = end)
            vec_push(arena, &hint.old, (Node){(uint32_t)strtoul(old, &end, 10)});
        add_claims(arena, forgery.before, forgery.after, &hint, cases[i].claims);
        const char *what =
            arena_printf(arena, "case %u, %s, \"%s\"", i, cases[i].old, cases[i].claims);
        if (cases[i].reason) {
            forge_expect_rejected(&forgery, what, cases[i].reason);
        } else {
            forge_expect_accepted(&forgery, what);
            arena_free(arena);
        }
    }
}

// ---- Too many claims

// Each fact at a node is sought among those known before it.
static const char two_tests[] = HEAD "  0: if lt.i32 %n, 0 then 1 else 4\n"
                                     "  1: if lt.i32 %m, 0 then 2 else 4\n"
                                     "  2: nop\n"
                                     "  3: return %m\n"
                                     "  4: return %n\n}\n";

static void test_too_many_facts(void **state) {
    (void)state;
    Arena *arena = arena_new("forgery");
    CopiesHint hint = {0};
    Forgery forgery = {.arena = arena, .hint = &hint, .check = check};
    forgery.before = forge_parse(arena, FORM_RTL, two_tests);
    forgery.after = forge_read(arena, forgery.before, FORM_RTL, two_tests);
    vec_push(arena, &hint.facts, (CopiesFact){{1}, {0}, 0});
    for (uint32_t i = 0; i < 15; i++) vec_push(arena, &hint.facts, (CopiesFact){{2}, {1}, 0});
    vec_push(arena, &hint.facts, (CopiesFact){{2}, {0}, 0});
    forge_expect_accepted(&forgery, "some facts at a node");
    vec_push(arena, &hint.facts, (CopiesFact){{2}, {0}, 0});
    forge_expect_rejected(&forgery, "one more", "there are more than 16 facts");
}

// ---- Dispatches

// The register is set to zero, and the dispatch has one target: old node 1.
static const char chosen[] = HEAD "  0: if lt.i32 %n, 0 then 1 else 2\n"
                                  "  1: return %m\n"
                                  "  2: return %n\n}\n";
#define DISPATCHED(ways)                                                                           \
    HEAD "  0: if lt.i32 %n, 0 then 1 else 4\n"                                                    \
         "  1: %d = const.i32 0\n"                                                                 \
         "  2: switch %d { " ways " }\n"                                                           \
         "  3: return %m\n"                                                                        \
         "  4: return %n\n}\n"
static const struct {
    const char *after, *reason;
} dispatches[] = {
    {DISPATCHED("0: 3, default: 4"), NULL},
    {DISPATCHED("1: 4, default: 3"), NULL},
    {DISPATCHED("0: 4, default: 3"), "it leaves out the return of old node 1"},
    {DISPATCHED("1: 3, default: 4"), "it leaves out the return of old node 1"},
    // Zero is among the cases, but not the first of them.
    {DISPATCHED("-1: 3, 0: 4, default: 3"), "the dispatch of 0 does not lead to old node 1"},
};

static void test_dispatches(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof dispatches / sizeof dispatches[0]; i++) {
        Arena *arena = arena_new("forgery");
        CopiesHint hint = {0};
        Forgery forgery = {.arena = arena, .hint = &hint, .check = check};
        forgery.before = forge_parse(arena, FORM_RTL, chosen);
        forgery.after = forge_read(arena, forgery.before, FORM_RTL, dispatches[i].after);
        assert_true(forge_is_well_formed(&forgery));
        static const Node old[] = {{0}, {1}, {3}, {1}, {2}}, targets[] = {{1}};
        for (uint32_t n = 0; n < sizeof old / sizeof old[0]; n++)
            vec_push(arena, &hint.old, old[n]);
        CopiesDispatch dispatch = {forge_reg(forgery.after, "%d"), 1, targets};
        vec_push(arena, &hint.dispatches, dispatch);
        const char *what = arena_printf(arena, "dispatch %u", i);
        if (dispatches[i].reason) {
            forge_expect_rejected(&forgery, what, dispatches[i].reason);
        } else {
            forge_expect_accepted(&forgery, what);
            arena_free(arena);
        }
    }
}

// ---- Copies of random nodes

// Each edge may lead to any copy of the node to which it led.
static bool make(Mutant *mutant) {
    uint64_t seed = mutant_draw(mutant, 1u << 30);
    const Func *before = random_func(mutant->arena, program_new(mutant->arena),
                                     random_options(seed % 3 ? 40 : 150, seed), seed);
    uint32_t count = before->nodes.count;
    CopiesHint *hint = ARENA_NEW(mutant->arena, CopiesHint);
    Func *after = func_clone(before, mutant->arena);
    uint32_t *copy = ARENA_ARRAY(mutant->arena, uint32_t, count);
    vec_clear(&after->labels);
    for (uint32_t n = 0; n < count; n++) vec_push(mutant->arena, &hint->old, (Node){n});
    for (uint32_t n = 0; n < count; n++) {
        if (mutant_draw(mutant, 3)) continue;
        copy[n] = func_duplicate(after, (Node){n}).i;
        vec_push(mutant->arena, &hint->old, (Node){n});
    }
    for (uint32_t n = 0; n < after->nodes.count; n++)
        for (uint32_t k = 0; k < after->nodes.at[n].succ_count; k++) {
            uint32_t succ = instr_succs(after, &after->nodes.at[n])[k].i;
            if (copy[succ] && mutant_draw(mutant, 2))
                func_set_succ(after, (Node){n}, k, (Node){copy[succ]});
        }
    *mutant = (Mutant){.arena = mutant->arena,
                       .random = mutant->random,
                       .before = before,
                       .after = after,
                       .hint = hint};
    return true;
}

static bool change_old(Mutant *mutant) {
    CopiesHint *hint = mutant->hint;
    hint->old.at[mutant_draw(mutant, hint->old.count)].i =
        mutant_draw(mutant, mutant->before->nodes.count);
    return true;
}
// A branch becomes a nop, and a fact is claimed there that would decide it.
static bool claim_fact(Mutant *mutant) {
    CopiesHint *hint = mutant->hint;
    uint32_t n = mutant_draw(mutant, mutant->after->nodes.count);
    Instr *instr = &mutant->after->nodes.at[n];
    if (instr->kind != I_COND) return false;
    uint32_t way = mutant_draw(mutant, 2);
    Node succ = instr->succ[way];
    *instr = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {succ}};
    vec_push(mutant->arena, &hint->facts, (CopiesFact){{n}, hint->old.at[n], way});
    return true;
}
// A register takes the place of another, and that is claimed at a node.
static bool claim_pair(Mutant *mutant) {
    CopiesHint *hint = mutant->hint;
    uint32_t n = mutant_draw(mutant, mutant->after->nodes.count);
    Instr *instr = &mutant->after->nodes.at[n];
    if (!instr->arg_count || instr->arg_count > INLINE_ARGS) return false;
    Reg then = instr->arg[0];
    if (!mutant_change_reg(mutant, &instr->arg[0])) return false;
    vec_push(mutant->arena, &hint->pairs, (CopiesPair){{n}, instr->arg[0], then});
    return true;
}

static void test_mutants(void **state) {
    (void)state;
    static const MutantKind kinds[] = {{"change the hint", change_old},
                                       {"claim a fact", claim_fact},
                                       {"claim a pair", claim_pair}};
    mutants_try(&(MutantPass){.make = make,
                              .check = check,
                              .kinds = kinds,
                              .kind_count = sizeof kinds / sizeof kinds[0]},
                effort(500, 3000, 200000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand), cmocka_unit_test(test_too_many_facts),
        cmocka_unit_test(test_dispatches), cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
