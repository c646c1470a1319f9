// Code generation to mach0 (section 5.2 of Glesner) of random functions under several seeds: what
// is made is well-formed, is read back from its text, is accepted by its checker, behaves as
// before, and agrees with the state machine block for block. Wrong code does not: where it parts is
// named. Long blocks take time in proportion.
#include "form/mach0.h"
#include "check/checkers.h"
#include "pass/pass.h"
#include "pipeline/side_forms.h"
#include "run/lockstep.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/random_func.h"
#include "test/gen/scramble.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void fail_with(const Func *before, const Func *after, const char *what) {
    Out text = {0};
    func_print(&text, before, &(PrintOptions){0});
    func_print(&text, after, &(PrintOptions){0});
    out_char(&text, '\0');
    fputs(text.text, stderr);
    fail_msg("%s", what);
}

static const Func *ssa_of(Arena *arena, const Func *func) {
    CopiesHint norm_hint = {0};
    SsaHint hint = {0};
    return ssa_build(arena, normalize(arena, func, &norm_hint), &hint);
}

static Func *generated(Arena *arena, const Func *ssa, uint64_t seed, Mach0Hint *hint) {
    *hint = (Mach0Hint){0};
    Complaints complaints = {.arena = arena};
    Func *mach0 = mach0_build(arena, ssa, &(AsideOptions){.seed = seed}, hint);
    if (!verify_func(&complaints, mach0)) fail_with(ssa, mach0, complaints.list.at[0].message);
    Verdict verdict = check_mach0_build(arena, ssa, mach0, hint);
    if (!verdict.accepted)
        fail_with(ssa, mach0, arena_printf(arena, "node %u: %s", verdict.site.i, verdict.reason));
    return mach0;
}

// What is printed and read gives the same text.
static void read_back(Arena *arena, const Func *mach0) {
    Program *program = mach0->program;
    Symbol *symbol = program_at(program, mach0->symbol);
    const Func *kept = symbol->func;
    Out text = {0}, again = {0};
    Diag diag;
    diag_init(&diag, arena, stderr);
    symbol->func = mach0;
    program_print(&text, program, &(PrintOptions){.locations = true});
    symbol->func = kept;
    const Program *read = program_parse(arena, &diag, FORM_MACH0, "text", text.text, text.length);
    if (!read) fail_with(mach0, mach0, "the text is not read");
    program_print(&again, read, &(PrintOptions){.locations = true});
    assert_true(text.length == again.length && memcmp(text.text, again.text, text.length) == 0);
    out_free(&text);
    out_free(&again);
    diag_free(&diag);
}

// Runs a function of two integers in lock step; the others of the program have no body.
static bool in_step(Arena *arena, const Func *ssa, const Func *mach0, const Mach0Hint *hint,
                    uint64_t seed, LockstepResult *result) {
    Program *program = ssa->program;
    LockstepPair *pairs = ARENA_ARRAY(arena, LockstepPair, program->symbols.count);
    pairs[ssa->symbol.i] = (LockstepPair){.ssa = ssa, .mach0 = mach0, .hint = hint};
    Random random = random_from(seed);
    Value args[2];
    for (uint32_t i = 0; i < 2; i++) {
        bool wide = reg_type(ssa, ssa->params.at[i]) == TYPE_I64;
        uint32_t number = random_below(&random, 100);
        args[i] = wide ? value_i64(number) : value_i32(number);
    }
    LockstepRun run = {.program = program,
                       .pairs = pairs,
                       .symbol = ssa->symbol,
                       .args = args,
                       .arg_count = 2,
                       .options = {.fuel = 5000, .capture = true, .choice = {.seed = seed}}};
    const Func *kept = program_at(program, ssa->symbol)->func;
    bool same = lockstep_run(arena, &run, result);
    program_at(program, ssa->symbol)->func = kept;
    out_free(&result->ssa.output);
    out_free(&result->mach0.output);
    return same;
}

// ---- Random functions

typedef struct {
    uint64_t blocks, values, reordered;
} Totals;

static bool same_order(const Mach0Hint *a, const Mach0Hint *b) {
    return a->origins.count == b->origins.count &&
           memcmp(a->origins.at, b->origins.at, a->origins.count * sizeof(Mach0Origin)) == 0;
}

static void try_function(Arena *arena, const Func *ssa, uint64_t seed, Totals *totals) {
    Mach0Hint plain, hint;
    generated(arena, ssa, 0, &plain);
    for (uint64_t k = 0; k < 3; k++) {
        Func *mach0 = generated(arena, ssa, seed * k, &hint);
        totals->reordered += !same_order(&plain, &hint);
        if (k == 1) read_back(arena, mach0);
        const char *difference = behaviour_difference(arena, ssa, mach0, seed + k, 5000);
        if (difference) fail_with(ssa, mach0, difference);
        LockstepResult result;
        if (!in_step(arena, ssa, mach0, &hint, seed + k, &result))
            fail_with(ssa, mach0, result.difference);
        totals->blocks += result.blocks;
        totals->values += result.values;
    }
}

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    Totals totals = {0};
    uint64_t count = effort(30, 200, 10000);
    for (uint64_t seed = 1; seed <= count; seed++) {
        Program *program = program_new(arena);
        const Func *func = random_func(arena, program, random_options(300, seed), seed);
        try_function(arena, ssa_of(arena, func), seed, &totals);
        arena_reset(arena);
    }
    printf("%llu functions under 3 seeds: %llu blocks, %llu values compared; %llu orders differ\n",
           (unsigned long long)count, (unsigned long long)totals.blocks,
           (unsigned long long)totals.values, (unsigned long long)totals.reordered);
    assert_true(totals.values > 10 * count && totals.reordered > count);
    arena_free(arena);
}

// SSA that no construction yields: phis that exchange values, that are needed behind their loops,
// and so on.
static void test_scrambled(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    Totals totals = {0};
    for (uint64_t seed = 1; seed <= effort(30, 200, 10000); seed++) {
        Program *program = program_new(arena);
        Random random = random_from(seed);
        const Func *func = random_func(arena, program, random_options(200, seed), seed);
        const Func *ssa =
            scramble_ssa(arena, ssa_of(arena, func), random_range(&random, 1, 60), &random);
        try_function(arena, ssa, seed, &totals);
        arena_reset(arena);
    }
    arena_free(arena);
}

// ---- Wrong code

static const char swap_text[] = "global @cell size 4 align 4\n"
                                "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                                "  0: nop\n"
                                "  1: %i.1 = phi(0: %n.0, 5: %i.2)\n"
                                "  1: %x.1 = phi(0: %n.0, 5: %y.1)\n"
                                "  1: %y.1 = phi(0: %m.0, 5: %x.1)\n"
                                "  1: %i.2 = sub.i32 %i.1, 1\n"
                                "  2: %old.1 = load.i32 [@cell]\n"
                                "  3: store.i32 [@cell], %x.1\n"
                                "  4: if gt.i32 %i.2, 0 then 5 else 6\n"
                                "  5: nop -> 1\n"
                                "  6: %r.1 = sub.i32 %x.1, %old.1\n"
                                "  7: return %r.1\n"
                                "}\n";

static const Func *parse_f(Arena *arena, const char *text) {
    Diag diag;
    diag_init(&diag, arena, stderr);
    Program *program = program_parse(arena, &diag, FORM_SSA, "f.ssa", text, strlen(text));
    assert_non_null(program);
    diag_free(&diag);
    return program_at(program, program_find(program, str_of(&program->strings, "f")))->func;
}

static Instr *find_origin(Func *mach0, const Mach0Hint *hint, Mach0Role role, uint32_t node) {
    for (uint32_t n = 0; n < mach0->nodes.count; n++)
        if (hint->origins.at[n].role == role && hint->origins.at[n].node == node)
            return &mach0->nodes.at[n];
    fail_msg("there is no such instruction");
    return NULL;
}

// Exchanges what two instructions do, but not where they stand.
static void exchange(Instr *a, Instr *b) {
    Instr kept = *a;
    *a = *b;
    a->succ[0] = kept.succ[0];
    kept.succ[0] = b->succ[0];
    *b = kept;
}

static void test_wrong_code(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    const Func *ssa = parse_f(arena, swap_text);
    Mach0Hint hint;
    LockstepResult result;
    Func *right = generated(arena, ssa, 0, &hint);
    assert_true(in_step(arena, ssa, right, &hint, 7, &result));

    // The finding: a read that comes after the write in an order in which its operands come first.
    Func *wrong = generated(arena, ssa, 0, &hint);
    exchange(find_origin(wrong, &hint, MACH0_OPERATION, 2),
             find_origin(wrong, &hint, MACH0_OPERATION, 3));
    Complaints complaints = {.arena = arena};
    assert_true(verify_func(&complaints, wrong));
    LockstepResult parting;
    assert_false(in_step(arena, ssa, wrong, &hint, 7, &parting));
    assert_non_null(strstr(parting.difference, "%old.1 = load.i32 [@cell] has the value 0, "));
    assert_int_equal(parting.at, 1);

    // An operand of another register, the copies of a phi left out, the wrong way of a branch.
    wrong = generated(arena, ssa, 0, &hint);
    find_origin(wrong, &hint, MACH0_OPERATION, 1)->imm = 2;
    assert_false(in_step(arena, ssa, wrong, &hint, 7, &parting));
    assert_non_null(strstr(parting.difference, "%i.2 = sub.i32 %i.1, 1 has the value "));
    wrong = generated(arena, ssa, 0, &hint);
    Instr *copy = find_origin(wrong, &hint, MACH0_SEND, 5);
    copy->arg[0] = copy->dest;
    assert_false(in_step(arena, ssa, wrong, &hint, 7, &parting));
    assert_non_null(strstr(parting.difference, "%i.1 = phi has the value "));
    wrong = generated(arena, ssa, 0, &hint);
    Instr *branch = find_origin(wrong, &hint, MACH0_OPERATION, 4);
    branch->op = (uint16_t)op_negation(branch->op);
    assert_false(in_step(arena, ssa, wrong, &hint, 7, &parting));
    assert_non_null(strstr(parting.difference, " in SSA, but 'f' at block L"));
    arena_free(arena);
}

// ---- Text and rules

// NOP, one operator, RETURN.
static Func *one_operator(Arena *arena, Op op) {
    Program *program = program_new(arena);
    const OpInfo *info = op_info(op);
    Sym symbol = program_symbol(program, str_of(&program->strings, "f"), SYM_FUNC);
    Sig sig = program_sig(program, (SigInfo){.result = PTYPE_VOID});
    program_at(program, symbol)->sig = sig;
    program_at(program, symbol)->defined = true;
    Func *func = func_new(program, arena, symbol, sig);
    func->form = FORM_MACH0;
    func_add_slot(func, (SlotInfo){.size = 4, .align = 4});
    Reg args[3];
    for (uint32_t i = 0; i < info->arity; i++) args[i] = func_temp(func, info->operand[i]);
    func_set_succs(func, func_add(func, (Instr){.kind = I_NOP, .dest = NO_REG}), &(Node){1}, 1);
    Instr instr = {.kind = I_OP, .op = (uint16_t)op, .dest = func_temp(func, info->result)};
    if (op == OP_ADDR_SYMBOL) instr.ref = symbol.i;
    Node node = func_add(func, instr);
    func_set_args(func, node, args, info->arity);
    func_set_succs(func, node, &(Node){2}, 1);
    func_add(func, (Instr){.kind = I_RETURN, .dest = NO_REG});
    return func;
}

static void test_operators(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    for (Op op = 0; op < OP_COUNT; op++) {
        const Func *func = one_operator(arena, op);
        Complaints complaints = {.arena = arena};
        if (!verify_func(&complaints, func)) fail_with(func, func, complaints.list.at[0].message);
        read_back(arena, func);
        arena_reset(arena);
    }
    arena_free(arena);
}

static void expect_complaint(Arena *arena, const Func *func, const char *message) {
    Complaints complaints = {.arena = arena};
    assert_false(verify_func(&complaints, func));
    assert_string_equal(complaints.list.at[0].message, message);
}

// What no text can say.
static void test_rules(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    const Func *ssa = parse_f(arena, swap_text);
    Mach0Hint hint;
    Func *func = generated(arena, ssa, 0, &hint);
    find_origin(func, &hint, MACH0_OPERATION, 2)->succ[0].i = 0;
    expect_complaint(arena, func, "expected the next instruction, 11, behind this one; found 0");
    func = generated(arena, ssa, 0, &hint);
    find_origin(func, &hint, MACH0_OPERATION, 4)->succ[1].i = 1;
    expect_complaint(arena, func, "expected a jump to NOP; found one to node 1");
    func = generated(arena, ssa, 0, &hint);
    find_origin(func, &hint, MACH0_JUMP, 5)->aux = 2;
    expect_complaint(arena, func, "expected NOP, 0, or JMP, 1; found 2");
    func = generated(arena, ssa, 0, &hint);
    func_copy_phis(func, ssa);
    expect_complaint(arena, func, "expected no phis in the form mach0; found 3");
    arena_free(arena);
}

// ---- What is rejected

// Changes a number in an operation.
static Func *careless_build(Arena *arena, const Func *func, const AsideOptions *options,
                            void **hint) {
    Mach0Hint *made = ARENA_NEW(arena, Mach0Hint);
    *hint = made;
    Func *mach0 = mach0_build(arena, func, options, made);
    find_origin(mach0, made, MACH0_OPERATION, 1)->imm = 2;
    return mach0;
}

static Verdict careful_check(Arena *arena, const Func *before, const Func *after,
                             const void *hint) {
    return check_mach0_build(arena, before, after, hint);
}

// It is an error, which is told, and the function stays what it was.
static void test_rejected(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    const Func *ssa = parse_f(arena, swap_text);
    AsideInfo row = *aside_to(FORM_MACH0);
    Diag diag;
    diag_init(&diag, arena, NULL);
    assert_true(aside_run(&row, ssa->program, &(AsideOptions){.seed = 5}, &diag));
    assert_int_equal(program_at(ssa->program, ssa->symbol)->func->form, FORM_MACH0);
    program_at(ssa->program, ssa->symbol)->func = ssa;
    row.transform = careless_build;
    row.check = careful_check;
    assert_false(aside_run(&row, ssa->program, &(AsideOptions){.seed = 5}, &diag));
    assert_int_equal(diag.errors, 1);
    assert_ptr_equal(program_at(ssa->program, ssa->symbol)->func, ssa);
    diag_free(&diag);
    arena_free(arena);
}

// ---- Long blocks

// A block of reads, writes, and sums of what was read.
static const Func *long_block(Arena *arena, uint32_t count) {
    Program *program = program_new(arena);
    Sym symbol = program_symbol(program, str_of(&program->strings, "f"), SYM_FUNC);
    PType types[2] = {PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_I32)};
    Sig sig = program_sig(program, (SigInfo){.result = PTYPE_OF(TYPE_I32),
                                             .param_count = 2,
                                             .fixed_count = 2,
                                             .params = types});
    program_at(program, symbol)->sig = sig;
    Func *func = func_new(program, arena, symbol, sig);
    Reg last = func_temp(func, TYPE_I32), second = func_temp(func, TYPE_I32);
    vec_push(arena, &func->params, last);
    vec_push(arena, &func->params, second);
    func_add_slot(func, (SlotInfo){.size = 4, .align = 4});
    for (uint32_t i = 0; i < count; i++) {
        bool store = i % 1000 == 0, load = i % 2 == 1;
        Instr instr = {.kind = store ? I_STORE : load ? I_LOAD : I_OP, .dest = NO_REG};
        if (store || load) instr.chunk = CHUNK_I32, instr.base = BASE_SLOT;
        if (!store) instr.dest = func_temp(func, TYPE_I32);
        if (!store && !load) instr.op = OP_ADD_I32;
        Node node = func_add(func, instr);
        Reg args[2] = {last, second};
        func_set_args(func, node, args, store ? 1 : load ? 0 : 2);
        func_set_succs(func, node, &(Node){node.i + 1}, 1);
        if (!store) second = i % 4 ? second : last, last = instr.dest;
    }
    Node end = func_add(func, (Instr){.kind = I_RETURN, .dest = NO_REG});
    func_set_args(func, end, &last, 1);
    func->form = FORM_SSA;
    for (uint32_t i = 0; i < func->regs.count; i++) func->regs.at[i].version = i < 2 ? 1 : 2;
    return func;
}

// What is made is as large as what it is made of; the arena shows how much was kept.
static void test_long_blocks(void **state) {
    (void)state;
    for (uint32_t count = 1000; count <= 100000; count *= 10) {
        Arena *arena = arena_new("function");
        const Func *ssa = long_block(arena, count);
        Complaints complaints = {.arena = arena};
        assert_true(verify_func(&complaints, ssa));
        Mach0Hint hint = {0};
        const Func *mach0 = mach0_build(arena, ssa, &(AsideOptions){.seed = count}, &hint);
        assert_int_equal(mach0->nodes.count, ssa->nodes.count + 1);
        assert_true(verify_func(&complaints, mach0));
        assert_true(check_mach0_build(arena, ssa, mach0, &hint).accepted);
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),      cmocka_unit_test(test_scrambled),
        cmocka_unit_test(test_wrong_code),  cmocka_unit_test(test_operators),
        cmocka_unit_test(test_rules),       cmocka_unit_test(test_rejected),
        cmocka_unit_test(test_long_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
