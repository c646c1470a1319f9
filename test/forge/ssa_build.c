// Forged constructions: wrong functions and wrong hints that check_ssa_build must reject, each for
// the right reason. Every forgery starts from a construction that is accepted and changes one
// thing. Where `expect_rejected` is used the forgery is still well-formed SSA, so that nothing but
// the checker stands in its way; `expect_refused` is for what the verifier would find as well.
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

// A loop (join 3) around a diamond (join 9). In normal form:
//   0: %x.1   1: %i.1   2: nop   3: phis for %x and %i; if %i < %n   4: if %x < %m   5: %x + 2   6:
//   nop 7: %x * 3   8: nop   9: phi for %x; %i + 1   10: nop -> 3   11: nop   12: %y   13: return
static const char loop[] = "function i32 @f(i32 %n, i32 %m) {\n"
                           "  slot $s size 8 align 8\n"
                           "  0: %x = const.i32 1\n"
                           "  1: %i = const.i32 0\n"
                           "  2: if lt.i32 %i, %n then 3 else 9\n"
                           "  3: if lt.i32 %x, %m then 4 else 6\n"
                           "  4: %x = add.i32 %x, 2 -> 7\n"
                           "  6: %x = mul.i32 %x, 3\n"
                           "  7: %i = add.i32 %i, 1 -> 2\n"
                           "  9: %y = sub.i32 %x, %m\n"
                           "  10: return %y\n"
                           "}\n";

// Straight code with every kind of instruction that has fields of its own.
static const char mixed[] = "extern function i32 @putchar(i32)\n"
                            "extern function i32 @getchar()\n"
                            "extern function i32 @five(i32, i32, i32, i32, i32)\n"
                            "global @g size 8 align 8 = i32 1\n"
                            "function i32 @f(i32 %a, i32 %b) {\n"
                            "  slot $s size 8 align 8\n"
                            "  0: %p = addr $s\n"
                            "  1: store.i32 [%p], %a\n"
                            "  2: %c = load.i32 [%p]\n"
                            "  3: %c = call @putchar(%c)\n"
                            "  4: %d = call @getchar()\n"
                            "  5: %d = call @five(%a, %b, %c, %d, %a)\n"
                            "  6: switch %c { 1: 7, 2: 8, default: 9 }\n"
                            "  7: return %d\n"
                            "  8: return %a\n"
                            "  9: %a = add.i32 %a, %b\n"
                            "  10: return %a\n"
                            "}\n";

// A register that may be used undefined.
static const char undefined[] = "function i32 @f(i32 %n, i32 %m) {\n"
                                "  reg i32 %x\n"
                                "  0: if lt.i32 %n, %m then 1 else 2\n"
                                "  1: %x = const.i32 1\n"
                                "  2: return %x\n"
                                "}\n";

// ---- A construction to forge

typedef struct {
    Arena *arena;
    const Func *before;
    Func *after;
    SsaHint hint;
} Forgery;

static const Func *parse(Arena *arena, const char *text) {
    Diag diag;
    diag_init(&diag, arena, stderr);
    Program *program = program_parse(arena, &diag, FORM_RTL, "forge.rtl", text, strlen(text));
    assert_non_null(program);
    diag_free(&diag);
    for (uint32_t i = 0; i < program->symbols.count; i++)
        if (program->symbols.at[i].func) return program->symbols.at[i].func;
    return NULL;
}

static Forgery start(Arena *arena, const char *text) {
    CopiesHint norm_hint = {0};
    Forgery forgery = {.arena = arena, .before = normalize(arena, parse(arena, text), &norm_hint)};
    forgery.after = ssa_build(arena, forgery.before, &forgery.hint);
    Verdict verdict =
        pass_check(PASS_ssa_build, arena, NULL, forgery.before, forgery.after, &forgery.hint);
    if (!verdict.accepted) fail_msg("rejected before anything was forged: %s", verdict.reason);
    return forgery;
}

static void expect_refused(Forgery *forgery, const char *reason) {
    Verdict verdict = pass_check(PASS_ssa_build, forgery->arena, NULL, forgery->before,
                                 forgery->after, &forgery->hint);
    if (verdict.accepted) fail_msg("accepted; expected: %s", reason);
    if (!strstr(verdict.reason, reason))
        fail_msg("rejected because '%s'; expected: %s", verdict.reason, reason);
}

static void expect_rejected(Forgery *forgery, const char *reason) {
    Complaints complaints = {.arena = forgery->arena};
    if (!verify_func(&complaints, forgery->after))
        fail_msg("the forgery is not well-formed: %s", complaints.list.at[0].message);
    expect_refused(forgery, reason);
}

// ---- Finding things

static Instr *at(Forgery *f, uint32_t node) {
    return &f->after->nodes.at[node];
}

// The old register of a name.
static Reg old(Forgery *f, const char *name) {
    for (uint32_t i = 0; i < f->before->regs.count; i++)
        if (strcmp(program_text(f->before->program, f->before->regs.at[i].name), name) == 0)
            return (Reg){i};
    fail_msg("there is no register %s", name);
    return NO_REG;
}

static Reg version(Forgery *f, const char *name, uint32_t number) {
    for (uint32_t i = 0; i < f->after->regs.count; i++)
        if (f->hint.origin.at[i].i == old(f, name).i && f->after->regs.at[i].version == number + 1)
            return (Reg){i};
    fail_msg("there is no version %u of %s", number, name);
    return NO_REG;
}

// The n-th phi of a join.
static Phi *phi(Forgery *f, uint32_t join, uint32_t n) {
    assert_true(n < func_phi_count(f->after, (Node){join}));
    return &f->after->phis.at[f->after->phi_at.at[join] + n];
}

static Reg *phi_arg(Forgery *f, uint32_t join, uint32_t n, uint32_t k) {
    return &f->after->phi_args.at[phi(f, join, n)->args_at + k];
}

// A new register, with an origin, as a copy of another.
static Reg add_version(Forgery *f, Reg like, uint32_t number) {
    RegInfo info = f->after->regs.at[like.i];
    info.version = number + 1;
    Reg origin = f->hint.origin.at[like.i];
    vec_push(f->arena, &f->hint.origin, origin);
    return func_add_reg(f->after, info);
}

// The phis made anew, without one of them, or with another in front of those of a join.
static void rebuild_phis(Forgery *f, const Phi *without, uint32_t join, Reg dest, Reg argument) {
    Func *from = func_clone(f->after, f->arena), *to = f->after;
    uint32_t dropped = without ? (uint32_t)(without - to->phis.at) : NO_ID;
    Preds preds = preds_of(f->arena, from);
    vec_clear(&to->phis);
    vec_clear(&to->phi_at);
    vec_clear(&to->phi_args);
    for (uint32_t n = 0; n < from->nodes.count; n++) {
        uint32_t count = preds_count(&preds, (Node){n});
        if (n == join) {
            Reg *args = ARENA_ARRAY(f->arena, Reg, count);
            for (uint32_t k = 0; k < count; k++) args[k] = argument;
            func_add_phi(to, (Node){n}, dest, args, count);
        }
        for (uint32_t i = 0; i < func_phi_count(from, (Node){n}); i++) {
            const Phi *each = &func_phis(from, (Node){n})[i];
            if (each - from->phis.at != dropped)
                func_add_phi(to, (Node){n}, each->dest, phi_args(from, each), count);
        }
    }
    func_end_phis(to);
}

// Every use of a register becomes one of another.
static void replace_uses(Forgery *f, Reg from, Reg to) {
    for (uint32_t n = 0; n < f->after->nodes.count; n++)
        for (uint32_t k = 0; k < at(f, n)->arg_count && k < INLINE_ARGS; k++)
            if (at(f, n)->arg[k].i == from.i) at(f, n)->arg[k] = to;
    for (uint32_t i = 0; i < f->after->phi_args.count; i++)
        if (f->after->phi_args.at[i].i == from.i) f->after->phi_args.at[i] = to;
}

// Where a register stands in the row of a join, the join being counted from 0.
static uint32_t tracked(Forgery *f, uint32_t row, const char *name) {
    for (uint32_t i = f->hint.tracked_at.at[row]; i < f->hint.tracked_at.at[row + 1]; i++)
        if (f->hint.tracked.at[i].i == old(f, name).i) return i;
    fail_msg("%s is not tracked there", name);
    return 0;
}

static void untrack(Forgery *f, uint32_t row, const char *name) {
    for (uint32_t i = tracked(f, row, name); i + 1 < f->hint.tracked.count; i++)
        f->hint.tracked.at[i] = f->hint.tracked.at[i + 1];
    f->hint.tracked.count--;
    for (uint32_t j = row + 1; j < f->hint.tracked_at.count; j++) f->hint.tracked_at.at[j]--;
}

static void track(Forgery *f, uint32_t row, const char *name) {
    Reg reg = old(f, name);
    uint32_t i = f->hint.tracked.count;
    vec_push(f->arena, &f->hint.tracked, reg);
    for (; i > f->hint.tracked_at.at[row] &&
           (i > f->hint.tracked_at.at[row + 1] || f->hint.tracked.at[i - 1].i > reg.i);
         i--)
        f->hint.tracked.at[i] = f->hint.tracked.at[i - 1];
    f->hint.tracked.at[i] = reg;
    for (uint32_t j = row + 1; j < f->hint.tracked_at.count; j++) f->hint.tracked_at.at[j]++;
}

// ---- Wrong functions

static void stale_argument(Forgery *f) {
    at(f, 5)->arg[0] = version(f, "x", 1);
    expect_rejected(f, "argument 0 is not the current version of %x");
}
static void argument_of_another_register(Forgery *f) {
    at(f, 5)->arg[0] = version(f, "i", 2);
    expect_rejected(f, "argument 0 is not the current version of %x");
}
static void stale_condition(Forgery *f) {
    at(f, 3)->arg[0] = version(f, "i", 1);
    expect_rejected(f, "argument 0 is not the current version of %i");
}
static void stale_return(Forgery *f) {
    at(f, 13)->arg[0] = version(f, "x", 2);
    expect_rejected(f, "argument 0 is not the current version of %y");
}
static void stale_parameter(Forgery *f) {
    at(f, 3)->arg[1] = version(f, "m", 0);
    expect_rejected(f, "argument 1 is not the current version of %n");
}
static void stale_phi_argument(Forgery *f) {
    *phi_arg(f, 9, 0, 0) = version(f, "x", 2);
    expect_rejected(f, "the phi for %x does not take the version from node 6");
}
static void stale_phi_argument_of_header(Forgery *f) {
    *phi_arg(f, 3, 0, 1) = version(f, "x", 1);
    expect_rejected(f, "the phi for %x does not take the version from node 10");
}
static void phi_argument_of_another_register(Forgery *f) {
    *phi_arg(f, 3, 0, 0) = version(f, "i", 1);
    expect_rejected(f, "the phi for %x does not take the version from node 2");
}
static void phi_takes_itself(Forgery *f) {
    *phi_arg(f, 3, 1, 1) = version(f, "i", 2);
    expect_rejected(f, "the phi for %i does not take the version from node 10");
}
static void phi_arguments_exchanged(Forgery *f) {
    Reg first = *phi_arg(f, 9, 0, 0);
    *phi_arg(f, 9, 0, 0) = *phi_arg(f, 9, 0, 1);
    *phi_arg(f, 9, 0, 1) = first;
    expect_refused(f, "the phi for %x does not take the version from node 6");
}
static void phi_destinations_exchanged(Forgery *f) {
    Reg first = phi(f, 3, 0)->dest;
    phi(f, 3, 0)->dest = phi(f, 3, 1)->dest;
    phi(f, 3, 1)->dest = first;
    expect_rejected(f, "the phi for %i does not take the version from node 2");
}
static void phi_missing(Forgery *f) {
    Reg gone = phi(f, 9, 0)->dest;
    rebuild_phis(f, phi(f, 9, 0), NO_ID, NO_REG, NO_REG);
    replace_uses(f, gone, version(f, "x", 2));
    expect_rejected(f, "two versions of %x meet without a phi");
}
static void phi_of_header_missing(Forgery *f) {
    Reg gone = phi(f, 3, 1)->dest;
    rebuild_phis(f, phi(f, 3, 1), NO_ID, NO_REG, NO_REG);
    replace_uses(f, gone, version(f, "i", 1));
    expect_rejected(f, "two versions of %i meet without a phi");
}
static void phi_too_much(Forgery *f) {
    Reg zero = add_version(f, version(f, "y", 1), 0);
    Reg more = add_version(f, version(f, "y", 1), 2);
    rebuild_phis(f, NULL, 9, more, zero);
    expect_rejected(f, "a phi is for a register that is not tracked");
}
static void second_phi_for_one_register(Forgery *f) {
    Reg more = add_version(f, version(f, "x", 1), 9);
    rebuild_phis(f, NULL, 9, more, version(f, "x", 2));
    expect_rejected(f, "the phi for %x does not take the version from node 6");
}
static void undefined_instead_of_defined(Forgery *f) {
    at(f, 5)->arg[0] = add_version(f, version(f, "x", 1), 0);
    expect_rejected(f, "argument 0 is not the current version of %x");
}
static void constant_changed(Forgery *f) {
    at(f, 0)->imm = 2;
    expect_rejected(f, "the instruction has changed");
}
static void immediate_changed(Forgery *f) {
    at(f, 5)->imm = 3;
    expect_rejected(f, "the instruction has changed");
}
static void operator_changed(Forgery *f) {
    at(f, 7)->op = OP_ADD_I32;
    expect_rejected(f, "the instruction has changed");
}
static void condition_changed(Forgery *f) {
    at(f, 4)->op = OP_LE_I32;
    expect_rejected(f, "the instruction has changed");
}
static void instruction_erased(Forgery *f) {
    replace_uses(f, at(f, 9)->dest, version(f, "i", 2));
    *at(f, 9) = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {{10}}};
    expect_rejected(f, "the instruction has changed");
}
static void branch_swapped(Forgery *f) {
    Node first = at(f, 3)->succ[0];
    at(f, 3)->succ[0] = at(f, 3)->succ[1];
    at(f, 3)->succ[1] = first;
    expect_rejected(f, "successor 0 has changed");
}
static void destinations_exchanged(Forgery *f) {
    Reg first = at(f, 0)->dest;
    at(f, 0)->dest = at(f, 1)->dest;
    at(f, 1)->dest = first;
    expect_rejected(f, "the destination is no version of %x");
}
static void parameters_exchanged(Forgery *f) {
    Reg first = f->after->params.at[0];
    f->after->params.at[0] = f->after->params.at[1];
    f->after->params.at[1] = first;
    expect_rejected(f, "parameter 0 is not version 0 of the old one");
}
static void slot_changed(Forgery *f) {
    f->after->slots.at[0].size = 16;
    expect_rejected(f, "slot 0 has changed");
}
static void slot_added(Forgery *f) {
    func_add_slot(f->after, (SlotInfo){.size = 4, .align = 4});
    expect_rejected(f, "the number of slots has changed");
}
static void node_added(Forgery *f) {
    func_add(f->after, *at(f, 13));
    vec_push(f->arena, &f->after->phi_at, f->after->phis.count);
    expect_rejected(f, "the number of nodes has changed");
}
static void register_without_version(Forgery *f) {
    f->after->regs.at[version(f, "y", 1).i].version = 0;
    expect_refused(f, "is not like %y, whose version it is");
}
static void register_of_another_type(Forgery *f) {
    f->after->regs.at[version(f, "y", 1).i].type = TYPE_I64;
    expect_refused(f, "is not like %y, whose version it is");
}
static void version_0_defined(Forgery *f) {
    f->after->regs.at[version(f, "y", 1).i].version = 1;
    expect_refused(f, "version 0 of %y is redefined");
}
static void two_versions_0(Forgery *f) {
    add_version(f, version(f, "n", 0), 0);
    expect_refused(f, "%n has two versions 0");
}
static void defined_twice(Forgery *f) {
    Reg first = at(f, 5)->dest;
    replace_uses(f, at(f, 7)->dest, first);
    at(f, 7)->dest = first;
    expect_refused(f, "the same version of %x is defined twice");
}
static void phi_away_from_joins(Forgery *f) {
    rebuild_phis(f, NULL, 12, add_version(f, version(f, "y", 1), 2), version(f, "x", 2));
    expect_refused(f, "a phi does not stand at a join");
}
static void not_in_ssa(Forgery *f) {
    f->after->form = FORM_RTL;
    expect_refused(f, "the forms are not rtl and ssa");
}

// ---- Wrong hints

static void origins_missing(Forgery *f) {
    f->hint.origin.count--;
    expect_rejected(f, "the hint does not cover every register");
}
static void origin_out_of_range(Forgery *f) {
    f->hint.origin.at[2].i = f->before->regs.count;
    expect_rejected(f, "register 2 is a version of none that exists");
}
static void origin_of_another_name(Forgery *f) {
    f->hint.origin.at[version(f, "x", 3).i] = old(f, "i");
    expect_rejected(f, "the destination is no version of %x");
}
static void untracked_at_header(Forgery *f) {
    untrack(f, 0, "n");
    expect_rejected(f, "%n is used here, but not tracked");
}
static void untracked_with_later_use(Forgery *f) {
    untrack(f, 0, "m");
    expect_rejected(f, "%m is used here, but not tracked");
}
static void untracked_on_the_way(Forgery *f) {
    untrack(f, 1, "n");
    expect_rejected(f, "%n is tracked at join 3, but not before");
}
static void untracked_with_phi(Forgery *f) {
    untrack(f, 1, "x");
    expect_rejected(f, "a phi is for a register that is not tracked");
}
static void tracked_without_value(Forgery *f) {
    track(f, 0, "y");
    expect_rejected(f, "%y is tracked at join 3, but not before");
}
static void tracked_twice(Forgery *f) {
    f->hint.tracked.at[1] = f->hint.tracked.at[0];
    expect_rejected(f, "the hint for join number 0 is out of order");
}
static void tracked_out_of_order(Forgery *f) {
    Reg first = f->hint.tracked.at[0];
    f->hint.tracked.at[0] = f->hint.tracked.at[1];
    f->hint.tracked.at[1] = first;
    expect_rejected(f, "the hint for join number 0 is out of order");
}
static void tracked_out_of_range(Forgery *f) {
    f->hint.tracked.at[f->hint.tracked.count - 1].i = f->before->regs.count;
    expect_rejected(f, "the hint for join number 1 is out of order");
}
static void rows_missing(Forgery *f) {
    f->hint.tracked_at.count--;
    expect_rejected(f, "the hint does not cover every join");
}
static void rows_start_late(Forgery *f) {
    f->hint.tracked_at.at[0] = 1;
    expect_rejected(f, "the hint does not cover every join");
}
static void rows_end_early(Forgery *f) {
    f->hint.tracked_at.at[2]--;
    expect_rejected(f, "the hint does not cover every join");
}
static void row_backwards(Forgery *f) {
    f->hint.tracked_at.at[1] = f->hint.tracked.count + 1;
    expect_rejected(f, "the hint for join number 0 is no row");
}

typedef void Forge(Forgery *forgery);

static void forge_all(const char *text, Forge *const *forgeries, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Arena *arena = arena_new("forgery");
        Forgery forgery = start(arena, text);
        forgeries[i](&forgery);
        arena_free(arena);
    }
}
#define FORGE_ALL(text, forgeries) forge_all(text, forgeries, sizeof(forgeries) / sizeof(Forge *))

static void test_functions(void **state) {
    (void)state;
    static Forge *const forgeries[] = {stale_argument,
                                       argument_of_another_register,
                                       stale_condition,
                                       stale_return,
                                       stale_parameter,
                                       stale_phi_argument,
                                       stale_phi_argument_of_header,
                                       phi_argument_of_another_register,
                                       phi_takes_itself,
                                       phi_arguments_exchanged,
                                       phi_destinations_exchanged,
                                       phi_missing,
                                       phi_of_header_missing,
                                       phi_too_much,
                                       second_phi_for_one_register,
                                       undefined_instead_of_defined,
                                       constant_changed,
                                       immediate_changed,
                                       operator_changed,
                                       condition_changed,
                                       instruction_erased,
                                       branch_swapped,
                                       destinations_exchanged,
                                       parameters_exchanged,
                                       slot_changed,
                                       slot_added,
                                       node_added,
                                       register_without_version,
                                       register_of_another_type,
                                       version_0_defined,
                                       two_versions_0,
                                       defined_twice,
                                       phi_away_from_joins,
                                       not_in_ssa};
    FORGE_ALL(loop, forgeries);
}

static void test_hints(void **state) {
    (void)state;
    static Forge *const forgeries[] = {
        origins_missing,      origin_out_of_range,      origin_of_another_name,
        untracked_at_header,  untracked_with_later_use, untracked_on_the_way,
        untracked_with_phi,   tracked_without_value,    tracked_twice,
        tracked_out_of_order, tracked_out_of_range,     rows_missing,
        rows_start_late,      rows_end_early,           row_backwards};
    FORGE_ALL(loop, forgeries);
}

// ---- Other instructions

static uint32_t nth(Forgery *f, InstrKind kind, uint32_t n) {
    for (uint32_t i = 0; i < f->after->nodes.count; i++)
        if (at(f, i)->kind == kind && n-- == 0) return i;
    fail_msg("there is no such node");
    return 0;
}

static void stored_value_changed(Forgery *f) {
    at(f, nth(f, I_STORE, 0))->arg[1] = version(f, "b", 0);
    expect_rejected(f, "argument 1 is not the current version of %a");
}
static void displacement_changed(Forgery *f) {
    at(f, nth(f, I_LOAD, 0))->imm = 4;
    expect_rejected(f, "the instruction has changed");
}
static void chunk_changed(Forgery *f) {
    at(f, nth(f, I_STORE, 0))->chunk = CHUNK_I16;
    expect_rejected(f, "the instruction has changed");
}
static void call_of_another_function(Forgery *f) {
    Instr *call = at(f, nth(f, I_CALL, 0));
    call->ref =
        program_symbol(f->after->program, str_of(&f->after->program->strings, "f2"), SYM_FUNC).i;
    f->after->program->symbols.at[call->ref].sig = (Sig){call->aux};
    expect_rejected(f, "the instruction has changed");
}
static void argument_of_long_call_changed(Forgery *f) {
    Instr *call = at(f, nth(f, I_CALL, 2));
    f->after->reg_pool.at[call->args_at + 2] = version(f, "c", 1);
    expect_rejected(f, "argument 2 is not the current version of %c");
}
static void result_of_call_changed(Forgery *f) {
    Reg first = at(f, nth(f, I_CALL, 0))->dest, second = at(f, nth(f, I_CALL, 1))->dest;
    replace_uses(f, first, second);
    replace_uses(f, second, first);
    at(f, nth(f, I_CALL, 0))->dest = second;
    at(f, nth(f, I_CALL, 1))->dest = first;
    expect_refused(f, "the destination is no version of %c");
}
static void cases_changed(Forgery *f) {
    f->after->case_pool.at[at(f, nth(f, I_SWITCH, 0))->aux + 1] = 3;
    expect_rejected(f, "the instruction has changed");
}
static void targets_exchanged(Forgery *f) {
    Node *succs = f->after->node_pool.at + at(f, nth(f, I_SWITCH, 0))->succs_at;
    Node first = succs[1];
    succs[1] = succs[2];
    succs[2] = first;
    expect_rejected(f, "successor 1 has changed");
}
static void returned_register_changed(Forgery *f) {
    at(f, nth(f, I_RETURN, 0))->arg[0] = version(f, "a", 0);
    expect_rejected(f, "argument 0 is not the current version of %a");
}

static void test_instructions(void **state) {
    (void)state;
    static Forge *const forgeries[] = {stored_value_changed,
                                       displacement_changed,
                                       chunk_changed,
                                       call_of_another_function,
                                       argument_of_long_call_changed,
                                       result_of_call_changed,
                                       cases_changed,
                                       targets_exchanged,
                                       returned_register_changed};
    FORGE_ALL(mixed, forgeries);
}

static void undefined_version_missing(Forgery *f) {
    f->after->regs.at[version(f, "x", 0).i].version = 9;
    expect_refused(f, "%x is tracked at join");
}
static void undefined_version_of_another_register(Forgery *f) {
    uint32_t join = nth(f, I_RETURN, 0);
    for (uint32_t k = 0; k < 2; k++)
        if (phi_arg(f, join, 0, k)->i == version(f, "x", 0).i)
            *phi_arg(f, join, 0, k) = version(f, "n", 0);
    expect_rejected(f, "the phi for %x does not take the version");
}

static void test_undefined(void **state) {
    (void)state;
    static Forge *const forgeries[] = {undefined_version_missing,
                                       undefined_version_of_another_register};
    FORGE_ALL(undefined, forgeries);
}

// ---- Functions that are not in normal form

// The function itself in SSA form: it has no register, so that there is nothing to rename.
static void expect_not_normal(const char *text, uint32_t joins, const char *reason) {
    Arena *arena = arena_new("forgery");
    Forgery f = {.arena = arena, .before = parse(arena, text)};
    f.after = func_clone(f.before, arena);
    f.after->form = FORM_SSA;
    for (uint32_t i = 0; i <= joins; i++) vec_push(arena, &f.hint.tracked_at, 0);
    expect_refused(&f, reason);
    arena_free(arena);
}

static void test_shapes(void **state) {
    (void)state;
    expect_not_normal("function void @f() {\n 0: nop -> 2\n 1: return\n 2: nop -> 1\n}\n", 0,
                      "no node with a smaller number leads here");
    expect_not_normal("function void @f() {\n 0: nop -> 0\n}\n", 0, "the entry has a predecessor");
    expect_not_normal("function void @f() {\n 0: return\n 1: return\n}\n", 0,
                      "no node with a smaller number leads here");
    expect_not_normal("extern function void @g()\n"
                      "function void @f() {\n 0: nop\n 1: call @g() -> 1\n}\n",
                      1, "an instruction other than nop leads to a join");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions), cmocka_unit_test(test_hints),
        cmocka_unit_test(test_instructions), cmocka_unit_test(test_undefined),
        cmocka_unit_test(test_shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
