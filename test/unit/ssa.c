// The SSA form: what the verifier demands, how phi-blocks act, and that the text form loses
// nothing.
#include "pass/pass.h"
#include "run/world/run.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/naive_ssa.h"
#include "test/gen/random_func.h"
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
    Program *program = program_parse(arena, &diag, FORM_SSA, "test", text, length);
    if (!program) fail_msg("%.*s in\n%.*s", (int)diag.out.length, diag.out.text, (int)length, text);
    diag_free(&diag);
    return program;
}

static const Func *func_named(Program *program, const char *name) {
    return program_at(program, program_find(program, str_of(&program->strings, name)))->func;
}

// ---- Rules

// A diamond: 0 branches to 1 and 3, both lead to the join 5 through the nops 2 and 4.
static const char diamond[] = "function i32 @f(i32 %n.0) {\n"
                              "  reg i32 %u.0\n"
                              "  0: if eq.i32 %n.0, 0 then 1 else 3\n"
                              "  1: %x.1 = const.i32 1\n"
                              "  2: nop -> 5\n"
                              "  3: %x.2 = const.i32 2\n"
                              "  4: nop -> 5\n"
                              "  5: %x.3 = phi(2: %x.1, 4: %x.2)\n"
                              "  5: %y.1 = phi(2: %u.0, 4: %n.0)\n"
                              "  5: %z.1 = add.i32 %x.3, %y.1\n"
                              "  6: return %z.1\n"
                              "}\n";

typedef struct {
    Arena *arena;
    Func *func;
} Made;

static Made make(const char *text) {
    Arena *arena = arena_new("test");
    return (Made){.arena = arena,
                  .func = func_clone(func_named(parse(arena, text, strlen(text)), "f"), arena)};
}

// The register that is printed so.
static Reg reg_of(const Func *func, const char *name) {
    for (uint32_t i = 0; i < func->regs.count; i++) {
        Out out = {0};
        reg_print(&out, func, (Reg){i});
        bool same = out.length == strlen(name) && memcmp(out.text, name, out.length) == 0;
        out_free(&out);
        if (same) return (Reg){i};
    }
    fail_msg("there is no register %s", name);
    return NO_REG;
}

// The first complaint is under this rule; NULL if there must be none.
static void expect_rule(Made made, const char *rule) {
    Complaints complaints = {.arena = made.arena};
    bool good = verify_func(&complaints, made.func);
    if (good != !rule)
        fail_msg("expected %s; found %s", rule ? rule : "nothing",
                 good ? "nothing" : complaints.list.at[0].rule);
    if (rule) assert_string_equal(complaints.list.at[0].rule, rule);
    for (uint32_t i = 0; i < complaints.list.count; i++) {
        Out out = {0};
        complaint_print(&out, made.func->program, &complaints.list.at[i]);
        assert_true(out.length > 0);
        out_free(&out);
    }
    // Whatever is wrong with it, it can be looked at.
    Out out = {0};
    func_print(&out, made.func, &(PrintOptions){0});
    out_free(&out);
    arena_free(made.arena);
}

static void test_good(void **state) {
    (void)state;
    expect_rule(make(diamond), NULL);
    Made made = make(diamond);
    Reg unused = func_add_reg(made.func, (RegInfo){.number = 7, .version = 5, .type = TYPE_F64});
    (void)unused; // a register that lost its definition and its uses
    expect_rule(made, NULL);
}

static void test_form(void **state) {
    (void)state;
    Made made = make(diamond);
    made.func->form = FORM_RTL;
    expect_rule(made, "form");
    made = make(diamond);
    made.func->form = FORM_COUNT;
    expect_rule(made, "form");
    made = make("function i32 @f(i32 %n.0) {\n  0: return %n.0\n}\n");
    vec_push(made.arena, &made.func->phi_args, (Reg){0});
    made.func->form = FORM_RTL;
    expect_rule(made, "form");
}

static void test_phi_index(void **state) {
    (void)state;
    for (uint32_t n = 0; n < 8; n++) {
        Made made = make(diamond);
        made.func->phi_at.at[n] += 1; // at 5, the first phi goes to the node before
        expect_rule(made, n == 5 ? "phi-arity" : "phi-index");
    }
    Made made = make(diamond);
    made.func->phi_at.count = 0;
    expect_rule(made, "phi-index");
    made = make(diamond);
    made.func->phi_at.count--;
    expect_rule(made, "phi-index");
    made = make(diamond);
    made.func->phi_at.at[6] = UINT32_MAX;
    expect_rule(made, "phi-index");
}

static void test_phi_arity(void **state) {
    (void)state;
    Made made = make(diamond);
    made.func->phis.at[1].args_at = 1;
    expect_rule(made, "phi-arity");
    made = make(diamond);
    made.func->phis.at[0].args_at = UINT32_MAX;
    expect_rule(made, "phi-arity");
    made = make(diamond);
    made.func->phi_args.count--;
    expect_rule(made, "phi-arity");
    made = make(diamond);
    vec_push(made.arena, &made.func->phi_args, (Reg){0});
    expect_rule(made, "phi-arity");
    // One edge less: the phis have an argument too many.
    made = make(diamond);
    made.func->nodes.at[4] = (Instr){.kind = I_BUILTIN, .op = BI_TRAP, .dest = NO_REG};
    expect_rule(made, "phi-arity");
}

static void test_phi_place(void **state) {
    (void)state;
    expect_rule(make("function i32 @f(i32 %n.0) {\n"
                     "  0: nop\n"
                     "  1: %x.1 = phi(0: %n.0)\n"
                     "  1: return %x.1\n"
                     "}\n"),
                "phi-place");
    expect_rule(make("function i32 @f(i32 %n.0) {\n"
                     "  reg i32 %x.1\n"
                     "  0: return %n.0\n"
                     "  1: %x.1 = phi()\n"
                     "  1: return %x.1\n"
                     "}\n"),
                "phi-place");
    expect_rule(make("function i32 @f(i32 %n.0) {\n"
                     "  0: %x.1 = phi(1: %n.0, 2: %n.0)\n"
                     "  0: if eq.i32 %n.0, 0 then 1 else 2\n"
                     "  1: nop -> 0\n"
                     "  2: nop -> 0\n"
                     "}\n"),
                "phi-place");
}

static void test_phi_registers(void **state) {
    (void)state;
    Made made = make(diamond);
    made.func->phis.at[0].dest = (Reg){1000};
    expect_rule(made, "phi-register");
    made = make(diamond);
    made.func->phi_args.at[3] = NO_REG;
    expect_rule(made, "phi-register");
    made = make(diamond);
    Reg wide = func_add_reg(made.func,
                            (RegInfo){.number = 9, .version = 1, .type = TYPE_I64}); // version 0
    made.func->phi_args.at[2] = wide;
    expect_rule(made, "phi-type");
}

static void test_versions(void **state) {
    (void)state;
    static const struct {
        const char *reg;
        uint32_t version;
    } wrong[] = {
        {"%n.0", 0},              // a parameter without version
        {"%n.0", 3},              // or with a higher one
        {"%u.0", 0},              // something undefined likewise
        {"%u.0", 2}, {"%x.1", 0}, // what an instruction defines
        {"%x.1", 1}, {"%x.3", 0}, // what a phi defines
        {"%x.3", 1},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        Made made = make(diamond);
        made.func->regs.at[reg_of(made.func, wrong[i].reg).i].version = wrong[i].version;
        expect_rule(made, "version");
    }
}

static void test_definitions(void **state) {
    (void)state;
    Made made = make(diamond); // two instructions
    made.func->nodes.at[3].dest = reg_of(made.func, "%x.1");
    made.func->phi_args.at[1] = reg_of(made.func, "%x.1");
    expect_rule(made, "definition");
    made = make(diamond); // two phis
    made.func->phis.at[1].dest = reg_of(made.func, "%x.3");
    expect_rule(made, "definition");
    made = make(diamond); // a phi and an instruction
    made.func->nodes.at[5].dest = reg_of(made.func, "%x.3");
    expect_rule(made, "definition");
    made = make(diamond); // a parameter
    made.func->nodes.at[1].dest = reg_of(made.func, "%n.0");
    expect_rule(made, "version");
}

static void test_joins(void **state) {
    (void)state;
    expect_rule(make("function i32 @f(i32 %n.0) {\n"
                     "  0: if eq.i32 %n.0, 0 then 1 else 2\n"
                     "  1: nop\n"
                     "  2: return %n.0\n"
                     "}\n"),
                "join");
    Made made = make(diamond);
    made.func->nodes.at[2].kind = I_CHECK;
    func_set_args(made.func, (Node){2}, &(Reg){0}, 1);
    expect_rule(made, "join");
    // Also before what nobody reaches.
    expect_rule(make("function i32 @f(i32 %n.0) {\n"
                     "  0: return %n.0\n"
                     "  1: check %n.0 -> 3\n"
                     "  2: nop\n"
                     "  3: return %n.0\n"
                     "}\n"),
                "join");
}

static void test_dominance(void **state) {
    (void)state;
    struct {
        uint32_t arg;
        const char *reg;
    } phi_wrong[] = {{0, "%x.2"}, {1, "%x.1"}, {0, "%x.3"}, {3, "%z.1"}};
    for (size_t i = 0; i < sizeof phi_wrong / sizeof phi_wrong[0]; i++) {
        Made made = make(diamond);
        made.func->phi_args.at[phi_wrong[i].arg] = reg_of(made.func, phi_wrong[i].reg);
        expect_rule(made, "dominance");
    }
    const char *const late[] = {"%x.1", "%x.2", "%z.1"}; // the last: an instruction uses its own
    for (size_t i = 0; i < sizeof late / sizeof late[0]; i++) {
        Made made = make(diamond);
        made.func->nodes.at[5].arg[0] = reg_of(made.func, late[i]);
        expect_rule(made, "dominance");
    }
    // Something defined where control never comes.
    expect_rule(make("function i32 @f(i32 %n.0) {\n"
                     "  0: return %x.1\n"
                     "  1: %x.1 = const.i32 1\n"
                     "  2: return %x.1\n"
                     "}\n"),
                "dominance");
}

// What is not reached may use what does not dominate it; even phis that have only each other.
static void test_unreachable(void **state) {
    (void)state;
    expect_rule(make("function i32 @f(i32 %n.0) {\n"
                     "  reg i32 %x.1\n"
                     "  0: return %n.0\n"
                     "  1: nop\n"
                     "  2: %x.1 = phi(1: %y.1, 3: %x.1)\n"
                     "  2: %y.1 = phi(1: %x.1, 3: %y.1)\n"
                     "  2: if eq.i32 %z.1, 0 then 3 else 4\n"
                     "  3: nop -> 2\n"
                     "  4: %z.1 = const.i32 3 -> 1\n"
                     "}\n"),
                NULL);
    // A join of a reachable and an unreachable predecessor: only the former has to be right.
    expect_rule(make("function i32 @f(i32 %n.0) {\n"
                     "  0: nop -> 3\n"
                     "  1: nop\n"
                     "  2: nop\n"
                     "  3: %x.1 = phi(0: %n.0, 2: %y.1)\n"
                     "  3: %y.1 = add.i32 %x.1, 1\n"
                     "  4: return %y.1\n"
                     "}\n"),
                NULL);
}

// ---- Phi-blocks

// The program in a text ends so.
static void expect_end(const char *text, const char *expected) {
    Arena *arena = arena_new("test");
    Program *program = parse(arena, text, strlen(text));
    Complaints complaints = {.arena = arena};
    if (!verify_program(&complaints, program)) fail_msg("%s", complaints.list.at[0].message);
    RunResult result = {0};
    char name[] = "prog", *argv[] = {name, NULL};
    rtl_run(arena, program, 1, argv, &(RunOptions){.fuel = 10000, .capture = true}, &result);
    Out out = {0};
    behaviour_print(&out, program, &result.behaviour);
    out_char(&out, '\0');
    assert_string_equal(out.text, expected);
    out_free(&out);
    out_free(&result.output);
    arena_free(arena);
}

// The values change places in each round.
static void test_swap(void **state) {
    (void)state;
    expect_end("function i32 @main() {\n"
               "  0: %a.1 = const.i32 1\n"
               "  1: %b.1 = const.i32 20\n"
               "  2: %i.1 = const.i32 0\n"
               "  3: nop\n"
               "  4: %a.2 = phi(3: %a.1, 6: %b.2)\n"
               "  4: %b.2 = phi(3: %b.1, 6: %a.2)\n"
               "  4: %i.2 = phi(3: %i.1, 6: %i.3)\n"
               "  4: if lt.i32 %i.2, 3 then 5 else 7\n"
               "  5: %i.3 = add.i32 %i.2, 1\n"
               "  6: nop -> 4\n"
               "  7: %r.1 = mul.i32 %a.2, 2\n"
               "  8: %r.2 = add.i32 %r.1, %b.2\n"
               "  9: return %r.2\n"
               "}\n",
               "exit 41");
}

// Three values go round; a chain beside them, whose order matters, and a phi that stays.
static void test_rotation(void **state) {
    (void)state;
    expect_end("function i32 @main() {\n"
               "  0: %a.1 = const.i32 1\n"
               "  1: %b.1 = const.i32 2\n"
               "  2: %c.1 = const.i32 3\n"
               "  3: %i.1 = const.i32 0\n"
               "  4: nop\n"
               "  5: %d.2 = phi(4: %a.1, 7: %a.2)\n"
               "  5: %a.2 = phi(4: %a.1, 7: %b.2)\n"
               "  5: %b.2 = phi(4: %b.1, 7: %c.2)\n"
               "  5: %c.2 = phi(4: %c.1, 7: %a.2)\n"
               "  5: %e.2 = phi(4: %c.1, 7: %e.2)\n"
               "  5: %i.2 = phi(4: %i.1, 7: %i.3)\n"
               "  5: if lt.i32 %i.2, 4 then 6 else 8\n"
               "  6: %i.3 = add.i32 %i.2, 1\n"
               "  7: nop -> 5\n"
               "  8: %r.1 = mul.i32 %a.2, 3\n"    // 2
               "  9: %r.2 = add.i32 %r.1, %b.2\n" // 3
               "  10: %r.3 = mul.i32 %r.2, 3\n"
               "  11: %r.4 = add.i32 %r.3, %c.2\n" // 1
               "  12: %r.5 = mul.i32 %r.4, 3\n"
               "  13: %r.6 = add.i32 %r.5, %d.2\n" // 1: what %a was a round ago
               "  14: %r.7 = mul.i32 %r.6, 2\n"
               "  15: %r.8 = add.i32 %r.7, %e.2\n" // 3
               "  16: return %r.8\n"
               "}\n",
               "exit 173");
}

// The phi's old value is used after the loop: its argument must not overwrite it too early.
static void test_lost_copy(void **state) {
    (void)state;
    expect_end("function i32 @main() {\n"
               "  0: %x.1 = const.i32 1\n"
               "  1: nop\n"
               "  2: %x.2 = phi(1: %x.1, 4: %x.3)\n"
               "  2: %x.3 = add.i32 %x.2, 1\n"
               "  3: if lt.i32 %x.3, 10 then 4 else 5\n"
               "  4: nop -> 2\n"
               "  5: return %x.2\n"
               "}\n",
               "exit 9");
}

// A phi copies what is undefined without a wrong step; a branch on it is one.
static void test_undefined(void **state) {
    (void)state;
    static const char text[] = "function i32 @main(i32 %%argc.0, i64 %%argv.0) {\n"
                               "  reg i32 %%u.0\n"
                               "  0: if eq.i32 %%argc.0, 1 then 1 else 2\n"
                               "  1: nop -> 3\n"
                               "  2: nop\n"
                               "  3: %%x.1 = phi(1: %%u.0, 2: %%argc.0)\n"
                               "  3: %%y.1 = phi(1: %%argc.0, 2: %%u.0)\n"
                               "  3: if eq.i32 %s, 1 then 4 else 5\n"
                               "  4: return %%argc.0\n"
                               "  5: return %%y.1\n"
                               "}\n";
    char filled[sizeof text + 8];
    snprintf(filled, sizeof filled, text, "%y.1");
    expect_end(filled, "exit 1");
    snprintf(filled, sizeof filled, text, "%x.1");
    expect_end(filled, "wrong: branch on an undefined value (eq.i32) in main at node 3");
}

// Very many phis at one join, all of them moved by one: parsing, printing, verifying and running
// take time in proportion.
static void test_many_phis(void **state) {
    (void)state;
    uint32_t count = (uint32_t)effort(2000, 20000, 200000);
    Out out = {0};
    out_text(&out, "function i32 @main() {\n  0: %i.1 = const.i32 0\n  1: %v.1 = const.i32 1\n"
                   "  2: %w.1 = const.i32 7\n  3: nop\n");
    for (uint32_t k = 0; k < count; k++)
        out_printf(&out, "  4: %%x'%u.1 = phi(3: %s, 6: %%x'%u.1)\n", k + 1, k ? "%v.1" : "%w.1",
                   (k + count - 1) % count + 1);
    out_text(&out, "  4: %i.2 = phi(3: %i.1, 6: %i.3)\n"
                   "  4: if lt.i32 %i.2, 3 then 5 else 7\n"
                   "  5: %i.3 = add.i32 %i.2, 1\n"
                   "  6: nop -> 4\n"
                   "  7: %r.1 = mul.i32 %x'4.1, 2\n"
                   "  8: %r.2 = add.i32 %r.1, %x'1.1\n"
                   "  9: return %r.2\n"
                   "}\n");
    Arena *arena = arena_new("test");
    const Program *program = parse(arena, out.text, out.length);
    Out again = {0};
    program_print(&again, program, &(PrintOptions){0});
    assert_int_equal(again.length, out.length);
    assert_memory_equal(again.text, out.text, out.length);
    out_char(&out, '\0');
    expect_end(out.text, "exit 15");
    out_free(&out);
    out_free(&again);
    arena_free(arena);
}

// Functions of both forms call each other, also themselves: here the recursive one is in SSA.
static void test_mixed_forms(void **state) {
    (void)state;
    static const char text[] = "function i32 @f(i32 %n) {\n"
                               "  0: %r = const.i32 1\n"
                               "  1: if le.i32 %n, 1 then 5 else 2\n"
                               "  2: %m = sub.i32 %n, 1\n"
                               "  3: %r = call @f(%m)\n"
                               "  4: %r = mul.i32 %r, %n\n"
                               "  5: return %r\n"
                               "}\n"
                               "function i32 @main() {\n"
                               "  0: %n = const.i32 5\n"
                               "  1: %r = call @f(%n)\n"
                               "  2: return %r\n"
                               "}\n";
    Arena *arena = arena_new("test");
    Diag diag;
    diag_init(&diag, arena, NULL);
    Program *program = program_parse(arena, &diag, FORM_RTL, "test", text, strlen(text));
    assert_non_null(program);
    diag_free(&diag);
    CopiesHint hint = {0};
    const Func *normal = normalize(arena, func_named(program, "f"), &hint);
    const Func *ssa = naive_ssa(arena, normal, (NaiveOptions){0});
    assert_int_equal(ssa->phis.count, 1);
    program_at(program, ssa->symbol)->func = ssa;
    Complaints complaints = {.arena = arena};
    assert_true(verify_program(&complaints, program));
    RunResult result = {0};
    char name[] = "prog", *argv[] = {name, NULL};
    rtl_run(arena, program, 1, argv, &(RunOptions){.fuel = 10000, .capture = true}, &result);
    assert_int_equal(result.behaviour.end, END_RESULT);
    assert_int_equal(result.behaviour.status, 120);
    out_free(&result.output);
    arena_free(arena);
}

// ---- Random functions

static const Func *random_ssa(Arena *arena, Program *program, uint64_t seed, const Func **rtl) {
    CopiesHint hint = {0};
    *rtl = random_func(arena, program, random_options(300, seed), seed);
    const Func *normal = normalize(arena, *rtl, &hint);
    return naive_ssa(arena, normal,
                     (NaiveOptions){.folded = (uint32_t)(seed % 3) * 50, .seed = seed});
}

// What is printed is read back and prints the same.
static const Func *assert_round_trip(Arena *arena, const Func *func) {
    Out once = {0}, twice = {0};
    program_print(&once, func->program, &(PrintOptions){.locations = true});
    Program *again = parse(arena, once.text, once.length);
    program_print(&twice, again, &(PrintOptions){.locations = true});
    out_char(&once, '\0');
    out_char(&twice, '\0');
    assert_string_equal(once.text, twice.text);
    out_free(&once);
    out_free(&twice);
    return func_named(again, func_name(func));
}

static void assert_verified(const Func *func, uint64_t seed) {
    Complaints complaints = {.arena = arena_new("test")};
    if (!verify_func(&complaints, func))
        fail_msg("seed %u: %s", (unsigned)seed, complaints.list.at[0].message);
    arena_free(complaints.arena);
}

// The SSA form of a random function is well-formed, survives the text form and does the same.
static void test_random(void **state) {
    (void)state;
    uint64_t with_phis = 0, count = effort(100, 1500, 20000);
    for (uint64_t seed = 0; seed < count; seed++) {
        Arena *arena = arena_new("test");
        Program *program = program_new(arena);
        const Func *rtl;
        const Func *ssa = random_ssa(arena, program, seed, &rtl);
        assert_verified(ssa, seed);
        const char *difference = behaviour_difference(arena, rtl, ssa, seed, 20000);
        if (difference) fail_msg("seed %u: %s", (unsigned)seed, difference);
        program_at(program, ssa->symbol)->func = ssa;
        const Func *again = assert_round_trip(arena, ssa);
        assert_verified(again, seed);
        assert_int_equal(again->phis.count, ssa->phis.count);
        with_phis += ssa->phis.count > 0;
        arena_free(arena);
    }
    assert_true(with_phis > count / 2);
}

// ---- Verifying what was made from a verified function

// Changes a byte of an instruction, or an entry of one of the arrays.
static void mutate(Random *random, Func *func) {
    Instr *instr = &func->nodes.at[random_below(random, func->nodes.count)];
    RegInfo *reg = &func->regs.at[random_below(random, func->regs.count)];
    uint32_t number = random_below(random, func->regs.count + 2);
    switch (random_below(random, 8)) {
    case 0: *instr = func->nodes.at[random_below(random, func->nodes.count)]; break;
    case 1: reg->type = (Type)random_below(random, TYPE_COUNT); break;
    case 2: reg->version = random_below(random, 4); break;
    case 3: instr->dest.i = number; break;
    case 4:
        if (func->phi_args.count)
            func->phi_args.at[random_below(random, func->phi_args.count)].i = number;
        break;
    case 5: func_temp(func, (Type)random_below(random, TYPE_COUNT)); break;
    case 6: func->next_temp -= func->next_temp > 0; break;
    default:
        ((uint8_t *)instr)[random_below(random, sizeof *instr)] ^=
            (uint8_t)(1u << random_below(random, 8));
        break;
    }
}

static void assert_same_complaints(const Complaints *a, const Complaints *b, uint64_t seed) {
    if (a->list.count != b->list.count)
        fail_msg("seed %u: %u complaints, and %u", (unsigned)seed, a->list.count, b->list.count);
    for (uint32_t i = 0; i < a->list.count; i++) {
        assert_string_equal(a->list.at[i].rule, b->list.at[i].rule);
        assert_string_equal(a->list.at[i].message, b->list.at[i].message);
    }
}

static void test_verify_after(void **state) {
    (void)state;
    uint64_t good = 0, bad = 0;
    for (uint64_t seed = 0; seed < effort(100, 2000, 20000); seed++) {
        Arena *arena = arena_new("test");
        const Func *rtl;
        const Func *ssa = random_ssa(arena, program_new(arena), seed, &rtl);
        const Func *before = seed % 4 ? ssa : rtl;
        Func *after = func_clone(before, arena);
        Random random = random_from(seed);
        mutate(&random, after);
        Complaints all = {.arena = arena}, some = {.arena = arena};
        bool accepted = verify_func(&all, after);
        assert_int_equal(verify_func_after(&some, before, after), accepted);
        assert_same_complaints(&all, &some, seed);
        good += accepted;
        bad += !accepted;
        arena_free(arena);
    }
    assert_true(good > 0 && bad > good / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),         cmocka_unit_test(test_form),
        cmocka_unit_test(test_phi_index),    cmocka_unit_test(test_phi_arity),
        cmocka_unit_test(test_phi_place),    cmocka_unit_test(test_phi_registers),
        cmocka_unit_test(test_versions),     cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_joins),        cmocka_unit_test(test_dominance),
        cmocka_unit_test(test_unreachable),  cmocka_unit_test(test_swap),
        cmocka_unit_test(test_rotation),     cmocka_unit_test(test_lost_copy),
        cmocka_unit_test(test_undefined),    cmocka_unit_test(test_many_phis),
        cmocka_unit_test(test_mixed_forms),  cmocka_unit_test(test_random),
        cmocka_unit_test(test_verify_after),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
