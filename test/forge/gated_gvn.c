// Forged value numberings of gated functions: wrong functions and wrong hints that check_gated_gvn
// must reject, each for the right reason. A forgery is a change of the text of a function, first of
// what the pass is said to have had before it, then of what it made of that, and a claim of
// equalities.
#include "analysis/gate_paths.h"
#include "check/checkers.h"
#include "pipeline/step_check.h"
#include "test/gen/forge.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Three diamonds, the first two with the same condition. The arms are computed anew each time.
static const char diamonds[] = "function i32 @f(i32 %c.0, i32 %d.0) {\n"
                               "  0: %k.1 = and.i32 %c.0, 1\n"
                               "  1: %k.2 = and.i32 %c.0, 1\n"
                               "  2: if ne.i32 %k.2, 0 then 3 else 6\n"
                               "  3: %t.1 = add.i32 %d.0, 1\n"
                               "  4: %x.1 = mul.i32 %t.1, 3\n"
                               "  5: nop -> 8\n"
                               "  6: %x.2 = const.i32 2\n"
                               "  7: nop\n"
                               "  8: %x.3 = gamma(ne.i32(%k.2, 0): %x.1, !ne.i32(%k.2, 0): %x.2)\n"
                               "  8: %w.3 = gamma(ne.i32(%k.2, 0): %x.1, !ne.i32(%k.2, 0): %d.0)\n"
                               "  8: %l.1 = call @g(%x.3)\n"
                               "  9: if ne.i32 %k.2, 0 then 10 else 13\n"
                               "  10: %t.2 = add.i32 %d.0, 1\n"
                               "  11: %y.1 = mul.i32 %t.2, 3\n"
                               "  12: nop -> 15\n"
                               "  13: %y.2 = const.i32 2\n"
                               "  14: nop\n"
                               "  15: %y.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %y.2)\n"
                               "  15: %z.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %l.1)\n"
                               "  15: %v.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %y.2)\n"
                               "  15: if ne.i32 %l.1, 0 then 16 else 19\n"
                               "  16: %t.3 = add.i32 %d.0, 1\n"
                               "  17: %u.1 = mul.i32 %t.3, 3\n"
                               "  18: nop -> 21\n"
                               "  19: %u.2 = const.i32 2\n"
                               "  20: nop\n"
                               "  21: %u.3 = gamma(ne.i32(%l.1, 0): %u.1, !ne.i32(%l.1, 0): %u.2)\n"
                               "  21: %r.1 = add.i32 %x.3, %y.3\n"
                               "  22: %r.2 = add.i32 %r.1, %z.3\n"
                               "  23: %r.3 = add.i32 %r.2, %v.3\n"
                               "  24: %r.4 = add.i32 %r.3, %u.3\n"
                               "  25: %r.5 = add.i32 %r.4, %k.1\n"
                               "  26: return %r.5\n"
                               "  end 26: ne.i32(%l.1, 0) | !ne.i32(%l.1, 0)\n"
                               "}\n"
                               "extern function i32 @g(i32)\n";

// What is equal in it, up to the gammas.
#define ARMS  "%t.2=%t.1 %y.1=%x.1 %y.2=%x.2 "
#define THIRD "%t.3=%t.1 %u.1=%x.1 %u.2=%x.2 "

// Diamonds in a loop and behind it.
static const char loop[] = "function i32 @f(i32 %n.0, i32 %a.0) {\n"
                           "  0: %i.1 = const.i32 0\n"
                           "  1: nop\n"
                           "  2: %i.2 = mu(%i.1, %i.3)\n"
                           "  2: %j.2 = mu(%i.1, %j.3)\n"
                           "  2: if lt.i32 %i.2, %n.0 then 3 else 13\n"
                           "  3: if lt.i32 %a.0, 5 then 4 else 5\n"
                           "  4: nop -> 6\n"
                           "  5: nop\n"
                           "  6: %p.3 = gamma(lt.i32(%a.0, 5): %i.2, !lt.i32(%a.0, 5): %n.0)\n"
                           "  6: call @h(%p.3)\n"
                           "  7: if lt.i32 %a.0, 5 then 8 else 9\n"
                           "  8: nop -> 10\n"
                           "  9: nop\n"
                           "  10: %q.3 = gamma(lt.i32(%a.0, 5): %i.2, !lt.i32(%a.0, 5): %n.0)\n"
                           "  10: %i.3 = add.i32 %i.2, 1\n"
                           "  11: %j.3 = add.i32 %q.3, 1\n"
                           "  12: nop -> 2\n"
                           "  13: %i.4 = eta(!lt.i32(%i.2, %n.0), %i.2)\n"
                           "  13: %j.4 = eta(!lt.i32(%i.2, %n.0), %j.2)\n"
                           "  13: nop\n"
                           "  14: if lt.i32 %a.0, 5 then 15 else 16\n"
                           "  15: nop -> 17\n"
                           "  16: nop\n"
                           "  17: %s.3 = gamma(lt.i32(%a.0, 5): %i.4, !lt.i32(%a.0, 5): %n.0)\n"
                           "  17: %s.4 = sub.i32 %s.3, %j.4\n"
                           "  18: return %s.4\n"
                           "  loop 2: leaves !lt.i32(%i.2, %n.0), goes on lt.i32(%i.2, %n.0)\n"
                           "  end 18: !lt.i32(%i.2, %n.0)\n"
                           "}\n"
                           "extern function void @h(i32)\n";

typedef struct {
    const char *text;
    Edit base[MAX_EDITS]; // of the text, to get the function before the pass
    Edit code[MAX_EDITS]; // of that, to get the one after it
    const char *claims;   // "%y.3=%x.3 %z.3=%x.3": the leader of the first is the second
    const char *reason;
} Case;

typedef struct {
    Arena *arena;
    const Func *before;
    Func *after;
    GatedGvnHint hint;
} Forged;

static void claim(Forged *forged, const char *claims) {
    char copy[256], *rest = copy;
    assert_true(strlen(claims) < sizeof copy);
    strcpy(copy, claims);
    for (char *word; (word = strsep(&rest, " "));) {
        char *equal = strchr(word, '=');
        if (!equal) continue;
        *equal = '\0';
        forged->hint.numbering.leader.at[forge_reg(forged->before, word).i] =
            forge_reg(forged->before, equal + 1);
    }
}

static void forge(Forged *forged, const Case *one) {
    Arena *arena = forged->arena = arena_new("forgery");
    const Func *func = forge_parse(arena, FORM_GSA, one->text);
    forged->before = forge_edit(arena, func, one->base);
    forged->after = forge_edit(arena, forged->before, one->code);
    Complaints complaints = {.arena = arena};
    assert_true(verify_func(&complaints, forged->before));
    if (!verify_func(&complaints, forged->after))
        fail_msg("\"%s\": not well-formed: %s", one->claims, complaints.list.at[0].message);
    GateForest forest;
    Gsa *table = gsa_clone(arena, forged->before->gsa);
    assert_true(forest_init(&forest, arena, forged->before, table, &forged->hint.paths));
    forest_grow(&forest);
    for (uint32_t i = 0; i < forged->before->regs.count; i++)
        vec_push(arena, &forged->hint.numbering.leader, (Reg){i});
    claim(forged, one->claims);
}

static Verdict verdict_on(const Forged *forged) {
    return step_check(PASS_gated_gvn, forged->arena, NULL, forged->before, forged->after,
                      &forged->hint);
}

// ---- What is right

#define Y3 "  15: %y.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %y.2)\n"
#define Q3 "  10: %q.3 = gamma(lt.i32(%a.0, 5): %i.2, !lt.i32(%a.0, 5): %n.0)\n"

static const Case right[] = {
    {.text = diamonds, .claims = ARMS "%y.3=%x.3 %v.3=%x.3"},
    {.text = diamonds,
     .code = {{Y3, ""}, {"%r.1 = add.i32 %x.3, %y.3", "%r.1 = add.i32 %x.3, %x.3"}},
     .claims = ARMS "%y.3=%x.3"},
    {.text = diamonds,
     .code = {{Y3, ""}, {"%r.1 = add.i32 %x.3, %y.3", "%r.1 = add.i32 %x.3, %v.3"}},
     .claims = ARMS "%y.3=%x.3 %v.3=%x.3"},
    {.text = diamonds,
     .code = {{"%r.5 = add.i32 %r.4, %k.1", "%r.5 = add.i32 %r.4, %k.2"},
              {"%k.1 = and.i32 %c.0, 1", "nop"}},
     .claims = "%k.2=%k.1"},
    {.text = loop,
     .code = {{Q3, ""}, {"%j.3 = add.i32 %q.3, 1", "%j.3 = add.i32 %p.3, 1"}},
     .claims = "%q.3=%p.3"},
    {.text = loop, .claims = "%i.4=%i.2 %j.4=%j.2"},
    // A gamma of one value.
    {.text = loop,
     .base = {{"10: %q.3 = gamma(lt.i32(%a.0, 5): %i.2, !lt.i32(%a.0, 5): %n.0)",
               "10: %q.3 = gamma(lt.i32(%a.0, 5): %i.2, !lt.i32(%a.0, 5): %i.2)"}},
     .code = {{"  10: %q.3 = gamma(lt.i32(%a.0, 5): %i.2, !lt.i32(%a.0, 5): %i.2)\n", ""},
              {"%j.3 = add.i32 %q.3, 1", "%j.3 = add.i32 %i.2, 1"}},
     .claims = "%q.3=%i.2"},
};

static void test_accepted(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        Forged forged = {0};
        forge(&forged, &right[i]);
        Verdict verdict = verdict_on(&forged);
        if (!verdict.accepted) fail_msg("\"%s\": %s", right[i].claims, verdict.reason);
        arena_free(forged.arena);
    }
}

// ---- Wrong numberings

static const char other_argument[] = "of a gamma is not that of its leader";
static const char not_above[] = "the leader of a gamma does not dominate its join";
static const char no_gate[] = "of a gamma is none of its leader";
static const char irregular[] = "is not that of the way from predecessor";

static const Case wrong_hints[] = {
    {.text = diamonds, .claims = "%y.3=%x.3", .reason = other_argument},
    {.text = diamonds, .claims = "%t.2=%t.1 %y.1=%x.1 %y.3=%x.3", .reason = other_argument},
    {.text = diamonds, .claims = "%y.2=%x.2 %y.3=%x.3", .reason = other_argument},
    {.text = diamonds, .claims = ARMS "%z.3=%x.3", .reason = other_argument},
    {.text = diamonds, .claims = ARMS "%y.3=%w.3", .reason = other_argument},
    {.text = diamonds, .claims = ARMS "%x.3=%y.3", .reason = not_above},
    {.text = diamonds, .claims = ARMS THIRD "%u.3=%x.3", .reason = no_gate},
    {.text = diamonds, .claims = ARMS THIRD "%u.3=%y.3", .reason = no_gate},
    {.text = diamonds, .claims = THIRD "%x.3=%u.3", .reason = not_above},
    {.text = diamonds,
     .claims = ARMS "%z.3=%y.3",
     .reason = "of a merge is not that of its leader"},
    {.text = diamonds, .claims = "%w.3=%x.3", .reason = "of a merge is not that of its leader"},
    {.text = diamonds, .claims = "%x.3=%x.1", .reason = "the leader of a merge is none"},
    {.text = diamonds, .claims = "%x.3=%d.0", .reason = "the leader of a merge is none"},
    {.text = diamonds, .claims = "%x.3=%l.1", .reason = "the leader of a merge is none"},
    {.text = diamonds, .claims = "%y.1=%x.1", .reason = "arguments that are not congruent"},
    {.text = diamonds, .claims = "%x.2=%x.1", .reason = "another operator or constant"},
    {.text = diamonds, .claims = "%r.1=%x.3", .reason = "is not computed by an operator"},
    {.text = diamonds, .claims = "%l.1=%x.3", .reason = "not computed by an operator has a leader"},
    {.text = diamonds, .claims = "%d.0=%c.0", .reason = "has a leader but no definition"},
    {.text = diamonds, .claims = "%v.3=%y.3 %y.3=%x.3", .reason = "has another leader"},
    // The terms of the arms name what is computed only later.
    {.text = diamonds,
     .claims = "%t.1=%t.2 %y.1=%x.1 %y.2=%x.2 %y.3=%x.3",
     .reason = "argument 0 may have changed since the leader's join"},
    // Both gammas look at what is set only between their joins.
    {.text = diamonds,
     .base = {{"8: %x.3 = gamma(ne.i32(%k.2, 0): %x.1, !ne.i32(%k.2, 0): %x.2)",
               "8: %x.3 = gamma(ne.i32(%l.1, 0): %x.1, !ne.i32(%l.1, 0): %x.2)"},
              {"15: %y.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %y.2)",
               "15: %y.3 = gamma(ne.i32(%l.1, 0): %y.1, !ne.i32(%l.1, 0): %y.2)"}},
     .claims = ARMS "%y.3=%x.3",
     .reason = "gate 0 may have changed since the leader's join"},
    // The same gates, on the wrong ways: in the leader, in the member, at one join.
    {.text = diamonds,
     .base = {{"8: %x.3 = gamma(ne.i32(%k.2, 0): %x.1, !ne.i32(%k.2, 0): %x.2)",
               "8: %x.3 = gamma(!ne.i32(%k.2, 0): %x.1, ne.i32(%k.2, 0): %x.2)"},
              {"15: %y.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %y.2)",
               "15: %y.3 = gamma(!ne.i32(%k.2, 0): %y.1, ne.i32(%k.2, 0): %y.2)"}},
     .claims = ARMS "%y.3=%x.3",
     .reason = irregular},
    {.text = diamonds,
     .base = {{"8: %x.3 = gamma(ne.i32(%k.2, 0): %x.1, !ne.i32(%k.2, 0): %x.2)",
               "8: %x.3 = gamma(!ne.i32(%k.2, 0): %x.2, ne.i32(%k.2, 0): %x.1)"}},
     .claims = ARMS "%y.3=%x.3",
     .reason = irregular},
    {.text = diamonds,
     .base = {{"15: %y.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %y.2)",
               "15: %y.3 = gamma(!ne.i32(%k.2, 0): %y.1, ne.i32(%k.2, 0): %y.2)"}},
     .claims = "%v.3=%y.3",
     .reason = irregular},
    {.text = diamonds,
     .base = {{"15: %v.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %y.2)",
               "15: %v.3 = gamma(true: %d.0)"}},
     .claims = "%v.3=%d.0",
     .reason = "a gamma has not one argument for each predecessor"},
    {.text = diamonds,
     .base = {{"15: %v.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %y.2)",
               "15: %v.3 = gamma(ne.i32(%k.2, 0): %y.1)"}},
     .claims = ARMS "%v.3=%x.3",
     .reason = "differ in their arguments"},
    // Each argument belongs to the other way: what is read there is old or not set.
    {.text = diamonds,
     .base = {{"15: %y.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %y.2)",
               "15: %y.3 = gamma(ne.i32(%k.2, 0): %y.2, !ne.i32(%k.2, 0): %y.1)"},
              {"15: %v.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %y.2)",
               "15: %v.3 = gamma(ne.i32(%k.2, 0): %y.2, !ne.i32(%k.2, 0): %y.1)"}},
     .claims = "%v.3=%y.3",
     .reason = "argument 0 does not come from predecessor 0"},
    {.text = loop, .claims = "%p.3=%q.3", .reason = not_above},
    {.text = loop, .claims = "%i.4=%i.2 %s.3=%p.3", .reason = not_above},
    {.text = loop, .claims = "%s.3=%p.3", .reason = not_above},
    {.text = loop,
     .claims = "%j.2=%i.2",
     .reason = "argument 1 of a merge is not that of its leader"},
    {.text = loop, .claims = "%i.2=%p.3", .reason = "a mu has a leader at another join"},
    {.text = loop, .claims = "%q.3=%i.2", .reason = "a mu has a leader at another join"},
    {.text = loop, .claims = "%i.2=%i.1", .reason = "the leader of a merge is none"},
    {.text = loop, .claims = "%j.4=%i.4", .reason = "the source of an eta is not congruent"},
    {.text = loop, .claims = "%j.4=%i.2", .reason = "the source of an eta is not congruent"},
    {.text = loop, .claims = "%i.4=%n.0", .reason = "the source of an eta is not congruent"},
    {.text = loop,
     .base = {{"10: %q.3 = gamma(lt.i32(%a.0, 5): %i.2, !lt.i32(%a.0, 5): %n.0)",
               "10: %q.3 = gamma(lt.i32(%a.0, 5): %i.2, !lt.i32(%a.0, 5): %i.2)"}},
     .claims = "%i.2=%q.3",
     .reason = "a mu has a leader at another join"},
};

// ---- Wrong code, with a hint that is right

static const char not_congruent[] = "is not congruent to what it replaces";

static const Case wrong_code[] = {
    {.text = diamonds,
     .code = {{"%r.1 = add.i32 %x.3, %y.3", "%r.1 = add.i32 %x.3, %w.3"}},
     .claims = ARMS "%y.3=%x.3",
     .reason = not_congruent},
    {.text = diamonds,
     .code = {{"%r.2 = add.i32 %r.1, %z.3", "%r.2 = add.i32 %r.1, %x.3"}},
     .claims = ARMS "%y.3=%x.3",
     .reason = not_congruent},
    {.text = diamonds,
     .code = {{"15: %y.3 = gamma(ne.i32(%k.2, 0): %y.1", "15: %y.3 = gamma(ne.i32(%k.2, 0): %l.1"}},
     .claims = ARMS,
     .reason = not_congruent},
    {.text = diamonds,
     .code = {{"15: %y.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %y.2)",
               "15: %y.3 = gamma(!ne.i32(%k.2, 0): %y.1, ne.i32(%k.2, 0): %y.2)"}},
     .claims = ARMS,
     .reason = "gate 0 of a merge has changed"},
    {.text = diamonds,
     .code = {{"15: %y.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %y.2)",
               "15: %y.3 = gamma(ne.i32(%k.2, 0): %y.1, true: %y.2)"}},
     .claims = ARMS,
     .reason = "gate 1 of a merge has changed"},
    {.text = diamonds,
     .code = {{"15: %y.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %y.2)",
               "15: %y.3 = gamma(ne.i32(%k.1, 0): %y.1, !ne.i32(%k.1, 0): %y.2)"}},
     .claims = "%k.2=%k.1",
     .reason = "gate 0 of a merge has changed"},
    {.text = diamonds,
     .code = {{"15: %y.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %y.2)",
               "15: %y.3 = gamma(ne.i32(%k.2, 0): %y.1)"}},
     .claims = ARMS,
     .reason = "a merge has changed"},
    // An equal value from the other arm.
    {.text = diamonds,
     .base = {{"6: %x.2 = const.i32 2", "6: %x.2 = mul.i32 %d.0, 3"},
              {"4: %x.1 = mul.i32 %t.1, 3", "4: %x.1 = mul.i32 %d.0, 3"}},
     .code = {{"8: %w.3 = gamma(ne.i32(%k.2, 0): %x.1", "8: %w.3 = gamma(ne.i32(%k.2, 0): %x.2"}},
     .claims = "%x.2=%x.1",
     .reason = "argument 0 of a gamma no longer comes from its way"},
    {.text = diamonds,
     .code = {{"  end 26: ne.i32(%l.1, 0) | !ne.i32(%l.1, 0)", "  end 26: true"}},
     .claims = "",
     .reason = "the gate of an end has changed"},
    {.text = diamonds,
     .code = {{"  15: %y.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %y.2)\n", ""},
              {"  15: %v.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %y.2)\n",
               "  15: %v.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %y.2)\n"
               "  15: %y.3 = gamma(ne.i32(%k.2, 0): %y.1, !ne.i32(%k.2, 0): %y.2)\n"}},
     .claims = "",
     .reason = "is new or out of order"},
    {.text = diamonds,
     .code = {{"8: %l.1 = call @g(%x.3)", "8: %l.1 = add.i32 %x.3, 0"}},
     .claims = "",
     .reason = "the instruction has changed"},
    {.text = diamonds,
     .code = {{"9: if ne.i32 %k.2, 0", "9: if eq.i32 %k.2, 0"}},
     .claims = "",
     .reason = "the instruction has changed"},
    {.text = loop,
     .code = {{"%i.4 = eta(!lt.i32(%i.2, %n.0), %i.2)", "%i.4 = eta(!lt.i32(%i.2, %n.0), %j.2)"}},
     .claims = "",
     .reason = "the source of eta 0 is not congruent to what it replaces"},
    {.text = loop,
     .code = {{"%i.4 = eta(!lt.i32(%i.2, %n.0), %i.2)", "%i.4 = eta(lt.i32(%i.2, %n.0), %i.2)"}},
     .claims = "",
     .reason = "the gate of eta 0 has changed"},
    {.text = loop,
     .code = {{"%j.2 = mu(%i.1, %j.3)", "%j.2 = mu(%i.1, %i.3)"}},
     .claims = "",
     .reason = not_congruent},
    {.text = loop,
     .code = {{"leaves !lt.i32(%i.2, %n.0), goes", "leaves true, goes"}},
     .claims = "",
     .reason = "the gates of a loop have changed"},
    {.text = loop,
     .code = {{"goes on lt.i32(%i.2, %n.0)", "goes on !lt.i32(%i.2, %n.0)"}},
     .claims = "",
     .reason = "the gates of a loop have changed"},
    {.text = loop,
     .code = {{"  13: %i.4 = eta(!lt.i32(%i.2, %n.0), %i.2)\n", ""},
              {"  13: %j.4 = eta(!lt.i32(%i.2, %n.0), %j.2)\n",
               "  13: %j.4 = eta(!lt.i32(%i.2, %n.0), %j.2)\n"
               "  13: %i.4 = eta(!lt.i32(%i.2, %n.0), %i.2)\n"}},
     .claims = "",
     .reason = "is new or out of order"},
};

static void reject_all(const Case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Forged forged = {0};
        forge(&forged, &cases[i]);
        Verdict verdict = verdict_on(&forged);
        if (verdict.accepted)
            fail_msg("%zu, \"%s\": accepted, expected: %s", i, cases[i].claims, cases[i].reason);
        if (!strstr(verdict.reason, cases[i].reason))
            fail_msg("%zu, \"%s\": rejected because %s, expected: %s", i, cases[i].claims,
                     verdict.reason, cases[i].reason);
        arena_free(forged.arena);
    }
}

static void test_wrong_hints(void **state) {
    (void)state;
    reject_all(wrong_hints, sizeof wrong_hints / sizeof wrong_hints[0]);
}

static void test_wrong_code(void **state) {
    (void)state;
    reject_all(wrong_code, sizeof wrong_code / sizeof wrong_code[0]);
}

// What a gate reads goes; no other use is left.
static void test_gate_register(void **state) {
    (void)state;
    static const Case branches = {.text = diamonds,
                                  .code = {{"2: if ne.i32 %k.2, 0", "2: if ne.i32 %k.1, 0"},
                                           {"9: if ne.i32 %k.2, 0", "9: if ne.i32 %k.1, 0"}},
                                  .claims = "%k.2=%k.1"};
    Forged forged = {0};
    forge(&forged, &branches);
    assert_true(verdict_on(&forged).accepted);
    forged.after->nodes.at[1] =
        (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {{2}}};
    Complaints complaints = {.arena = forged.arena};
    assert_true(verify_func(&complaints, forged.after));
    Verdict verdict = verdict_on(&forged);
    assert_false(verdict.accepted);
    assert_non_null(strstr(verdict.reason, "is read by a gate and no longer set"));
    arena_free(forged.arena);
}

// ---- Hints that are none

static void test_broken_hints(void **state) {
    (void)state;
    static const Case honest = {.text = diamonds, .claims = ARMS "%y.3=%x.3"};
    static const char *const reasons[] = {
        "the hint does not cover every register", "the leader of register 0 does not exist",
        "the hint does not cover every join", "the forms are not"};
    for (uint32_t kind = 0; kind < 4; kind++) {
        Forged forged = {0};
        forge(&forged, &honest);
        if (kind == 0) forged.hint.numbering.leader.count--;
        if (kind == 1) forged.hint.numbering.leader.at[0] = (Reg){forged.before->regs.count};
        if (kind == 2) forged.hint.paths.joins.count--;
        if (kind == 3) forged.after->form = FORM_SSA;
        Verdict verdict = verdict_on(&forged);
        assert_false(verdict.accepted);
        if (!strstr(verdict.reason, reasons[kind]))
            fail_msg("%s, expected: %s", verdict.reason, reasons[kind]);
        arena_free(forged.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),     cmocka_unit_test(test_wrong_hints),
        cmocka_unit_test(test_wrong_code),   cmocka_unit_test(test_gate_register),
        cmocka_unit_test(test_broken_hints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
