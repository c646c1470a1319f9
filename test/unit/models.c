// The records of machines: the tables of each row of targets.def fit, and the code for all machines
// asks the record. Machines are made up here that differ from x86-64 in one table each.
#include "check/machine/terms.h"
#include "check/values/value_steps.h"
#include "target/target.h"
#include "text/text.h"
#include "verify/verify.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- The rows of targets.def

static void parts_are_sound(const TargetModel *model) {
    uint32_t seen = 0;
    assert_non_null(model->parts_rows);
    for (const PartsRow *row = model->parts_rows; row->types; row++) {
        assert_int_equal(row->types & (seen | ~model->types | 1u << TYPE_VOID), 0);
        assert_in_range(row->most, 1, PARTS_LIMIT);
        assert_in_range(row->size, 1, 16);
        seen |= row->types;
    }
}

static void test_tables(void **state) {
    (void)state;
    for (uint32_t i = 0; i < TARGET_COUNT; i++) {
        const TargetModel *model = target_models[i];
        assert_in_range(model->register_count, 1, MACHINE_REG_LIMIT);
        assert_in_range(model->named_count, model->register_count, MACHINE_REG_LIMIT);
        assert_in_range(model->class_count, 1, CLASS_MEMORY);
        MachineRegSet all = regs_below(model->register_count);
        for (uint32_t c = 0; c < model->class_count; c++)
            assert_false(regs_any(regs_without(model->classes[c], all)));
        assert_false(regs_any(model->classes[CLASS_MEMORY]));
        assert_false(regs_any(regs_without(model->callee_saved, all)));
        assert_false(regs_any(regs_without(model->caller_saved, all)));
        assert_false(regs_any(regs_without(model->exchanged, all)));
        assert_false(regs_meet(model->callee_saved, model->caller_saved));
        for (uint32_t k = 0; k < model->order_count; k++)
            assert_in_range(model->order[k], 0, model->register_count - 1);
        parts_are_sound(model);
        uint64_t list = 0;
        for (const char *m = targets[i].language->model.va_list_members; *m; m++)
            list = *m == 'u' ? list + 4 : (list + 7) / 8 * 8 + 8;
        assert_int_equal(model->va_list_size, list);
        assert_true(model->va_list_size >= 16);
        assert_ptr_equal(target_record(model), &targets[i]);
        assert_ptr_equal(target_model_named(model->name, strlen(model->name)), model);
        assert_null(target_model_named(model->name, strlen(model->name) - 1));
    }
}

// A set that holds as many registers as it can, and sets with every other register.
static void test_full_sets(void **state) {
    (void)state;
    MachineReg last = MACHINE_REG_LIMIT - 1;
    MachineRegSet all = regs_below(MACHINE_REG_LIMIT), even = NO_REGS, odd = NO_REGS;
    assert_int_equal(regs_count(all), MACHINE_REG_LIMIT);
    assert_int_equal(regs_count(NO_REGS), 0);
    assert_int_equal(regs_next(all, 0), 0);
    assert_int_equal(regs_next(NO_REGS, 0), MACHINE_REG_LIMIT);
    assert_int_equal(regs_next(regs_of(last), 0), last);
    assert_int_equal(regs_next(all, MACHINE_REG_LIMIT), MACHINE_REG_LIMIT);
    uint32_t count = 0;
    for (MachineReg reg = 0; (reg = regs_next(all, reg)) < MACHINE_REG_LIMIT; reg++) {
        assert_int_equal(reg, count++);
        regs_add(reg % 2 ? &odd : &even, reg);
    }
    assert_int_equal(count, MACHINE_REG_LIMIT);
    for (MachineReg reg = 0; reg < MACHINE_REG_LIMIT; reg++) {
        assert_int_equal(regs_has(even, reg), reg % 2 == 0);
        assert_int_equal(regs_next(odd, reg), reg | 1);
    }
    assert_false(regs_meet(even, odd));
    assert_true(regs_equal(regs_or(even, odd), all));
    assert_true(regs_equal(regs_without(all, odd), even));
    assert_true(regs_equal(regs_and(all, odd), odd));
    regs_remove(&odd, last);
    assert_int_equal(regs_count(odd), MACHINE_REG_LIMIT / 2 - 1);
}

// ---- Machines that are made up

// The first complaint about a text for a machine: of the parser or the verifier; "" if all is well.
static const char *answer(Arena *arena, const TargetModel *model, Form form, const char *text) {
    Diag diag;
    diag_init(&diag, arena, NULL);
    Program *program = program_parse_for(model, arena, &diag, form, "text", text, strlen(text));
    Complaints complaints = {.arena = arena, .most = 1};
    const char *said = "";
    out_char(&diag.out, '\0');
    if (!program)
        said = arena_printf(arena, "%s", diag.out.text);
    else if (!verify_program(&complaints, program))
        said = complaints.list.at[0].message;
    diag_free(&diag);
    return said;
}

static void expect(const TargetModel *model, Form form, const char *text, const char *wanted) {
    Arena *arena = arena_new("models");
    const char *said = answer(arena, model, form, text);
    if (*wanted ? !strstr(said, wanted) : *said) fail_msg("%s\nsaid: %s", text, said);
    arena_free(arena);
}

static void expect_parts(const TargetModel *model, const char *parts, const char *wanted) {
    char text[200];
    snprintf(text, sizeof text, "extern function void @g(agg(%s))\n", parts);
    expect(model, FORM_RTL, text, wanted);
}

// As many machines have them: aggregates of up to four floats of one type are in registers.
static void test_parts(void **state) {
    (void)state;
    static const PartsRow rows[] = {{.types = 1u << TYPE_I64, .size = 8, .most = 2},
                                    {.types = 1u << TYPE_F32, .size = 4, .most = 4},
                                    {.types = 1u << TYPE_F64, .size = 8, .most = 4},
                                    {0}};
    static const PartsRow none[1];
    TargetModel four = *program_usual_target(), memory = four;
    four.parts_rows = rows;
    four.parts_expected = "as the made-up machine has them";
    memory.parts_rows = none;
    expect_parts(&four, "16 align 4: f32, f32, f32, f32", "");
    expect_parts(&four, "32 align 8: f64, f64, f64, f64", "");
    expect_parts(&four, "12 align 8: i64, i64", "");
    expect_parts(&four, "40 align 8: f64, f64, f64, f64, f64", "has at most four parts");
    expect_parts(&four, "24 align 8: i64, i64, i64", "expected at most 2 parts; found 3");
    expect_parts(&four, "16 align 8: i64, f64",
                 "expected parts as the made-up machine has them; found f64");
    expect_parts(&four, "16 align 16: f80",
                 "expected parts as the made-up machine has them; found f80");
    expect_parts(&four, "20 align 4: f32, f32, f32, f32", "a size that 4 parts can hold; found 20");
    expect_parts(&four, "12 align 4: f32, f32, f32, f32", "a size that 4 parts can hold; found 12");
    expect_parts(&four, "16 align 8: i64", "a size that 1 parts can hold; found 16");
    expect_parts(&four, "64 align 8", "");
    expect_parts(&memory, "64 align 8", "");
    expect_parts(&memory, "8 align 8: i64", "an aggregate has at most no parts");
    const TargetModel *usual = program_usual_target();
    expect_parts(usual, "16 align 8: i64, f64", "");
    expect_parts(usual, "16 align 16: i64", "");
    expect_parts(usual, "32 align 16: f80, f80", "");
    expect_parts(usual, "32 align 16: f80", "a size that 1 parts can hold; found 32");
    expect_parts(usual, "24 align 8: i64, i64, i64", "an aggregate has at most two parts");
    expect_parts(usual, "8 align 4: f32, f32", "expected parts i64 or f64, or only f80; found f32");
}

static void expect_scale(const TargetModel *model, uint32_t scale, const char *wanted) {
    char text[300];
    snprintf(text, sizeof text,
             "function i64 @f(i64 %%p, i64 %%i) {\nb0:\n  %%p, %%i = params\n"
             "  %%r = load.i64 [%%p + %%i * %u]\n  return %%r\n}\n",
             scale);
    expect(model, FORM_MACH, text, wanted);
}

static void test_scales(void **state) {
    (void)state;
    TargetModel two = *program_usual_target(), none = two;
    two.scales = 1u << 1 | 1u << 8;
    two.scales_expected = "one or eight";
    none.scales = 0;
    none.scales_expected = "an address without index";
    expect_scale(&two, 1, "");
    expect_scale(&two, 8, "");
    expect_scale(&two, 4, "expected one or eight");
    expect_scale(&none, 1, "expected an address without index");
    expect_scale(program_usual_target(), 2, "");
    expect_scale(program_usual_target(), 4, "");
}

// ---- What IEEE 60559 leaves open

static Value operand(Type type, double x) {
    return type == TYPE_F32   ? value_f32((float)x)
           : type == TYPE_F64 ? value_f64(x)
           : type == TYPE_F80 ? value_f80((long double)x)
                              : value_immediate(type, (int64_t)x);
}

static bool is_open(Op op, double a, double b) {
    const OpInfo *info = op_info(op);
    Value values[3] = {operand(info->operand[0], a),
                       info->arity > 1 ? operand(info->operand[1], b) : (Value){0}},
          result;
    assert_true(op_eval(op, values[0], values[1], values[2], &result));
    return op_is_open(op, values, result);
}

static void test_open(void **state) {
    (void)state;
    static const Op sums[] = {OP_ADD_F32, OP_MUL_F64, OP_DIV_F64, OP_SUB_F80};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        assert_true(is_open(sums[i], (double)NAN, 1));
        assert_true(is_open(sums[i], 1, (double)NAN));
        assert_false(is_open(sums[i], 3, 2));
        assert_false(is_open(sums[i], (double)INFINITY, 2));
    }
    assert_true(is_open(OP_DIV_F32, 0, 0) && is_open(OP_SQRT_F64, -1, 0));
    assert_true(is_open(OP_CVT_F64_F32, (double)NAN, 0) && !is_open(OP_CVT_F32_F64, 1, 0));
    // These say which bits, or which operand, on any machine.
    assert_false(is_open(OP_NEG_F64, (double)NAN, 0) || is_open(OP_MAX_F64, 1, (double)NAN));
    assert_false(is_open(OP_EQ_F64, (double)NAN, 1) || is_open(OP_CVT_F64_I32, -1, 0));
    static const struct {
        Op op;
        double least, most; // that fit
    } rows[] = {{OP_CVT_I32_F64, -0x1p31, 0x1p31 - 1},
                {OP_CVT_I64_F64, -0x1p63, 0x1.fffffffffffffp62},
                {OP_CVT_U32_F64, 0, 0x1p32 - 1},
                {OP_CVT_U64_F64, 0, 0x1.fffffffffffffp63}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_false(is_open(rows[i].op, rows[i].least, 0) || is_open(rows[i].op, rows[i].most, 0));
        assert_false(is_open(rows[i].op, rows[i].least > -1 ? -0.5 : -1.5, 0));
        assert_true(is_open(rows[i].op, rows[i].least * 2 - 1e4, 0));
        assert_true(is_open(rows[i].op, rows[i].most * 2, 0));
        assert_true(is_open(rows[i].op, (double)NAN, 0));
    }
}

// Whether the kernel of values, and the terms of selection, take a sum of constants for the
// constant that op_eval has.
static void expect_folds(const TargetModel *model, double a, double b, bool folds) {
    Arena *arena = arena_new("models");
    Value one = value_f64(a), two = value_f64(b), sum;
    assert_true(op_eval(OP_ADD_F64, one, two, (Value){0}, &sum));
    HintValue values[] = {
        {.kind = VALUE_OP, .op = OP_CONST_F64, .imm = (int64_t)one.bits, .ref = NO_ID},
        {.kind = VALUE_OP, .op = OP_CONST_F64, .imm = (int64_t)two.bits, .ref = NO_ID},
        {.kind = VALUE_OP, .op = OP_ADD_F64, .count = 2, .ref = NO_ID},
        {.kind = VALUE_OP, .op = OP_CONST_F64, .imm = (int64_t)sum.bits, .ref = NO_ID}};
    const uint32_t args[] = {0, 1};
    uint32_t root[] = {0, 1, 2, 3};
    ValueTerms seen = {.values = values, .args = args, .target = model};
    ValueStep step = {.from = 2, .to = 3, .rule = STEP_FOLD};
    assert_int_equal(value_step_is_right(&seen, &step, TYPE_F64, root, &(RangeView){0}), folds);
    Terms terms = {.arena = arena, .target = model};
    Term made = term_op(&terms, OP_ADD_F64,
                        (Term[]){term_const(&terms, TYPE_F64, (int64_t)one.bits, 0),
                                 term_const(&terms, TYPE_F64, (int64_t)two.bits, 0)});
    assert_int_equal(made.i == term_const(&terms, TYPE_F64, (int64_t)sum.bits, 0).i, folds);
    arena_free(arena);
}

static void test_folding(void **state) {
    (void)state;
    TargetModel other = *program_usual_target();
    assert_true(other.floats_as_evaluated);
    other.floats_as_evaluated = false;
    expect_folds(program_usual_target(), (double)NAN, 1, true);
    expect_folds(&other, (double)NAN, 1, false);
    expect_folds(&other, 2, 1, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables), cmocka_unit_test(test_full_sets),
        cmocka_unit_test(test_parts),  cmocka_unit_test(test_scales),
        cmocka_unit_test(test_open),   cmocka_unit_test(test_folding)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
