// The GSA form: what the verifier demands of tables and blocks, that gates are evaluated in three
// values as an enumeration does it, and that the text form loses nothing and stays small.
#include "form/gsa.h"
#include "fact/gate/gate_eval.h"
#include "run/world/run.h"
#include "test/gen/effort.h"
#include "test/gen/random.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Program *parse(Arena *arena, const char *text, size_t length) {
    Diag diag;
    diag_init(&diag, arena, NULL);
    Program *program = program_parse(arena, &diag, FORM_GSA, "test", text, length);
    if (!program) fail_msg("%.*s", (int)diag.out.length, diag.out.text);
    diag_free(&diag);
    return program;
}

static const Func *first_func(const Program *program) {
    return program->symbols.at[0].func;
}

// ---- Rules

// A loop with a diamond in it, and a switch behind it.
static const char sample[] = "function i32 @f(i32 %n.0, i64 %m.0) {\n"
                             "  cases c0 = 1, 5\n"
                             "  0: nop\n"
                             "  1: %i.1 = mu(%n.0, %i.4)\n"
                             "  1: if lt.i32 %i.1, 9 then 2 else 8\n"
                             "  2: if eq.i64 %m.0, 3 then 3 else 5\n"
                             "  3: %i.2 = add.i32 %i.1, 1\n"
                             "  4: nop -> 7\n"
                             "  5: %i.3 = add.i32 %i.1, 2\n"
                             "  6: nop\n"
                             "  7: %i.4 = gamma(eq.i64(%m.0, 3): %i.2, !eq.i64(%m.0, 3): %i.3)\n"
                             "  7: nop -> 1\n"
                             "  8: %i.5 = eta(!lt.i32(%i.1, 9), %i.1)\n"
                             "  8: nop\n"
                             "  9: switch %i.5 { 1: 10, 5: 11, default: 12 }\n"
                             "  10: nop -> 13\n"
                             "  11: nop -> 13\n"
                             "  12: nop\n"
                             "  13: %r.1 = gamma(case(c0, %i.5, 1): %i.5, case(c0, %i.5, 5) | "
                             "case(c0, %i.5, default): %n.0)\n"
                             "  13: return %r.1\n"
                             "  loop 1: leaves !lt.i32(%i.1, 9), goes on lt.i32(%i.1, 9)\n"
                             "  end 13: !lt.i32(%i.1, 9)\n"
                             "}\n";

typedef struct {
    Arena *arena;
    Func *func;
    Gsa *gsa;
} Made;

static Made make(void) {
    Arena *arena = arena_new("test");
    Func *func = func_clone(first_func(parse(arena, sample, strlen(sample))), arena);
    return (Made){.arena = arena, .func = func, .gsa = func->gsa};
}

// Some complaint is under this rule; there are none if it is NULL.
static void expect_rule(Made made, const char *rule) {
    Complaints complaints = {.arena = made.arena};
    bool good = verify_func(&complaints, made.func), found = false;
    for (uint32_t i = 0; i < complaints.list.count; i++)
        found |= rule && strcmp(complaints.list.at[i].rule, rule) == 0;
    if (good != !rule || found != !!rule)
        fail_msg("expected %s; found %s", rule ? rule : "nothing",
                 good ? "nothing" : complaints.list.at[0].rule);
    // Whatever is wrong with it, it can be looked at.
    Out out = {0};
    func_print(&out, made.func, &(PrintOptions){0});
    out_free(&out);
    arena_free(made.arena);
}

#define EXPECT(rule, ...)                                                                          \
    do {                                                                                           \
        Made made = make();                                                                        \
        Gsa *gsa = made.gsa;                                                                       \
        (void)gsa;                                                                                 \
        __VA_ARGS__;                                                                               \
        expect_rule(made, rule);                                                                   \
    } while (0)

static uint32_t find_kind(const Gsa *gsa, GateKind kind) {
    for (uint32_t i = 0; i < gsa->gates.count; i++)
        if (gsa->gates.at[i].kind == kind) return i;
    fail_msg("there is no gate of kind %d", (int)kind);
    return 0;
}

static GateAtom *find_atom(const Gsa *gsa, uint16_t op) {
    for (uint32_t i = 0; i < gsa->atoms.count; i++)
        if (gsa->atoms.at[i].op == op) return &gsa->atoms.at[i];
    fail_msg("there is no such atom");
    return NULL;
}

static void test_form(void **state) {
    (void)state;
    EXPECT(NULL, );
    EXPECT("form", made.func->gsa = NULL);
    EXPECT("form", made.func->form = FORM_SSA);
    EXPECT("form", made.func->form = FORM_RTL);
    EXPECT("form", vec_push(made.arena, &made.func->phi_args, (Reg){0}));
}

static void test_gates(void **state) {
    (void)state;
    EXPECT("gate", gsa->gates.count = 2; gsa->merges.count = 0; gsa->merge_at.count = 0;
           gsa->merge_args.count = 0; gsa->etas.count = 0; gsa->eta_at.count = 0;);
    for (uint32_t i = 0; i < 3; i++) {
        EXPECT("gate", gsa->gates.at[i].kind = GK_AND);
        EXPECT("gate", gsa->gates.at[i].negated = true);
        EXPECT("gate", gsa->gates.at[i + 3].kind = gsa->gates.at[i].kind);
    }
    EXPECT("gate", gsa->gates.at[find_kind(gsa, GK_LITERAL)].kind = 17);
    EXPECT("gate", gsa->gates.at[find_kind(gsa, GK_LITERAL)].first = gsa->atoms.count);
    EXPECT("gate", gsa->gates.at[find_kind(gsa, GK_LITERAL)].second = 1);
    EXPECT("gate", gsa->gates.at[find_kind(gsa, GK_OR)].negated = true);
    EXPECT("gate", gsa->gates.at[find_kind(gsa, GK_OR)].first = find_kind(gsa, GK_OR));
    EXPECT("gate", gsa->gates.at[find_kind(gsa, GK_OR)].second = UINT32_MAX);
}

static void test_atoms(void **state) {
    (void)state;
    EXPECT("gate-atom", find_atom(gsa, OP_LT_I32)->op = OP_COUNT + 1);
    EXPECT("gate-atom", find_atom(gsa, OP_LT_I32)->op = OP_ADD_I32);
    EXPECT("gate-atom", find_atom(gsa, OP_LT_I32)->op = OP_LT_I64);
    EXPECT("gate-atom", find_atom(gsa, OP_LT_I32)->arg_count = 2);
    EXPECT("gate-atom", find_atom(gsa, OP_LT_I32)->arg_count = 200);
    EXPECT("gate-atom", find_atom(gsa, OP_LT_I32)->immediate = false);
    EXPECT("gate-atom", find_atom(gsa, OP_LT_I32)->imm = (int64_t)1 << 40);
    EXPECT("gate-atom", find_atom(gsa, OP_LT_I32)->arg[0] = (Reg){1000});
    EXPECT("gate-atom", find_atom(gsa, OP_LT_I32)->way = 1);
    EXPECT("gate-atom", find_atom(gsa, OP_LT_I32)->cases = 1);
    EXPECT("gate-atom", find_atom(gsa, OP_EQ_I64)->arg[0] = (Reg){0});
    EXPECT("gate-atom", find_atom(gsa, OP_COUNT)->way = 3);
    EXPECT("gate-atom", find_atom(gsa, OP_COUNT)->cases = 1);
    EXPECT("gate-atom", find_atom(gsa, OP_COUNT)->arg_count = 0);
    EXPECT("gate-atom", find_atom(gsa, OP_COUNT)->immediate = true);
    EXPECT("gate-atom", find_atom(gsa, OP_COUNT)->arg[0] = NO_REG);
    EXPECT("gate-atom", gsa->case_values.at[1] = (int64_t)1 << 40);
    EXPECT("gate-cases", gsa->case_values.at[1] = 1);
    EXPECT("gate-cases", gsa->switches.at[0].first = 1);
    EXPECT("gate-cases", gsa->switches.at[0].count = 3);
    EXPECT("gate-cases", gsa->switches.at[0].count = UINT32_MAX);
}

static void test_blocks(void **state) {
    (void)state;
    for (uint32_t n = 0; n <= 14; n++) {
        Made made = make();
        bool moved = n == 1 || n == 7 || n == 13; // the first merge goes to the node before
        made.gsa->merge_at.at[n] += 1;
        if (!moved)
            expect_rule(made, "gate-index");
        else
            expect_rule(made, "merge-place");
    }
    EXPECT("gate-index", gsa->merge_at.count--);
    EXPECT("gate-index", gsa->merge_at.count = 0);
    EXPECT("gate-index", gsa->eta_at.at[3] = UINT32_MAX);
    EXPECT("gate-index", gsa->eta_at.count = 0);
    EXPECT("merge-arguments", gsa->merges.at[0].kind = 2);
    EXPECT("merge-arguments", gsa->merges.at[0].kind = MERGE_GAMMA;
           gsa->merges.at[0].arg_count = 0);
    EXPECT("merge-arguments", gsa->merges.at[1].args_at++);
    EXPECT("merge-arguments", gsa->merges.at[2].arg_count = UINT32_MAX);
    EXPECT("merge-arguments", gsa->merge_args.count++);
    EXPECT("merge-arguments", gsa->merge_args.at[0].gate = GATE_UNDEF);
    EXPECT("merge-register", gsa->merges.at[0].dest = NO_REG);
    EXPECT("merge-register", gsa->merge_args.at[3].reg = (Reg){99});
    EXPECT("merge-register", gsa->etas.at[0].dest = (Reg){99});
    EXPECT("merge-register", gsa->etas.at[0].source = NO_REG);
    EXPECT("merge-type", gsa->merge_args.at[3].reg = (Reg){1});
    EXPECT("gate", gsa->merge_args.at[3].gate = NO_GATE);
    EXPECT("gate", gsa->etas.at[0].gate = (Gate){gsa->gates.count});
    EXPECT("gate", gsa->loops.at[0].leaves = NO_GATE);
    EXPECT("gate", gsa->loops.at[0].goes_on = NO_GATE);
    EXPECT("gate", gsa->ends.at[0].gate = NO_GATE);
    EXPECT("loop-gates", gsa->loops.at[0].header = NO_NODE);
    EXPECT("loop-gates", gsa->loops.count = 0);
    EXPECT("end-gates", gsa->ends.at[0].node = (Node){99});
}

// The table may hold what nothing uses; the text leaves it out.
static void test_unused(void **state) {
    (void)state;
    Made made = make();
    GateAtom atom = {.op = OP_GT_I32, .immediate = true, .arg_count = 1, .imm = 77};
    Gate extra = gate_literal(made.arena, made.gsa, &atom, true);
    gate_and(made.arena, made.gsa, extra, GATE_UNDEF);
    Out out = {0};
    func_print(&out, made.func, &(PrintOptions){0});
    assert_int_equal(out.length, strlen(sample));
    assert_memory_equal(out.text, sample, out.length);
    out_free(&out);
    expect_rule(made, NULL);
}

// ---- Random predicates

// A function with a gamma that has some gates, over conditions on so many registers.
typedef struct {
    Arena *arena;
    Func *func;
    uint32_t regs;
} Gates;

static Gate random_gate(Arena *arena, Gsa *gsa, Random *random, uint32_t regs) {
    uint32_t count = gsa->gates.count;
    if (count < 6 || random_chance(random, 1, 3)) {
        GateAtom atom = {.op = OP_NE_I32,
                         .immediate = true,
                         .arg_count = 1,
                         .arg = {{random_below(random, regs)}}};
        return gate_literal(arena, gsa, &atom, random_chance(random, 1, 2));
    }
    Gate first = {random_below(random, count)}, second = {random_below(random, count)};
    return (random_chance(random, 1, 2) ? gate_and : gate_or)(arena, gsa, first, second);
}

static Gates random_gates(Random *random, uint32_t regs, uint32_t size) {
    Arena *arena = arena_new("gates");
    Out text = {0};
    out_text(&text, "function i32 @f(");
    for (uint32_t i = 0; i < regs; i++) out_printf(&text, "%si32 %%r'%u.0", i ? ", " : "", i + 1);
    out_text(&text, ") {\n"
                    "  0: if eq.i32 %r'1.0, 0 then 1 else 2\n"
                    "  1: nop -> 3\n"
                    "  2: nop\n"
                    "  3: %x.1 = gamma(true: %r'1.0)\n"
                    "  3: return %x.1\n"
                    "  end 3: true\n"
                    "}\n");
    Gates gates = {.arena = arena,
                   .func = func_clone(first_func(parse(arena, text.text, text.length)), arena),
                   .regs = regs};
    out_free(&text);
    Gsa *gsa = gates.func->gsa;
    for (uint32_t i = 0; i < size; i++) random_gate(arena, gsa, random, regs);
    gsa->merge_args.count = 0;
    for (uint32_t i = 0; i < 4; i++) {
        MergeArg arg = {.gate = {random_below(random, gsa->gates.count)}, .reg = {0}};
        vec_push(arena, &gsa->merge_args, arg);
    }
    gsa->merges.at[0].arg_count = 4;
    return gates;
}

// The state of that number: each register is undefined, 0 or 1.
static void set_state(Value *regs, uint32_t count, uint32_t number) {
    for (uint32_t i = 0; i < count; i++, number /= 3)
        regs[i] = number % 3 == 1 ? value_undefined(TYPE_I32) : value_i32(number % 3 / 2);
}

// The values of all gates, from what the words of Kleene's logic say.
static void enumerate(const Gsa *gsa, const Value *regs, Truth *truth) {
    for (uint32_t i = 0; i < gsa->gates.count; i++) {
        const GateNode *node = &gsa->gates.at[i];
        switch ((GateKind)node->kind) {
        case GK_FALSE: truth[i] = TRUTH_FALSE; break;
        case GK_TRUE: truth[i] = TRUTH_TRUE; break;
        case GK_UNDEF: truth[i] = TRUTH_UNKNOWN; break;
        case GK_LITERAL: {
            Value value = regs[gsa->atoms.at[node->first].arg[0].i];
            bool one = value.bits != 0;
            truth[i] = value.undef            ? TRUTH_UNKNOWN
                       : one != node->negated ? TRUTH_TRUE
                                              : TRUTH_FALSE;
            break;
        }
        case GK_AND:
            truth[i] = truth[node->first] == TRUTH_FALSE || truth[node->second] == TRUTH_FALSE
                           ? TRUTH_FALSE
                       : truth[node->first] == TRUTH_TRUE && truth[node->second] == TRUTH_TRUE
                           ? TRUTH_TRUE
                           : TRUTH_UNKNOWN;
            break;
        case GK_OR:
            truth[i] = truth[node->first] == TRUTH_TRUE || truth[node->second] == TRUTH_TRUE
                           ? TRUTH_TRUE
                       : truth[node->first] == TRUTH_FALSE && truth[node->second] == TRUTH_FALSE
                           ? TRUTH_FALSE
                           : TRUTH_UNKNOWN;
            break;
        }
    }
}

static uint32_t states_of(uint32_t regs) {
    uint32_t states = 1;
    while (regs-- > 0) states *= 3;
    return states;
}

static void test_three_values(void **state) {
    (void)state;
    Random random = random_from(5);
    for (uint64_t round = 0; round < effort(50, 300, 3000); round++) {
        Gates gates =
            random_gates(&random, random_range(&random, 1, 4), random_range(&random, 3, 60));
        const Gsa *gsa = gates.func->gsa;
        GateEval *eval = gate_eval_new(gates.arena, gates.func);
        Value *regs = ARENA_ARRAY(gates.arena, Value, gates.func->regs.count);
        Truth *truth = ARENA_ARRAY(gates.arena, Truth, gsa->gates.count);
        for (uint32_t s = 0; s < states_of(gates.regs); s++) {
            set_state(regs, gates.regs, s);
            enumerate(gsa, regs, truth);
            gate_eval_forget(eval);
            for (uint32_t k = 0; k < gsa->gates.count; k++) {
                uint32_t i = random_below(&random, gsa->gates.count);
                assert_int_equal(gate_eval(eval, (Gate){i}, regs), truth[i]);
            }
        }
        arena_free(gates.arena);
    }
}

static void print_func(Out *out, const Func *func) {
    out->length = 0;
    func_print(out, func, &(PrintOptions){0});
}

// What is read back prints the same, and its gates have the same values in every state.
static void test_round_trip(void **state) {
    (void)state;
    Random random = random_from(6);
    Out once = {0}, twice = {0};
    for (uint64_t round = 0; round < effort(50, 500, 5000); round++) {
        Gates gates =
            random_gates(&random, random_range(&random, 1, 4), random_range(&random, 3, 80));
        print_func(&once, gates.func);
        const Func *again = first_func(parse(gates.arena, once.text, once.length));
        print_func(&twice, again);
        assert_int_equal(once.length, twice.length);
        assert_memory_equal(once.text, twice.text, once.length);
        GateEval *before = gate_eval_new(gates.arena, gates.func);
        GateEval *after = gate_eval_new(gates.arena, again);
        Value *regs = ARENA_ARRAY(gates.arena, Value, gates.func->regs.count);
        for (uint32_t s = 0; s < states_of(gates.regs); s++) {
            set_state(regs, gates.regs, s);
            gate_eval_forget(before);
            gate_eval_forget(after);
            for (uint32_t k = 0; k < 4; k++)
                assert_int_equal(gate_eval(before, gates.func->gsa->merge_args.at[k].gate, regs),
                                 gate_eval(after, again->gsa->merge_args.at[k].gate, regs));
        }
        arena_free(gates.arena);
    }
    out_free(&once);
    out_free(&twice);
}

// ---- Large predicates

// One gate in which each of many predicates uses the one before twice (as a tree it is
// exponentially large), or once (as text it is one deep line).
static void try_large(uint32_t size, bool shared) {
    Random random = random_from(7);
    Gates gates = random_gates(&random, 2, 3);
    Gsa *gsa = gates.func->gsa;
    GateAtom atom = {.op = OP_GT_I32, .arg_count = 2, .arg = {{0}, {1}}};
    Gate gate = gate_literal(gates.arena, gsa, &atom, false), other;
    for (uint32_t i = 0; i < size / 2; i++) {
        atom = (GateAtom){.op = OP_NE_I32, .immediate = true, .arg_count = 1, .imm = i};
        other = gate_literal(gates.arena, gsa, &atom, false);
        Gate part = gate_or(gates.arena, gsa, other, shared ? gate : GATE_FALSE);
        gate = gate_and(gates.arena, gsa, part, gate);
    }
    for (uint32_t k = 0; k < 4; k++) gsa->merge_args.at[k].gate = k ? GATE_FALSE : gate;
    Out once = {0}, twice = {0};
    print_func(&once, gates.func);
    assert_true(once.length < (size_t)100 * size);
    const Func *again = first_func(parse(gates.arena, once.text, once.length));
    print_func(&twice, again);
    assert_int_equal(once.length, twice.length);
    assert_memory_equal(once.text, twice.text, once.length);
    Value regs[4] = {value_i32((uint32_t)-1), value_i32((uint32_t)-2)};
    GateEval *eval = gate_eval_new(gates.arena, again);
    assert_int_equal(gate_eval(eval, again->gsa->merge_args.at[0].gate, regs), TRUTH_TRUE);
    regs[0] = value_undefined(TYPE_I32);
    gate_eval_forget(eval);
    assert_int_equal(gate_eval(eval, again->gsa->merge_args.at[0].gate, regs), TRUTH_UNKNOWN);
    out_free(&once);
    out_free(&twice);
    arena_free(gates.arena);
}

static void test_large(void **state) {
    (void)state;
    uint32_t size = (uint32_t)effort(20000, 200000, 1000000);
    try_large(size, false);
    try_large(size, true);
}

// A join of many predecessors whose gammas have their arguments in reverse, so that none belongs to
// the predecessor of its own number.
static void test_wide_join(void **state) {
    (void)state;
    uint32_t width = 20000;
    Out text = {0};
    out_text(&text, "function i32 @main(i32 %argc.0, i64 %argv.0) {\n  cases c0 =");
    for (uint32_t i = 0; i < width; i++) out_printf(&text, "%s%u", i ? ", " : " ", i);
    out_text(&text, "\n  0: switch %argc.0 { ");
    for (uint32_t i = 0; i < width; i++) out_printf(&text, "%u: %u, ", i, 2 * i + 1);
    out_printf(&text, "default: %u }\n", 2 * width + 4);
    for (uint32_t i = 0; i < width; i++)
        out_printf(&text, "  %u: %%x.%u = const.i32 %u\n  %u: nop -> %u\n", 2 * i + 1, i + 1, i + 7,
                   2 * i + 2, 2 * width + 3);
    out_printf(&text, "  %u: trap\n", 2 * width + 4);
    for (uint32_t g = 0; g < 5; g++) {
        out_printf(&text, "  %u: %%y.%u = gamma(", 2 * width + 3, g + 1);
        for (uint32_t i = width; i-- > 0;)
            out_printf(&text, "%scase(c0, %%argc.0, %u): %%x.%u", i + 1 < width ? ", " : "", i,
                       i + 1);
        out_text(&text, ")\n");
    }
    out_printf(&text,
               "  %u: return %%y.3\n  end %u: case(c0, %%argc.0, default)\n  end %u: true\n}\n",
               2 * width + 3, 2 * width + 4, 2 * width + 3);
    Arena *arena = arena_new("test");
    Program *program = parse(arena, text.text, text.length);
    Complaints complaints = {.arena = arena};
    if (!verify_program(&complaints, program)) fail_msg("%s", complaints.list.at[0].message);
    RunResult result = {0};
    char name[] = "prog", *argv[] = {name, name, name, NULL};
    rtl_run(arena, program, 3, argv, &(RunOptions){.fuel = 1000, .capture = true}, &result);
    assert_int_equal(result.behaviour.end, END_RESULT);
    assert_int_equal(result.behaviour.status, 10);
    out_free(&text);
    out_free(&result.output);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_form),       cmocka_unit_test(test_gates),
        cmocka_unit_test(test_atoms),      cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_unused),     cmocka_unit_test(test_three_values),
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_large),
        cmocka_unit_test(test_wide_join),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
