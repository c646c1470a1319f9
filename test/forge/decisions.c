// Forged decisions: branches declared decided that are not, and reasons that are none. Each must be
// rejected, unless the branch does go that way. A forgery is a hint, written "5>1: 2>0 3>1; ..."
// (branch 5 takes its way 1 because of way 0 of branch 2 and way 1 of branch 3); the branches that
// it decides become nops, and further changes of the code may follow.
#include "check/checkers.h"
#include "test/gen/harmless.h"
#include "test/gen/plain_values.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// One register against immediates; a join after which nothing is known.
static const char tests[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                            "  0: if lt.i32 %a.0, 9 then 1 else 10\n"
                            "  1: if gt.i32 %a.0, 50 then 2 else 3\n"
                            "  2: return %a.0\n"
                            "  3: if eq.i32 %a.0, 3 then 4 else 6\n"
                            "  4: if gt.i32 %a.0, 2 then 5 else 9\n"
                            "  5: nop -> 15\n"
                            "  6: if ult.i32 %a.0, 9 then 7 else 8\n"
                            "  7: nop -> 15\n"
                            "  8: nop -> 15\n"
                            "  9: nop -> 15\n"
                            "  10: if uge.i32 %a.0, 9 then 11 else 12\n"
                            "  11: if ne.i32 %a.0, 9 then 13 else 14\n"
                            "  12: nop -> 15\n"
                            "  13: nop -> 15\n"
                            "  14: nop\n"
                            "  15: if lt.i32 %a.0, 9 then 16 else 17\n"
                            "  16: if ge.i32 %b.0, 9 then 18 else 19\n"
                            "  17: if gt.i32 %a.0, 9 then 20 else 21\n"
                            "  18: return %a.0\n"
                            "  19: if le.i32 %a.0, 8 then 22 else 23\n"
                            "  20: return %a.0\n"
                            "  21: return %b.0\n"
                            "  22: return %a.0\n"
                            "  23: return %b.0\n"
                            "}\n";

// Two registers, in both orders, and floats.
static const char pairs[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                            "  0: %x.1 = cvt.f64.i32 %a.0\n"
                            "  1: %y.1 = cvt.f64.i32 %b.0\n"
                            "  2: if lt.i32 %a.0, %b.0 then 3 else 4\n"
                            "  3: if gt.i32 %b.0, %a.0 then 5 else 6\n"
                            "  4: if eq.i32 %b.0, %a.0 then 7 else 8\n"
                            "  5: if ult.i32 %a.0, %b.0 then 9 else 10\n"
                            "  6: return %a.0\n"
                            "  7: if uge.i32 %a.0, %b.0 then 11 else 12\n"
                            "  8: if lt.i32 %b.0, %a.0 then 13 else 14\n"
                            "  9: if ne.i32 %a.0, %b.0 then 15 else 16\n"
                            "  10: return %b.0\n"
                            "  11: if lt.f64 %x.1, %y.1 then 17 else 18\n"
                            "  12: return %b.0\n"
                            "  13: return %a.0\n"
                            "  14: return %b.0\n"
                            "  15: return %a.0\n"
                            "  16: return %b.0\n"
                            "  17: if nge.f64 %x.1, %y.1 then 19 else 20\n"
                            "  18: if ge.f64 %x.1, %y.1 then 21 else 22\n"
                            "  19: return %a.0\n"
                            "  20: return %b.0\n"
                            "  21: return %a.0\n"
                            "  22: return %b.0\n"
                            "}\n";

// The registers of a loop change between the test at its top and those below.
static const char loop[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                           "  0: %i.1 = const.i32 0\n"
                           "  1: nop\n"
                           "  2: %i.2 = phi(1: %i.1, 10: %i.3)\n"
                           "  2: if lt.i32 %i.2, %n.0 then 3 else 11\n"
                           "  3: %i.3 = add.i32 %i.2, 1\n"
                           "  4: if lt.i32 %i.3, %n.0 then 5 else 6\n"
                           "  5: nop -> 7\n"
                           "  6: nop\n"
                           "  7: if ge.i32 %i.2, %n.0 then 8 else 9\n"
                           "  8: return %i.2\n"
                           "  9: if lt.i32 %i.2, %m.0 then 10 else 12\n"
                           "  10: nop -> 2\n"
                           "  11: return %i.2\n"
                           "  12: return %m.0\n"
                           "}\n";

// Switches, on wide registers.
static const char cases[] = "function i64 @f(i64 %a.0, i64 %b.0) {\n"
                            "  0: switch %a.0 { 1: 1, 2: 2, 5: 3, default: 4 }\n"
                            "  1: if lt.i64 %a.0, 2 then 5 else 6\n"
                            "  2: nop -> 7\n"
                            "  3: nop -> 7\n"
                            "  4: if eq.i64 %a.0, 2 then 10 else 11\n"
                            "  5: switch %a.0 { 0: 12, 1: 13, default: 14 }\n"
                            "  6: return %a.0\n"
                            "  7: if gt.i64 %a.0, 1 then 8 else 9\n"
                            "  8: return %a.0\n"
                            "  9: return %b.0\n"
                            "  10: return %b.0\n"
                            "  11: return %b.0\n"
                            "  12: return %a.0\n"
                            "  13: return %b.0\n"
                            "  14: return %b.0\n"
                            "}\n";

typedef struct {
    Arena *arena;
    Func *before, *after;
    VEC(Decision) decisions;
    VEC(BranchEdge) edges;
} Forgery;

static void forge_from(Forgery *forgery, const char *text) {
    Diag diag;
    forgery->arena = arena_new("forgery");
    diag_init(&diag, forgery->arena, stderr);
    Program *program =
        program_parse(forgery->arena, &diag, FORM_SSA, "forgery", text, strlen(text));
    diag_free(&diag);
    assert_non_null(program);
    Sym f = program_find(program, str_of(&program->strings, "f"));
    forgery->before = func_clone(program_at(program, f)->func, forgery->arena);
    forgery->after = func_clone(forgery->before, forgery->arena);
}

static void go_straight(Func *func, uint32_t node, uint32_t way) {
    if (node >= func->nodes.count || way >= func->nodes.at[node].succ_count) return;
    Node succ = instr_succs(func, &func->nodes.at[node])[way];
    func->nodes.at[node] = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {succ}};
}

static void claim(Forgery *forgery, const char *text) {
    unsigned node, way;
    int length;
    while (sscanf(text, " %u>%u:%n", &node, &way, &length) == 2) {
        Decision decision = {.edge = {{node}, way}, .first = forgery->edges.count};
        go_straight(forgery->after, node, way);
        text += length;
        while (sscanf(text, " %u>%u%n", &node, &way, &length) == 2) {
            BranchEdge edge = {{node}, way};
            vec_push(forgery->arena, &forgery->edges, edge);
            decision.count++;
            text += length;
        }
        vec_push(forgery->arena, &forgery->decisions, decision);
        text += *text == ';';
    }
}

// Changes of the code, separated by ';': "straight N K", "immediate N I", "operator N OP",
// "argument N K R" (R by number), "successor N K N", "exchange N" (both ways), "phi I R"; and of
// the hint: "first I N", "count I N".
static void change(Forgery *forgery, const char *command) {
    Func *func = forgery->after;
    char name[32];
    unsigned n, k, m;
    if (sscanf(command, " straight %u %u", &n, &k) == 2) {
        go_straight(func, n, k);
    } else if (sscanf(command, " immediate %u %u", &n, &k) == 2) {
        func->nodes.at[n].imm = k;
    } else if (sscanf(command, " operator %u %31s", &n, name) == 2) {
        func->nodes.at[n].op = (uint16_t)op_named(name, strlen(name));
    } else if (sscanf(command, " argument %u %u %u", &n, &k, &m) == 3) {
        func->nodes.at[n].arg[k] = (Reg){m};
    } else if (sscanf(command, " successor %u %u %u", &n, &k, &m) == 3) {
        func_set_succ(func, (Node){n}, k, (Node){m});
    } else if (sscanf(command, " exchange %u", &n) == 1) {
        Node first = func->nodes.at[n].succ[0];
        func->nodes.at[n].succ[0] = func->nodes.at[n].succ[1];
        func->nodes.at[n].succ[1] = first;
    } else if (sscanf(command, " phi %u %u", &n, &k) == 2) {
        func->phi_args.at[n] = (Reg){k};
    } else if (sscanf(command, " first %u %u", &n, &k) == 2) {
        forgery->decisions.at[n].first = k;
    } else if (sscanf(command, " count %u %u", &n, &k) == 2) {
        forgery->decisions.at[n].count = k;
    } else {
        fail_msg("unknown change: %s", command);
    }
}

static void apply(Forgery *forgery, const char *hint, const char *changes) {
    char copy[256], *rest = copy;
    assert_true(strlen(changes) < sizeof copy);
    strcpy(copy, changes);
    claim(forgery, hint);
    for (char *command; (command = strsep(&rest, ";"));)
        if (*command) change(forgery, command);
    Complaints complaints = {.arena = forgery->arena};
    if (!verify_func(&complaints, forgery->after))
        fail_msg("\"%s\" \"%s\": %s", hint, changes, complaints.list.at[0].message);
}

static Verdict judge(const Forgery *forgery) {
    ValuesHint *hint = plain_values(forgery->arena, forgery->before, forgery->after);
    for (uint32_t i = 0; i < forgery->decisions.count; i++)
        vec_push(forgery->arena, &hint->decisions, forgery->decisions.at[i]);
    for (uint32_t i = 0; i < forgery->edges.count; i++)
        vec_push(forgery->arena, &hint->edges, forgery->edges.at[i]);
    return check_values(forgery->arena, forgery->before, forgery->after, hint);
}

typedef struct {
    const char *text, *hint, *changes, *reason;
} Case;

static void test_accepted(void **state) {
    (void)state;
    static const Case right[] = {
        {tests, "", "", NULL},
        {tests, "1>1: 0>0", "", NULL},
        {tests, "1>1: 0>0; 4>0: 3>0", "", NULL},
        {tests, "4>0: 0>0 3>0 1>1", "", NULL},
        {tests, "10>0: 0>1", "", NULL}, // a is at least 9, hence not negative
        {tests, "19>0: 15>0", "", NULL},
        {pairs, "3>0: 2>0", "", NULL},
        {pairs, "9>0: 2>0", "", NULL},
        {pairs, "9>0: 5>0", "", NULL},
        {pairs, "7>0: 4>0", "", NULL},
        {pairs, "8>0: 2>1 4>1", "", NULL},
        {pairs, "17>0: 11>0", "", NULL},
        {loop, "7>1: 2>0", "", NULL},
        {cases, "1>0: 0>1", "", NULL},
        {cases, "1>0: 0>1; 5>2: 0>1", "", NULL},
    };
    for (uint32_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        Forgery forgery = {0};
        forge_from(&forgery, right[i].text);
        apply(&forgery, right[i].hint, right[i].changes);
        Verdict verdict = judge(&forgery);
        if (!verdict.accepted) fail_msg("\"%s\": %s", right[i].hint, verdict.reason);
        arena_free(forgery.arena);
    }
}

static const char does_not_follow[] = "its outcome does not follow";
static const char does_not_dominate[] = "does not dominate it";
static const char no_edge[] = "an edge that it depends on is none";

static void test_rejected(void **state) {
    (void)state;
    static const Case wrong[] = {
        // The other way, or no reason.
        {tests, "1>0: 0>0", "", does_not_follow},
        {tests, "1>1:", "", does_not_follow},
        {tests, "4>1: 3>0", "", does_not_follow},
        {tests, "4>0: 0>0", "", does_not_follow},
        // Signed facts, unsigned questions, and the ends of ranges.
        {tests, "6>0: 0>0", "", does_not_follow},
        {tests, "6>0: 0>0 3>1", "", does_not_follow},
        {tests, "11>0: 0>1 10>0", "", does_not_follow},
        {tests, "11>1: 0>1 10>0", "", does_not_follow},
        {tests, "17>0: 15>1", "", does_not_follow},
        {tests, "3>0: 0>0 1>1", "", does_not_follow},
        // Another register.
        {tests, "16>1: 15>0", "", does_not_follow},
        {tests, "19>0: 16>1", "", does_not_follow},
        // Edges that control need not have passed.
        {tests, "15>0: 0>0", "", does_not_dominate},
        {tests, "15>1: 0>1", "", does_not_dominate},
        {tests, "1>1: 0>1", "", does_not_dominate},
        {tests, "4>0: 3>1", "", does_not_dominate},
        {tests, "1>1: 4>1", "", does_not_dominate},
        {tests, "1>1: 1>1", "", does_not_dominate},
        // No edges.
        {tests, "1>1: 0>2", "", no_edge},
        {tests, "1>1: 2>0", "", no_edge},
        {tests, "1>1: 5>0", "", no_edge},
        {tests, "1>1: 99>0", "", no_edge},
        {tests, "1>1: 0>0", "count 0 2", "the hint does not have the edges"},
        {tests, "1>1: 0>0", "first 0 7", "the hint does not have the edges"},
        {tests, "1>1: 0>0", "first 0 1", "the hint does not have the edges"},
        {tests, "1>1: 0>0", "count 0 0", does_not_follow},
        {tests, "1>1: 0>0 0>0 0>0 0>0 0>0 0>0 0>0 0>0 0>0 0>0 0>0 0>0 0>0 0>0 0>0 0>0 0>0", "",
         "it depends on more than 16 edges"},
        // No branches, or decided twice, or out of order.
        {tests, "5>0: 3>0", "", "it is no branch with such a way"},
        {tests, "1>2: 0>0", "", "it is no branch with such a way"},
        {tests, "4>0: 3>0; 1>1: 0>0", "", "its successors differ"},
        {tests, "1>1: 0>0; 1>1: 0>0", "", "the decisions are not in order"},
        {tests, "99>1: 0>0", "", "the decisions are not in order"},
        // The code.
        {tests, "1>1: 0>0", "straight 4 0", "its successors differ"},
        {tests, "", "straight 1 1", "its successors differ"},
        {tests, "1>1: 0>0", "successor 1 0 2", "the branch does not go where it was decided to"},
        {tests, "1>1: 0>0", "immediate 0 90", "the instruction has changed"},
        {tests, "1>1: 0>0", "operator 0 gt.i32", "the instruction has changed"},
        {tests, "1>1: 0>0", "argument 0 0 1", "the instruction has changed"},
        {tests, "1>1: 0>0", "exchange 0", "its successors differ"},
        // Two registers.
        {pairs, "5>0: 2>0", "", does_not_follow},
        {pairs, "3>1: 2>0", "", does_not_follow},
        {pairs, "4>0: 2>1", "", does_not_follow},
        {pairs, "8>0: 4>1", "", does_not_follow},
        {pairs, "8>0: 2>1", "", does_not_follow},
        {pairs, "7>1: 4>0", "", does_not_follow},
        {pairs, "11>1: 4>0", "", does_not_follow},
        // Not less is not greater or equal if one is a NaN.
        {pairs, "18>0: 11>1", "", does_not_follow},
        // Loops.
        {loop, "4>0: 2>0", "", does_not_follow},
        {loop, "2>0: 4>0", "", does_not_dominate},
        {loop, "2>0: 9>0", "", does_not_dominate},
        {loop, "7>1: 4>0", "", does_not_dominate},
        {loop, "7>1: 2>0", "phi 1 0", "its phis have changed"},
        // Switches.
        {cases, "1>1: 0>1", "", does_not_follow},
        {cases, "5>1: 0>1", "", does_not_follow},
        {cases, "5>0: 0>1", "", "it is no branch with such a way"},
        {cases, "7>0: 0>2", "", does_not_dominate},
        {cases, "4>1: 0>0", "", no_edge},
    };
    for (uint32_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        Forgery forgery = {0};
        forge_from(&forgery, wrong[i].text);
        apply(&forgery, wrong[i].hint, wrong[i].changes);
        Verdict verdict = judge(&forgery);
        forge_expect_harmless(forgery.arena, verdict, forgery.before, forgery.after, wrong[i].hint);
        arena_free(forgery.arena);
    }
}

// Nodes or registers that are not those of before.
static void test_frame(void **state) {
    (void)state;
    Forgery forgery = {0};
    forge_from(&forgery, tests);
    apply(&forgery, "1>1: 0>0", "");
    func_nop(forgery.after, (Node){0});
    Verdict verdict = judge(&forgery);
    assert_true(verdict.accepted); // nothing leads to it
    forgery.after->regs.at[0].type = TYPE_I64;
    verdict = judge(&forgery);
    assert_false(verdict.accepted);
    assert_non_null(verdict.reason);
    arena_free(forgery.arena);
}

// A function in which both ways of a branch are one, which the verifier would not let pass.
static void test_one_way(void **state) {
    (void)state;
    Forgery forgery = {0};
    forge_from(&forgery, "function i32 @f(i32 %a.0) {\n"
                         "  0: if lt.i32 %a.0, 9 then 1 else 1\n"
                         "  1: if lt.i32 %a.0, 9 then 2 else 3\n"
                         "  2: return %a.0\n"
                         "  3: return %a.0\n"
                         "}\n");
    claim(&forgery, "1>0: 0>0");
    Verdict verdict = judge(&forgery);
    assert_false(verdict.accepted);
    assert_string_equal(verdict.reason, "control may come to old node 1 without passing edge 0");
    arena_free(forgery.arena);
}

int main(void) {
    const struct CMUnitTest all[] = {cmocka_unit_test(test_accepted),
                                     cmocka_unit_test(test_rejected), cmocka_unit_test(test_frame),
                                     cmocka_unit_test(test_one_way)};
    return cmocka_run_group_tests(all, NULL, NULL);
}
