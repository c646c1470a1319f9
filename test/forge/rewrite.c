// Forged rewrites: rules where they do not apply, and functions that are not what the rules give.
// Each must be rejected for the right reason. Forged functions are well-formed where that can be,
// so that nothing but the checker stands in the way.
#include "check/checkers.h"
#include "check/passes.h"
#include "fact/rules.h"
#include "pass/pass.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Func *parse(Arena *arena, const char *text) {
    Diag diag;
    diag_init(&diag, arena, stderr);
    Program *program = program_parse(arena, &diag, FORM_SSA, "forgery", text, strlen(text));
    diag_free(&diag);
    assert_non_null(program);
    Sym f = program_find(program, str_of(&program->strings, "f"));
    return func_clone(program_at(program, f)->func, arena);
}

// ---- Rules that do not apply

// Nothing is known of %a.0 and %b.0, the parameters.
static const struct {
    const char *why;
    const char *code; // of the nodes before the last one, which returns %r.1
    uint32_t item;
    Rule rule;
    int64_t choice[2];
} instances[] = {
    {"not zero", "0: %r.1 = add.i32 %a.0, 1\n", 0, RULE_add_zero_I32, {0}},
    {"another operator", "0: %r.1 = or.i32 %a.0, 0\n", 0, RULE_add_zero_I32, {0}},
    {"another width", "0: %r.1 = add.i32 %a.0, 0\n", 0, RULE_add_zero_I64, {0}},
    {"two registers", "0: %r.1 = sub.i32 %a.0, %b.0\n", 0, RULE_sub_self_I32, {0}},
    {"no constant", "0: %r.1 = sub.i32 %a.0, %b.0\n", 0, RULE_sub_constant_I32, {0}},
    {"no power of two", "0: %r.1 = mul.i32 %a.0, 12\n", 0, RULE_mul_power_I32, {0}},
    {"zero is no power of two", "0: %r.1 = mul.i32 %a.0, 0\n", 0, RULE_mul_power_I32, {0}},
    {"the operand is a parameter", "0: %r.1 = add.i32 %a.0, 4\n", 0, RULE_add_add_I32, {0}},
    {"the operand's operator is another",
     "0: %x.1 = sub.i32 %a.0, %b.0\n 1: %r.1 = add.i32 %x.1, 4\n",
     1,
     RULE_add_add_I32,
     {0}},
    {"the operand is not minus, but not",
     "0: %x.1 = not.i32 %a.0\n 1: %r.1 = neg.i32 %x.1\n",
     1,
     RULE_neg_neg_I32,
     {0}},
    {"other registers inside",
     "0: %x.1 = sub.i32 %a.0, %b.0\n 1: %r.1 = add.i32 %x.1, %a.0\n",
     1,
     RULE_add_difference_I32,
     {0}},
    {"not commutative",
     "0: %x.1 = sub.i32 %b.0, %a.0\n 1: %r.1 = sub.i32 %a.0, %x.1\n",
     1,
     RULE_sub_difference_I32,
     {0}},
    {"masks overlap",
     "0: %x.1 = or.i32 %a.0, 6\n 1: %r.1 = and.i32 %x.1, 12\n",
     1,
     RULE_and_or_apart_I32,
     {0}},
    {"counts add up to the width",
     "0: %x.1 = shl.i32 %a.0, 20\n 1: %r.1 = shl.i32 %x.1, 12\n",
     1,
     RULE_shl_shl_I32,
     {0}},
    {"the divisor is zero", "0: %r.1 = modu.i32 %a.0, 0\n", 0, RULE_modu_divu_I32, {0}},
    {"the divisor is small", "0: %r.1 = divu.i32 %a.0, 2147483647\n", 0, RULE_divu_large_I32, {0}},
    {"multiplier one too small",
     "0: %r.1 = divu.i32 %a.0, 10\n",
     0,
     RULE_divu_multiply_I32,
     {3435973836, 35}},
    {"multiplier one too large",
     "0: %r.1 = divu.i32 %a.0, 10\n",
     0,
     RULE_divu_multiply_I32,
     {3435973838, 35}},
    {"multiplier for another divisor",
     "0: %r.1 = divu.i32 %a.0, 11\n",
     0,
     RULE_divu_multiply_I32,
     {3435973837, 35}},
    {"shift one too small",
     "0: %r.1 = divu.i32 %a.0, 10\n",
     0,
     RULE_divu_multiply_I32,
     {3435973837, 34}},
    {"shift beyond the width",
     "0: %r.1 = divu.i32 %a.0, 10\n",
     0,
     RULE_divu_multiply_I32,
     {3435973837, 35 + 64}},
    {"signed multiplier too small",
     "0: %r.1 = divs.i32 %a.0, 10\n",
     0,
     RULE_divs_multiply_I32,
     {1717986918, 34}},
    {"signed multiplier too large",
     "0: %r.1 = divs.i32 %a.0, 10\n",
     0,
     RULE_divs_multiply_I32,
     {1717986923, 34}},
    {"signed multiplier exact",
     "0: %r.1 = divs.i32 %a.0, 8\n",
     0,
     RULE_divs_multiply_I32,
     {536870912, 32}},
    {"negative divisor",
     "0: %r.1 = divs.i32 %a.0, -10\n",
     0,
     RULE_divs_multiply_I32,
     {1717986919, 34}},
    {"the least number has no opposite",
     "0: %r.1 = divs.i32 %a.0, -2147483648\n",
     0,
     RULE_divs_negative_I32,
     {0}},
    {"not an operator of constants", "0: %r.1 = add.i32 %a.0, 1\n", 0, RULE_FOLD, {0}},
    {"folding goes wrong",
     "0: %x.1 = const.i32 1\n 1: %r.1 = divu.i32 %x.1, 0\n",
     1,
     RULE_FOLD,
     {0}},
    {"no constant for an immediate", "0: %r.1 = add.i32 %a.0, %b.0\n", 0, RULE_IMMEDIATE, {0}},
    {"a first operand is not the second",
     "0: %x.1 = const.i32 1\n 1: %r.1 = sub.i32 %x.1, %a.0\n",
     1,
     RULE_IMMEDIATE,
     {0}},
    {"no switch", "0: %r.1 = add.i32 %a.0, 0\n", 0, RULE_SWITCH, {0}},
    {"no such rule", "0: %r.1 = add.i32 %a.0, 0\n", 0, RULE_KIND_COUNT, {0}},
    {"no such item", "0: %r.1 = add.i32 %a.0, 0\n", 2, RULE_add_zero_I32, {0}},
    {"the return is no operator", "0: %r.1 = add.i32 %a.0, 0\n", 1, RULE_add_zero_I32, {0}},
};

static void test_instances(void **state) {
    (void)state;
    Arena *arena = arena_new("forge");
    for (size_t i = 0; i < sizeof instances / sizeof instances[0]; i++) {
        const char *code = instances[i].code;
        bool two = strstr(code, "\n 1: ") != NULL;
        const Func *before =
            parse(arena, arena_printf(arena,
                                      "function i32 @f(i32 %%a.0, i32 %%b.0) {\n%s %d: return "
                                      "%%r.1\n}\n",
                                      code, two ? 2 : 1));
        RewriteStep step = {.item = instances[i].item,
                            .rule = (uint16_t)instances[i].rule,
                            .choice = {instances[i].choice[0], instances[i].choice[1]}};
        RewriteHint hint = {.steps = {.at = &step, .count = 1}};
        Verdict verdict = pass_check(PASS_rewrite, arena, NULL, before, before, &hint);
        if (verdict.accepted || !strstr(verdict.reason, "does not apply"))
            fail_msg("%s: %s", instances[i].why, verdict.accepted ? "accepted" : verdict.reason);
    }
    arena_free(arena);
}

// ---- Functions that are not what the rules give

static const char good[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                           "  0: %x.1 = add.i32 %a.0, 3\n"
                           "  1: %y.1 = add.i32 %x.1, 4\n"
                           "  2: %z.1 = mul.i32 %b.0, 8\n"
                           "  3: %q.1 = divu.i32 %a.0, 10\n"
                           "  4: %c.1 = lt.i32 %a.0, %b.0\n"
                           "  5: if ne.i32 %c.1, 0 then 6 else 8\n"
                           "  6: %u.1 = sub.i32 %y.1, %b.0\n"
                           "  7: nop -> 10\n"
                           "  8: %u.2 = sub.i32 %b.0, %a.0\n"
                           "  9: nop\n"
                           "  10: %u.3 = phi(7: %u.1, 9: %u.2)\n"
                           "  10: %w.3 = phi(7: %a.0, 9: %b.0)\n"
                           "  10: %m.1 = mods.i32 %u.3, 16\n"
                           "  11: switch %m.1 { 3: 13, default: 12 }\n"
                           "  12: return %q.1\n"
                           "  13: %s.1 = xor.i32 %z.1, %w.3\n"
                           "  14: return %s.1\n"
                           "}\n";
// After: 0 x, 1 y, 2 z, 3 zext, 4 mul, 5 shr, 6 q, 7 c, 8 if, 9 u.1, 10 nop, 11 u.2, 12 nop,
// 13 (phis) sar, 14 shr, 15 add, 16 and, 17 m, 18 if, 19 return, 20 s, 21 return.
enum { Y = 1, Z = 2, PRODUCT = 4, Q = 6, IF = 8, FIRST = 13, MASK = 16, M = 17, SWITCH = 18 };

typedef struct {
    Arena *arena;
    Func *before, *after;
    RewriteHint hint;
} Forgery;

static Instr *at(Forgery *forgery, uint32_t node) {
    return &forgery->after->nodes.at[node];
}
static void drop_last_step(Forgery *forgery) {
    forgery->hint.steps.count--;
}
static void drop_first_step(Forgery *forgery) {
    forgery->hint.steps.at++;
    forgery->hint.steps.count--;
}
static void repeat_step(Forgery *forgery) {
    RewriteStep first = forgery->hint.steps.at[0];
    vec_push(forgery->arena, &forgery->hint.steps, first);
}
static void other_choice(Forgery *forgery) {
    for (uint32_t i = 0; i < forgery->hint.steps.count; i++)
        if (forgery->hint.steps.at[i].rule == RULE_divu_multiply_I32)
            forgery->hint.steps.at[i].choice[0]++;
}
static void other_immediate(Forgery *forgery) {
    at(forgery, Y)->imm++;
}
static void other_argument(Forgery *forgery) {
    at(forgery, Z)->arg[0] = forgery->before->params.at[0];
}
static void other_operator(Forgery *forgery) {
    at(forgery, Z)->op = OP_SAR_I32;
}
static void other_multiplier(Forgery *forgery) {
    at(forgery, PRODUCT)->imm++;
}
static void other_operator_put_in(Forgery *forgery) {
    at(forgery, MASK)->op = OP_OR_I32;
}
static void inverted_branch(Forgery *forgery) {
    at(forgery, IF)->op = OP_GE_I32;
}
static void swapped_branch(Forgery *forgery) {
    Instr *instr = at(forgery, IF);
    Node first = instr->succ[0];
    instr->succ[0] = instr->succ[1];
    instr->succ[1] = first;
}
static void other_case(Forgery *forgery) {
    at(forgery, SWITCH)->imm = 4;
}
static void equal_for_case(Forgery *forgery) {
    at(forgery, SWITCH)->op = OP_EQ_I32;
}
static void swapped_case(Forgery *forgery) {
    Instr *instr = at(forgery, SWITCH);
    Node first = instr->succ[0];
    instr->succ[0] = instr->succ[1];
    instr->succ[1] = first;
}
static void erased(Forgery *forgery) {
    *at(forgery, Q) = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {{Q + 1}}};
}
static void skipped(Forgery *forgery) {
    at(forgery, PRODUCT)->succ[0] = (Node){Q};
}
static void skipped_at_the_end(Forgery *forgery) {
    at(forgery, Q)->succ[0] = (Node){IF};
}
static void exchanged_destinations(Forgery *forgery) {
    Reg first = at(forgery, Y)->dest;
    at(forgery, Y)->dest = at(forgery, Z)->dest;
    at(forgery, Z)->dest = first;
}
static void swapped_phi(Forgery *forgery) {
    Reg *args = forgery->after->phi_args.at, first = args[0];
    args[0] = args[1];
    args[1] = first;
}
static void exchanged_phis(Forgery *forgery) {
    Reg first = forgery->after->phis.at[0].dest;
    forgery->after->phis.at[0].dest = forgery->after->phis.at[1].dest;
    forgery->after->phis.at[1].dest = first;
}
static void moved_phis(Forgery *forgery) {
    forgery->after->phi_at.at[FIRST + 1] = 0;
}
static void dropped_phi(Forgery *forgery) {
    for (uint32_t n = FIRST + 1; n < forgery->after->phi_at.count; n++)
        forgery->after->phi_at.at[n] = 1;
    forgery->after->phis.count = 1;
}
static void added_phi(Forgery *forgery) {
    Phi first = forgery->after->phis.at[0];
    vec_push(forgery->arena, &forgery->after->phis, first);
}
static void added_node(Forgery *forgery) {
    func_nop(forgery->after, (Node){0});
}
static void dropped_node(Forgery *forgery) {
    forgery->after->nodes.count--;
}
static void other_type(Forgery *forgery) {
    forgery->after->regs.at[forgery->before->regs.count].type = TYPE_F64;
}
static void added_register(Forgery *forgery) {
    func_temp(forgery->after, TYPE_I32);
}
static void renamed_register(Forgery *forgery) {
    forgery->after->regs.at[3].number = 77;
}
static void other_frame(Forgery *forgery) {
    func_add_slot(forgery->after, (SlotInfo){.size = 8, .align = 8});
}
static void nothing_done(Forgery *forgery) {
    forgery->after = func_clone(forgery->before, forgery->arena);
}

static const struct {
    void (*forge)(Forgery *forgery);
    const char *reason;
} forgeries[] = {
    {drop_last_step, "is not what the rules give"},
    {drop_first_step, "is not what the rules give"},
    {repeat_step, "does not apply"},
    {other_choice, "does not apply"},
    {other_immediate, "is not what the rules give"},
    {other_argument, "is not what the rules give"},
    {other_operator, "is not what the rules give"},
    {other_multiplier, "is not what the rules give"},
    {other_operator_put_in, "is not what the rules give"},
    {inverted_branch, "is not what the rules give"},
    {swapped_branch, "successor 0 differs"},
    {other_case, "is not what the rules give"},
    {equal_for_case, "is not what the rules give"},
    {swapped_case, "successor 0 differs"},
    {erased, "is not what the rules give"},
    {skipped, "does not lead to the next instruction"},
    {skipped_at_the_end, "successor 0 differs"},
    {exchanged_destinations, "is not what the rules give"},
    {swapped_phi, "phi 0 differs"},
    {exchanged_phis, "phi 0 differs"},
    {moved_phis, "the number of phis differs"},
    {dropped_phi, "the number of phis differs"},
    {added_phi, "there are new phis"},
    {added_node, "there should be 22 nodes"},
    {dropped_node, "there should be 22 nodes"},
    {other_type, "has another type"},
    {added_register, "new registers"},
    {renamed_register, "register 3 has changed"},
    {other_frame, "the number of slots has changed"},
    {nothing_done, "there should be 22 nodes"},
};

static void test_functions(void **state) {
    (void)state;
    Arena *arena = arena_new("forge");
    for (size_t i = 0; i < sizeof forgeries / sizeof forgeries[0]; i++) {
        Forgery forgery = {.arena = arena, .before = parse(arena, good)};
        forgery.after = rewrite(arena, forgery.before, &forgery.hint);
        Complaints complaints = {.arena = arena};
        assert_true(verify_func(&complaints, forgery.after));
        assert_true(
            pass_check(PASS_rewrite, arena, NULL, forgery.before, forgery.after, &forgery.hint)
                .accepted);
        forgeries[i].forge(&forgery);
        Verdict verdict =
            pass_check(PASS_rewrite, arena, NULL, forgery.before, forgery.after, &forgery.hint);
        if (verdict.accepted || !strstr(verdict.reason, forgeries[i].reason))
            fail_msg("forgery %zu: expected \"%s\"; found \"%s\"", i, forgeries[i].reason,
                     verdict.accepted ? "accepted" : verdict.reason);
    }
    print_message("%zu wrong instances of rules and %zu wrong functions rejected\n",
                  sizeof instances / sizeof instances[0], sizeof forgeries / sizeof forgeries[0]);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_instances),
                                       cmocka_unit_test(test_functions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
