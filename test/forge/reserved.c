// Forged machine code around reserved registers: selections and allocations that are well-formed
// and that their checkers must reject, and allocations that the verifier must reject, as they use
// what is reserved.
#include "check/checkers.h"
#include "check/passes.h"
#include "form/mach.h"
#include "pass/pass.h"
#include "target/x64/model/constraints.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char text[] = "reserve rbx, r15\n"
                           "function i64 @f(i64 %n) {\n"
                           "  0: %a = read_register r15\n"
                           "  1: write_register %n, r15\n"
                           "  2: write_register %a, rbx\n"
                           "  3: %b = read_register r15\n"
                           "  4: %c = call @g(%b)\n"
                           "  5: %d = read_register rbx\n"
                           "  6: %e = sub.i64 %c, %d\n"
                           "  7: %s = add.i64 %e, %n\n"
                           "  8: return %s\n"
                           "}\n"
                           "extern function i64 @g(i64)\n";

typedef struct {
    Arena *arena;
    const Func *rtl;
    Func *selected, *allocated;
    SelectHint select;
    AllocateHint allocate;
} Forgery;

static int set_up(void **state) {
    Arena *arena = arena_new("forgery");
    Forgery *f = ARENA_NEW(arena, Forgery);
    Diag diag;
    diag_init(&diag, arena, NULL);
    Program *program = program_parse(arena, &diag, FORM_RTL, "forged", text, strlen(text));
    if (!program) fail_msg("%.*s", (int)diag.out.length, diag.out.text);
    diag_free(&diag);
    *f = (Forgery){.arena = arena, .rtl = program_at(program, (Sym){0})->func};
    f->selected = select_code(arena, f->rtl, &f->select);
    f->allocated = allocate(arena, f->selected, &f->allocate);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    arena_free(((Forgery *)*state)->arena);
    return 0;
}

static void expect(const Forgery *f, const Func *after, Verdict verdict, const char *reason) {
    Complaints complaints = {.arena = f->arena};
    if (!verify_func(&complaints, after)) fail_msg("%s", complaints.list.at[0].message);
    if (verdict.accepted) fail_msg("the forgery is accepted");
    if (!strstr(verdict.reason, reason))
        fail_msg("rejected because \"%s\", not because \"%s\"", verdict.reason, reason);
}

static void expect_selection(Forgery *f, const char *reason) {
    expect(f, f->selected,
           pass_check(PASS_select_code, f->arena, NULL, f->rtl, f->selected, &f->select), reason);
}

static void expect_allocation(Forgery *f, const char *reason) {
    expect(f, f->allocated,
           pass_check(PASS_allocate, f->arena, NULL, f->selected, f->allocated, &f->allocate),
           reason);
}

static void expect_complaint(const Forgery *f, const char *reason) {
    Complaints complaints = {.arena = f->arena};
    if (verify_func(&complaints, f->allocated)) fail_msg("the forgery is well-formed");
    for (uint32_t i = 0; i < complaints.list.count; i++)
        if (strstr(complaints.list.at[i].message, reason)) return;
    fail_msg("\"%s\", not \"%s\"", complaints.list.at[0].message, reason);
}

// The instruction that is the first, second, ... of a builtin.
static MachInstr *find(Func *func, Builtin builtin, uint32_t which) {
    for (uint32_t i = 0;; i++) {
        assert_true(i < func->mach->code.count);
        MachInstr *instr = &func->mach->code.at[i];
        if (instr->kind == MK_BUILTIN && instr->op == builtin && which-- == 0) return instr;
    }
}

static void test_unforged(void **state) {
    Forgery *f = *state;
    assert_true(
        pass_check(PASS_select_code, f->arena, NULL, f->rtl, f->selected, &f->select).accepted);
    assert_true(pass_check(PASS_allocate, f->arena, NULL, f->selected, f->allocated, &f->allocate)
                    .accepted);
    Complaints complaints = {.arena = f->arena};
    assert_true(verify_func(&complaints, f->allocated));
}

static void test_selects_another_to_read(void **state) {
    Forgery *f = *state;
    find(f->selected, BI_READ_REGISTER, 0)->imm = M_RBX;
    expect_selection(f, "its effects differ");
}

static void test_selects_another_to_write(void **state) {
    Forgery *f = *state;
    find(f->selected, BI_WRITE_REGISTER, 0)->imm = M_RBX;
    expect_selection(f, "its effects differ");
}

static void test_writes_another_value(void **state) {
    Forgery *f = *state;
    find(f->selected, BI_WRITE_REGISTER, 0)->src[0] = find(f->selected, BI_READ_REGISTER, 0)->dest;
    expect_selection(f, "its effects differ");
}

// What was read before the write is not what is there after it.
static void test_reads_once(void **state) {
    Forgery *f = *state;
    MachInstr *again = find(f->selected, BI_READ_REGISTER, 1);
    Place dest = again->dest;
    *again = mach_instr(MK_OP);
    again->op = OP_MOVE_I64;
    again->dest = dest;
    again->src[0] = find(f->selected, BI_READ_REGISTER, 0)->dest;
    expect_selection(f, "its effects differ");
}

static void test_writes_in_another_order(void **state) {
    Forgery *f = *state;
    MachInstr *first = find(f->selected, BI_WRITE_REGISTER, 0);
    MachInstr *second = find(f->selected, BI_WRITE_REGISTER, 1), saved = *first;
    *first = *second;
    *second = saved;
    expect_selection(f, "its effects differ");
}

static void test_allocates_another(void **state) {
    Forgery *f = *state;
    find(f->allocated, BI_READ_REGISTER, 0)->imm = M_RBX;
    expect_allocation(f, "it is not its origin with places for registers");
}

// A value in a reserved register, which the callee may write.
static void test_uses_reserved(void **state) {
    Forgery *f = *state;
    Mach *mach = f->allocated->mach;
    for (uint32_t i = 0; i < mach->code.count; i++)
        if (mach->code.at[i].kind == MK_OP) mach->code.at[i].src[0] = place_machine(M_R15);
    expect_complaint(f, "expected no use of r15, which is reserved");
}

static void test_saves_reserved(void **state) {
    Forgery *f = *state;
    regs_add(&f->allocated->mach->saved, M_RBX);
    expect_complaint(f, "expected no reserved register to be saved");
}

static void test_reads_what_is_not_reserved(void **state) {
    Forgery *f = *state;
    find(f->allocated, BI_READ_REGISTER, 0)->imm = M_R14;
    expect_complaint(f, "expected a register that is reserved");
}

static void test_writes_stack_pointer(void **state) {
    Forgery *f = *state;
    find(f->allocated, BI_WRITE_REGISTER, 0)->imm = M_RSP;
    expect_complaint(f, "expected a register that is reserved");
}

static void test_names_no_register(void **state) {
    Forgery *f = *state;
    find(f->allocated, BI_WRITE_REGISTER, 0)->imm = -1;
    expect_complaint(f, "expected a register that is reserved");
}

// The frame would be found by a register that is the source's.
static void test_frame_by_reserved(void **state) {
    Forgery *f = *state;
    regs_add(&f->allocated->program->reserved, M_RBP);
    f->allocated->program->frame_pointer = true;
    expect_complaint(f, "expected no need of rbp for the frame");
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(test_unforged),
        CASE(test_selects_another_to_read),
        CASE(test_selects_another_to_write),
        CASE(test_writes_another_value),
        CASE(test_reads_once),
        CASE(test_writes_in_another_order),
        CASE(test_allocates_another),
        CASE(test_uses_reserved),
        CASE(test_saves_reserved),
        CASE(test_reads_what_is_not_reserved),
        CASE(test_writes_stack_pointer),
        CASE(test_names_no_register),
        CASE(test_frame_by_reserved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
