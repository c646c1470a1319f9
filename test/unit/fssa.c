// Functional SSA: what is made of random functions is accepted by the verifier, reads back as it
// was printed and behaves as the function; damage that no text can express is told; terms may be as
// deep as one likes.
#include "form/fssa.h"
#include "form/forms.h"
#include "pass/pass.h"
#include "run/world/run.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/random_func.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

// ---- Random functions

static const Func *gsa_of(Arena *arena, const Func *func) {
    CopiesHint norm = {0};
    SsaHint ssa = {0};
    CloseLoopsHint closed = {0};
    GsaBuildHint built = {0};
    func = ssa_build(arena, normalize(arena, func, &norm), &ssa);
    const Func *loop_closed = close_loops(arena, func, &closed);
    return gsa_build(arena, loop_closed ? loop_closed : func, &built);
}

static char *text_of(Arena *arena, const Program *program) {
    Out out = {0};
    program_print(&out, program, &(PrintOptions){0});
    char *text = arena_text(arena, out.text, out.length);
    out_free(&out);
    return text;
}

static void expect_verified(Arena *arena, const Func *func, uint64_t seed) {
    Complaints complaints = {.arena = arena};
    if (verify_func(&complaints, func)) return;
    fail_msg("seed %ju: %s: %s\n%s", (uintmax_t)seed, complaints.list.at[0].rule,
             complaints.list.at[0].message, text_of(arena, func->program));
}

static void expect_read_back(Arena *arena, const char *text, uint64_t seed) {
    Diag diag;
    diag_init(&diag, arena, stderr);
    const Program *program = program_parse(arena, &diag, FORM_FSSA, "text", text, strlen(text));
    if (!program) fail_msg("seed %ju: not read back\n%s", (uintmax_t)seed, text);
    const char *again = text_of(arena, program);
    if (strcmp(text, again) != 0)
        fail_msg("seed %ju: read back as another\n%s\n%s", (uintmax_t)seed, text, again);
    diag_free(&diag);
}

static void one_random(uint64_t seed) {
    Arena *arena = arena_new("random");
    Program *program = program_new(arena);
    const Func *func = random_func(arena, program, random_options(seed % 5 ? 60 : 300, seed), seed);
    const Func *gsa = gsa_of(arena, func);
    const Func *fssa = fssa_build(arena, gsa);
    program_at(program, func->symbol)->func = fssa;
    expect_verified(arena, fssa, seed);
    expect_verified(arena, func_clone(fssa, arena), seed);
    expect_read_back(arena, text_of(arena, program), seed);
    const char *difference = behaviour_difference(arena, gsa, fssa, seed, 20000);
    if (difference) fail_msg("seed %ju: %s", (uintmax_t)seed, difference);
    arena_free(arena);
}

static void test_random(void **state) {
    (void)state;
    uint64_t count = effort(20, 400, 10000);
    for (uint64_t seed = 1; seed <= count; seed++) one_random(seed);
}

// ---- Damage

static const char sound[] = "function i32 @f(i32 %n) {\n"
                            "  slot $x size 4 align 4\n"
                            "  loop 1\n"
                            "  loop 1.1 in 1\n"
                            "  cases 0: 1, 2\n"
                            "  entry %s\n"
                            "  i32 %i = loop 1 (0, add.i32(%i, %n))\n"
                            "  i32 %l = close 1 (lt.i32(%i, 9), %i)\n"
                            "  i32 %c = case 2 of 0 (%l)\n"
                            "  %t = after %s: store.i32 [$x], %l\n"
                            "  %u = after %t: %y = load.i32 [$x]\n"
                            "  result gamma(%c: %y, 1: %l)\n"
                            "  state %u\n"
                            "}\n";

static FssaTermNode *term_of(const Func *func, FssaTermKind kind) {
    for (uint32_t i = 0; i < func->fssa->terms.count; i++)
        if (func->fssa->terms.at[i].kind == kind) return &func->fssa->terms.at[i];
    return NULL;
}

static void no_kind(Func *func) {
    func->fssa->terms.at[0].kind = FSSA_TERM_KINDS;
}
static void no_type(Func *func) {
    func->fssa->terms.at[0].type = TYPE_COUNT;
}
static void no_operator(Func *func) {
    term_of(func, FT_OP)->op = OP_COUNT;
}
static void constant_with_operands(Func *func) {
    term_of(func, FT_CONST)->op = OP_ADD_I32;
}
static void operands_outside(Func *func) {
    term_of(func, FT_GAMMA)->args_at = NO_ID;
}
static void operand_behind(Func *func) {
    func->fssa->args.at[term_of(func, FT_OP)->args_at].i = func->fssa->terms.count - 1;
}
static void operand_missing(Func *func) {
    func->fssa->args.at[term_of(func, FT_OP)->args_at].i = NO_ID;
}
static void odd_gamma(Func *func) {
    term_of(func, FT_GAMMA)->arg_count = 3;
}
static void no_register(Func *func) {
    term_of(func, FT_NAME)->reg = NO_REG;
}
static void no_loop(Func *func) {
    term_of(func, FT_LOOP)->loop.i = 2;
}
static void no_list(Func *func) {
    term_of(func, FT_CASE)->ref = 1;
}
static void no_case(Func *func) {
    term_of(func, FT_CASE)->imm = 2;
}
static void no_node(Func *func) {
    term_of(func, FT_EFFECT)->ref = 2;
}
static void node_twice(Func *func) {
    term_of(func, FT_EFFECT)->ref = 1;
}
static void parent_inside(Func *func) {
    func->fssa->loops.at[0].parent.i = 1;
}
static void label_twice(Func *func) {
    func->fssa->loops.at[1].label = func->fssa->loops.at[0].label;
}
static void no_label(Func *func) {
    func->fssa->loops.at[1].label.i = NO_ID;
}
static void cases_outside(Func *func) {
    func->fssa->cases.at[0].count = 3;
}
static void no_entry(Func *func) {
    func->fssa->entry.i = func->regs.count;
}
static void no_dest(Func *func) {
    func->fssa->equations.at[0].dest = NO_REG;
}
static void no_term(Func *func) {
    func->fssa->equations.at[0].term = NO_FSSA_TERM;
}
static void no_result(Func *func) {
    func->fssa->result.i = func->fssa->terms.count;
}
static void effect_inside(Func *func) {
    fssa_name(func, func->params.at[0]);
    func->fssa->terms.at[func->fssa->terms.count - 1] = *term_of(func, FT_EFFECT);
}
static void wide_constant(Func *func) {
    term_of(func, FT_CONST)->imm = INT64_MAX;
}
static void instruction_branches(Func *func) {
    func->nodes.at[0].succ_count = 1;
}
static void argument_outside(Func *func) {
    func->nodes.at[0].arg[0] = NO_REG;
}

static void test_damage(void **state) {
    (void)state;
    static void (*const damages[])(Func *) = {no_kind,
                                              no_type,
                                              no_operator,
                                              constant_with_operands,
                                              operands_outside,
                                              operand_behind,
                                              operand_missing,
                                              odd_gamma,
                                              no_register,
                                              no_loop,
                                              no_list,
                                              no_case,
                                              no_node,
                                              node_twice,
                                              parent_inside,
                                              label_twice,
                                              no_label,
                                              cases_outside,
                                              no_entry,
                                              no_dest,
                                              no_term,
                                              no_result,
                                              effect_inside,
                                              wide_constant,
                                              instruction_branches,
                                              argument_outside};
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        Arena *arena = arena_new("damage");
        Diag diag;
        diag_init(&diag, arena, stderr);
        const Program *program =
            program_parse(arena, &diag, FORM_FSSA, "text", sound, strlen(sound));
        assert_non_null(program);
        Func *func = func_clone(program->symbols.at[0].func, arena);
        Complaints complaints = {.arena = arena};
        assert_true(verify_func(&complaints, func));
        damages[i](func);
        if (verify_func(&complaints, func)) fail_msg("damage %zu is not seen", i);
        Out out = {0};
        func_print(&out, func, &(PrintOptions){0}); // whatever it is, it can be shown
        for (uint32_t k = 0; k < complaints.list.count; k++)
            complaint_print(&out, program, &complaints.list.at[k]);
        out_free(&out);
        diag_free(&diag);
        arena_free(arena);
    }
}

// ---- Depth

static void test_deep(void **state) {
    (void)state;
    enum { DEPTH = 100000 };
    Arena *arena = arena_new("deep");
    Out text = {0};
    Diag diag;
    out_text(&text, "function i32 @f(i32 %n) {\n  result ");
    for (int i = 0; i < DEPTH; i++) out_text(&text, "not(");
    out_text(&text, "%n");
    for (int i = 0; i < DEPTH; i++) out_char(&text, ')');
    out_text(&text, "\n}\n");
    diag_init(&diag, arena, stderr);
    Program *program = program_parse(arena, &diag, FORM_FSSA, "text", text.text, text.length);
    assert_non_null(program);
    Complaints complaints = {.arena = arena};
    assert_true(verify_program(&complaints, program));
    Out again = {0};
    program_print(&again, program, &(PrintOptions){0});
    assert_int_equal(again.length, text.length);
    RunResult result = {0};
    Value n = {.bits = 1};
    rtl_run_func(arena, program, program->symbols.at[0].func, &n, 1,
                 &(RunOptions){.no_input = true, .no_files = true}, &result);
    assert_int_equal(result.behaviour.end, END_RESULT);
    out_free(&text);
    out_free(&again);
    diag_free(&diag);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
