// Forged gates: wrong functions and wrong hints that check_gsa_build must reject, each for the
// right reason. Every forgery starts from an honest output. The wrong functions of the table are
// well-formed, so that nothing but the checker stands in their way.
#include "check/checkers.h"
#include "pass/pass.h"
#include "pipeline/step_check.h"
#include "test/gen/forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return step_check(PASS_gsa_build, arena, NULL, before, after, hint);
}

// The hint: facts 29: 9 and 10, 30: 9 and 11, 31: 4 and 15, 32: 4 and 6, 33: 32 and 12, 34: 3 and
// 23, 35 to 37: 34 and 24, 25, 27. Of the joins: 7, 29, 30 (of 12), 31, 19 (of 23); of the pads:
// 31, 19; of the latch: 33; of the ends: 35, 36, 37; of the exits: 31, 19.
static Forgery start(void) {
    Forgery forgery = {.arena = arena_new("forgery"), .check = check};
    GsaBuildHint *hint = ARENA_NEW(forgery.arena, GsaBuildHint);
    forgery.before = forge_parse(forgery.arena, FORM_SSA, forge_closed_loop);
    forgery.after = gsa_build(forgery.arena, forgery.before, hint);
    forgery.hint = hint;
    assert_non_null(forgery.after);
    return forgery;
}

// ---- Wrong functions

#define LESS  "lt.i32(%q.2, %m.0)"
#define LARGE "gt.i32(%t.1, 50)"
#define GOES  "lt.i32(%i.2, %n.0)"
#define FOUND "eq.i32(%t.1, 42)"
#define ENDS  "(" GOES " & " FOUND " | !" GOES ")"

static const char other_merge[] = "a merge is not what the phi was";
static const char no_copy[] = "an eta was no copy behind the pad";
static const char changed[] = "the instruction has changed";

static const CodeForgery wrong_code[] = {
    // gates of gammas
    {"gate 0 of a merge is wrong",
     {{LESS ": %q.3, !" LESS " & " LARGE ": %t.1", "!" LESS " & " LARGE ": %q.3, " LESS ": %t.1"}}},
    {"gate 1 of a merge is wrong", {{"!" LESS " & " LARGE ": %i.2", LESS " & " LARGE ": %i.2"}}},
    {"gate 1 of a merge is wrong",
     {{"!" LESS " & " LARGE ": %i.2", "!" LESS " & !" LARGE ": %i.2"}}},
    {"gate 1 of a merge is wrong", {{"!" LESS " & " LARGE ": %t.1", LARGE ": %t.1"}}},
    {"gate 1 of a merge is wrong", {{"!" LESS " & " LARGE ": %t.1", "!" LESS ": %t.1"}}},
    {"gate 1 of a merge is wrong", {{"!" LESS " & " LARGE ": %t.1", LARGE " & !" LESS ": %t.1"}}},
    {"gate 1 of a merge is wrong",
     {{"!" LESS " & " LARGE ": %t.1", "!" LESS " & " LARGE " & " FOUND ": %t.1"}}},
    {"gate 1 of a merge is wrong",
     {{"!" LESS " & " LARGE ": %t.1", "!" LESS " & gt.i32(%t.1, 51): %t.1"}}},
    {"gate 1 of a merge is wrong",
     {{"!" LESS " & " LARGE ": %t.1", "!" LESS " & gt.i32(%q.2, 50): %t.1"}}},
    {"gate 0 of a merge is wrong", {{LESS ": %q.3", "le.i32(%q.2, %m.0): %q.3"}}},
    {"gate 0 of a merge is wrong", {{LESS ": %q.3", "lt.i32(%m.0, %q.2): %q.3"}}},
    {"gate 0 of a merge is wrong", {{LESS ": %q.3", "true: %q.3"}}},
    {"gate 0 of a merge is wrong", {{LESS ": %q.3", "undef: %q.3"}}},
    {"gate 0 of a merge is wrong", {{LESS ": %q.3", "false: %q.3"}}},
    {"gate 0 of a merge is wrong", {{LESS ": %q.3", LESS " | " LARGE ": %q.3"}}},
    {"gate 2 of a merge is wrong", {{"!" LESS " & !" LARGE ": %q.2", "!" LARGE ": %q.2"}}},
    {"gate 0 of a merge is wrong", {{GOES " & " FOUND ": %t.2", FOUND ": %t.2"}}},
    {"gate 0 of a merge is wrong",
     {{GOES " & " FOUND ": %t.2, !" GOES ": %q.6", "!" GOES ": %t.2, " GOES " & " FOUND ": %q.6"}}},
    // registers of merges
    {"argument 0 of a merge differs", {{LESS ": %q.3", LESS ": %q.2"}}},
    {"argument 2 of a merge differs", {{"!" LARGE ": %m.0", "!" LARGE ": %n.0"}}},
    {"argument 0 of a merge differs",
     {{GOES " & " FOUND ": %t.2, !" GOES ": %q.6", GOES " & " FOUND ": %q.6, !" GOES ": %t.2"}}},
    {"argument 0 of a merge differs",
     {{GOES " & " FOUND ": %t.2, !" GOES ": %q.6", "!" GOES ": %q.6, " GOES " & " FOUND ": %t.2"}}},
    {"argument 0 of a merge differs", {{"mu(%i.1, %i.3)", "mu(%q.1, %i.3)"}}},
    {"argument 1 of a merge differs", {{"mu(%i.1, %i.3)", "mu(%i.1, %i.1)"}}},
    {"argument 1 of a merge differs", {{"mu(%q.1, %q.5)", "mu(%q.1, %q.2)"}}},
    {other_merge,
     {{"%i.2 = mu(%i.1", "%z.3 = mu(%i.1"}, {"%q.2 = mu", "%i.2 = mu"}, {"%z.3 =", "%q.2 ="}}},
    {other_merge,
     {{"  3: %i.2 = mu(%i.1, %i.3)\n  3: %q.2 = mu(%q.1, %q.5)\n",
       "  3: %q.2 = mu(%q.1, %q.5)\n  3: %i.2 = mu(%i.1, %i.3)\n"}}},
    {other_merge, {{": %i.2, !" LESS " & !" LARGE ": %q.2)", ": %i.2)"}}},
    {other_merge, {{"!" LARGE ": %q.2)", "!" LARGE ": %q.2, false: %m.0)"}}},
    {"the number of merges is not that of the phis",
     {{"%r.1 = gamma", "%r.2 = gamma(" GOES ": %m.0, !" GOES ": %n.0)\n  23: %r.1 = gamma"}}},
    // etas
    {"gate 0 of an eta is wrong", {{"eta(" GOES " & " FOUND ", %i.2)", "eta(" FOUND ", %i.2)"}}},
    {"gate 1 of an eta is wrong",
     {{"eta(" GOES " & " FOUND ", %t.1)", "eta(" GOES " & !" FOUND ", %t.1)"}}},
    {"gate 1 of an eta is wrong", {{"eta(!" GOES ", %q.2)", "eta(" GOES ", %q.2)"}}},
    {"gate 1 of an eta is wrong", {{"eta(!" GOES ", %q.2)", "eta(true, %q.2)"}}},
    {"eta 1 is not the copy that it was", {{FOUND ", %t.1)", FOUND ", %q.2)"}}},
    {"eta 1 is not the copy that it was", {{FOUND ", %t.1)", FOUND ", %m.0)"}}},
    {"eta 1 is not the copy that it was", {{"eta(!" GOES ", %q.2)", "eta(!" GOES ", %q.1)"}}},
    {"eta 0 is not the copy that it was",
     {{"%i.4 = eta", "%z.3 = eta"}, {"%t.2 = eta", "%i.4 = eta"}, {"%z.3 = eta", "%t.2 = eta"}}},
    {"eta 0 is not the copy that it was", {{"  19: %i.5 = eta(!" GOES ", %i.2)\n", ""}}},
    {changed,
     {{"  15: %t.2 = eta(" GOES " & " FOUND ", %t.1)\n", ""}, {FOUND ": %t.2", FOUND ": %i.4"}}},
    {no_copy, {{"  19: nop", "  19: %z.3 = eta(!" GOES ", %n.0)\n  19: nop"}}},
    // instructions and edges
    {changed, {{"%i.1 = const.i32 0", "%i.1 = const.i32 1"}}},
    {changed, {{"mul.i32 %i.2, %m.0", "mul.i32 %q.2, %m.0"}}},
    {changed, {{"mul.i32 %i.2", "add.i32 %i.2"}}},
    {changed, {{"  12: store.i32 [$s], %u.1", "  12: nop"}}},
    {changed, {{"  12: store.i32 [$s], %u.1", "  12: store.i32 [$s + 4], %u.1"}}},
    {changed, {{"  27: nop", "  27: call @abort()"}}},
    {changed, {{"{ 1: 24, 2: 25,", "{ 1: 24, 3: 25,"}}},
    {changed, {{"return %n.0", "return %m.0"}}},
    {no_copy, {{"  16: nop", "  16: store.i32 [$s], %m.0"}}},
    {no_copy, {{"  21: nop", "  21: %z.3 = move.i32 %m.0"}}},
    {"successor 0 has changed", {{"then 7 else 9", "then 9 else 7"}}},
    {"successor 0 has changed", {{"then 15 else 6", "then 6 else 15"}}},
    {"successor 1 has changed",
     {{"{ 1: 24, 2: 25, default: 27 }", "{ 1: 25, 2: 24, default: 27 }"}}},
    {"the number of nodes has changed",
     {{"return %n.0\n", "return %n.0\n  29: return %n.0\n"},
      {", default)\n", ", default)\n  end 29: false\n"}}},
    // gates of loops and ends
    {"the gate for leaving the loop is wrong",
     {{"leaves " GOES " & " FOUND " | !" GOES, "leaves !" GOES}}},
    {"the gate for leaving the loop is wrong",
     {{"leaves " GOES " & " FOUND " | !" GOES, "leaves !" GOES " | " GOES " & " FOUND}}},
    {"the gate for leaving the loop is wrong", {{"leaves " GOES " &", "leaves true | " GOES " &"}}},
    {"the gate for going on in the loop is wrong", {{"goes on " GOES " &", "goes on !" GOES " &"}}},
    {"the gate for going on in the loop is wrong", {{"& !" FOUND " & (", "& ("}}},
    {"the gate of an end is wrong",
     {{"end 24: " ENDS " & case(c0, %r.1, 1)", "end 24: case(c0, %r.1, 1)"}}},
    {"the gate of an end is wrong",
     {{"case(c0, %r.1, 1)", "case(c0, %r.1, 9)"},
      {"case(c0, %r.1, 2)", "case(c0, %r.1, 1)"},
      {"case(c0, %r.1, 9)", "case(c0, %r.1, 2)"}}},
    {"the gate of an end is wrong",
     {{"end 28: " ENDS " & case(c0, %r.1, default)", "end 28: true"}}},
};

static void test_wrong_code(void **state) {
    (void)state;
    forge_codes(start, wrong_code, sizeof wrong_code / sizeof wrong_code[0]);
}

static void test_wrong_frame(void **state) {
    (void)state;
    static const char forms[] = "the forms are not ssa and gsa";
    Forgery forgery = start();
    forgery.after->form = FORM_SSA;
    forge_expect_rejected(&forgery, "SSA again", forms);
    forgery = start();
    forgery.before = forgery.after;
    forge_expect_rejected(&forgery, "gates already", forms);
    forgery = start();
    forgery.after->slots.at[0].size = 4;
    forge_expect_rejected(&forgery, "a smaller slot", "slot 0 has changed");
    forgery = start();
    forgery.after->regs.at[3].version++;
    forge_expect_rejected(&forgery, "a version", "register 3 has changed");
}

// ---- Wrong hints

static GsaBuildHint *hint_of(Forgery *forgery) {
    return forgery->hint;
}

typedef enum { JOINS, PADS, LATCHES, ENDS_OF, EXITS } Part;

static uint32_t *number_in(Forgery *forgery, Part part, uint32_t i) {
    GsaBuildHint *hint = hint_of(forgery);
    switch (part) {
    case JOINS: return &hint->paths.joins.at[i];
    case PADS: return &hint->pads.at[i];
    case LATCHES: return &hint->latches.at[i];
    case ENDS_OF: return &hint->ends.at[i];
    case EXITS: break;
    }
    return &hint->exits.at[i];
}

static const char no_fact[] = "the hint names a fact that does not exist";
static const char from_6[] = "is not about the way from 6 to it";
static const char from_3[] = "is not about the way from 3 to it";
static const char from_0[] = "is not about the way from 0 to it";
static const char no_pad[] = "its gate does not start at a loop header";

static const struct {
    Part part;
    uint32_t i, fact;
    const char *reason;
} wrong_facts[] = {
    {JOINS, 0, 9, from_6},  // another block
    {JOINS, 0, 8, from_6},  // no head
    {JOINS, 0, 0, from_6},  // the entry
    {JOINS, 0, 29, from_6}, // another predecessor
    {JOINS, 1, 30, from_6}, // another predecessor
    {JOINS, 1, 10, from_6}, // from 9, not from 6
    {JOINS, 0, 12, from_6}, // not known yet
    {JOINS, 0, 4, from_6},  // not known yet
    {JOINS, 0, FACT_NONE, "a fact about it is missing"},
    {JOINS, 0, 31, "fact 2 does not follow from earlier ones"}, // too early
    {JOINS, 0, 37, "fact 2 does not follow from earlier ones"},
    {JOINS, 4, 38, "fact 5 does not follow from earlier ones"},
    {JOINS, 4, FACT_NONE - 1, "fact 5 does not follow from earlier ones"},
    {JOINS, 3, 15, from_3}, // from 4 only
    {JOINS, 3, 19, from_3},
    {JOINS, 4, 31, from_3},
    {PADS, 0, 15, no_pad}, // from a block that is no header
    {PADS, 0, 19, no_pad}, // another pad
    {PADS, 0, 33, no_pad}, // no pad at all
    {PADS, 0, FACT_NONE, no_fact},
    {PADS, 1, 38, no_fact},
    {PADS, 1, 20, no_fact}, // no head
    {PADS, 1, 34, no_pad},
    {LATCHES, 0, 12, from_3},
    {LATCHES, 0, 32, from_3},
    {LATCHES, 0, 31, from_3},
    {LATCHES, 0, FACT_NONE, "a fact about it is missing"},
    {LATCHES, 0, 38, no_fact},
    {ENDS_OF, 0, 36, from_0},
    {ENDS_OF, 1, 25, from_0},
    {ENDS_OF, 2, 34, from_0},
    {ENDS_OF, 2, FACT_NONE, "a fact about it is missing"},
    {ENDS_OF, 2, 99, no_fact},
    {EXITS, 0, 15, "exit 0 is not one"}, // not from the header
    {EXITS, 0, 33, "exit 0 is not one"}, // not outside
    {EXITS, 1, 31, "exit 1 is not one"}, // twice
    {EXITS, 0, 19, "exit 1 is not one"}, // twice
    {EXITS, 1, 23, "exit 1 is not one"}, // outside, but no pad
    {EXITS, 1, 38, no_fact},
    {EXITS, 1, FACT_NONE, no_fact},
};

static void test_wrong_facts(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof wrong_facts / sizeof wrong_facts[0]; i++) {
        Forgery forgery = start();
        const char *what =
            arena_printf(forgery.arena, "part %d at %u: %u", (int)wrong_facts[i].part,
                         wrong_facts[i].i, wrong_facts[i].fact);
        forge_expect_accepted(&forgery, "before anything was forged");
        *number_in(&forgery, wrong_facts[i].part, wrong_facts[i].i) = wrong_facts[i].fact;
        forge_expect_rejected(&forgery, what, wrong_facts[i].reason);
    }
}

static const struct {
    uint32_t i;
    GateFact fact;
    const char *reason;
} wrong_joinings[] = {
    {0, {10, 9}, "fact 0 does not follow"}, // the wrong way round
    {0, {9, 9}, "fact 0 does not follow"},
    {0, {7, 10}, "fact 0 does not follow"},  // do not meet
    {0, {29, 10}, "fact 0 does not follow"}, // itself
    {0, {9, 29}, "fact 0 does not follow"},
    {0, {30, 10}, "fact 0 does not follow"}, // a later one
    {0, {9, FACT_NONE}, "fact 0 does not follow"},
    {0, {FACT_NONE, 10}, "fact 0 does not follow"},
    {0, {9, 1000}, "fact 0 does not follow"}, // out of range
    {0, {9, 8}, "fact 0 does not follow"},    // no head
    {0, {0, 9}, "fact 0 does not follow"},    // the entry
    {0, {6, 9}, "fact 0 does not follow"},    // not known yet
    {0, {9, 11}, from_6},                     // about another block
    {2, {4, 6}, from_3},
    {4, {32, 15}, "fact 4 does not follow"},
    {4, {4, 12}, "fact 4 does not follow"}, // a part left out
    {5, {3, 19}, "fact 6 does not follow"},
    {6, {34, 25}, from_0},
};

static void test_wrong_joinings(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof wrong_joinings / sizeof wrong_joinings[0]; i++) {
        Forgery forgery = start();
        GateFact fact = wrong_joinings[i].fact;
        const char *what = arena_printf(forgery.arena, "fact %u: %u and %u", wrong_joinings[i].i,
                                        fact.upper, fact.lower);
        hint_of(&forgery)->paths.facts.at[wrong_joinings[i].i] = fact;
        forge_expect_rejected(&forgery, what, wrong_joinings[i].reason);
    }
}

static void join_less(Forgery *forgery) {
    hint_of(forgery)->paths.joins.count--;
}
static void join_more(Forgery *forgery) {
    vec_push(forgery->arena, &hint_of(forgery)->paths.joins, 7);
}
static void fact_less(Forgery *forgery) {
    hint_of(forgery)->paths.facts.count--;
}
static void pad_less(Forgery *forgery) {
    hint_of(forgery)->pads.count--;
}
static void latch_less(Forgery *forgery) {
    hint_of(forgery)->latches.count--;
}
static void latch_more(Forgery *forgery) {
    vec_push(forgery->arena, &hint_of(forgery)->latches, 33);
}
static void end_less(Forgery *forgery) {
    hint_of(forgery)->ends.count--;
}
static void exit_less(Forgery *forgery) {
    hint_of(forgery)->exits.count--;
}
static void empty(Forgery *forgery) {
    *hint_of(forgery) = (GsaBuildHint){0};
}

static void test_size(void **state) {
    (void)state;
    static const char joins[] = "the hint does not cover every join";
    static const char everything[] = "the hint does not cover everything";
    static const HintForgery forgeries[] = {
        {"a join less", join_less, joins},
        {"a join more", join_more, joins},
        {"a fact less", fact_less, no_fact},
        {"a pad less", pad_less, "the hint says nothing about its etas"},
        {"a latch less", latch_less, everything},
        {"a latch more", latch_more, everything},
        {"an end less", end_less, everything},
        {"an exit less", exit_less, "an exit is missing"},
        {"nothing", empty, joins},
    };
    forge_hints(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

// ---- What the verifier would find as well

static Merge *merge_at(Forgery *forgery, uint32_t join) {
    return &forgery->after->gsa->merges.at[forgery->after->gsa->merge_at.at[join]];
}
static MergeArg *merge_arg(Forgery *forgery, uint32_t join, uint32_t k) {
    return &forgery->after->gsa->merge_args.at[merge_at(forgery, join)->args_at + k];
}
static Eta *eta_at(Forgery *forgery, uint32_t pad, uint32_t i) {
    return &forgery->after->gsa->etas.at[forgery->after->gsa->eta_at.at[pad] + i];
}

static void gamma_at_header(Forgery *forgery) {
    merge_at(forgery, 3)->kind = MERGE_GAMMA;
}
// The second merge of 12, and the phi that it was, stand at 13.
static void gamma_at_no_join(Forgery *forgery) {
    forgery->after->gsa->merge_at.at[13]--;
    ((Func *)forgery->before)->phi_at.at[13]--;
}
static void mu_at_join(Forgery *forgery) {
    merge_at(forgery, 23)->kind = MERGE_MU;
}
static void mu_arguments_swapped(Forgery *forgery) {
    Reg first = merge_arg(forgery, 3, 0)->reg;
    merge_arg(forgery, 3, 0)->reg = merge_arg(forgery, 3, 1)->reg;
    merge_arg(forgery, 3, 1)->reg = first;
}
static void mu_with_a_gate(Forgery *forgery) {
    merge_arg(forgery, 3, 1)->gate = merge_arg(forgery, 12, 0)->gate;
}
static void destination_duplicated(Forgery *forgery) {
    eta_at(forgery, 15, 0)->dest = eta_at(forgery, 15, 1)->dest;
}
static void destination_clobbered(Forgery *forgery) {
    eta_at(forgery, 15, 0)->dest = forge_reg(forgery->after, "%q.1");
}
// The condition of node 6 reads what is set behind it: so does the predicate of 7.
static void condition_set_later(Forgery *forgery) {
    forgery->after->nodes.at[6].arg[0] = forge_reg(forgery->after, "%q.3");
}
static void condition_set_there(Forgery *forgery) {
    forgery->after->nodes.at[3].arg[0] = forge_reg(forgery->after, "%i.5");
}
// Etas at 14, which is no pad: a latch.
static void etas_elsewhere(Forgery *forgery) {
    forgery->after->gsa->eta_at.at[15] = 2;
}
static void etas_at_a_join(Forgery *forgery) {
    forgery->after->gsa->eta_at.at[13] = forgery->after->gsa->eta_at.at[14] = 2;
    forgery->after->gsa->eta_at.at[15] = 2;
}
static void etas_to_the_end(Forgery *forgery) {
    Gsa *gsa = forgery->after->gsa;
    for (uint32_t i = 0; i < 2; i++) {
        Eta eta = gsa->etas.at[i];
        vec_push(forgery->arena, &gsa->etas, eta);
    }
    gsa->eta_at.at[28] = gsa->eta_at.at[29] = 6;
    vec_push(forgery->arena, &hint_of(forgery)->pads, 37);
}
static void copy_reads_copy(Forgery *forgery) {
    Reg first = eta_at(forgery, 15, 0)->dest;
    ((Func *)forgery->before)->nodes.at[17].arg[0] = first;
    eta_at(forgery, 15, 1)->source = first;
}
static void loop_gates_gone(Forgery *forgery) {
    forgery->after->gsa->loops.count = hint_of(forgery)->latches.count = 0;
}
static void loop_gates_twice(Forgery *forgery) {
    LoopGate loop = forgery->after->gsa->loops.at[0];
    vec_push(forgery->arena, &forgery->after->gsa->loops, loop);
    latch_more(forgery);
}
static void loop_gates_of_no_loop(Forgery *forgery) {
    forgery->after->gsa->loops.at[0].header = (Node){4};
}
static void end_gates_gone(Forgery *forgery) {
    forgery->after->gsa->ends.count = --hint_of(forgery)->ends.count;
}
static void end_gates_twice(Forgery *forgery) {
    EndGate end = forgery->after->gsa->ends.at[2];
    vec_push(forgery->arena, &forgery->after->gsa->ends, end);
    vec_push(forgery->arena, &hint_of(forgery)->ends, 37);
}

static void test_malformed(void **state) {
    (void)state;
    static const char later[] = "its predicate has a register that is set there or later";
    static const HintForgery forgeries[] = {
        {"a gamma at a header", gamma_at_header, other_merge},
        {"a gamma where there is no join", gamma_at_no_join, other_merge},
        {"a mu at a join", mu_at_join, other_merge},
        {"arguments of a mu", mu_arguments_swapped, "argument 0 of a merge differs"},
        {"a gate in a mu", mu_with_a_gate, "gate 1 of a merge is wrong"},
        {"a destination twice", destination_duplicated, "eta 0 is not the copy"},
        {"a destination that is set elsewhere", destination_clobbered, "eta 0 is not the copy"},
        {"a condition set later", condition_set_later, later},
        {"a condition set there", condition_set_there, later},
        {"etas at a latch", etas_elsewhere, no_pad},
        {"etas at a join", etas_at_a_join, "it has etas but is no landing pad"},
        {"etas behind which too little comes", etas_to_the_end,
         "it has etas but is no landing pad"},
        {"a copy of a copy", copy_reads_copy, "eta 1 reads what is set here or later"},
        {"no gates of the loop", loop_gates_gone, "the gates of the loop are missing"},
        {"gates of a second loop", loop_gates_twice, "there are gates of no loop"},
        {"gates of another loop", loop_gates_of_no_loop, "the gates of the loop are missing"},
        {"an end without gate", end_gates_gone, "the gate of an end is missing"},
        {"a gate without end", end_gates_twice, "there are gates of no end"},
    };
    forge_hints(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

// ---- Graphs without gates

// An output for a function without phis, with no gates at all.
static void reject_graph(const char *text, const GateFact *facts, uint32_t fact_count,
                         const uint32_t *joins, uint32_t join_count, const char *reason) {
    GsaBuildHint hint = {0};
    Forgery forgery = {.arena = arena_new("forgery"), .check = check, .hint = &hint};
    forgery.before = forge_parse(forgery.arena, FORM_SSA, text);
    forgery.after = func_clone(forgery.before, forgery.arena);
    forgery.after->form = FORM_GSA;
    forgery.after->gsa = gsa_new(forgery.arena);
    for (uint32_t i = 0; i < fact_count; i++) vec_push(forgery.arena, &hint.paths.facts, facts[i]);
    for (uint32_t i = 0; i < join_count; i++) vec_push(forgery.arena, &hint.paths.joins, joins[i]);
    forge_expect_rejected(&forgery, reason, reason);
}

#define BODY(text) "function i32 @f(i32 %n.0, i32 %m.0) {\n" text "}\n"

static void test_graphs(void **state) {
    (void)state;
    static const char latches[] = "a loop header needs one way in and one latch";
    reject_graph(BODY("  0: if lt.i32 %n.0, %m.0 then 1 else 2\n"
                      "  1: nop -> 3\n"
                      "  2: nop -> 4\n"
                      "  3: nop\n"
                      "  4: nop -> 3\n"),
                 NULL, 0, NULL, 0, "the edge from 4 is neither forward nor back");
    reject_graph(BODY("  0: nop -> 2\n"
                      "  1: return %n.0\n"
                      "  2: nop -> 1\n"),
                 NULL, 0, NULL, 0, "the edge from 2 is neither forward nor back");
    reject_graph(BODY("  0: return %n.0\n"
                      "  1: return %n.0\n"),
                 NULL, 0, NULL, 0, "there are nodes that cannot be reached");
    reject_graph(BODY("  0: nop\n"
                      "  1: if lt.i32 %n.0, %m.0 then 2 else 3\n"
                      "  2: nop -> 1\n"
                      "  3: nop -> 1\n"),
                 NULL, 0, NULL, 0, latches);
    reject_graph(BODY("  0: nop -> 0\n"), NULL, 0, NULL, 0, latches);
    reject_graph(BODY("  0: if lt.i32 %n.0, %m.0 then 1 else 2\n"
                      "  1: nop -> 3\n"
                      "  2: nop -> 3\n"
                      "  3: if lt.i32 %n.0, %m.0 then 4 else 5\n"
                      "  4: nop -> 3\n"
                      "  5: return %n.0\n"),
                 NULL, 0, NULL, 0, latches);
    // a loop that is left to a join: not well-formed, but who knows
    reject_graph(BODY("  0: if lt.i32 %n.0, %m.0 then 1 else 4\n"
                      "  1: nop\n"
                      "  2: if lt.i32 %n.0, %m.0 then 3 else 5\n"
                      "  3: nop -> 2\n"
                      "  4: nop\n"
                      "  5: return %n.0\n"),
                 (GateFact[]){{1, 2}}, 1, (uint32_t[]){6, 4}, 2, "the loop is left to a join");
}

// A join loses a way in, which comes from behind it: nothing may be read past the shorter phi's
// end. In normal form no join has such ways, so that the longer function is made by hand.
static void test_fewer_ways(void **state) {
    (void)state;
    GsaBuildHint hint = {0};
    Forgery forgery = {.arena = arena_new("forgery"), .check = check, .hint = &hint};
    const Func *three = forge_parse(forgery.arena, FORM_SSA, forge_three_ways);
    forgery.before = forge_edit(forgery.arena, three, forge_two_ways);
    forgery.after = func_clone(three, forgery.arena);
    forgery.after->form = FORM_GSA;
    forgery.after->gsa = gsa_new(forgery.arena);
    forge_expect_rejected(&forgery, "a way less", "the number of successors has changed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_code),  cmocka_unit_test(test_wrong_frame),
        cmocka_unit_test(test_wrong_facts), cmocka_unit_test(test_wrong_joinings),
        cmocka_unit_test(test_size),        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_graphs),      cmocka_unit_test(test_fewer_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
