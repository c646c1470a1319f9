// Forged value numberings: wrong functions and wrong hints that check_gvn must reject, each for the
// right reason. Every forgery is well-formed, so that nothing but the checker stands in its way,
// and is written as a change of a function: what becomes of its code, and what the hint claims.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/values/values_hint.h"
#include "test/gen/harmless.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- The functions that forgeries start from

// Operators of all kinds, in a row and on both sides of a branch.
static const char branches[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                               "  slot $s size 8 align 8\n"
                               "  slot $t size 8 align 8\n"
                               "  reg i32 %z.0\n"
                               "  0: %x.1 = add.i32 %a.0, %b.0\n"
                               "  1: %y.1 = add.i32 %b.0, %a.0\n"
                               "  2: %p.1 = sub.i32 %a.0, %b.0\n"
                               "  3: %q.1 = sub.i32 %b.0, %a.0\n"
                               "  4: %i.1 = add.i32 %a.0, 1\n"
                               "  5: %j.1 = add.i32 %a.0, 2\n"
                               "  6: %l.1 = load.i32 [$s]\n"
                               "  7: %l.2 = load.i32 [$s]\n"
                               "  8: %m.1 = move.i32 %l.1\n"
                               "  9: %n.1 = move.i32 %m.1\n"
                               "  10: %c.1 = call @getchar()\n"
                               "  11: %c.2 = call @getchar()\n"
                               "  12: %s.1 = addr $s\n"
                               "  13: %s.2 = addr $t\n"
                               "  14: %s.3 = addr $s + 8\n"
                               "  15: %k.1 = const.i32 1\n"
                               "  16: %k.2 = const.i64 1\n"
                               "  17: if lt.i32 %x.1, %y.1 then 18 else 20\n"
                               "  18: %u.1 = mul.i32 %x.1, %p.1\n"
                               "  19: nop -> 22\n"
                               "  20: %u.2 = mul.i32 %y.1, %p.1\n"
                               "  21: nop\n"
                               "  22: %u.3 = phi(19: %u.1, 21: %u.2)\n"
                               "  22: %v.3 = phi(19: %u.1, 21: %p.1)\n"
                               "  22: %w.3 = phi(19: %u.1, 21: %p.1)\n"
                               "  22: %t.3 = phi(19: %x.1, 21: %y.1)\n"
                               "  22: store.i32 [$s], %u.3\n"
                               "  23: call @printf(%s.1, %x.1, %y.1, %p.1, %q.1)\n"
                               "  24: %r.1 = mul.i32 %x.1, %p.1\n"
                               "  25: %r.2 = add.i32 %r.1, %n.1\n"
                               "  26: %r.3 = add.i32 %r.2, %v.3\n"
                               "  27: %r.4 = add.i32 %r.3, %w.3\n"
                               "  28: return %r.4\n"
                               "}\n"
                               "extern function i32 @getchar()\n"
                               "extern function i32 @printf(i64, ...)\n";

// Registers that go in lock step, or nearly; one that lags behind; one that never changes.
static const char loop[] = "function i32 @f(i32 %n.0, i32 %a.0) {\n"
                           "  0: %i.1 = const.i32 0\n"
                           "  1: %j.1 = const.i32 0\n"
                           "  2: nop\n"
                           "  3: %i.2 = phi(2: %i.1, 9: %i.3)\n"
                           "  3: %j.2 = phi(2: %j.1, 9: %j.3)\n"
                           "  3: %k.2 = phi(2: %j.1, 9: %k.3)\n"
                           "  3: %h.2 = phi(2: %n.0, 9: %h.2)\n"
                           "  3: if lt.i32 %i.2, %h.2 then 4 else 10\n"
                           "  4: %i.3 = add.i32 %i.2, 1\n"
                           "  5: %j.3 = add.i32 %j.2, 2\n"
                           "  6: %k.3 = move.i32 %i.2\n"
                           "  7: %l.3 = add.i32 %i.2, 1\n"
                           "  8: call @putchar(%l.3)\n"
                           "  9: nop -> 3\n"
                           "  10: nop\n"
                           "  11: %r.1 = sub.i32 %i.2, %j.2\n"
                           "  12: %r.2 = sub.i32 %r.1, %k.2\n"
                           "  13: return %r.2\n"
                           "}\n"
                           "extern function i32 @putchar(i32)\n";

// Phis of two joins; operators whose operands must not change places; constants of f80.
static const char joins[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                            "  0: if lt.i32 %a.0, %b.0 then 1 else 3\n"
                            "  1: %p.1 = const.i32 1\n"
                            "  2: nop -> 5\n"
                            "  3: %p.2 = const.i32 2\n"
                            "  4: nop\n"
                            "  5: %p.3 = phi(2: %p.1, 4: %p.2)\n"
                            "  5: if lt.i32 %p.3, %b.0 then 6 else 8\n"
                            "  6: %q.1 = const.i32 1\n"
                            "  7: nop -> 10\n"
                            "  8: %q.2 = const.i32 2\n"
                            "  9: nop\n"
                            "  10: %q.3 = phi(7: %q.1, 9: %q.2)\n"
                            "  10: %f.1 = cvt.f32.i32 %a.0\n"
                            "  11: %f.2 = cvt.f32.i32 %b.0\n"
                            "  12: %g.1 = add.f32 %f.1, %f.2\n"
                            "  13: %g.2 = add.f32 %f.2, %f.1\n"
                            "  14: %e.1 = select.i32 %a.0, %p.3, %q.3\n"
                            "  15: %e.2 = select.i32 %a.0, %q.3, %p.3\n"
                            "  16: %d.1 = const.f80 0x1p+0\n"
                            "  17: %d.2 = const.f80 0x1p+1\n"
                            "  18: %c.1 = divs.i32 %a.0, %b.0\n"
                            "  19: %c.2 = divu.i32 %a.0, %b.0\n"
                            "  20: %o.1 = add.i32 %a.0, 5\n"
                            "  21: %o.2 = add.i32 %a.0, %b.0\n"
                            "  22: return %e.1\n"
                            "}\n";

// A join whose own instruction computes something: its result is no phi, though it is set at the
// same node.
static const char computing_join[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                                     "  0: if lt.i32 %a.0, %b.0 then 1 else 2\n"
                                     "  1: nop -> 3\n"
                                     "  2: nop\n"
                                     "  3: %p.1 = phi(1: %a.0, 2: %b.0)\n"
                                     "  3: %x.1 = sub.i32 %a.0, %b.0\n"
                                     "  4: %r.1 = add.i32 %p.1, 1\n"
                                     "  5: return %r.1\n"
                                     "}\n";

// ---- Changes

typedef struct {
    Arena *arena;
    Func *before;
    Func *after;
    Numbering hint;
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
    for (uint32_t i = 0; i < forgery->before->regs.count; i++)
        vec_push(forgery->arena, &forgery->hint.leader, (Reg){i});
}

static Reg reg_named(const Func *func, const char *name) {
    for (uint32_t i = 0; i < func->regs.count; i++) {
        Out text = {0};
        reg_print(&text, func, (Reg){i});
        bool same = text.length == strlen(name) && memcmp(text.text, name, text.length) == 0;
        out_free(&text);
        if (same) return (Reg){i};
    }
    fail_msg("there is no register %s", name);
    return NO_REG;
}

static uint32_t phi_named(const Func *func, const char *name) {
    Reg reg = reg_named(func, name);
    for (uint32_t i = 0; i < func->phis.count; i++)
        if (func->phis.at[i].dest.i == reg.i) return i;
    fail_msg("%s is not defined by a phi", name);
    return NO_ID;
}

static void drop_phi(Func *func, uint32_t phi) {
    Node join = {0};
    while (func->phi_at.at[join.i + 1] <= phi) join.i++;
    Preds preds = preds_of(func->arena, func);
    uint32_t arity = preds_count(&preds, join), from = func->phis.at[phi].args_at;
    memmove(func->phi_args.at + from, func->phi_args.at + from + arity,
            (func->phi_args.count - from - arity) * sizeof(Reg));
    memmove(func->phis.at + phi, func->phis.at + phi + 1,
            (func->phis.count - phi - 1) * sizeof(Phi));
    func->phis.count--;
    func->phi_args.count -= arity;
    for (uint32_t i = phi; i < func->phis.count; i++) func->phis.at[i].args_at -= arity;
    for (uint32_t n = join.i + 1; n < func->phi_at.count; n++) func->phi_at.at[n]--;
}

static void exchange_phis(Func *func, uint32_t a, uint32_t b, uint32_t arity) {
    Reg dest = func->phis.at[a].dest;
    func->phis.at[a].dest = func->phis.at[b].dest;
    func->phis.at[b].dest = dest;
    for (uint32_t k = 0; k < arity; k++) {
        Reg *x = &func->phi_args.at[func->phis.at[a].args_at + k];
        Reg *y = &func->phi_args.at[func->phis.at[b].args_at + k];
        Reg first = *x;
        *x = *y;
        *y = first;
    }
}

// One change of the code:
//   drop N             the instruction of N becomes a nop with its first successor
//   drop-phi R         the phi of R goes
//   use N K R          argument K of N is R
//   phi R K R          argument K of the phi of R is the second register
//   exchange R R       two phis change places
//   operator N OP, immediate N I, successor N K N, destination N R
static void change(Func *func, const char *command) {
    char a[32], b[32];
    unsigned n, k, m;
    if (sscanf(command, "drop %u", &n) == 1) {
        Node succ = instr_succs(func, &func->nodes.at[n])[0];
        func->nodes.at[n] = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {succ}};
    } else if (sscanf(command, "drop-phi %31s", a) == 1) {
        drop_phi(func, phi_named(func, a));
    } else if (sscanf(command, "use %u %u %31s", &n, &k, a) == 3) {
        Instr *instr = &func->nodes.at[n];
        Reg *args =
            instr->arg_count > INLINE_ARGS ? func->reg_pool.at + instr->args_at : instr->arg;
        args[k] = reg_named(func, a);
    } else if (sscanf(command, "phi %31s %u %31s", a, &k, b) == 3) {
        func->phi_args.at[func->phis.at[phi_named(func, a)].args_at + k] = reg_named(func, b);
    } else if (sscanf(command, "exchange %31s %31s", a, b) == 2) {
        exchange_phis(func, phi_named(func, a), phi_named(func, b), 2);
    } else if (sscanf(command, "operator %u %31s", &n, a) == 2) {
        func->nodes.at[n].op = (uint16_t)op_named(a, strlen(a));
    } else if (sscanf(command, "immediate %u %u", &n, &k) == 2) {
        func->nodes.at[n].imm = k;
    } else if (sscanf(command, "successor %u %u %u", &n, &k, &m) == 3) {
        func_set_succ(func, (Node){n}, k, (Node){m});
    } else if (sscanf(command, "destination %u %31s", &n, a) == 2) {
        func->nodes.at[n].dest = reg_named(func, a);
    } else {
        fail_msg("unknown change: %s", command);
    }
}

// "%x.2=%x.1 %y.1=%x.1": the leader of the first is the second.
static void claim(Forgery *forgery, const char *claims) {
    char copy[256], *rest = copy;
    assert_true(strlen(claims) < sizeof copy);
    strcpy(copy, claims);
    for (char *word; (word = strsep(&rest, " "));) {
        char *equal = strchr(word, '=');
        if (!equal) continue;
        *equal = '\0';
        forgery->hint.leader.at[reg_named(forgery->before, word).i] =
            reg_named(forgery->before, equal + 1);
    }
}

static void apply(Forgery *forgery, const char *changes, const char *claims) {
    char copy[256], *rest = copy;
    assert_true(strlen(changes) < sizeof copy);
    strcpy(copy, changes);
    for (char *command; (command = strsep(&rest, ";"));)
        if (*command) change(forgery->after, command + (*command == ' '));
    claim(forgery, claims);
}

static bool is_well_formed(const Forgery *forgery) {
    Complaints complaints = {.arena = forgery->arena};
    return verify_func(&complaints, forgery->after);
}

static Verdict verdict_on(const Forgery *forgery) {
    return pass_check(
        PASS_gvn, forgery->arena, NULL, forgery->before, forgery->after,
        explain_Numbering(forgery->arena, forgery->before, forgery->after, &forgery->hint));
}

static void expect_rejection(const Forgery *forgery, const char *what, const char *reason) {
    Verdict verdict = verdict_on(forgery);
    (void)reason; // of a checker of its own, which there was; see forge.h
    forge_expect_harmless(forgery->arena, verdict, forgery->before, forgery->after, what);
}

typedef struct {
    const char *text;
    const char *changes;
    const char *claims;
    const char *reason;
} Case;

// ---- What is right

static void test_accepted(void **state) {
    (void)state;
    static const Case cases[] = {
        {branches, "", "", NULL},
        {branches, "drop 1; use 17 1 %x.1; use 20 0 %x.1; phi %t.3 1 %x.1; use 23 2 %x.1",
         "%y.1=%x.1", NULL},
        {branches, "use 17 0 %y.1; use 17 1 %x.1", "%y.1=%x.1", NULL},
        {branches, "drop 8; drop 9; use 25 1 %l.1", "%m.1=%l.1 %n.1=%l.1", NULL},
        {branches, "use 25 1 %m.1; drop 9", "%m.1=%l.1 %n.1=%l.1", NULL},
        {branches, "drop-phi %w.3; use 27 1 %v.3", "%w.3=%v.3", NULL},
        {branches, "drop-phi %t.3", "%t.3=%x.1 %y.1=%x.1", NULL},
        {branches, "", "%u.1=%r.1 %u.2=%r.1 %y.1=%x.1", NULL},
        {loop, "drop-phi %h.2; use 3 1 %n.0", "%h.2=%n.0", NULL},
        {loop, "drop 7; use 8 0 %i.3", "%l.3=%i.3", NULL},
        {loop, "drop 6; phi %k.2 1 %i.2", "%k.3=%i.2", NULL},
        {joins, "", "%q.1=%p.1 %q.2=%p.2", NULL},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Forgery forgery = {0};
        forge_from(&forgery, cases[i].text);
        apply(&forgery, cases[i].changes, cases[i].claims);
        assert_true(is_well_formed(&forgery));
        Verdict verdict = verdict_on(&forgery);
        if (!verdict.accepted)
            fail_msg("\"%s\", \"%s\": %s", cases[i].changes, cases[i].claims, verdict.reason);
        arena_free(forgery.arena);
    }
}

// ---- Wrong numberings

static const char operator_differs[] = "the leader is computed by another operator or constant";
static const char arguments_differ[] = "the leader has arguments that are not congruent";
static const char not_computed[] = "is not computed by an operator";
static const char phis_differ[] = "a phi and its leader have arguments that are not congruent";
static const char not_dominating[] = "the leader of a phi does not dominate its join";

static const Case wrong_hints[] = {
    {branches, "", "%p.1=%x.1", operator_differs},
    {branches, "", "%x.1=%p.1 %y.1=%p.1", operator_differs},
    {branches, "", "%q.1=%p.1", arguments_differ},
    {branches, "", "%j.1=%i.1", operator_differs},
    {branches, "", "%l.2=%l.1", not_computed},
    {branches, "", "%c.2=%c.1", not_computed},
    {branches, "", "%c.1=%l.1", not_computed},
    {branches, "", "%l.1=%m.1", not_computed},
    {branches, "", "%b.0=%a.0", "has a leader but no definition"},
    {branches, "", "%z.0=%a.0", "has a leader but no definition"},
    {branches, "", "%a.0=%z.0", "has a leader but no definition"},
    {branches, "", "%s.2=%s.1", operator_differs},
    {branches, "", "%s.3=%s.1", operator_differs},
    {branches, "", "%k.2=%k.1", "has another type"},
    {branches, "", "%m.1=%l.2", operator_differs},
    {branches, "", "%n.1=%l.1", operator_differs},
    {branches, "", "%n.1=%m.1 %m.1=%l.1", "has another leader"},
    {branches, "", "%x.1=%y.1 %y.1=%x.1", "has another leader"},
    {branches, "", "%r.1=%u.3", not_computed},
    {branches, "", "%x.1=%a.0", not_computed},
    {branches, "", "%u.2=%u.1", arguments_differ},
    {branches, "", "%v.3=%u.3", phis_differ},
    {branches, "", "%v.3=%p.1", "argument 0 of a phi is not congruent to its leader"},
    {branches, "", "%v.3=%u.1", "argument 1 of a phi is not congruent to its leader"},
    {branches, "", "%y.1=%x.1 %u.2=%u.1 %u.3=%u.1", not_dominating},
    {branches, "", "%y.1=%x.1 %u.1=%u.2 %u.3=%u.2", not_dominating},
    {branches, "", "%y.1=%x.1 %u.1=%r.1 %u.2=%r.1 %u.3=%r.1", not_dominating},
    {loop, "", "%j.1=%i.1 %j.2=%i.2", phis_differ},
    {loop, "", "%j.1=%i.1 %j.2=%i.2 %j.3=%i.3", operator_differs},
    {loop, "", "%j.1=%i.1 %k.2=%i.2", phis_differ},
    {loop, "", "%j.1=%i.1 %k.2=%i.2 %k.3=%i.3", operator_differs},
    {loop, "", "%k.3=%k.2", not_computed},
    {loop, "", "%h.2=%a.0", "argument 0 of a phi is not congruent to its leader"},
    {loop, "", "%i.2=%i.1", "argument 1 of a phi is not congruent to its leader"},
    {loop, "", "%i.2=%i.3", "argument 0 of a phi is not congruent to its leader"},
    {loop, "", "%i.3=%i.2", not_computed},
    {loop, "", "%k.3=%i.2 %k.2=%i.2", phis_differ},
    {joins, "", "%q.1=%p.1 %q.2=%p.2 %q.3=%p.3",
     "argument 0 of a phi is not congruent to its leader"},
    {joins, "", "%p.2=%p.1 %p.3=%p.1", operator_differs},
    {joins, "", "%g.2=%g.1", arguments_differ},
    {joins, "", "%e.2=%e.1", arguments_differ},
    {joins, "", "%d.2=%d.1", operator_differs},
    {joins, "", "%c.2=%c.1", operator_differs},
    {joins, "", "%o.2=%o.1", operator_differs},
    {computing_join, "drop-phi %p.1; use 4 0 %x.1", "%p.1=%x.1",
     "argument 0 of a phi is not congruent to its leader"},
};

// ---- Wrong code, with a hint that is right

static const char argument_differs[] = "is not congruent to what it replaces";
static const char instruction_differs[] = "the instruction has changed";

static const Case wrong_code[] = {
    {branches, "use 25 0 %p.1", "%y.1=%x.1", argument_differs},
    {branches, "use 17 0 %p.1", "%y.1=%x.1", argument_differs},
    {branches, "use 22 0 %v.3", "", argument_differs},
    {branches, "use 23 4 %p.1", "", argument_differs},
    {branches, "use 23 0 %s.3", "", argument_differs},
    {branches, "use 28 0 %r.3", "", argument_differs},
    {branches, "use 25 1 %l.2", "%m.1=%l.1 %n.1=%l.1", argument_differs},
    {branches, "use 2 0 %b.0; use 2 1 %a.0", "", argument_differs},
    {branches, "use 1 0 %a.0; use 1 1 %b.0", "", argument_differs},
    {branches, "phi %v.3 1 %x.1", "", argument_differs},
    {branches, "phi %w.3 0 %x.1; phi %w.3 1 %x.1", "", argument_differs},
    {branches, "exchange %u.3 %v.3", "", "out of order"},
    {branches, "drop 7", "", instruction_differs},
    {branches, "drop 11", "", instruction_differs},
    {branches, "drop 22", "", instruction_differs},
    {branches, "drop 23", "", instruction_differs},
    {branches, "operator 2 add.i32", "", instruction_differs},
    {branches, "operator 17 le.i32", "", instruction_differs},
    {branches, "immediate 4 2", "", instruction_differs},
    {branches, "immediate 15 2", "", instruction_differs},
    {branches, "immediate 22 4", "", instruction_differs},
    {branches, "destination 4 %j.1; destination 5 %i.1", "", instruction_differs},
    {branches, "destination 6 %l.2; destination 7 %l.1", "", instruction_differs},
    {branches, "successor 17 0 20; successor 17 1 18", "", "successor 0 has changed"},
    {branches, "drop 17; successor 17 0 18", "", "the number of successors has changed"},
    {loop, "use 11 1 %k.2", "", argument_differs},
    {loop, "use 8 0 %i.2", "%l.3=%i.3", argument_differs},
    {loop, "phi %i.2 1 %i.2", "", argument_differs},
    {loop, "phi %i.2 0 %n.0", "", argument_differs},
    {loop, "phi %k.2 1 %i.3; drop 6", "%k.3=%i.2", argument_differs},
    {joins, "use 22 0 %e.2", "", argument_differs},
    {joins, "use 14 1 %q.3; use 14 2 %p.3", "", argument_differs},
};

static void reject_all(const Case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Forgery forgery = {0};
        forge_from(&forgery, cases[i].text);
        apply(&forgery, cases[i].changes, cases[i].claims);
        const char *what =
            arena_printf(forgery.arena, "\"%s\", \"%s\"", cases[i].changes, cases[i].claims);
        if (!is_well_formed(&forgery)) fail_msg("%s: not well-formed", what);
        expect_rejection(&forgery, what, cases[i].reason);
        arena_free(forgery.arena);
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

// ---- What the verifier keeps from the checker

// Congruent registers, but the new one is not defined where it is read.
static void test_not_well_formed(void **state) {
    (void)state;
    static const Case cases[] = {
        {branches, "drop 0", "", NULL},
        {branches, "use 25 0 %u.1; drop 24", "%u.1=%r.1", NULL},
        {branches, "use 18 0 %y.1; drop 1", "%y.1=%x.1", NULL},
        {branches, "drop-phi %v.3", "", NULL},
        {branches, "drop 0; use 1 0 %y.1", "%x.1=%y.1", NULL},
        {loop, "phi %h.2 0 %h.2", "%h.2=%n.0", NULL},
        {loop, "drop-phi %k.2; use 12 1 %k.3", "", NULL},
        {loop, "use 3 0 %i.3", "", NULL},
        {joins, "phi %q.3 1 %q.1", "", NULL},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Forgery forgery = {0};
        forge_from(&forgery, cases[i].text);
        apply(&forgery, cases[i].changes, cases[i].claims);
        if (is_well_formed(&forgery)) fail_msg("\"%s\" is well-formed", cases[i].changes);
        arena_free(forgery.arena);
    }
}

// ---- What surrounds the code

static void change_signature(Forgery *forgery) {
    PType params[] = {PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_I32)};
    SigInfo info = {
        .result = PTYPE_OF(TYPE_I64), .param_count = 2, .fixed_count = 2, .params = params};
    forgery->after->sig = program_sig(forgery->after->program, info);
}
static void exchange_parameters(Forgery *forgery) {
    Reg *params = forgery->after->params.at, first = params[0];
    params[0] = params[1];
    params[1] = first;
}
static void grow_slot(Forgery *forgery) {
    forgery->after->slots.at[0].size *= 2;
}
static void rename_register(Forgery *forgery) {
    forgery->after->regs.at[3].number += 77;
}
static void add_register(Forgery *forgery) {
    func_temp(forgery->after, TYPE_I32);
}
static void add_node(Forgery *forgery) {
    func_nop(forgery->after, (Node){1});
}
static void leave_ssa(Forgery *forgery) {
    forgery->after->form = FORM_RTL;
}
static void shorten_hint(Forgery *forgery) {
    forgery->hint.leader.count--;
}
static void lead_nowhere(Forgery *forgery) {
    forgery->hint.leader.at[2] = NO_REG;
}

static void test_surroundings(void **state) {
    (void)state;
    static const struct {
        void (*damage)(Forgery *forgery);
        const char *reason;
    } cases[] = {
        {change_signature, "the signature has changed"},
        {exchange_parameters, "parameter 0 has changed"},
        {grow_slot, "slot 0 has changed"},
        {rename_register, "register 3 has changed"},
        {add_register, "there are new registers"},
        {add_node, "the number of nodes has changed"},
        {leave_ssa, "the forms are not ssa and ssa"},
        {shorten_hint, "the hint does not cover every register"},
        {lead_nowhere, "the leader of register 2 does not exist"},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Forgery forgery = {0};
        forge_from(&forgery, branches);
        cases[i].damage(&forgery);
        expect_rejection(&forgery, cases[i].reason, cases[i].reason);
        arena_free(forgery.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),     cmocka_unit_test(test_wrong_hints),
        cmocka_unit_test(test_wrong_code),   cmocka_unit_test(test_not_well_formed),
        cmocka_unit_test(test_surroundings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
