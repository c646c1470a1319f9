// Forged excursions into Sea of Nodes: functions and hints that check_values must reject, each for
// the right reason. The hints are written as text, so that a forgery is a change of the text of
// `after`, of the hint, or of both.
#include "test/gen/hinted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

// ---- Operators, phis and ways

static const Excursion scalars = {
    "function i32 @f(i32 %a.0, i32 %b.0) {\n"
    "  reg i32 %u.0\n"
    "  0: %k.1 = const.i32 0\n"
    "  1: %x.1 = add.i32 %a.0, %k.1\n"
    "  2: %y.1 = mul.i32 %x.1, %b.0\n"
    "  3: %z.1 = mul.i32 %b.0, %a.0\n"
    "  4: if lt.i32 %a.0, %b.0 then 5 else 9\n"
    "  5: if lt.i32 %x.1, %b.0 then 6 else 7\n"
    "  6: nop -> 8\n"
    "  7: nop -> 8\n"
    "  8: %p.1 = phi(6: %y.1, 7: %u.0)\n"
    "  8: nop -> 10\n"
    "  9: nop -> 10\n"
    "  10: %q.1 = phi(8: %p.1, 9: %z.1)\n"
    "  10: %r.1 = phi(8: %a.0, 9: %b.0)\n"
    "  10: call @call(%q.1)\n"
    "  11: %d.1 = divs.i32 %r.1, %b.0\n"
    "  12: call @call(%d.1)\n"
    "  13: %s.1 = sub.i32 %q.1, %z.1\n"
    "  14: %t.1 = add.i32 %r.1, %s.1\n"
    "  15: %h.1 = const.i32 5\n"
    "  16: %i.1 = add.i32 %h.1, 2\n"
    "  17: %o.1 = add.i32 %i.1, %s.1\n"
    "  18: call @call(%o.1)\n"
    "  19: return %t.1\n"
    "}\n"
    "extern function void @call(i32)\n",
    "function i32 @f(i32 %a.0, i32 %b.0) {\n"
    "  0: %m.1 = mul.i32 %a.0, %b.0\n"
    "  1: if lt.i32 %a.0, %b.0 then 2 else 3\n"
    "  2: nop -> 4\n"
    "  3: nop -> 4\n"
    "  4: %n.1 = phi(2: %a.0, 3: %b.0)\n"
    "  4: call @call(%m.1)\n"
    "  5: %e.1 = divs.i32 %n.1, %b.0\n"
    "  6: call @call(%e.1)\n"
    "  7: %c.1 = const.i32 7\n"
    "  8: call @call(%c.1)\n"
    "  9: return %n.1\n"
    "}\n"
    "extern function void @call(i32)\n",
    "value old %a.0\n"      // 0
    "value old %b.0\n"      // 1
    "value const.i32 = 0\n" // 2
    "value add.i32 0 2\n"   // 3
    "value mul.i32 0 1\n"   // 4
    "value lt.i32 0 1\n"    // 5
    "value phi 10 0 1\n"    // 6
    "value divs.i32 6 1\n"  // 7
    "value sub.i32 4 4\n"   // 8
    "value add.i32 6 2\n"   // 9
    "value const.i32 = 5\n" // 10
    "value const.i32 = 2\n" // 11
    "value add.i32 10 11\n" // 12
    "value const.i32 = 7\n" // 13
    "value add.i32 13 8\n"  // 14
    "value add.i32 13 2\n"  // 15
    "step 3 0 add_zero.i32\n"
    "step 8 2 sub_self.i32\n"
    "step 9 6 add_zero.i32\n"
    "step 12 13 fold\n"
    "step 14 15 congruent\n"
    "step 15 13 fold\n"
    "claim %a.0 0 NO\n"
    "claim %b.0 1 NO\n"
    "claim %k.1 2 2\n"
    "claim %x.1 0 3\n"
    "claim %y.1 4 4\n"
    "claim %z.1 4 4\n"
    "claim %p.1 4 NO\n"
    "claim %q.1 4 NO\n"
    "claim %r.1 6 NO\n"
    "claim %d.1 7 7\n"
    "claim %s.1 2 8\n"
    "claim %t.1 6 9\n"
    "claim %h.1 10 10\n"
    "claim %i.1 13 12\n"
    "claim %o.1 13 15\n"
    "test 5\n"
    "test 5 -\n"
    "decide 5 0 0 1\n"
    "edge 4 0\n"
    "row\nrow\n"
    "perform - 4 8 9 10 11 12 - 18 19\n"
    "new %a.0 0\nnew %b.0 1\nnew %m.1 4\nnew %n.1 6\nnew %e.1 7\nnew %c.1 13\n"};

static void test_scalars(void **state) {
    (void)state;
    static const HintedForgery forgeries[] = {
        // The code.
        {"computes another value", {{"mul.i32 %a.0, %b.0", "add.i32 %a.0, %b.0"}}, {{0}}},
        {"computes another value", {{"mul.i32 %a.0, %b.0", "mul.i32 %a.0, %a.0"}}, {{0}}},
        {"computes another value", {{"%c.1 = const.i32 7", "%c.1 = const.i32 8"}}, {{0}}},
        {"its condition is another", {{"lt.i32 %a.0, %b.0", "le.i32 %a.0, %b.0"}}, {{0}}},
        {"its condition is another", {{"lt.i32 %a.0, %b.0", "lt.i32 %b.0, %a.0"}}, {{0}}},
        {"leads elsewhere", {{"then 2 else 3", "then 3 else 2"}}, {{0}}},
        {"of phi 0 is another value", {{"phi(2: %a.0, 3: %b.0)", "phi(2: %b.0, 3: %a.0)"}}, {{0}}},
        {"of phi 0 is another value", {{"phi(2: %a.0, 3: %b.0)", "phi(2: %a.0, 3: %a.0)"}}, {{0}}},
        {"argument 0 is another value", {{"4: call @call(%m.1)", "4: call @call(%n.1)"}}, {{0}}},
        {"its operands are others", {{"divs.i32 %n.1, %b.0", "divs.i32 %b.0, %n.1"}}, {{0}}},
        {"may do harm", {{"divs.i32 %n.1, %b.0", "divu.i32 %n.1, %b.0"}}, {{0}}},
        {"argument 0 is another value", {{"return %n.1", "return %a.0"}}, {{0}}},
        {"does not do what the old node does", {{"8: call @call(%c.1)", "8: nop"}}, {{0}}},
        {"does not do what the old node does", {{"4: call @call(%m.1)", "4: nop"}}, {{0}}},
        // What is performed.
        {"it does not lead to the next node", {{0}}, {{"perform - 4 8", "perform - - 8"}}},
        {"does not cover every node", {{0}}, {{"- 18 19\n", "- 18\n"}}},
        {"performed twice", {{0}}, {{"10 11 12", "10 11 11"}}},
        {"performs no node", {{0}}, {{"10 11 12", "10 11 99"}}},
        {"performs no node", {{0}}, {{"perform - 4 8 9", "perform - 4 7 9"}}},
        {"may do harm", {{"0: %m.1 = mul.i32 %a.0, %b.0", "0: %m.1 = divs.i32 %a.0, %b.0"}}, {{0}}},
        {"old node 18 is not performed",
         {{"8: call @call(%c.1)", "8: nop"}},
         {{"12 - 18 19", "12 - - 19"}}},
        {"is a join and not performed",
         {{"4: call @call(%m.1)", "4: nop"}},
         {{"8 9 10 11", "8 9 - 11"}}},
        {"performs none of the old join's", {{0}}, {{"perform - 4 8 9", "perform - 4 6 9"}}},
        {"its result is another value", {{0}}, {{"new %e.1 7", "new %e.1 6"}}},
        {"new register", {{0}}, {{"new %a.0 0", "new %a.0 1"}}},
        {"has no value of its type", {{0}}, {{"new %e.1 7", "new %e.1 99"}}},
        {"set where its value is not known", {{0}}, {{"new %m.1 4", "new %m.1 6"}}},
        {"argument 0 of phi 0 is another value", {{0}}, {{"new %n.1 6", "new %n.1 0"}}},
        // Values.
        {"value 16 is none", {{0}}, {{"step 3 0 add_zero", "value old 99\nstep 3 0 add_zero"}}},
        {"value 16 is none", {{0}}, {{"step 3 0 add_zero", "value kind\nstep 3 0 add_zero"}}},
        {"value 16 is none",
         {{0}},
         {{"step 3 0 add_zero", "value add.i32 0 16\nstep 3 0 add_zero"}}},
        {"value 16 is none", {{0}}, {{"step 3 0 add_zero", "value add.i32 0\nstep 3 0 add_zero"}}},
        {"value 16 is none", {{0}}, {{"step 3 0 add_zero", "value phi 10 0\nstep 3 0 add_zero"}}},
        {"value 16 is none", {{0}}, {{"step 3 0 add_zero", "value phi 99 0 1\nstep 3 0 add_zero"}}},
        {"value 16 is none",
         {{0}},
         {{"step 3 0 add_zero", "value phi 10 0 77\nstep 3 0 add_zero"}}},
        {"value 16 is none", {{0}}, {{"step 3 0 add_zero", "value load 3 2\nstep 3 0 add_zero"}}},
        {"has another type",
         {{0}},
         {{"step 3 0 add_zero", "value add.i64 0 1\nstep 3 0 add_zero"}}},
        // Steps.
        {"step 0 is not right", {{0}}, {{"step 3 0 add_zero.i32", "step 3 1 add_zero.i32"}}},
        {"step 0 is not right", {{0}}, {{"step 3 0 add_zero.i32", "step 4 0 add_zero.i32"}}},
        {"step 0 is not right", {{0}}, {{"step 3 0 add_zero.i32", "step 3 0 mul_one.i32"}}},
        {"step 0 is not right", {{0}}, {{"step 3 0 add_zero.i32", "step 3 0 fold"}}},
        {"step 0 is not right", {{0}}, {{"step 3 0 add_zero.i32", "step 3 0 congruent"}}},
        {"step 0 is not right", {{0}}, {{"step 3 0 add_zero.i32", "step 3 0 extended"}}},
        {"step 0 is not right", {{0}}, {{"step 3 0 add_zero.i32", "step 3 0 60000"}}},
        {"step 0 is about no value", {{0}}, {{"step 3 0 add_zero.i32", "step 3 99 fold"}}},
        {"step 3 is not right", {{0}}, {{"step 12 13 fold", "step 12 10 fold"}}},
        {"step 4 is not right", {{0}}, {{"step 14 15 congruent", "step 14 12 congruent"}}},
        {"leads in a circle", {{0}}, {{"step 12 13 fold", "step 12 13 fold\nstep 12 13 fold"}}},
        {"leads in a circle", {{0}}, {{"step 12 13 fold", "step 13 13 fold"}}},
        // Relied on before it was shown.
        {"step 1 is not right",
         {{0}},
         {{"step 8 2 sub_self.i32\n", ""},
          {"step 14 15 congruent\n", "step 14 15 congruent\nstep 8 2 sub_self.i32\n"},
          {"step 9 6 add_zero.i32\nstep 12 13 fold\nstep 14 15", "step 14 15"}}},
        // Claims.
        {"not computed as claimed", {{0}}, {{"claim %x.1 0 3", "claim %x.1 0 4"}}},
        {"not computed as claimed", {{0}}, {{"claim %x.1 0 3", "claim %x.1 1 3"}}},
        {"not computed as claimed", {{0}}, {{"claim %y.1 4 4", "claim %y.1 0 NO"}}},
        {"parameter and nothing else", {{0}}, {{"claim %a.0 0 NO", "claim %a.0 2 NO"}}},
        {"of the phi of register", {{0}}, {{"claim %r.1 6 NO", "claim %r.1 0 NO"}}},
        {"of the phi of register", {{0}}, {{"value phi 10 0 1", "value phi 10 1 0"}}},
        {"is set where its value is not known yet", {{0}}, {{"claim %y.1 4 4", "claim %y.1 6 4"}}},
        {"is claimed to be no value", {{0}}, {{"claim %y.1 4 4", "claim %y.1 99 4"}}},
        // A phi of its own join that is no PHI.
        {"something of its own join", {{0}}, {{"claim %q.1 4 NO", "claim %q.1 9 NO"}}},
        {"condition of old node 4 is another", {{0}}, {{"test 5\ntest", "test 4\ntest"}}},
        {"without passing edge 0", {{0}}, {{"test 5\ntest", "test NO\ntest"}}},
        {"does not cover every condition", {{0}}, {{"test 5 -\n", ""}}},
        // Ways.
        {"old node 5 is not performed", {{0}}, {{"decide 5 0 0 1\n", ""}}},
        {"does not follow", {{0}}, {{"decide 5 0 0 1", "decide 5 0 0 0"}}},
        {"does not follow", {{0}}, {{"decide 5 0 0 1", "decide 5 1 0 1"}}},
        {"does not follow", {{0}}, {{"decide 5 0 0 1", "decide 5 1 0 1"}}},
        {"edges that are none", {{0}}, {{"decide 5 0 0 1", "decide 5 0 1 1"}}},
        {"without passing edge", {{0}}, {{"edge 4 0", "edge 4 1"}}},
        {"without passing edge", {{0}}, {{"edge 4 0", "edge 5 0"}}},
        {"without passing edge", {{0}}, {{"edge 4 0", "edge 99 0"}}},
        {"without passing edge", {{0}}, {{"edge 4 0", "edge 3 0"}}},
        {"no such way", {{0}}, {{"decide 5 0 0 1", "decide 5 7 0 1"}}},
        {"is decided and no branch", {{0}}, {{"decide 5 0 0 1", "decide 3 0 0 0\ndecide 5 0 0 1"}}},
        {"not in order", {{0}}, {{"decide 5 0 0 1", "decide 5 0 0 1\ndecide 5 0 0 1"}}},
        {"outcome of old node 4 does not follow",
         {{0}},
         {{"decide 5 0 0 1", "decide 4 0 0 0\ndecide 5 0 0 1"}}},
    };
    TRY(&scalars, forgeries);
}

// ---- Memory

static const Excursion memory = {
    "function i32 @f(i64 %p.0, i32 %n.0) {\n"
    "  slot $s size 8 align 8\n"
    "  0: store.i32 [$s], %n.0\n"
    "  1: store.i32 [%p.0], %n.0\n"
    "  2: %x.1 = load.i32 [$s]\n"
    "  3: nop\n"
    "  4: %i.1 = phi(3: %x.1, 8: %i.2)\n"
    "  4: %y.1 = load.i32 [%p.0 + 4]\n"
    "  5: store.i8 [$s], %i.1\n"
    "  6: %i.2 = sub.i32 %i.1, %y.1\n"
    "  7: if gt.i32 %i.2, 0 then 8 else 9\n"
    "  8: nop -> 4\n"
    "  9: %c.1 = load.u8 [$s]\n"
    "  10: call @call(%c.1)\n"
    "  11: %z.1 = load.i32 [%p.0 + 4]\n"
    "  12: %w.1 = load.u8 [$s]\n"
    "  13: %v.1 = add.i32 %z.1, %w.1\n"
    "  14: %h.1 = load.u8 [%p.0]\n"
    "  15: %k.1 = zext8.i32 %h.1\n"
    "  16: call @call(%k.1)\n"
    "  17: return %v.1\n"
    "}\n"
    "extern function void @call(i32)\n",
    "function i32 @f(i64 %p.0, i32 %n.0) {\n"
    "  slot $s size 8 align 8\n"
    "  0: store.i32 [$s], %n.0\n"
    "  1: store.i32 [%p.0], %n.0\n"
    "  2: %l.1 = load.i32 [%p.0 + 4]\n"
    "  3: nop\n"
    "  4: %j.1 = phi(3: %n.0, 8: %j.2)\n"
    "  4: nop\n"
    "  5: store.i8 [$s], %j.1\n"
    "  6: %j.2 = sub.i32 %j.1, %l.1\n"
    "  7: if gt.i32 %j.2, 0 then 8 else 9\n"
    "  8: nop -> 4\n"
    "  9: %e.1 = zext8.i32 %j.1\n"
    "  10: call @call(%e.1)\n"
    "  11: %z.1 = load.i32 [%p.0 + 4]\n"
    "  12: %h.1 = load.u8 [%p.0]\n"
    "  13: call @call(%h.1)\n"
    "  14: %o.1 = add.i32 %z.1, %e.1\n"
    "  15: return %o.1\n"
    "}\n"
    "extern function void @call(i32)\n",
    "value old %p.0\n"      // 0
    "value old %n.0\n"      // 1
    "value load 3 4\n"      // 2
    "value phi 4 1 4\n"     // 3
    "value sub.i32 3 2\n"   // 4
    "value const.i32 = 0\n" // 5
    "value gt.i32 4 5\n"    // 6
    "value zext8.i32 3\n"   // 7
    "value old %z.1\n"      // 8
    "value add.i32 8 7\n"   // 9
    "value old %h.1\n"      // 10
    "value zext8.i32 10\n"  // 11
    "value old %y.1\n"      // 12
    "value load 4 4\n"      // 13
    "value load 11 4\n"     // 14
    "step 11 10 extended\n"
    "claim %p.0 0 NO\n"
    "claim %n.0 1 NO\n"
    "claim %x.1 1 NO\n"
    "claim %i.1 3 NO\n"
    "claim %y.1 2 NO\n"
    "claim %i.2 4 4\n"
    "claim %c.1 7 7\n"
    "claim %z.1 8 NO\n"
    "claim %w.1 7 7\n"
    "claim %v.1 9 9\n"
    "claim %h.1 10 NO\n"
    "claim %k.1 10 11\n"
    "test 6\n"
    "row\n"
    "fact 2 2\n"
    "perform 0 1 - 3 4 5 - 7 8 - 10 11 14 16 - 17\n"
    "new %p.0 0\nnew %n.0 1\nnew %l.1 2\nnew %j.1 3\nnew %j.2 4\nnew %e.1 7\nnew %z.1 8\n"
    "new %h.1 10\nnew %o.1 9\n"};

static void test_memory(void **state) {
    (void)state;
    static const HintedForgery forgeries[] = {
        // 300 stored as i8 and read as 300.
        {"does not yield what is claimed", {{0}}, {{"claim %c.1 7 7", "claim %c.1 3 NO"}}},
        {"is not computed as claimed", {{0}}, {{"claim %w.1 7 7", "claim %w.1 3 7"}}},
        // What is extended by another chunk.
        {"does not yield what is claimed", {{0}}, {{"value zext8.i32 3", "value sext8.i32 3"}}},
        // Past a call.
        {"does not yield what is claimed", {{0}}, {{"claim %z.1 8 NO", "claim %z.1 2 NO"}}},
        // Around the back edge, and through the join.
        {"does not hold", {{0}}, {{"fact 2 2", "fact 2 2\nfact 0 1"}}},
        {"does not hold", {{0}}, {{"fact 2 2", "fact 3 1"}}},
        {"does not hold", {{0}}, {{"fact 2 2", "fact 2 3"}}},
        {"is not known before it", {{0}}, {{"fact 2 2", "fact 2 12"}}},
        {"is not known before it", {{0}}, {{"fact 2 2", "fact 2 13"}}},
        {"does not yield what is claimed", {{0}}, {{"fact 2 2\n", ""}}},
        {"about nothing that exists", {{0}}, {{"fact 2 2", "fact 99 2"}}},
        {"about nothing that exists", {{0}}, {{"fact 2 2", "fact 2 99"}}},
        {"about nothing that exists", {{0}}, {{"fact 2 2", "fact 2 0"}}},
        // The version of memory that the load's old node has.
        {"is not known yet", {{0}}, {{"claim %x.1 1 NO", "claim %x.1 2 NO"}}},
        {"it may go wrong",
         {{"10: call @call(%e.1)\n  11: %z.1 = load.i32 [%p.0 + 4]",
           "10: %z.1 = load.i32 [%p.0 + 4]\n  11: call @call(%e.1)"}},
         {{"value load 3 4", "value load 3 4"},
          {"perform 0 1 - 3 4 5 - 7 8 - 10 11 14", "perform 0 1 - 3 4 5 - 7 8 - - 10 14"},
          {"new %z.1 8", "new %z.1 15"},
          {"value load 11 4", "value load 11 4\nvalue load 10 4"}}},
        // A load that is not there, that reads elsewhere, or that may go wrong.
        {"it is not the load", {{0}}, {{"new %l.1 2", "new %l.1 NO"}}},
        {"it loads something else",
         {{"2: %l.1 = load.i32 [%p.0 + 4]", "2: %l.1 = load.i32 [%p.0 + 8]"}},
         {{0}}},
        {"it loads something else",
         {{"2: %l.1 = load.i32 [%p.0 + 4]", "2: %l.1 = load.i32 [$s + 4]"}},
         {{0}}},
        {"set where its value is not known", {{0}}, {{"new %l.1 2", "new %l.1 13"}}},
        // In front of an earlier node, with a store between that may touch it.
        {"does not yield what is claimed",
         {{0}},
         {{"value load 3 4", "value load 1 4"}, {"fact 2 2\n", ""}}},
        {"value 2 is none", {{0}}, {{"value load 3 4", "value load 99 4"}}},
        {"value 2 is none", {{0}}, {{"value load 3 4", "value load 3 5"}}},
        {"value 2 is none", {{0}}, {{"claim %p.0 0 NO", "claim %p.0 NO NO"}}},
        {"value 15 is none",
         {{0}},
         {{"claim %p.0 0 NO", "claim %p.0 16 NO"},
          {"step 11 10", "value load 3 4\nvalue old %p.0\nstep 11 10"},
          {"value load 3 4\nvalue phi", "value old %n.0\nvalue phi"},
          {"value load 4 4\nvalue load 11 4", "value old %n.0\nvalue old %n.0"}}},
        {"its address is another",
         {{"0: store.i32 [$s], %n.0", "0: %q.1 = const.i64 0\n  1: store.i32 [$s], %n.0"},
          {"1: store.i32 [%p.0], %n.0", "2: store.i32 [%p.0], %n.0"},
          {"2: %l.1 = load.i32 [%p.0 + 4]", "3: %l.1 = load.i32 [%q.1 + 4]"},
          {"3: nop\n", "16: nop -> 4\n"},
          {"phi(3:", "phi(16:"}},
         {{"perform 0 1 - 3 4", "perform - 0 1 - 3 4"}}},
        // What is performed.
        {"argument 0 is another value",
         {{"5: store.i8 [$s], %j.1", "5: store.i8 [$s], %n.0"}},
         {{0}}},
        {"the instruction differs", {{"5: store.i8 [$s], %j.1", "5: store.i16 [$s], %j.1"}}, {{0}}},
        {"does not do what the old node does", {{"1: store.i32 [%p.0], %n.0", "1: nop"}}, {{0}}},
        {"old node 1 is not performed",
         {{"1: store.i32 [%p.0], %n.0", "1: nop"}},
         {{"perform 0 1 -", "perform 0 - -"}}},
        // Two stores in the other order.
        {"the entry is not where it starts",
         {{"1: store.i32 [%p.0], %n.0", "1: store.i32 [%p.0], %l.1"},
          {"0: store.i32 [$s], %n.0", "0: %l.1 = const.i32 1"},
          {"2: %l.1 = load.i32 [%p.0 + 4]", "2: store.i32 [$s], %n.0"}},
         {{"perform 0 1 - 3", "perform - 1 0 3"},
          {"new %l.1 2", "new %l.1 16"},
          {"value load 11 4", "value load 11 4\nvalue old %n.0\nvalue const.i32 = 1"}}},
        {"its result is another value", {{0}}, {{"new %h.1 10", "new %h.1 11"}}},
        {"its result is another value", {{0}}, {{"new %z.1 8", "new %z.1 2"}}},
        // Steps.
        {"step 0 is not right", {{0}}, {{"step 11 10 extended", "step 7 3 extended"}}},
        {"step 0 is not right", {{0}}, {{"value zext8.i32 10", "value sext8.i32 10"}}},
    };
    TRY(&memory, forgeries);
}

// ---- Pointers and checks

static const Excursion pointers = {
    "function i32 @f(i32 %a.0, i32 %n.0) {\n"
    "  slot $s size 8 align 8\n"
    "  slot $t size 8 align 8\n"
    "  0: store.i32 [$s], %n.0\n"
    "  1: %s.1 = addr $s\n"
    "  2: if lt.i32 %a.0, %n.0 then 3 else 4\n"
    "  3: nop -> 6\n"
    "  4: %t.1 = addr $t\n"
    "  5: nop -> 6\n"
    "  6: %p.1 = phi(3: %s.1, 5: %t.1)\n"
    "  6: store.i32 [%p.1], %a.0\n"
    "  7: %x.1 = load.i32 [$s]\n"
    "  8: check %a.0\n"
    "  9: check %a.0\n"
    "  10: %y.1 = load.i32 [%p.1]\n"
    "  11: %z.1 = add.i32 %x.1, %y.1\n"
    "  12: return %z.1\n"
    "}\n",
    "function i32 @f(i32 %a.0, i32 %n.0) {\n"
    "  slot $s size 8 align 8\n"
    "  slot $t size 8 align 8\n"
    "  0: store.i32 [$s], %n.0\n"
    "  1: if lt.i32 %a.0, %n.0 then 2 else 4\n"
    "  2: %s.1 = addr $s\n"
    "  3: nop -> 6\n"
    "  4: %t.1 = addr $t\n"
    "  5: nop -> 6\n"
    "  6: %p.1 = phi(3: %s.1, 5: %t.1)\n"
    "  6: store.i32 [%p.1], %a.0\n"
    "  7: %x.1 = load.i32 [$s]\n"
    "  8: check %a.0\n"
    "  9: %z.1 = add.i32 %x.1, %a.0\n"
    "  10: return %z.1\n"
    "}\n",
    "value old %a.0\n"    // 0
    "value old %n.0\n"    // 1
    "value addr slot 0\n" // 2
    "value addr slot 1\n" // 3
    "value phi 6 2 3\n"   // 4
    "value lt.i32 0 1\n"  // 5
    "value old %x.1\n"    // 6
    "value add.i32 6 0\n" // 7
    "claim %a.0 0 NO\n"
    "claim %n.0 1 NO\n"
    "claim %s.1 2 2\n"
    "claim %t.1 3 3\n"
    "claim %p.1 4 NO\n"
    "claim %x.1 6 NO\n"
    "claim %y.1 0 NO\n"
    "claim %z.1 7 7\n"
    "test 5\n"
    "decide 9 0 0 1\n"
    "edge 8 0\n"
    "row\n"
    "perform 0 2 - 3 - 5 6 7 8 - 12\n"
    "new %a.0 0\nnew %n.0 1\nnew %s.1 2\nnew %t.1 3\nnew %p.1 4\nnew %x.1 6\nnew %z.1 7\n"};

static void test_pointers(void **state) {
    (void)state;
    static const HintedForgery forgeries[] = {
        // Past a store through a phi.
        {"old load 7 does not yield what is claimed",
         {{0}},
         {{"claim %x.1 6 NO", "claim %x.1 1 NO"}}},
        {"old load 10 does not yield what is claimed",
         {{0}},
         {{"claim %y.1 0 NO", "claim %y.1 1 NO"}, {"value add.i32 6 0", "value add.i32 6 1"}}},
        {"of the phi of register", {{0}}, {{"claim %p.1 4 NO", "claim %p.1 2 NO"}}},
        {"of the phi of register", {{0}}, {{"claim %s.1 2 2", "claim %s.1 NO NO"}}},
        {"not computed as claimed", {{0}}, {{"claim %s.1 2 2", "claim %s.1 3 3"}}},
        {"value 3 is none", {{0}}, {{"value addr slot 1", "value addr slot 7"}}},
        {"of phi 0 is another value",
         {{"phi(3: %s.1, 5: %t.1)", "phi(3: %q.1, 5: %q.1)"},
          {"0: store.i32", "11: %q.1 = addr $t\n  0: store.i32"}},
         {{"perform 0", "perform - 0"}}},
        {"computes another value", {{"%s.1 = addr $s", "%s.1 = addr $t"}}, {{0}}},
        {"computes another value", {{"%s.1 = addr $s", "%s.1 = addr $s + 4"}}, {{0}}},
        // Checks.
        {"old node 9 is not performed", {{0}}, {{"decide 9 0 0 1\nedge 8 0\n", ""}}},
        {"old node 9 does not follow", {{0}}, {{"decide 9 0 0 1", "decide 9 0 0 0"}}},
        {"without passing edge 0", {{0}}, {{"edge 8 0", "edge 9 0"}}},
        {"without passing edge 0", {{0}}, {{"edge 8 0", "edge 2 0"}}},
        {"without passing edge 0", {{0}}, {{"decide 9 0 0 1", "decide 8 0 0 1\ndecide 9 0 0 1"}}},
        {"without passing edge 0",
         {{0}},
         {{"decide 9 0 0 1", "decide 8 0 1 1\ndecide 9 0 0 1"},
          {"edge 8 0", "edge 8 0\nedge 9 0"}}},
        {"without passing edge 0", {{0}}, {{"edge 8 0", "edge 8 1"}}},
        {"old node 8 is not performed", {{"8: check %a.0", "8: nop"}}, {{"7 8 - 12", "7 - - 12"}}},
        {"argument 0 is another value", {{"8: check %a.0", "8: check %n.0"}}, {{0}}},
        {"does not do what the old node does", {{"8: check %a.0", "8: nop"}}, {{0}}},
        {"argument 0 is another value",
         {{"6: store.i32 [%p.1], %a.0", "6: store.i32 [%q.1], %a.0"},
          {"0: store.i32 [$s]", "11: %q.1 = addr $s\n  0: store.i32 [$s]"}},
         {{"perform 0", "perform - 0"}, {"new %s.1 2", "new %s.1 2\nnew %q.1 2"}}},
    };
    TRY(&pointers, forgeries);
}

// ---- Selects for phis, and phis of two joins under one condition

static const Excursion gated = {"function i32 @f(i32 %a.0, i32 %b.0) {\n"
                                "  0: if lt.i32 %a.0, %b.0 then 1 else 3\n"
                                "  1: %x.1 = add.i32 %a.0, 1\n"
                                "  2: nop -> 5\n"
                                "  3: %x.2 = mul.i32 %b.0, %b.0\n"
                                "  4: nop -> 5\n"
                                "  5: %x.3 = phi(2: %x.1, 4: %x.2)\n"
                                "  5: %y.3 = phi(2: %a.0, 4: %b.0)\n"
                                "  5: call @call(%x.3)\n"
                                "  6: if lt.i32 %a.0, %b.0 then 7 else 8\n"
                                "  7: nop -> 9\n"
                                "  8: nop -> 9\n"
                                "  9: %z.3 = phi(7: %a.0, 8: %b.0)\n"
                                "  9: call @call(%y.3)\n"
                                "  10: return %z.3\n"
                                "}\n"
                                "extern function void @call(i32)\n",
                                "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                                "  0: if lt.i32 %a.0, %b.0 then 1 else 3\n"
                                "  1: nop\n"
                                "  2: nop -> 5\n"
                                "  3: nop\n"
                                "  4: nop -> 5\n"
                                "  5: %y.3 = phi(2: %a.0, 4: %b.0)\n"
                                "  5: %m.1 = add.i32 %a.0, 1\n"
                                "  6: %n.1 = mul.i32 %b.0, %b.0\n"
                                "  7: %c.1 = lt.i32 %a.0, %b.0\n"
                                "  8: %s.1 = select.i32 %c.1, %m.1, %n.1\n"
                                "  9: call @call(%s.1)\n"
                                "  10: if lt.i32 %a.0, %b.0 then 11 else 12\n"
                                "  11: nop -> 13\n"
                                "  12: nop -> 13\n"
                                "  13: call @call(%y.3)\n"
                                "  14: return %y.3\n"
                                "}\n"
                                "extern function void @call(i32)\n",
                                "value old %a.0\n"         // 0
                                "value old %b.0\n"         // 1
                                "value const.i32 = 1\n"    // 2
                                "value add.i32 0 2\n"      // 3
                                "value mul.i32 1 1\n"      // 4
                                "value lt.i32 0 1\n"       // 5
                                "value select.i32 5 3 4\n" // 6
                                "value phi 5 0 1\n"        // 7
                                "value lt.i32 1 0\n"       // 8
                                "value select.i32 8 3 4\n" // 9
                                "value select.i32 5 4 3\n" // 10
                                "value phi 9 0 1\n"        // 11
                                "claim %x.1 3 3\n"
                                "claim %x.2 4 4\n"
                                "claim %x.3 6 NO\n"
                                "claim %y.3 7 NO\n"
                                "claim %z.3 7 NO\n"
                                "test 5\n"
                                "test 5\n"
                                "edge 0 0\n"
                                "edge 0 1\n"
                                "edge 6 0\n"
                                "edge 6 1\n"
                                "gated 5 0\n"
                                "gated 9 2\n"
                                "row\n"
                                "row\n"
                                "perform 0 1 2 3 4 - - - - 5 6 7 8 9 10\n"
                                "new %a.0 0\n"
                                "new %b.0 1\n"
                                "new %y.3 7\n"
                                "new %m.1 3\n"
                                "new %n.1 4\n"
                                "new %c.1 5\n"
                                "new %s.1 6\n"};

static void test_gated(void **state) {
    (void)state;
    static const HintedForgery forgeries[] = {
        // Another condition, its arguments exchanged, another branch, the other way, or none.
        {"argument 0 of the phi", {{0}}, {{"claim %x.3 6", "claim %x.3 9"}}},
        {"argument 0 of the phi", {{0}}, {{"claim %x.3 6", "claim %x.3 10"}}},
        {"argument 0 of the phi",
         {{0}},
         {{"test 5\ntest 5", "test 8\ntest 5"}, {"claim %x.3 6", "claim %x.3 9"}}},
        {"argument 0 of the phi", {{0}}, {{"edge 0 0\nedge 0 1", "edge 0 1\nedge 0 1"}}},
        {"argument 0 of the phi", {{0}}, {{"edge 0 0\nedge 0 1", "edge 0 1\nedge 0 0"}}},
        {"argument 0 of the phi", {{0}}, {{"edge 0 0\nedge 0 1", "edge 6 0\nedge 6 1"}}},
        {"argument 0 of the phi", {{0}}, {{"edge 0 0\n", "edge 1 0\n"}}},
        {"argument 0 of the phi", {{0}}, {{"edge 0 0\n", "edge 0 2\n"}}},
        {"argument 0 of the phi", {{0}}, {{"edge 0 0\n", "edge NO 0\n"}}},
        {"argument 0 of the phi", {{0}}, {{"gated 5 0\n", ""}}},
        {"argument 0 of the phi", {{0}}, {{"gated 5 0", "gated 5 1"}}},
        {"the ways of join number 0 are none", {{0}}, {{"gated 5 0", "gated 5 3"}}},
        {"the ways of join number 0 are none", {{0}}, {{"gated 5 0", "gated 99 0"}}},
        // The phi of another join: the other way round, without a condition, or what is below.
        {"argument 0 of the phi", {{0}}, {{"edge 6 0\nedge 6 1", "edge 6 1\nedge 6 0"}}},
        {"argument 0 of the phi", {{0}}, {{"gated 9 2\n", ""}}},
        {"argument 0 of the phi",
         {{0}},
         {{"phi 5 0 1", "phi 5 1 0"},
          {"claim %y.3 7", "claim %y.3 NO"},
          {"new %y.3 7", "new %y.3 NO"}}},
        {"set where its value is not known", {{0}}, {{"claim %y.3 7", "claim %y.3 11"}}},
        // The code does not do what the values say.
        {"computes another value",
         {{"select.i32 %c.1, %m.1, %n.1", "select.i32 %c.1, %n.1, %m.1"}},
         {{0}}},
        {"computes another value",
         {{"7: %c.1 = lt.i32 %a.0, %b.0", "7: %c.1 = le.i32 %a.0, %b.0"}},
         {{0}}},
        {"argument 0 is another value", {{"9: call @call(%s.1)", "9: call @call(%m.1)"}}, {{0}}},
        {"argument 0 of phi 0",
         {{"5: %y.3 = phi(2: %a.0, 4: %b.0)", "5: %y.3 = phi(2: %b.0, 4: %a.0)"}},
         {{0}}},
    };
    TRY(&gated, forgeries);
}

// A loop in which the phi of the condition is of the same join, one iteration late: select(c, y, 0)
// mentions what the join sets, so that outcomes on the ways in say nothing of it.
static const Excursion late = {"function i32 @f(i32 %n.0) {\n"
                               "  0: %c.1 = const.i32 0\n"
                               "  1: nop\n"
                               "  2: %c.2 = phi(1: %c.1, 6: %d.1)\n"
                               "  2: %p.2 = phi(1: %c.1, 6: %y.1)\n"
                               "  2: %y.1 = add.i32 %p.2, 1\n"
                               "  3: %d.1 = const.i32 1\n"
                               "  4: call @call(%p.2)\n"
                               "  5: if lt.i32 %p.2, %n.0 then 6 else 7\n"
                               "  6: nop -> 2\n"
                               "  7: return %p.2\n"
                               "}\n"
                               "extern function void @call(i32)\n",
                               "function i32 @f(i32 %n.0) {\n"
                               "  0: %c.1 = const.i32 0\n"
                               "  1: nop\n"
                               "  2: %c.2 = phi(1: %c.1, 6: %d.1)\n"
                               "  2: %p.2 = phi(1: %c.1, 6: %y.1)\n"
                               "  2: %y.1 = add.i32 %p.2, 1\n"
                               "  3: %d.1 = const.i32 1\n"
                               "  4: call @call(%p.2)\n"
                               "  5: if lt.i32 %p.2, %n.0 then 6 else 7\n"
                               "  6: nop -> 2\n"
                               "  7: return %p.2\n"
                               "}\n"
                               "extern function void @call(i32)\n",
                               "value old %n.0\n"         // 0
                               "value old %p.2\n"         // 1
                               "value old %c.2\n"         // 2
                               "value old %y.1\n"         // 3
                               "value old %c.1\n"         // 4
                               "value old %d.1\n"         // 5
                               "value const.i32 = 1\n"    // 6
                               "value add.i32 1 6\n"      // 7
                               "value lt.i32 1 0\n"       // 8
                               "value select.i32 8 7 4\n" // 9
                               "value select.i32 2 3 4\n" // 10
                               "claim %y.1 7 7\n"
                               "test 8\n"
                               "edge 5 0\n"
                               "edge 5 0\n"
                               "gated 2 0\n"
                               "row\n"
                               "perform 0 1 2 3 4 5 6 7\n"
                               "new %n.0 0\n"
                               "new %p.2 1\n"
                               "new %c.2 2\n"
                               "new %y.1 7\n"
                               "new %c.1 4\n"
                               "new %d.1 5\n"};

static void test_late(void **state) {
    (void)state;
    static const HintedForgery forgeries[] = {
        {"something of its own join", {{0}}, {{"claim %y.1", "claim %p.2 9 NO\nclaim %y.1"}}},
        {"set where its value is not known",
         {{0}},
         {{"claim %y.1", "claim %p.2 10 NO\nclaim %y.1"}}},
        {"argument 0 of phi 1",
         {{"2: %p.2 = phi(1: %c.1, 6: %y.1)", "2: %p.2 = phi(1: %n.0, 6: %y.1)"}},
         {{0}}},
    };
    TRY(&late, forgeries);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_pointers), cmocka_unit_test(test_gated), cmocka_unit_test(test_late)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
