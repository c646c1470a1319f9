// copy_prop, lvn and gvn on every graph of up to five nodes and on random functions in which
// everything is computed twice: the checker accepts, the behaviour stays, and what is found is what
// the definitions say.
#include "analysis/congruence.h"
#include "check/checkers.h"
#include "pass/pass.h"
#include "pass/values/values_hint.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/graphs.h"
#include "test/gen/random_func.h"
#include "test/gen/twins.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef Func *Transform(Arena *arena, const Func *func, Numbering *hint);

static Transform *const transforms[] = {copy_prop, lvn, gvn};

static void fail_with(const Func *before, const Func *after, const char *what) {
    Out text = {0};
    func_print(&text, before, &(PrintOptions){0});
    func_print(&text, after, &(PrintOptions){0});
    out_char(&text, '\0');
    fail_msg("%s\n%s", what, text.text);
}

// The function after a pass, or the function itself if there is nothing to change.
static const Func *passed(Arena *arena, const Func *before, Transform *transform) {
    Numbering hint = {0};
    const Func *after = transform(arena, before, &hint);
    if (!after) return before;
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, after)) fail_with(before, after, complaints.list.at[0].message);
    Verdict verdict =
        check_values(arena, before, after, explain_Numbering(arena, before, after, &hint));
    if (!verdict.accepted)
        fail_with(before, after,
                  arena_printf(arena, "node %u: %s", verdict.site.i, verdict.reason));
    return after;
}

static void same_behaviour(Arena *arena, const Func *before, const Func *after, uint64_t seed,
                           uint64_t fuel) {
    const char *difference = behaviour_difference(arena, before, after, seed, fuel);
    if (difference) fail_with(before, after, difference);
}

// All passes on one function, each by itself.
static void pass_all(Arena *arena, const Func *ssa, uint64_t seed, uint64_t runs, uint64_t fuel) {
    for (uint32_t i = 0; i < 3; i++) {
        const Func *after = passed(arena, ssa, transforms[i]);
        for (uint64_t run = 0; run < runs && after != ssa; run++)
            same_behaviour(arena, ssa, after, seed * runs + run, fuel);
    }
}

// ---- Small graphs

typedef struct {
    uint32_t nodes;
    uint64_t graphs;
    Arena *arena;
    Program *program;
    uint64_t every; // look at one graph in so many
} Small;

static void visit_small(void *context, const uint8_t (*succs)[2], const uint8_t *counts) {
    Small *small = context;
    if (++small->graphs % small->every) return;
    const Func *func =
        func_of_graph(small->arena, small->program, small->nodes, succs, counts, small->graphs);
    uint32_t noise = small->graphs % 2 ? 0 : 200;
    pass_all(small->arena, ssa_of(small->arena, func), small->graphs, 1, 100);
    func = twin_func(small->arena, func, noise, small->graphs);
    pass_all(small->arena, ssa_of(small->arena, func), small->graphs, 1, 200);
    arena_reset(small->arena);
}

static void all_graphs(uint32_t nodes, bool with_returns, uint64_t every) {
    Arena *lasting = arena_new("program");
    Small small = {.nodes = nodes, .every = every, .arena = arena_new("graph")};
    small.program = program_new(lasting);
    each_small_graph(nodes, with_returns, visit_small, &small);
    arena_free(small.arena);
    arena_free(lasting);
}

static void test_small_graphs(void **state) {
    (void)state;
    for (uint32_t nodes = 1; nodes <= 4; nodes++)
        for (int with_returns = 0; with_returns < 2; with_returns++)
            all_graphs(nodes, with_returns, nodes < 4 ? 1 : effort(97, 31, 1));
    all_graphs(5, false, effort(50021, 2003, 1));
    all_graphs(5, true, effort(500009, 20011, 1));
}

// ---- Random functions

static const Func *random_ssa(Arena *arena, uint64_t seed, uint32_t nodes) {
    Program *program = program_new(arena);
    const Func *func = random_func(arena, program, random_options(nodes, seed), seed);
    uint32_t noise = seed % 3 ? 30 : 0;
    return ssa_of(arena, seed % 4 ? twin_func(arena, func, noise, seed) : func);
}

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    for (uint64_t seed = 1; seed <= effort(100, 800, 20000); seed++) {
        const Func *ssa = random_ssa(arena, seed, 400);
        pass_all(arena, ssa, seed, 2, 5000);
        arena_reset(arena);
    }
    arena_free(arena);
}

// All passes, one after the other, as the pipeline runs them; nodes in any order; with code that
// cannot be reached after sccp.
static void test_together(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint64_t count = effort(60, 400, 10000), unreachable = 0;
    for (uint64_t seed = 1; seed <= count; seed++) {
        const Func *ssa = random_ssa(arena, seed, 300);
        SccpHint hint = {0};
        const Func *decided = sccp(arena, ssa, &hint);
        unreachable += decided != NULL;
        const Func *func = decided ? decided : ssa;
        if (seed % 2) func = shuffle_nodes(arena, func, seed);
        pass_all(arena, func, seed, 1, 5000);
        for (uint32_t i = 0; i < 3; i++) func = passed(arena, func, transforms[i]);
        func = passed(arena, func, copy_prop);
        same_behaviour(arena, ssa, func, seed, 5000);
        arena_reset(arena);
    }
    assert_true(unreachable > count / 10);
    arena_free(arena);
}

// ---- What is found

// copy_prop and gvn help each other: a phi of congruent arguments becomes one of equal arguments.
static const Func *numbered(Arena *arena, const Func *ssa) {
    for (const Func *last = NULL; ssa != last;) {
        last = ssa;
        ssa = passed(arena, passed(arena, ssa, copy_prop), gvn);
    }
    return ssa;
}

// Without noise, twins are found: no more operators remain than in the function without twins. (Not
// quite always: copy_prop and gvn are optimistic each for itself. A loop in which a phi is trivial
// only if two registers are congruent, and these only if the phi is trivial, is beyond both.)
static void test_twins_vanish(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint64_t count = effort(60, 500, 20000), missed = 0;
    for (uint64_t seed = 1; seed <= count; seed++) {
        Program *program = program_new(arena);
        RandomOptions options = random_options(300, seed);
        options.undefined = 0; // two undefined registers are not known to be equal
        const Func *func = random_func(arena, program, options, seed);
        const Func *single = numbered(arena, ssa_of(arena, func));
        const Func *twins = numbered(arena, ssa_of(arena, twin_func(arena, func, 0, seed)));
        missed += count_ops(twins) > count_ops(single);
        arena_reset(arena);
    }
    print_message("in %u of %u functions with twins some remain\n", (unsigned)missed,
                  (unsigned)count);
    assert_true(missed <= count / 50);
    arena_free(arena);
}

// Whether the arguments of a phi are all one register, but for the phi itself.
static bool is_copy(const Func *func, const Preds *preds, Node join, const Phi *phi) {
    Reg only = phi->dest;
    for (uint32_t k = 0; k < preds_count(preds, join); k++) {
        Reg arg = phi_args(func, phi)[k];
        if (arg.i == phi->dest.i) continue;
        if (only.i != phi->dest.i && only.i != arg.i) return false;
        only = arg;
    }
    return true;
}

// copy_prop leaves no phi that is a copy, also behind loops that are left in many ways: there
// close_loops adds chains of phis that are nothing but copies, of which ungate must be rid again.
static void test_no_copies_left(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint64_t added = 0;
    for (uint64_t seed = 1; seed <= effort(200, 1000, 20000); seed++) {
        CloseLoopsHint hint = {0};
        const Func *ssa = random_ssa(arena, seed, 400), *closed = close_loops(arena, ssa, &hint);
        if (closed) added += closed->phis.count - ssa->phis.count;
        const Func *after = passed(arena, closed ? closed : ssa, copy_prop);
        Preds preds = preds_of(arena, after);
        for (uint32_t n = 0; n < after->nodes.count; n++)
            for (uint32_t i = 0; i < func_phi_count(after, (Node){n}); i++)
                if (is_copy(after, &preds, (Node){n}, &func_phis(after, (Node){n})[i]))
                    fail_with(closed ? closed : ssa, after, "a phi is a copy");
        arena_reset(arena);
    }
    assert_true(added > 100);
    arena_free(arena);
}

// gvn removes at least what lvn does, and both leave nothing for a second run.
static void test_more_than_local(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint64_t removed[2] = {0};
    for (uint64_t seed = 1; seed <= effort(60, 400, 20000); seed++) {
        const Func *ssa = random_ssa(arena, seed, 300);
        const Func *locally = passed(arena, ssa, lvn), *globally = passed(arena, ssa, gvn);
        removed[0] += count_ops(ssa) - count_ops(locally);
        removed[1] += count_ops(ssa) - count_ops(globally);
        if (count_ops(globally) > count_ops(locally))
            fail_with(locally, globally, "lvn removes more");
        Numbering hint = {0};
        if (gvn(arena, globally, &hint)) fail_with(ssa, globally, "gvn is not done");
        arena_reset(arena);
    }
    assert_true(removed[1] > removed[0]);
    arena_free(arena);
}

// ---- The congruence, by its definition

typedef struct {
    const Func *func;
    Preds preds;
    Node *node;               // per register: where it is defined
    const Phi **phi;          // per register: the phi that defines it, or NULL
    const uint32_t *class_of; // per register
} Naive;

static bool same_classes(const Naive *naive, const Reg *a, const Reg *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (naive->class_of[a[i].i] != naive->class_of[b[i].i]) return false;
    return true;
}

static const Instr *operator_of(const Naive *naive, Reg reg) {
    if (naive->node[reg.i].i == NO_ID || naive->phi[reg.i]) return NULL;
    const Instr *instr = func_at(naive->func, naive->node[reg.i]);
    return instr->kind == I_OP ? instr : NULL;
}

// The register at the start of a chain of moves.
static Reg without_moves(const Naive *naive, Reg reg) {
    const Instr *instr;
    while ((instr = operator_of(naive, reg)) && op_is_move((Op)instr->op)) reg = instr->arg[0];
    return reg;
}

// Whether two registers may stay together if the classes are right.
static bool may_be_together(const Naive *naive, Reg a, Reg b) {
    if (a.i == b.i) return true;
    const Phi *phi = naive->phi[a.i], *other_phi = naive->phi[b.i];
    if (phi || other_phi)
        return phi && other_phi && naive->node[a.i].i == naive->node[b.i].i &&
               same_classes(naive, phi_args(naive->func, phi), phi_args(naive->func, other_phi),
                            preds_count(&naive->preds, naive->node[a.i]));
    const Instr *x = operator_of(naive, a), *y = operator_of(naive, b);
    if (!x || !y) return false;
    if (x->op != y->op || x->imm != y->imm || x->ref != y->ref || x->high != y->high ||
        x->immediate != y->immediate || x->arg_count != y->arg_count)
        return false;
    Reg swapped[] = {y->arg[1], y->arg[0]};
    return same_classes(naive, x->arg, y->arg, x->arg_count) ||
           (x->arg_count == 2 && op_info((Op)x->op)->flags & OPF_COMM &&
            same_classes(naive, x->arg, swapped, 2));
}

static Naive naive_of(Arena *arena, const Func *func) {
    Naive naive = {.func = func,
                   .preds = preds_of(arena, func),
                   .node = ARENA_ARRAY(arena, Node, func->regs.count),
                   .phi = ARENA_ARRAY(arena, const Phi *, func->regs.count)};
    for (uint32_t i = 0; i < func->regs.count; i++) naive.node[i] = NO_NODE;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        if (func->nodes.at[n].dest.i != NO_ID) naive.node[func->nodes.at[n].dest.i] = (Node){n};
        for (uint32_t k = 0; k < func_phi_count(func, (Node){n}); k++) {
            const Phi *phi = &func_phis(func, (Node){n})[k];
            naive.node[phi->dest.i] = (Node){n};
            naive.phi[phi->dest.i] = phi;
        }
    }
    return naive;
}

// Starts with one class and takes apart what cannot be together, until nothing changes.
static uint32_t *naive_classes(Arena *arena, const Func *func) {
    Naive naive = naive_of(arena, func);
    uint32_t *class_of = ARENA_ARRAY(arena, uint32_t, func->regs.count);
    for (bool changed = true; changed;) {
        changed = false;
        uint32_t *finer = ARENA_ARRAY(arena, uint32_t, func->regs.count);
        naive.class_of = class_of;
        for (uint32_t i = 0; i < func->regs.count; i++) {
            Reg reg = without_moves(&naive, (Reg){i});
            uint32_t first = 0;
            for (;; first++) {
                Reg other = without_moves(&naive, (Reg){first});
                if (class_of[first] == class_of[i] && may_be_together(&naive, reg, other)) break;
            }
            finer[i] = first;
            changed |= finer[i] != class_of[i];
        }
        class_of = finer;
    }
    return class_of;
}

static void test_congruence(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint64_t count = effort(60, 400, 20000), together = 0;
    for (uint64_t seed = 1; seed <= count; seed++) {
        const Func *ssa = random_ssa(arena, seed, 80);
        if (seed % 5 == 0) ssa = shuffle_nodes(arena, ssa, seed);
        Preds preds = preds_of(arena, ssa);
        Congruence congruence = congruence_of(arena, ssa, &preds);
        const uint32_t *expected = naive_classes(arena, ssa);
        for (uint32_t i = 0; i < ssa->regs.count; i++) {
            if (congruence.class_of[i] == NO_ID) continue;
            uint32_t found = congruence.class_of[i], first = congruence.class_of[expected[i]];
            for (uint32_t k = 0; k < i; k++) {
                if (congruence.class_of[k] == NO_ID) continue;
                bool same = congruence.class_of[k] == found, should = expected[k] == expected[i];
                together += same;
                if (same != should)
                    fail_with(ssa, ssa,
                              arena_printf(arena,
                                           "seed %u: registers %u and %u should %sbe together",
                                           (unsigned)seed, i, k, should ? "" : "not "));
            }
            assert_int_equal(found, first);
        }
        arena_reset(arena);
    }
    assert_true(together > count * 20);
    arena_free(arena);
}

// ---- Large classes

// A loop that carries `count` registers which all start at 0. In each turn the first one grows by
// `step`, and every other one becomes the old value of the one before it plus 1.
static Func *shift_register(Arena *arena, uint32_t count, int64_t step) {
    Program *program = program_new(arena);
    PType i32 = PTYPE_OF(TYPE_I32);
    Sig sig = program_sig(
        program, (SigInfo){.result = i32, .param_count = 1, .fixed_count = 1, .params = &i32});
    Sym f = program_symbol(program, str_of(&program->strings, "f"), SYM_FUNC);
    program_at(program, f)->sig = sig;
    Func *func = func_new(program, arena, f, sig);
    func->form = FORM_SSA;
    Reg n = func_add_reg(func, (RegInfo){.number = 1, .version = 1, .type = TYPE_I32});
    Reg zero = func_add_reg(func, (RegInfo){.number = 2, .version = 2, .type = TYPE_I32});
    vec_push(arena, &func->params, n);
    Reg *phis = ARENA_ARRAY(arena, Reg, count), *sums = ARENA_ARRAY(arena, Reg, count);
    for (uint32_t i = 0; i < count; i++) {
        RegInfo info = {.number = 3 + i, .version = 2, .type = TYPE_I32};
        phis[i] = func_add_reg(func, info);
        info.version = 3;
        sums[i] = func_add_reg(func, info);
    }
    func_const(func, zero, 0, (Node){1});
    func_nop(func, (Node){2});
    func_add(func, (Instr){.kind = I_COND,
                           .op = OP_LT_I32,
                           .dest = NO_REG,
                           .arg_count = 2,
                           .arg = {phis[0], n},
                           .succ_count = 2,
                           .succ = {{4}, {3}}});
    func_add(func,
             (Instr){.kind = I_RETURN, .dest = NO_REG, .arg_count = 1, .arg = {phis[count - 1]}});
    for (uint32_t i = 0; i < count; i++)
        func_add(func, (Instr){.kind = I_OP,
                               .op = OP_ADD_I32,
                               .dest = sums[i],
                               .arg_count = 1,
                               .arg = {phis[i ? i - 1 : 0]},
                               .immediate = true,
                               .imm = i ? 1 : step,
                               .succ_count = 1,
                               .succ = {{5 + i}}});
    func_nop(func, (Node){2});
    for (uint32_t i = 0; i < count; i++)
        func_add_phi(func, (Node){2}, phis[i], (Reg[]){zero, sums[i]}, 2);
    func_end_phis(func);
    return func;
}

// One class that falls apart member by member; and one that does not.
static void test_large_classes(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint32_t count = (uint32_t)effort(5000, 50000, 500000);
    const Func *apart = shift_register(arena, count, 2);
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, apart)) fail_msg("%s", complaints.list.at[0].message);
    assert_ptr_equal(passed(arena, apart, gvn), apart);
    const Func *together = passed(arena, shift_register(arena, count, 1), gvn);
    assert_int_equal(together->phis.count, 1);
    assert_int_equal(count_ops(together), 2);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_graphs),   cmocka_unit_test(test_random),
        cmocka_unit_test(test_together),       cmocka_unit_test(test_twins_vanish),
        cmocka_unit_test(test_no_copies_left), cmocka_unit_test(test_more_than_local),
        cmocka_unit_test(test_congruence),     cmocka_unit_test(test_large_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
