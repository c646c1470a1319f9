// Forged if-conversions: wrong functions and wrong hints that check_if_convert must reject, each
// for the right reason. A forgery is the text of the converted function with some of it replaced,
// and a hint: "6<0+3" (after join 6, for branch 0, three operators were added), then what each new
// register copies. Both functions name all their registers first, so that these have the same
// numbers.
#include "check/checkers.h"
#include "pipeline/step_check.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    const char *head; // parameters and registers of both
    const char *before;
    const char *more; // registers of the second
    const char *after;
    const char *hint;
} Pair;

// Two gammas, one with its arguments in the other order; copies of copies. A second branch on the
// same condition, and a test beside.
static const Pair diamond = {
    .head = "(i32 %a.0, i32 %b.0) {\n"
            "  reg i32 %x.1\n  reg i32 %x.2\n  reg i32 %x.3\n  reg i32 %x.4\n  reg i32 %y.4\n"
            "  reg i32 %r.1\n  reg i32 %z.1\n  reg i32 %z.2\n  reg i32 %z.3\n  reg i32 %d.1\n",
    .before = "  0: if lt.i32 %a.0, %b.0 then 1 else 4\n"
              "  1: %x.1 = add.i32 %a.0, 1\n"
              "  2: %x.2 = mul.i32 %x.1, %b.0\n"
              "  3: nop -> 6\n"
              "  4: %x.3 = sub.i32 %b.0, %a.0\n"
              "  5: nop\n"
              "  6: %x.4 = gamma(lt.i32(%a.0, %b.0): %x.2, !lt.i32(%a.0, %b.0): %x.3)\n"
              "  6: %y.4 = gamma(!lt.i32(%a.0, %b.0): %b.0, lt.i32(%a.0, %b.0): %a.0)\n"
              "  6: %r.1 = xor.i32 %x.4, %y.4\n"
              "  7: if lt.i32 %a.0, %b.0 then 8 else 10\n"
              "  8: %z.1 = divs.i32 %r.1, %a.0\n"
              "  9: nop -> 12\n"
              "  10: %z.2 = const.i32 7\n"
              "  11: nop\n"
              "  12: %z.3 = gamma(lt.i32(%a.0, %b.0): %z.1, !lt.i32(%a.0, %b.0): %z.2)\n"
              "  12: %d.1 = add.i32 %z.3, %r.1\n"
              "  13: return %d.1\n"
              "  end 13: (lt.i32(%a.0, %b.0) | !lt.i32(%a.0, %b.0)) & (lt.i32(%a.0, %b.0) | "
              "!lt.i32(%a.0, %b.0))\n}\n",
    .more = "  reg i32 %0.1\n  reg i32 %1.1\n  reg i32 %2.1\n  reg i32 %3.1\n"
            "  reg i32 %4.1\n  reg i32 %5.1\n  reg i32 %6.1\n",
    .after = "  0: if lt.i32 %a.0, %b.0 then 1 else 4\n"
             "  1: %x.1 = add.i32 %a.0, 1\n"
             "  2: %x.2 = mul.i32 %x.1, %b.0\n"
             "  3: nop -> 6\n"
             "  4: %x.3 = sub.i32 %b.0, %a.0\n"
             "  5: nop\n"
             "  6: nop\n"
             "  7: %0.1 = add.i32 %a.0, 1\n"
             "  8: %1.1 = mul.i32 %0.1, %b.0\n"
             "  9: %2.1 = sub.i32 %b.0, %a.0\n"
             "  10: %3.1 = lt.i32 %a.0, %b.0\n"
             "  11: %x.4 = select.i32 %3.1, %1.1, %2.1\n"
             "  12: %y.4 = select.i32 %3.1, %a.0, %b.0\n"
             "  13: %r.1 = xor.i32 %x.4, %y.4\n"
             "  14: if lt.i32 %a.0, %b.0 then 15 else 17\n"
             "  15: %z.1 = divs.i32 %r.1, %a.0\n"
             "  16: nop -> 19\n"
             "  17: %z.2 = const.i32 7\n"
             "  18: nop\n"
             "  19: %z.3 = gamma(lt.i32(%a.0, %b.0): %z.1, !lt.i32(%a.0, %b.0): %z.2)\n"
             "  19: %d.1 = add.i32 %z.3, %r.1\n"
             "  20: return %d.1\n"
             "  end 20: (lt.i32(%a.0, %b.0) | !lt.i32(%a.0, %b.0)) & (lt.i32(%a.0, %b.0) | "
             "!lt.i32(%a.0, %b.0))\n}\n",
    .hint = "6<0+6: %x.1 %x.2 %x.3 - - - -",
};

// In a loop: what was copied for one join is old at the next; a gate that reads a merge of its own
// join; a gamma whose arguments are crossed, so that it reads what an earlier round has left.
static const Pair loop = {
    .head = "(i32 %n.0, i32 %m.0) {\n"
            "  reg i32 %i.1\n  reg i32 %i.2\n  reg i32 %i.3\n  reg i32 %s.2\n  reg i32 %s.3\n"
            "  reg i32 %t.1\n  reg i32 %t.2\n  reg i32 %t.3\n  reg i32 %u.3\n  reg i32 %s.4\n",
    .before = "  0: %i.1 = const.i32 0\n"
              "  1: nop\n"
              "  2: %i.2 = mu(%i.1, %i.3)\n"
              "  2: %s.2 = mu(%i.1, %s.3)\n"
              "  2: if lt.i32 %i.2, %n.0 then 3 else 12\n"
              "  3: if lt.i32 %s.2, %m.0 then 4 else 6\n"
              "  4: %t.1 = add.i32 %s.2, %i.2\n"
              "  5: nop -> 8\n"
              "  6: %t.2 = sub.i32 %s.2, 3\n"
              "  7: nop\n"
              "  8: %t.3 = gamma(lt.i32(%s.2, %m.0): %t.2, !lt.i32(%s.2, %m.0): %t.1)\n"
              "  8: %u.3 = gamma(lt.i32(%t.3, %m.0): %t.1, !lt.i32(%t.3, %m.0): %t.2)\n"
              "  8: %i.3 = add.i32 %i.2, 1\n"
              "  9: %s.3 = add.i32 %t.3, %u.3\n"
              "  10: nop\n"
              "  11: nop -> 2\n"
              "  12: %s.4 = eta(!lt.i32(%i.2, %n.0), %s.2)\n"
              "  12: nop\n"
              "  13: return %s.4\n"
              "  loop 2: leaves !lt.i32(%i.2, %n.0), goes on lt.i32(%i.2, %n.0)\n"
              "  end 13: !lt.i32(%i.2, %n.0)\n}\n",
    .more = "  reg i32 %0.1\n  reg i32 %1.1\n  reg i32 %2.1\n",
    .after = "  0: %i.1 = const.i32 0\n"
             "  1: nop\n"
             "  2: %i.2 = mu(%i.1, %i.3)\n"
             "  2: %s.2 = mu(%i.1, %s.3)\n"
             "  2: if lt.i32 %i.2, %n.0 then 3 else 15\n"
             "  3: if lt.i32 %s.2, %m.0 then 4 else 6\n"
             "  4: %t.1 = add.i32 %s.2, %i.2\n"
             "  5: nop -> 8\n"
             "  6: %t.2 = sub.i32 %s.2, 3\n"
             "  7: nop\n"
             "  8: %t.3 = gamma(lt.i32(%s.2, %m.0): %t.2, !lt.i32(%s.2, %m.0): %t.1)\n"
             "  8: %u.3 = gamma(lt.i32(%t.3, %m.0): %t.1, !lt.i32(%t.3, %m.0): %t.2)\n"
             "  8: nop\n"
             "  9: %2.1 = lt.i32 %s.2, %m.0\n"
             "  10: %0.1 = const.i32 5\n"
             "  11: %i.3 = add.i32 %i.2, 1\n"
             "  12: %s.3 = add.i32 %t.3, %u.3\n"
             "  13: nop\n"
             "  14: nop -> 2\n"
             "  15: %s.4 = eta(!lt.i32(%i.2, %n.0), %s.2)\n"
             "  15: nop\n"
             "  16: return %s.4\n"
             "  loop 2: leaves !lt.i32(%i.2, %n.0), goes on lt.i32(%i.2, %n.0)\n"
             "  end 16: !lt.i32(%i.2, %n.0)\n}\n",
    .hint = "8<3+2: - - -",
};

// Gates of two conditions, and a gamma with one argument.
static const Pair odd = {
    .head = "(i32 %a.0, i32 %b.0) {\n"
            "  reg i32 %x.1\n  reg i32 %y.1\n  reg i32 %r.1\n",
    .before = "  0: if lt.i32 %a.0, %b.0 then 1 else 2\n"
              "  1: nop -> 3\n"
              "  2: nop\n"
              "  3: %x.1 = gamma(lt.i32(%a.0, %b.0): %a.0, !gt.i32(%b.0, %a.0): %b.0)\n"
              "  3: %y.1 = gamma(true: %a.0)\n"
              "  3: %r.1 = add.i32 %x.1, %y.1\n"
              "  4: return %r.1\n"
              "  end 4: true\n}\n",
    .more = "  reg i32 %0.1\n",
    .after = "  0: if lt.i32 %a.0, %b.0 then 1 else 2\n"
             "  1: nop -> 3\n"
             "  2: nop\n"
             "  3: %x.1 = gamma(lt.i32(%a.0, %b.0): %a.0, !gt.i32(%b.0, %a.0): %b.0)\n"
             "  3: %y.1 = gamma(true: %a.0)\n"
             "  3: nop\n"
             "  4: %0.1 = lt.i32 %a.0, %b.0\n"
             "  5: %r.1 = add.i32 %x.1, %y.1\n"
             "  6: return %r.1\n"
             "  end 6: true\n}\n",
    .hint = "3<0+1: -",
};

// A gamma that reads what an earlier round has left, and a branch on its condition that is never
// reached and leads to the entry: the only predecessor of what dominates everything.
static const Pair around = {
    .head = "(i32 %n.0, i32 %m.0) {\n"
            "  reg i32 %i.1\n  reg i32 %i.2\n  reg i32 %i.3\n  reg i32 %s.2\n  reg i32 %s.3\n"
            "  reg i32 %t.1\n  reg i32 %t.2\n  reg i32 %t.3\n  reg i32 %s.4\n",
    .before = "  0: %i.1 = const.i32 0\n"
              "  1: nop\n"
              "  2: %i.2 = mu(%i.1, %i.3)\n"
              "  2: %s.2 = mu(%i.1, %s.3)\n"
              "  2: if lt.i32 %i.2, %n.0 then 3 else 12\n"
              "  3: if lt.i32 %s.2, %m.0 then 4 else 6\n"
              "  4: %t.1 = add.i32 %s.2, %i.2\n"
              "  5: nop -> 8\n"
              "  6: %t.2 = sub.i32 %s.2, 3\n"
              "  7: nop\n"
              "  8: %t.3 = gamma(lt.i32(%s.2, %m.0): %i.2, !lt.i32(%s.2, %m.0): %t.1)\n"
              "  8: %i.3 = add.i32 %i.2, 1\n"
              "  9: %s.3 = add.i32 %t.3, 1\n"
              "  10: nop\n"
              "  11: nop -> 2\n"
              "  12: %s.4 = eta(!lt.i32(%i.2, %n.0), %s.2)\n"
              "  12: nop\n"
              "  13: return %s.4\n"
              "  14: if lt.i32 %s.2, %m.0 then 0 else 15\n"
              "  15: nop\n"
              "  16: nop -> 16\n"
              "  loop 2: leaves !lt.i32(%i.2, %n.0), goes on lt.i32(%i.2, %n.0)\n"
              "  end 13: !lt.i32(%i.2, %n.0)\n}\n",
    .more = "  reg i32 %0.1\n  reg i32 %1.1\n",
    .after = "  0: %i.1 = const.i32 0\n"
             "  1: nop\n"
             "  2: %i.2 = mu(%i.1, %i.3)\n"
             "  2: %s.2 = mu(%i.1, %s.3)\n"
             "  2: if lt.i32 %i.2, %n.0 then 3 else 15\n"
             "  3: if lt.i32 %s.2, %m.0 then 4 else 6\n"
             "  4: %t.1 = add.i32 %s.2, %i.2\n"
             "  5: nop -> 8\n"
             "  6: %t.2 = sub.i32 %s.2, 3\n"
             "  7: nop\n"
             "  8: %t.3 = gamma(lt.i32(%s.2, %m.0): %i.2, !lt.i32(%s.2, %m.0): %t.1)\n"
             "  8: nop\n"
             "  9: %0.1 = add.i32 %s.2, %i.2\n"
             "  10: %1.1 = lt.i32 %s.2, %m.0\n"
             "  12: %i.3 = add.i32 %i.2, 1\n"
             "  13: %s.3 = add.i32 %t.3, 1\n"
             "  14: nop\n"
             "  140: nop -> 2\n"
             "  15: %s.4 = eta(!lt.i32(%i.2, %n.0), %s.2)\n"
             "  15: nop\n"
             "  16: return %s.4\n"
             "  17: if lt.i32 %s.2, %m.0 then 0 else 18\n"
             "  18: nop\n"
             "  19: nop -> 19\n"
             "  loop 2: leaves !lt.i32(%i.2, %n.0), goes on lt.i32(%i.2, %n.0)\n"
             "  end 16: !lt.i32(%i.2, %n.0)\n}\n",
    .hint = "8<3+2: %t.1 -",
};

typedef struct {
    Arena *arena;
    const Func *before;
    Func *after;
    IfConvertHint hint;
} Forgery;

// A text with "old => new | old => new" applied to it.
static const char *edited(Arena *arena, const char *text, const char *edits) {
    char copy[600], *rest = copy;
    assert_true(strlen(edits) < sizeof copy);
    strcpy(copy, edits);
    for (char *edit; (edit = strsep(&rest, "|"));) {
        char *arrow = strstr(edit, "=>");
        if (!arrow) continue;
        *arrow = '\0';
        const char *at = strstr(text, edit);
        if (!at) fail_msg("there is no \"%s\" to be replaced", edit);
        text =
            arena_printf(arena, "%.*s%s%s", (int)(at - text), text, arrow + 2, at + strlen(edit));
    }
    return text;
}

static Reg reg_named(const Func *func, const char *name) {
    for (uint32_t i = 0; i < func->regs.count; i++) {
        Out text = {0};
        reg_print(&text, func, (Reg){i});
        bool same = text.length == strlen(name) && memcmp(text.text, name, text.length) == 0;
        out_free(&text);
        if (same) return (Reg){i};
    }
    return NO_REG;
}

static void claim(Forgery *forgery, const char *text) {
    unsigned join, branch, count;
    int length;
    while (sscanf(text, " %u<%u+%u%n", &join, &branch, &count, &length) == 3) {
        IfConversion conversion = {.join = {join}, .branch = {branch}, .count = count};
        vec_push(forgery->arena, &forgery->hint.conversions, conversion);
        text += length;
    }
    text += *text == ':';
    char name[32];
    while (sscanf(text, " %31s%n", name, &length) == 1) {
        Reg reg = reg_named(forgery->after, name);
        vec_push(forgery->arena, &forgery->hint.copy_of, reg);
        text += length;
    }
}

static void forge(Forgery *forgery, const Pair *pair, const char *edits, const char *hint) {
    Diag diag;
    Arena *arena = forgery->arena = arena_new("forgery");
    diag_init(&diag, arena, stderr);
    const char *text =
        arena_printf(arena, "function i32 @f%s%s\nfunction i32 @g%s%s%s", pair->head, pair->before,
                     pair->head, pair->more, edited(arena, pair->after, edits));
    Program *program = program_parse(arena, &diag, FORM_GSA, "forgery", text, strlen(text));
    diag_free(&diag);
    if (!program) fail_msg("\"%s\": no program", edits);
    Sym f = program_find(program, str_of(&program->strings, "f"));
    Sym g = program_find(program, str_of(&program->strings, "g"));
    forgery->before = program_at(program, f)->func;
    forgery->after = func_clone(program_at(program, g)->func, arena);
    forgery->after->symbol = f;
    claim(forgery, hint);
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, forgery->after))
        fail_msg("\"%s\" \"%s\": %s", edits, hint, complaints.list.at[0].message);
}

typedef struct {
    const Pair *pair;
    const char *edits, *hint, *reason; // hint NULL: that of the pair
} Case;

static void try_case(const Case *it) {
    Forgery forgery = {0};
    forge(&forgery, it->pair, it->edits, it->hint ? it->hint : it->pair->hint);
    Verdict verdict = step_check(PASS_if_convert, forgery.arena, NULL, forgery.before,
                                 forgery.after, &forgery.hint);
    if (!verdict.accepted && !it->reason)
        fail_msg("\"%s\" \"%s\": %s", it->edits, it->hint ? it->hint : "", verdict.reason);
    if (verdict.accepted && it->reason)
        fail_msg("\"%s\" \"%s\": accepted", it->edits, it->hint ? it->hint : "");
    if (!verdict.accepted && !strstr(verdict.reason, it->reason))
        fail_msg("\"%s\" \"%s\": rejected because %s, expected: %s", it->edits,
                 it->hint ? it->hint : "", verdict.reason, it->reason);
    arena_free(forgery.arena);
}

static void test_accepted(void **state) {
    (void)state;
    static const Case right[] = {
        {&diamond, "", NULL, NULL},
        // One gamma stays.
        {&diamond,
         "  6: nop=>  6: %y.4 = gamma(!lt.i32(%a.0, %b.0): %b.0, lt.i32(%a.0, %b.0): %a.0)\n  6: "
         "nop|"
         "  12: %y.4 = select.i32 %3.1, %a.0, %b.0\n=>",
         "6<0+5: %x.1 %x.2 %x.3 - - - -", NULL},
        // Operators that nobody needs.
        {&diamond, "  11: %x.4=>  50: %4.1 = mul.i32 %a.0, %1.1\n  11: %x.4",
         "6<0+7: %x.1 %x.2 %x.3 - - - -", NULL},
        {&loop, "", NULL, NULL},
        {&loop, "%0.1 = const.i32 5=>%0.1 = sub.i32 %s.2, 3", "8<3+2: %t.2 - -", NULL},
        {&odd, "", NULL, NULL},
        {&around, "", NULL, NULL},
    };
    for (uint32_t i = 0; i < sizeof right / sizeof right[0]; i++) try_case(&right[i]);
}

static const char not_argument[] = "an operand is not the argument of the gamma";
static const char not_condition[] = "its first operand is not the condition of the gates";
static const char not_operator[] = "it is not the operator that it copies";
static const char not_copied[] = "is not that of the operator it copies";
static const char wrong_size[] = "the number of nodes is not what the hint says";
static const char wrong_gates[] = "the gates of loops or ends have changed";
static const char no_gamma[] = "it does not select what a gamma of two did";

// The second join of the diamond converted, too, with these operators in between.
#define SECOND(operators)                                                                          \
    "  19: %z.3 = gamma(lt.i32(%a.0, %b.0): %z.1, !lt.i32(%a.0, %b.0): %z.2)\n  19: %d.1 =>"       \
    "  19: nop\n" operators "  54: %d.1 "

// A gamma of the loop's join converted.
#define T3     "  8: %t.3 = gamma(lt.i32(%s.2, %m.0): %t.2, !lt.i32(%s.2, %m.0): %t.1)\n=>|"
#define U3     "  8: %u.3 = gamma(lt.i32(%t.3, %m.0): %t.1, !lt.i32(%t.3, %m.0): %t.2)\n=>|"
#define COPIES "%0.1 = const.i32 5\n=>%0.1 = add.i32 %s.2, %i.2\n  50: %1.1 = sub.i32 %s.2, 3\n"

static const Case wrong_selects[] = {
    {&diamond, "%3.1, %1.1, %2.1=>%3.1, %2.1, %1.1", NULL, not_argument},
    {&diamond, "%3.1, %a.0, %b.0=>%3.1, %b.0, %a.0", NULL, not_argument},
    {&diamond, "%3.1, %a.0, %b.0=>%3.1, %a.0, %a.0", NULL, not_argument},
    {&diamond, "%3.1, %1.1, %2.1=>%3.1, %0.1, %2.1", NULL, not_argument},
    {&diamond, "%3.1, %1.1, %2.1=>%3.1, %1.1, %3.1", NULL, not_argument},
    {&diamond, "%3.1 = lt.i32=>%3.1 = le.i32", NULL, not_condition},
    {&diamond, "%3.1 = lt.i32=>%3.1 = ge.i32", NULL, not_condition},
    {&diamond, "%3.1 = lt.i32 %a.0, %b.0=>%3.1 = lt.i32 %b.0, %a.0", NULL, not_condition},
    {&diamond, "%3.1 = lt.i32 %a.0, %b.0=>%3.1 = lt.i32 %a.0, 9", NULL, not_condition},
    {&diamond, "select.i32 %3.1, %1.1=>select.i32 %a.0, %1.1", NULL, not_condition},
    {&diamond, "select.i32 %3.1, %a.0=>select.i32 %0.1, %a.0", NULL, not_condition},
    {&diamond, "select.i32 %3.1, %a.0, %b.0=>add.i32 %a.0, %b.0", NULL, no_gamma},
    {&diamond, "select.i32 %3.1, %a.0, %b.0=>move.i32 %a.0", NULL, no_gamma},
    {&diamond, SECOND("  50: %5.1 = const.i32 7\n  51: %z.3 = select.i32 %3.1, %5.1, %5.1\n"),
     "6<0+6 12<7+2: %x.1 %x.2 %x.3 - - %z.2 -", not_condition},
    // The division would be done where it was not before.
    {&diamond,
     SECOND("  50: %4.1 = divs.i32 %r.1, %a.0\n  51: %5.1 = const.i32 7\n  52: %6.1 = lt.i32 %a.0, "
            "%b.0\n  53: %z.3 = select.i32 %6.1, %4.1, %5.1\n"),
     "6<0+6 12<7+4: %x.1 %x.2 %x.3 - %z.1 %z.2 -", "an operator was added that may go wrong"},
    // A copy for another join.
    {&diamond, SECOND("  52: %6.1 = lt.i32 %a.0, %b.0\n  53: %z.3 = select.i32 %6.1, %2.1, %2.1\n"),
     "6<0+6 12<7+2: %x.1 %x.2 %z.2 - - - -", not_operator},
    {&diamond, SECOND("  52: %6.1 = lt.i32 %a.0, %b.0\n  53: %z.3 = select.i32 %6.1, %2.1, %2.1\n"),
     "6<0+6 12<7+2: %x.1 %x.2 %x.3 - - - -", not_argument},
    {&odd,
     "  3: %x.1 = gamma(lt.i32(%a.0, %b.0): %a.0, !gt.i32(%b.0, %a.0): %b.0)\n=>|"
     "  5: %r.1=>  50: %x.1 = select.i32 %0.1, %a.0, %b.0\n  5: %r.1",
     "3<0+2: -", "the gates are not a condition and its negation"},
    {&odd,
     "  3: %y.1 = gamma(true: %a.0)\n=>|"
     "  5: %r.1=>  50: %y.1 = select.i32 %0.1, %a.0, %a.0\n  5: %r.1",
     "3<0+2: -", no_gamma},
    // What an earlier round has left.
    {&loop, T3 COPIES "  51: %t.3 = select.i32 %2.1, %1.1, %0.1\n", "8<3+4: %t.1 %t.2 -",
     "what it copies is not computed on the way to the join"},
    {&loop, T3 COPIES "  51: %t.3 = select.i32 %2.1, %0.1, %1.1\n", "8<3+4: %t.1 %t.2 -",
     not_argument},
    {&loop,
     U3 "%2.1 = lt.i32 %s.2, %m.0=>%2.1 = lt.i32 %t.3, %m.0|" COPIES
        "  51: %u.3 = select.i32 %2.1, %0.1, %1.1\n",
     "8<3+4: %t.1 %t.2 -", "the condition of the gates changes at the join"},
    {&loop, U3 COPIES "  51: %u.3 = select.i32 %2.1, %0.1, %1.1\n", "8<3+4: %t.1 %t.2 -",
     not_condition},
    {&loop,
     "  2: %s.2 = mu(%i.1, %s.3)\n=>|  2: if lt=>  2: nop\n  60: %1.1 = lt.i32 %i.2, %n.0\n"
     "  61: %s.2 = select.i32 %1.1, %i.1, %i.1\n  62: if lt",
     "2<3+2 8<3+2: - - -", no_gamma},
};

#define SELECT_EARLIER                                                                             \
    "  8: %t.3 = gamma(lt.i32(%s.2, %m.0): %i.2, !lt.i32(%s.2, %m.0): %t.1)\n=>|"                  \
    "  12: %i.3=>  11: %t.3 = select.i32 %1.1, %i.2, %0.1\n  12: %i.3"

static const Case wrong_copies[] = {
    {&diamond, "%0.1 = add.i32 %a.0, 1=>%0.1 = sub.i32 %a.0, 1", NULL, not_operator},
    {&diamond, "%0.1 = add.i32 %a.0, 1=>%0.1 = add.i32 %a.0, 2", NULL, not_operator},
    {&diamond, "%0.1 = add.i32 %a.0, 1=>%0.1 = add.i32 %a.0, %b.0", NULL, not_operator},
    {&diamond, "%0.1 = add.i32 %a.0, 1=>%0.1 = add.i32 %b.0, 1", NULL, not_copied},
    {&diamond, "%1.1 = mul.i32 %0.1, %b.0=>%1.1 = mul.i32 %b.0, %0.1", NULL, not_copied},
    {&diamond, "%1.1 = mul.i32 %0.1, %b.0=>%1.1 = mul.i32 %a.0, %b.0", NULL, not_copied},
    {&diamond, "%1.1 = mul.i32 %0.1, %b.0=>%1.1 = mul.i32 %0.1, %0.1", NULL, not_copied},
    {&diamond, "%2.1 = sub.i32 %b.0, %a.0=>%2.1 = sub.i32 %a.0, %b.0", NULL, not_copied},
    {&diamond, "", "6<0+6: - %x.2 %x.3 - - - -", not_copied},
    {&diamond, "", "6<0+6: %x.1 %x.1 %x.3 - - - -", not_operator},
    {&diamond, "", "6<0+6: %x.1 %x.2 %x.2 - - - -", not_operator},
    {&diamond, "", "6<0+6: %x.1 %x.2 - - - - -", not_argument},
    {&diamond, "", "6<0+6: %x.1 %x.2 %x.3 %a.0 - - -", not_operator},
    {&diamond, "", "6<0+6: %x.1 %x.2 %x.3 %x.4 - - -", not_operator},
    {&diamond, "", "6<0+6: %x.1 %x.2 %x.3 %0.1 - - -", not_operator},
    {&diamond, "", "6<0+6: %x.1 %x.2 %x.3 - - -", "does not cover the new registers"},
    {&diamond, "", "6<0+5: %x.1 %x.2 %x.3 - - - -", wrong_size},
    {&diamond, "", "6<0+7: %x.1 %x.2 %x.3 - - - -", wrong_size},
    {&diamond, "", "6<0+4294967295: %x.1 %x.2 %x.3 - - - -", wrong_size},
    {&diamond, "", ": %x.1 %x.2 %x.3 - - - -", wrong_size},
    {&diamond, "", "99<0+6: %x.1 %x.2 %x.3 - - - -", wrong_size},
    {&diamond, "", "6<0+6 6<0+6: %x.1 %x.2 %x.3 - - - -", wrong_size},
    {&diamond, "", "0<0+6: %x.1 %x.2 %x.3 - - - -", "the join is no nop"},
    {&diamond, "  6: nop\n  7:=>  6:", "6<0+5: %x.1 %x.2 %x.3 - - - -", "the join is no nop"},
    {&diamond, "", "6<7+6: %x.1 %x.2 %x.3 - - - -", "is not on a way of the branch"},
    {&diamond, "", "6<1+6: %x.1 %x.2 %x.3 - - - -", "names no branch on the condition"},
    {&diamond, "", "6<99+6: %x.1 %x.2 %x.3 - - - -", "names no branch on the condition"},
    {&loop, "%0.1 = const.i32 5=>%0.1 = sub.i32 %s.2, 4", "8<3+2: %t.2 - -", not_operator},
    {&around, SELECT_EARLIER, "8<3+3: %t.1 -", "is not computed on the way to the join"},
    {&around, SELECT_EARLIER, "8<14+3: %t.1 -", "is entered by other edges, too"},
};

static const Case wrong_code[] = {
    {&diamond, "%r.1 = xor.i32=>%r.1 = or.i32", NULL, "the instruction has changed"},
    {&diamond, "xor.i32 %x.4, %y.4=>xor.i32 %x.4, %1.1", NULL, "the instruction has changed"},
    {&diamond, "then 15 else 17=>then 17 else 15", NULL, "successor 0 has changed"},
    {&diamond, "then 1 else 4=>then 4 else 1", NULL, "successor 0 has changed"},
    {&diamond, "%b.0): %z.1, !lt=>%b.0): %z.2, !lt", NULL, "merge 0 has changed"},
    {&diamond, "gamma(lt.i32(%a.0, %b.0): %z.1, !lt=>gamma(!lt.i32(%a.0, %b.0): %z.1, lt", NULL,
     "merge 0 has changed"},
    {&diamond,
     "  19: %z.3 = gamma(lt.i32(%a.0, %b.0): %z.1, !lt.i32(%a.0, %b.0): %z.2)\n=>|"
     "add.i32 %z.3=>add.i32 %a.0",
     NULL, "a merge is gone"},
    {&diamond, "  12: %y.4 = select.i32 %3.1, %a.0, %b.0=>  12: nop|%x.4, %y.4=>%x.4, %x.4", NULL,
     "only operators in a row may be added"},
    {&diamond, "end 20: (lt.i32(%a.0, %b.0) =>end 20: (lt.i32(%b.0, %a.0) ", NULL, wrong_gates},
    {&loop, "goes on lt=>goes on !lt", NULL, wrong_gates},
    {&loop, "leaves !lt=>leaves lt", NULL, wrong_gates},
    {&loop, "end 16: !lt=>end 16: lt", NULL, wrong_gates},
    {&loop, "eta(!lt=>eta(lt", NULL, "the etas have changed"},
    {&loop, "%n.0), %s.2)=>%n.0), %i.2)", NULL, "the etas have changed"},
    {&loop, "mu(%i.1, %s.3)=>mu(%i.1, %i.3)", NULL, "merge 1 has changed"},
};

#define TRY(cases)                                                                                 \
    for (uint32_t i = 0; i < sizeof(cases) / sizeof *(cases); i++) try_case(&(cases)[i])

static void test_selects(void **state) {
    (void)state;
    TRY(wrong_selects);
}
static void test_copies(void **state) {
    (void)state;
    TRY(wrong_copies);
}
static void test_code(void **state) {
    (void)state;
    TRY(wrong_code);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_accepted),
                                       cmocka_unit_test(test_selects),
                                       cmocka_unit_test(test_copies), cmocka_unit_test(test_code)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
