// Forged functions out of SSA: wrong code and wrong hints that check_ssa_destruct must reject, each
// for the right reason. Every forgery starts from a result that is accepted, changes one thing, and
// is still well-formed, so that nothing but the checker stands in its way.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- The functions that forgeries start from

// Becomes: 0: if gt %n, 0 then 1 else 5; 1: %n = sub %n, 1; 2: %0 = %a; 3: %a = %b; 4: %b = %0 ->
// 0; 5: %r = sub %a, %b; 6: return %r
static const char swap[] = "function i32 @f(i32 %n.0, i32 %a.0, i32 %b.0) {\n"
                           "  slot $s size 8 align 8\n"
                           "  1: nop\n"
                           "  2: %a.1 = phi(1: %a.0, 5: %b.1)\n"
                           "  2: %b.1 = phi(1: %b.0, 5: %a.1)\n"
                           "  2: %i.1 = phi(1: %n.0, 5: %i.2)\n"
                           "  2: if gt.i32 %i.1, 0 then 4 else 6\n"
                           "  4: %i.2 = sub.i32 %i.1, 1\n"
                           "  5: nop -> 2\n"
                           "  6: %r.1 = sub.i32 %a.1, %b.1\n"
                           "  7: return %r.1\n"
                           "}\n";

// 0: %x = 1; 1: %x'1 = add %x, 1; 2: if lt %x'1, %n then 3 else 4; 3: %x = %x'1 -> 1; 4: return %x
static const char lost_copy[] = "function i32 @f(i32 %n.0) {\n"
                                "  0: %x.1 = const.i32 1\n"
                                "  1: nop\n"
                                "  2: %x.2 = phi(1: %x.1, 4: %x.3)\n"
                                "  2: %x.3 = add.i32 %x.2, 1\n"
                                "  3: if lt.i32 %x.3, %n.0 then 4 else 5\n"
                                "  4: nop -> 2\n"
                                "  5: return %x.2\n"
                                "}\n";

// 0: %l = add %n, 1; 1: %m = add %n, 2; 2: if lt %n, 9 then 3 else 4; 3: %l = add %l, 5 -> 4; 4: %s
// = mul %l, %m; 5: %q = call @g(%s, %n, %l, %m); 6: return %q
static const char branch[] = "extern function i32 @g(i32, i32, i32, i32)\n"
                             "function i32 @f(i32 %n.0, i64 %w.0) {\n"
                             "  0: %l.1 = add.i32 %n.0, 1\n"
                             "  1: %m.1 = add.i32 %n.0, 2\n"
                             "  2: if lt.i32 %n.0, 9 then 3 else 5\n"
                             "  3: %l.2 = add.i32 %l.1, 5\n"
                             "  4: nop -> 6\n"
                             "  5: nop -> 6\n"
                             "  6: %l.3 = phi(4: %l.2, 5: %l.1)\n"
                             "  6: %s.1 = mul.i32 %l.3, %m.1\n"
                             "  7: %q.1 = call @g(%s.1, %n.0, %l.3, %m.1)\n"
                             "  8: return %q.1\n"
                             "}\n";

// The copy of %a lives on when %a changes: 0: %b = %a; 1: %a = add %a, 1; 2: %r = mul %a, %b; 3:
// return %r
static const char copied[] = "function i32 @f(i32 %a.0) {\n"
                             "  0: %b.1 = move.i32 %a.0\n"
                             "  1: nop\n"
                             "  2: %a.1 = phi(1: %a.0, 4: %a.2)\n"
                             "  2: %a.2 = add.i32 %a.1, %b.1\n"
                             "  3: if lt.i32 %a.2, 100 then 4 else 5\n"
                             "  4: nop -> 2\n"
                             "  5: %r.1 = mul.i32 %a.2, %b.1\n"
                             "  6: return %r.1\n"
                             "}\n";

static const char endless[] = "function i32 @f(i32 %n.0) {\n"
                              "  0: if lt.i32 %n.0, 0 then 1 else 4\n"
                              "  1: nop\n"
                              "  2: nop\n"
                              "  3: nop -> 2\n"
                              "  4: return %n.0\n"
                              "}\n";

// ---- A result to forge

typedef struct {
    Arena *arena;
    Func *before;
    Func *after;
    DestructHint hint;
} Forgery;

static Func *parse(Arena *arena, const char *text) {
    Diag diag;
    diag_init(&diag, arena, stderr);
    Program *program = program_parse(arena, &diag, FORM_SSA, "forge.ssa", text, strlen(text));
    assert_non_null(program);
    Complaints complaints = {.arena = arena};
    assert_true(verify_program(&complaints, program));
    diag_free(&diag);
    Sym symbol = program_find(program, str_of(&program->strings, "f"));
    return func_clone(program_at(program, symbol)->func, arena);
}

static Forgery start(Arena *arena, const char *text) {
    Forgery f = {.arena = arena, .before = parse(arena, text)};
    f.after = ssa_destruct(arena, f.before, &f.hint);
    Verdict verdict = pass_check(PASS_ssa_destruct, arena, NULL, f.before, f.after, &f.hint);
    if (!verdict.accepted) fail_msg("rejected before anything was forged: %s", verdict.reason);
    return f;
}

static void expect_rejected(Forgery *f, const char *reason) {
    Complaints complaints = {.arena = f->arena};
    if (!verify_func(&complaints, f->after))
        fail_msg("the forgery is not well-formed: %s", complaints.list.at[0].message);
    Verdict verdict = pass_check(PASS_ssa_destruct, f->arena, NULL, f->before, f->after, &f->hint);
    if (verdict.accepted) fail_msg("accepted; expected: %s", reason);
    if (!strstr(verdict.reason, reason))
        fail_msg("rejected because '%s'; expected: %s", verdict.reason, reason);
}

static Instr *at(Forgery *f, uint32_t node) {
    assert_true(node < f->after->nodes.count);
    return &f->after->nodes.at[node];
}

// The register of the new function that is printed like this.
static Reg reg(Forgery *f, const char *name, uint32_t number) {
    for (uint32_t r = 0; r < f->after->regs.count; r++) {
        const RegInfo *info = &f->after->regs.at[r];
        if (strcmp(program_text(f->after->program, info->name), name) == 0 &&
            info->number == number)
            return (Reg){r};
    }
    fail_msg("no register %s'%u", name, number);
    return NO_REG;
}

static uint32_t old_node(Forgery *f, uint32_t label) {
    for (uint32_t n = 0; n < f->before->nodes.count; n++)
        if (func_label(f->before, (Node){n}) == label) return n;
    fail_msg("no old node %u", label);
    return 0;
}

static DestructNode *plan(Forgery *f, uint32_t label) {
    return &f->hint.nodes.at[old_node(f, label)];
}

// The claim of an old node about a new register.
static DestructPair *claim(Forgery *f, uint32_t label, Reg home) {
    uint32_t n = old_node(f, label);
    for (uint32_t i = f->hint.pair_at.at[n]; i < f->hint.pair_at.at[n + 1]; i++)
        if (f->hint.pairs.at[i].home.i == home.i) return &f->hint.pairs.at[i];
    fail_msg("no such claim");
    return NULL;
}

static void make_nop(Instr *instr) {
    *instr = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {instr->succ[0]}};
}

// Every %from becomes %to, in code and claims.
static void rename_everywhere(Forgery *f, Reg from, Reg to) {
    for (uint32_t n = 0; n < f->after->nodes.count; n++) {
        Instr *instr = at(f, n);
        Reg *args =
            instr->arg_count <= INLINE_ARGS ? instr->arg : f->after->reg_pool.at + instr->args_at;
        for (uint32_t i = 0; i < instr->arg_count; i++)
            if (args[i].i == from.i) args[i] = to;
        if (instr->dest.i == from.i) instr->dest = to;
    }
    for (uint32_t i = 0; i < f->hint.pairs.count; i++)
        if (f->hint.pairs.at[i].home.i == from.i) f->hint.pairs.at[i].home = to;
}

#define DIFFERS     "the instruction differs"
#define NOT_HELD    "does not hold the value it has"
#define NOT_AT_JOIN "does not hold its value"
#define NOT_WHERE   "is not where old node"
#define NOT_DIVIDED "claims are not divided"

// ---- Frame and hint

static void forge_slot(Forgery *f) {
    f->after->slots.at[0].size = 16;
}
static void forge_slot_count(Forgery *f) {
    func_add_slot(f->after, (SlotInfo){.size = 8, .align = 8});
}
static void forge_short_hint(Forgery *f) {
    f->hint.nodes.count--;
}
static void forge_long_performance(Forgery *f) {
    plan(f, 5)->count = 1000;
}
static void forge_short_index(Forgery *f) {
    f->hint.pair_at.count--;
}
static void forge_index_end(Forgery *f) {
    f->hint.pairs.count--;
}
static void forge_index_order(Forgery *f) {
    f->hint.pair_at.at[old_node(f, 2)] = f->hint.pairs.count;
    f->hint.pair_at.at[old_node(f, 4)] = 0;
}
static void forge_claim_home(Forgery *f) {
    f->hint.pairs.at[0].home.i = f->after->regs.count;
}
static void forge_claim_value(Forgery *f) {
    f->hint.pairs.at[0].value.i = f->before->regs.count;
}
static void forge_claim_type(Forgery *f) {
    claim(f, 6, reg(f, "m", 0))->home = reg(f, "w", 0);
}
static void forge_unperformed(Forgery *f) {
    plan(f, 6)->first = NO_NODE;
}
static void forge_unperformed_entry(Forgery *f) {
    plan(f, 1)->first = (Node){1};
}

// ---- Parameters and claims

static void forge_parameters(Forgery *f) {
    Reg first = f->after->params.at[1];
    f->after->params.at[1] = f->after->params.at[2];
    f->after->params.at[2] = first;
}
static void forge_entry_claim(Forgery *f) {
    claim(f, 1, reg(f, "a", 0))->value = f->before->params.at[2];
}
static void forge_missing_claim(Forgery *f) {
    *claim(f, 2, reg(f, "a", 0)) = *claim(f, 2, reg(f, "b", 0));
}
static void forge_claim_of_other_phi(Forgery *f) {
    claim(f, 2, reg(f, "a", 0))->value = claim(f, 2, reg(f, "b", 0))->value;
}
static void forge_claim_of_argument(Forgery *f) {
    claim(f, 2, reg(f, "a", 0))->value = f->before->params.at[1];
}
static void forge_claim_about_temp(Forgery *f) {
    claim(f, 2, reg(f, "a", 0))->home = reg(f, "", 0);
}
static void forge_claim_of_inside(Forgery *f) {
    claim(f, 2, reg(f, "n", 0))->value = f->before->nodes.at[old_node(f, 4)].dest;
}

// ---- Copies

static void forge_dropped_copy(Forgery *f) {
    make_nop(at(f, 4));
}
static void forge_dropped_save(Forgery *f) {
    make_nop(at(f, 2));
}
static void forge_skipped_copy(Forgery *f) {
    at(f, 3)->succ[0] = at(f, 4)->succ[0];
    plan(f, 5)->count--;
}
static void forge_copies_out_of_order(Forgery *f) {
    Instr first = *at(f, 3);
    at(f, 3)->dest = at(f, 4)->dest;
    at(f, 3)->arg[0] = at(f, 4)->arg[0];
    at(f, 4)->dest = first.dest;
    at(f, 4)->arg[0] = first.arg[0];
}
static void forge_sequential_swap(Forgery *f) {
    make_nop(at(f, 2));
    at(f, 4)->arg[0] = reg(f, "a", 0);
}
static void forge_wrong_temp(Forgery *f) {
    at(f, 2)->dest = reg(f, "r", 0);
}
static void forge_temp_in_use(Forgery *f) {
    at(f, 2)->dest = at(f, 4)->arg[0] = reg(f, "n", 0);
}
static void forge_wrong_source(Forgery *f) {
    at(f, 3)->arg[0] = reg(f, "n", 0);
}
static void forge_computing_copy(Forgery *f) {
    at(f, 3)->op = OP_NEG_I32;
}
static void forge_lost_copy(Forgery *f) {
    rename_everywhere(f, reg(f, "x", 1), reg(f, "x", 0));
}
static void forge_copy_too_early(Forgery *f) { // before the branch, not on the edge
    Instr copy = *at(f, 3), branch_instr = *at(f, 2);
    *at(f, 2) = copy;
    at(f, 2)->succ[0] = (Node){3};
    *at(f, 3) = branch_instr;
    at(f, 3)->succ[0] = (Node){1};
    plan(f, 3)->first = (Node){3};
    plan(f, 4)->first = (Node){1};
    plan(f, 4)->count = 0;
}
static void forge_merged_classes(Forgery *f) {
    rename_everywhere(f, reg(f, "b", 0), reg(f, "a", 0));
}

// ---- Instructions

static void forge_operator(Forgery *f) {
    at(f, 5)->op = OP_ADD_I32;
}
static void forge_immediate(Forgery *f) {
    at(f, 1)->imm = 2;
}
static void forge_swapped_arguments(Forgery *f) {
    at(f, 5)->arg[0] = reg(f, "b", 0);
    at(f, 5)->arg[1] = reg(f, "a", 0);
}
static void forge_use(Forgery *f) {
    at(f, 4)->arg[0] = reg(f, "x", 1);
}
static void forge_destination(Forgery *f) {
    at(f, 1)->dest = reg(f, "x", 0);
}
static void forge_clobbering_destination(Forgery *f) {
    at(f, 1)->dest = reg(f, "n", 0);
}
static void forge_call_argument(Forgery *f) {
    f->after->reg_pool.at[at(f, 5)->args_at + 3] = reg(f, "n", 0);
}
static void forge_step_count(Forgery *f) {
    plan(f, 3)->count = 0;
}
static void forge_swapped_branch(Forgery *f) {
    Node first = at(f, 2)->succ[0];
    at(f, 2)->succ[0] = at(f, 2)->succ[1];
    at(f, 2)->succ[1] = first;
}
static void forge_retargeted_edge(Forgery *f) {
    at(f, 3)->succ[0] = (Node){5};
}
static void forge_erased(Forgery *f) {
    make_nop(at(f, 3));
}
static void forge_stale_copy(Forgery *f) { // %b is dropped, %a read instead
    rename_everywhere(f, reg(f, "b", 0), reg(f, "a", 0));
}

// ---- Waiting, and returning twice

// The endless loop is left out: what the new function would do instead is return.
static void forge_silent_cycle(Forgery *f) {
    Node end = plan(f, 4)->first;
    at(f, 0)->succ[0] = end;
    for (uint32_t label = 1; label <= 3; label++)
        *plan(f, label) = (DestructNode){.first = end, .count = 0};
}

static const struct {
    const char *name;
    const char *text;
    void (*forge)(Forgery *f);
    const char *reason;
} forgeries[] = {
    {"slot", swap, forge_slot, "slot 0 has changed"},
    {"slot count", swap, forge_slot_count, "the number of slots has changed"},
    {"short hint", swap, forge_short_hint, "does not cover every node"},
    {"long performance", swap, forge_long_performance, "more nodes are performed"},
    {"short index", swap, forge_short_index, NOT_DIVIDED},
    {"index end", swap, forge_index_end, NOT_DIVIDED},
    {"index order", swap, forge_index_order, NOT_DIVIDED},
    {"claim's home", swap, forge_claim_home, "a register that does not exist"},
    {"claim's value", swap, forge_claim_value, "a register that does not exist"},
    {"claim's type", branch, forge_claim_type, "registers of two types"},
    {"unperformed", swap, forge_unperformed, NOT_WHERE},
    {"unperformed entry", swap, forge_unperformed_entry, "the entry does not stand"},
    {"parameters", swap, forge_parameters, "does not hold its parameter"},
    {"claim at the entry", swap, forge_entry_claim, "does not hold its parameter"},
    {"missing claim", swap, forge_missing_claim, NOT_HELD},
    {"claim of another phi", swap, forge_claim_of_other_phi, NOT_AT_JOIN},
    {"claim of an argument", swap, forge_claim_of_argument, NOT_HELD},
    {"claim about a temporary", swap, forge_claim_about_temp, NOT_AT_JOIN},
    {"claim of a later value", swap, forge_claim_of_inside, NOT_AT_JOIN},
    {"dropped copy", swap, forge_dropped_copy, NOT_AT_JOIN},
    {"dropped save", swap, forge_dropped_save, NOT_AT_JOIN},
    {"skipped copy", swap, forge_skipped_copy, NOT_AT_JOIN},
    {"copies out of order", swap, forge_copies_out_of_order, NOT_AT_JOIN},
    {"swap without temporary", swap, forge_sequential_swap, NOT_AT_JOIN},
    {"wrong temporary", swap, forge_wrong_temp, NOT_AT_JOIN},
    {"temporary in use", swap, forge_temp_in_use, NOT_AT_JOIN},
    {"wrong source", swap, forge_wrong_source, NOT_AT_JOIN},
    {"computing copy", swap, forge_computing_copy, "neither a copy nor a nop"},
    {"lost copy", lost_copy, forge_lost_copy, NOT_HELD},
    {"copy before the branch", lost_copy, forge_copy_too_early, NOT_WHERE},
    {"merged classes", swap, forge_merged_classes, "does not hold"},
    {"operator", swap, forge_operator, DIFFERS},
    {"immediate", swap, forge_immediate, DIFFERS},
    {"swapped arguments", swap, forge_swapped_arguments, NOT_HELD},
    {"use", lost_copy, forge_use, NOT_HELD},
    {"destination", lost_copy, forge_destination, NOT_HELD},
    {"clobbering destination", lost_copy, forge_clobbering_destination, NOT_HELD},
    {"call argument", branch, forge_call_argument, NOT_HELD},
    {"count of a step", branch, forge_step_count, DIFFERS},
    {"swapped branch", branch, forge_swapped_branch, NOT_WHERE},
    {"retargeted edge", branch, forge_retargeted_edge, NOT_WHERE},
    {"erased instruction", branch, forge_erased, DIFFERS},
    {"stale copy", copied, forge_stale_copy, "does not hold"},
    {"silent cycle", endless, forge_silent_cycle, "nothing is performed for a cycle"},
};

static void test_forgeries(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof forgeries / sizeof forgeries[0]; i++) {
        Arena *arena = arena_new("forgery");
        print_message("%s\n", forgeries[i].name);
        Forgery f = start(arena, forgeries[i].text);
        forgeries[i].forge(&f);
        expect_rejected(&f, forgeries[i].reason);
        arena_free(arena);
    }
}

static void test_forms(void **state) {
    (void)state;
    Arena *arena = arena_new("forgery");
    Forgery f = start(arena, swap);
    Verdict verdict = pass_check(PASS_ssa_destruct, arena, NULL, f.after, f.after, &f.hint);
    assert_false(verdict.accepted);
    assert_non_null(strstr(verdict.reason, "the forms are not ssa and rtl"));
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forgeries),
        cmocka_unit_test(test_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
