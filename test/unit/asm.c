// SSA as a state machine: whatever is chosen to fire, a function behaves as when it is run in
// order; all orders of its blocks agree; and where the machine's rules are not kept, that is seen.
#include "graph/basic_blocks.h"
#include "pass/pass.h"
#include "run/asm_machine.h"
#include "test/gen/effort.h"
#include "test/gen/random_func.h"
#include "text/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void fail_with(const Func *func, const char *what) {
    Out text = {0};
    func_print(&text, func, &(PrintOptions){0});
    out_char(&text, '\0');
    fail_msg("%s\n%s", what, text.text);
}

static const Func *ssa_of(Arena *arena, const Func *func) {
    CopiesHint norm = {0};
    SsaHint ssa = {0};
    return ssa_build(arena, normalize(arena, func, &norm), &ssa);
}

// ---- Random functions

typedef struct {
    Arena *arena;
    const Func *func;
    Value args[2];
} Subject;

static RunResult run(const Subject *subject, uint64_t fuel, RunWay way, AsmChoice choice) {
    RunOptions options = {.fuel = fuel,
                          .capture = true,
                          .no_input = true,
                          .no_files = true,
                          .way = way,
                          .choice = choice};
    RunResult result = {0};
    rtl_run_func(subject->arena, subject->func->program, subject->func, subject->args, 2, &options,
                 &result);
    assert_false(result.refused);
    out_free(&result.output);
    return result;
}

static EndKind compare(const Subject *subject, AsmChoice choice, AsmReport *report) {
    enum { FUEL = 20000 };
    Behaviour in_order = run(subject, FUEL, RUN_PLAIN, choice).behaviour;
    RunResult machine = run(subject, 3 * FUEL, RUN_asm, choice);
    const char *difference = NULL;
    if (!behaviour_refines(subject->arena, &in_order, &machine.behaviour, &difference))
        fail_with(subject->func, difference);
    if (in_order.end != END_FUEL && machine.behaviour.end == END_FUEL)
        fail_with(subject->func, "returns in order, but not as a state machine");
    if (machine.report.disagreements) fail_with(subject->func, machine.report.first);
    report->blocks += machine.report.blocks;
    report->orders += machine.report.orders != UINT64_MAX ? machine.report.orders : 0;
    report->left_early += machine.report.left_early;
    report->too_large += machine.report.too_large;
    return in_order.end;
}

static void one_random(uint64_t seed, RandomOptions random, uint64_t *found, AsmReport *report) {
    Arena *arena = arena_new("random");
    Program *program = program_new(arena);
    Subject subject = {.arena = arena,
                       .func = ssa_of(arena, random_func(arena, program, random, seed))};
    for (int i = 0; i < 2; i++)
        subject.args[i] = value_i32((uint32_t)(seed * 0x9e3779b9 >> (seed % 29 + (uint64_t)i)));
    for (uint32_t i = 0; i < 3; i++)
        found[compare(&subject, (AsmChoice){.seed = seed + 1000 * i}, report)]++;
    for (AsmChoiceKind kind = ASM_EAGER; kind <= ASM_REVERSE; kind++)
        found[compare(&subject, (AsmChoice){.kind = kind}, report)]++;
    found[compare(&subject, (AsmChoice){.seed = seed, .visits = 2}, report)]++;
    arena_free(arena);
}

static void random_functions(void **state) {
    (void)state;
    AsmReport report = {0};
    uint64_t found[END_FUEL + 1] = {0}, count = effort(40, 600, 20000);
    for (uint64_t seed = 1; seed <= count; seed++) {
        RandomOptions random = random_options(200, seed);
        random.jumps = seed % 3 == 0;
        random.distances = seed % 5 == 0;
        one_random(seed, random, found, &report);
    }
    print_message("runs: %ju returned, %ju trapped, %ju went wrong, %ju went on\n",
                  (uintmax_t)found[END_RESULT], (uintmax_t)found[END_TRAP],
                  (uintmax_t)found[END_WRONG], (uintmax_t)found[END_FUEL]);
    print_message("blocks: %ju, %ju too large, %ju left early; orders: %ju\n",
                  (uintmax_t)report.blocks, (uintmax_t)report.too_large,
                  (uintmax_t)report.left_early, (uintmax_t)report.orders);
    assert_true(found[END_RESULT] > 3 * count && report.blocks > 2 * count);
    assert_true(report.orders > 100 * report.blocks);
}

// Where much is undefined, wrong and without end.
static void random_mistakes(void **state) {
    (void)state;
    AsmReport report = {0};
    uint64_t found[END_FUEL + 1] = {0}, count = effort(40, 300, 10000);
    for (uint64_t seed = 1; seed <= count; seed++) {
        RandomOptions random = random_options(150, seed);
        random.undefined = 20;
        random.wrong = 100;
        random.unbounded = seed & 1;
        random.ends = true;
        one_random(seed, random, found, &report);
    }
    assert_true(found[END_WRONG] > count);
    assert_true(count < 300 || (found[END_TRAP] && found[END_FUEL]));
}

// ---- A machine by itself

typedef struct {
    Arena *arena;
    Interpreter in;
    RunOptions options;
    RunResult result;
    AsmMachine *m;
} Bench;

// A machine in its initial state: a call that finds no fuel.
static void start_by(Bench *bench, const char *text, Value arg, AsmChoice choice) {
    bench->arena = arena_new("bench");
    Diag diag;
    diag_init(&diag, bench->arena, stderr);
    Program *program = program_parse(bench->arena, &diag, FORM_SSA, "text", text, strlen(text));
    assert_non_null(program);
    diag_free(&diag);
    bench->options = (RunOptions){.way = RUN_asm, .capture = true, .choice = choice};
    bench->in = (Interpreter){
        .arena = arena_new("run"), .program = program, .way = RUN_asm, .max_depth = 10};
    Interpreter *in = &bench->in;
    world_init(&in->world, bench->arena, program, &bench->options, &bench->result);
    in->world.interpreter = in;
    in->callees = ARENA_ARRAY(in->arena, Callee, program->symbols.count);
    uint32_t at = 0;
    while (!program->symbols.at[at].func) at++;
    Value result;
    assert_false(rtl_call_code(in, run_prepare(in, program->symbols.at[at].func), &arg, (Value){0},
                               &result));
    assert_int_equal(bench->result.behaviour.end, END_FUEL);
    in->world.stopped = false;
    in->fuel = 1000;
    bench->m = in->machine;
}

static void start(Bench *bench, const char *text, Value arg) {
    start_by(bench, text, arg, (AsmChoice){.visits = 1});
}

static void finish(Bench *bench) {
    rtl_free_stack(&bench->in);
    world_free(&bench->in.world);
    out_free(&bench->result.output);
    arena_free(bench->in.arena);
    arena_free(bench->arena);
}

static Value *register_named(const Bench *bench, const char *name) {
    const Func *func = top_frame(&bench->in)->code->func;
    for (uint32_t i = 0; i < func->regs.count; i++) {
        Out out = {0};
        reg_print(&out, func, (Reg){i});
        bool found = out.length == strlen(name) && memcmp(out.text, name, out.length) == 0;
        out_free(&out);
        if (found) return &top_frame(&bench->in)->regs[i];
    }
    fail_msg("there is no register %s", name);
    return NULL;
}

static uint32_t value_named(const Bench *bench, const char *name) {
    return as_i32(*register_named(bench, name));
}

// Figure 5, then figure 6 until all operations have values.
static void run_block(AsmMachine *m) {
    assert_true(asm_evaluate_phis(m));
    while (asm_top(m)->left) assert_true(asm_choose(m, asm_top(m)) && asm_fire_chosen(m));
}

// The remark of section 4: in a block that is its own predecessor a phi that comes after another
// operation may select what that operation has just made, instead of what it had made in the visit
// before.
static void delayed_phi(void **state) {
    (void)state;
    Bench bench;
    start(&bench,
          "function i32 @f(i32 %n.0) {\n"
          "  0: %z.1 = const.i32 0\n"
          "  1: nop\n"
          "  2: %i.1 = phi(1: %n.0, 4: %i.2)\n"
          "  2: %p.1 = phi(1: %z.1, 4: %i.2)\n"
          "  2: %i.2 = sub.i32 %i.1, 1\n"
          "  3: check %i.2\n"
          "  4: nop -> 2\n"
          "}\n",
          value_i32(9));
    AsmMachine *m = bench.m;
    run_block(m);
    assert_true(asm_transition(m));
    run_block(m);
    assert_int_equal(value_named(&bench, "%i.2"), 8);
    assert_true(asm_transition(m));
    const AsmFrame *f = asm_top(m);
    assert_true(f->from == f->block->jump); // its own predecessor
    assert_true(asm_evaluate_phis(m));
    assert_int_equal(value_named(&bench, "%p.1"), 8);
    uint32_t first = f->block->first; // %i.2
    assert_true(asm_fire(m, first));
    assert_int_equal(value_named(&bench, "%i.2"), 7);
    assert_int_equal(value_named(&bench, "%p.1"), 8);
    assert_true(asm_evaluate_phis(m)); // only now, which is against the rules
    assert_int_equal(value_named(&bench, "%p.1"), 7);
    finish(&bench);
}

static const char memory_text[] = "global @x size 4 align 4 = i32 1\n"
                                  "function i32 @f(i32 %n.0) {\n"
                                  "  0: %a.1 = load.i32 [@x]\n"
                                  "  1: %s.1 = add.i32 %a.1, %n.0\n"
                                  "  2: store.i32 [@x], %n.0\n"
                                  "  3: %b.1 = load.i32 [@x]\n"
                                  "  4: %t.1 = sub.i32 %b.1, %s.1\n"
                                  "  5: return %t.1\n"
                                  "}\n";

// A read that fires after the change that follows it, and the hold that this takes.
static void late_read(void **state) {
    (void)state;
    Bench bench;
    start(&bench, memory_text, value_i32(5));
    AsmMachine *m = bench.m;
    assert_true(asm_evaluate_phis(m));
    asm_top(m)->explored = false;
    assert_true(asm_fire(m, 2) && asm_fire(m, 3));
    assert_int_equal(memory_version_costs(bench.in.world.memory).versions, 1);
    assert_true(asm_fire(m, 0));
    assert_int_equal(memory_version_costs(bench.in.world.memory).versions, 0);
    assert_int_equal(value_named(&bench, "%a.1"), 1);
    assert_int_equal(value_named(&bench, "%b.1"), 5);
    finish(&bench);
}

// A frame that is left by a jump gives back what it has held: else a program that jumps a lot keeps
// all that it overwrites.
static void left_by_jump(void **state) {
    (void)state;
    Bench bench;
    start(&bench, memory_text, value_i32(5));
    AsmMachine *m = bench.m;
    assert_true(asm_evaluate_phis(m));
    asm_top(m)->explored = false;
    assert_true(asm_fire(m, 2));
    assert_int_equal(memory_version_costs(bench.in.world.memory).versions, 1);
    asm_leave(&bench.in);
    assert_int_equal(memory_version_costs(bench.in.world.memory).versions, 0);
    finish(&bench);
}

// Rules that fire one operation at a time: which is the next.
static void fires_by_rule(AsmChoiceKind rule, const char *text, const char *expected) {
    Bench bench;
    start_by(&bench, text, value_i32(5), (AsmChoice){.kind = rule});
    AsmMachine *m = bench.m;
    assert_true(asm_evaluate_phis(m));
    for (; *expected; expected++) {
        assert_true(asm_choose(m, asm_top(m)));
        assert_int_equal(m->chosen_count, 1);
        assert_int_equal(m->chosen[0], *expected - '0');
        assert_true(asm_fire_chosen(m));
    }
    assert_int_equal(asm_top(m)->left, 0);
    finish(&bench);
}

static void rules_choose(void **state) {
    (void)state;
    const char *independent = "function i32 @f(i32 %n.0) {\n"
                              "  0: %a.1 = const.i32 0\n"
                              "  1: %b.1 = const.i32 1\n"
                              "  2: %c.1 = add.i32 %n.0, 2\n"
                              "  3: %d.1 = const.i32 3\n"
                              "  4: %e.1 = const.i32 4\n"
                              "  5: %f.1 = const.i32 5\n"
                              "  6: %g.1 = const.i32 6\n"
                              "  7: return %c.1\n"
                              "}\n";
    fires_by_rule(ASM_REVERSE, independent, "65432710");
    fires_by_rule(ASM_LAZY, independent, "01345627");
    fires_by_rule(ASM_REVERSE, memory_text, "230145");
}

// A need that is missing is noticed when all orders are tried.
static void forget_needs(const AsmCode *code, uint32_t from) {
    AsmOperation *op = &code->operations[from];
    for (uint32_t i = 0; i < op->user_count; i++) {
        uint32_t user = code->users[op->first_user + i];
        code->operations[user].needs--;
        code->needs[user]--;
    }
    op->user_count = 0;
}

static uint64_t disagreements(uint32_t forgotten) {
    Bench bench;
    start(&bench, memory_text, value_i32(5));
    run_block(bench.m);
    if (forgotten != NO_ID) forget_needs(asm_code(bench.m), forgotten);
    asm_explore(bench.m, asm_top(bench.m));
    assert_int_equal(bench.m->report.visits, 1);
    uint64_t found = bench.m->report.disagreements;
    finish(&bench);
    return found;
}

static void missing_needs(void **state) {
    (void)state;
    assert_int_equal(disagreements(NO_ID), 0);
    for (uint32_t i = 0; i < 5; i++) assert_true(disagreements(i));
}

// A run that has made something else than what its operations yield is noticed when all orders are
// tried: a read, an operator, a branch.
static uint64_t disagreements_if(const char *wrong, bool other_way) {
    Bench bench;
    start(&bench,
          "global @x size 4 align 4 = i32 1\n"
          "function i32 @f(i32 %n.0) {\n"
          "  0: %a.1 = load.i32 [@x]\n"
          "  1: %b.1 = add.i32 %n.0, 1\n"
          "  2: if lt.i32 %n.0, 3 then 3 else 4\n"
          "  3: return %a.1\n"
          "  4: return %b.1\n"
          "}\n",
          value_i32(5));
    AsmFrame *f = asm_top(bench.m);
    run_block(bench.m);
    if (wrong) *register_named(&bench, wrong) = value_i32(77);
    const DecodedStep *branch = asm_code(bench.m)->operations[2].step;
    if (other_way) f->next = f->next == branch->next ? branch->other : branch->next;
    asm_explore(bench.m, f);
    assert_int_equal(bench.m->report.visits, 1);
    uint64_t found = bench.m->report.disagreements;
    finish(&bench);
    return found;
}

static void wrong_values(void **state) {
    (void)state;
    assert_int_equal(disagreements_if(NULL, false), 0);
    assert_true(disagreements_if("%a.1", false));
    assert_true(disagreements_if("%b.1", false));
    assert_true(disagreements_if(NULL, true));
}

// ---- What needs what

// Against the definition: all pairs.
static void same_needs(const Func *func, const AsmCode *code, const Code *decoded,
                       uint64_t *pairs) {
    for (uint32_t b = 0; b < code->block_count; b++) {
        const AsmBlock *block = &code->blocks[b];
        uint32_t count = block->count;
        if (!count || count > 64) continue;
        uint64_t defined[64] = {0}, made[64] = {0};
        for (uint32_t j = 0; j < count; j++) {
            const Instr *later =
                func_at(func, code_node(decoded, code->operations[block->first + j].step));
            for (uint32_t i = 0; i < j; i++) {
                const Instr *earlier =
                    func_at(func, code_node(decoded, code->operations[block->first + i].step));
                bool needs =
                    order_needs(order_of_instr(func, later), order_of_instr(func, earlier));
                for (uint32_t k = 0; k < later->arg_count; k++)
                    needs |=
                        earlier->dest.i != NO_ID && instr_args(func, later)[k].i == earlier->dest.i;
                if (needs) defined[j] |= defined[i] | (uint64_t)1 << i;
                *pairs += needs;
            }
        }
        for (uint32_t i = 0; i < count; i++) {
            const AsmOperation *op = &code->operations[block->first + i];
            for (uint32_t k = 0; k < op->user_count; k++)
                made[code->users[op->first_user + k] - block->first] |= made[i] | (uint64_t)1 << i;
        }
        if (memcmp(defined, made, sizeof made) != 0) fail_with(func, "other needs");
    }
}

static void needs_of_random_functions(void **state) {
    (void)state;
    uint64_t pairs = 0, count = effort(20, 300, 3000);
    for (uint64_t seed = 1; seed <= count; seed++) {
        Arena *arena = arena_new("random");
        Program *program = program_new(arena);
        RandomOptions random = random_options(300, seed);
        random.jumps = seed & 1;
        const Func *func = ssa_of(arena, random_func(arena, program, random, seed));
        Interpreter in = {.arena = arena, .program = program};
        RunOptions options = {.way = RUN_asm};
        RunResult result = {0};
        world_init(&in.world, arena, program, &options, &result);
        const Code *decoded = rtl_decode(&in, func);
        same_needs(func, asm_code_of(in.arena, decoded, ASM_SEED), decoded, &pairs);
        world_free(&in.world);
        arena_free(arena);
    }
    print_message("%ju pairs\n", (uintmax_t)pairs);
    assert_true(pairs > 10 * count);
}

// ---- Other forms

static void other_forms(void **state) {
    (void)state;
    Arena *arena = arena_new("form");
    Program *program = program_new(arena);
    const Func *func = random_func(arena, program, random_options(20, 1), 1);
    RunResult result = {0};
    rtl_run_func(arena, program, func, (Value[2]){{0}, {0}}, 2, &(RunOptions){.way = RUN_asm},
                 &result);
    assert_true(result.refused && result.behaviour.end == END_WRONG);
    assert_string_equal(result.behaviour.reason, "function 'f' is not in SSA");
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_functions),
        cmocka_unit_test(random_mistakes),
        cmocka_unit_test(delayed_phi),
        cmocka_unit_test(late_read),
        cmocka_unit_test(left_by_jump),
        cmocka_unit_test(rules_choose),
        cmocka_unit_test(missing_needs),
        cmocka_unit_test(wrong_values),
        cmocka_unit_test(needs_of_random_functions),
        cmocka_unit_test(other_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
