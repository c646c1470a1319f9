// Forged machine code around asm statements: selections and allocations that are well-formed and
// that their checkers must reject.
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

static const char text[] =
    "asm 0 \"nop\" in (i64 rax at 0) out (i64 rax at 0) destroys (rax, rbx)\n"
    "asm 1 \"nop\" in (i64 rax at 0) out (i64 rax at 0) destroys (rax)\n"
    "function i64 @f(i64 %n) {\n"
    "  slot $a size 16 align 16\n"
    "  slot $b size 16 align 16\n"
    "  0: %p = addr $a\n"
    "  1: %q = addr $b\n"
    "  2: store.i64 [$a], %n\n"
    "  3: asm %p, 0\n"
    "  4: %r = load.i64 [$a]\n"
    "  5: asm %q, 0\n"
    "  6: %s = sub.i64 %r, %n\n"
    "  7: return %s\n"
    "}\n";

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

// The asm statement that comes first or second.
static uint32_t find(const Func *func, uint32_t which) {
    for (uint32_t i = 0;; i++) {
        assert_true(i < func->mach->code.count);
        const MachInstr *instr = mach_at(func, i);
        if (instr->kind == MK_BUILTIN && instr->op == BI_ASM && which-- == 0) return i;
    }
}

static MachInstr *statement(Func *func, uint32_t which) {
    return &func->mach->code.at[find(func, which)];
}

static void test_unforged(void **state) {
    Forgery *f = *state;
    assert_true(
        pass_check(PASS_select_code, f->arena, NULL, f->rtl, f->selected, &f->select).accepted);
    assert_true(pass_check(PASS_allocate, f->arena, NULL, f->selected, f->allocated, &f->allocate)
                    .accepted);
}

static void test_selects_another(void **state) {
    Forgery *f = *state;
    statement(f->selected, 0)->imm = 1;
    expect_selection(f, "its effects differ");
}

static void test_selects_other_operands(void **state) {
    Forgery *f = *state;
    statement(f->selected, 1)->src[0] = statement(f->selected, 0)->src[0];
    expect_selection(f, "its effects differ");
}

// Before the store of what it reads.
static void test_selects_early(void **state) {
    Forgery *f = *state;
    MachInstr *code = f->selected->mach->code.at;
    uint32_t at = find(f->selected, 0), store = at;
    while (code[store].kind != MK_STORE) store--;
    MachInstr moved = code[store];
    for (; store < at; store++) code[store] = code[store + 1];
    code[at] = moved;
    expect_selection(f, "its effects differ");
}

static void test_drops(void **state) {
    Forgery *f = *state;
    MachInstr *instr = statement(f->selected, 0);
    Place place = instr->src[0];
    *instr = mach_instr(MK_OP);
    instr->op = OP_MOVE_I64;
    instr->dest = instr->src[0] = place;
    expect_selection(f, "it reads memory that the original does not");
}

static void test_allocates_another(void **state) {
    Forgery *f = *state;
    statement(f->allocated, 0)->imm = 1;
    expect_allocation(f, "it is not its origin with places for registers");
}

static void move_register(Place *place, MachineReg from, MachineReg to) {
    if (place->i == place_machine(from).i) *place = place_machine(to);
}

// What lives across the statements is put where they destroy it.
static void test_destroyed(void **state) {
    Forgery *f = *state;
    Mach *mach = f->allocated->mach;
    const MachInstr *last = NULL;
    for (uint32_t i = 0; i < mach->code.count; i++)
        if (mach->code.at[i].kind == MK_OP && mach->code.at[i].op == OP_SUB_I64)
            last = &mach->code.at[i];
    assert_non_null(last);
    assert_true(place_is_machine(last->src[1]));
    MachineReg kept = (MachineReg)place_index(last->src[1]);
    uint32_t first = find(f->allocated, 0);
    for (uint32_t i = first + 1; i < mach->code.count; i++) {
        MachInstr *instr = &mach->code.at[i];
        move_register(&instr->dest, kept, M_RBX);
        for (uint32_t k = 0; k < MACH_SOURCES; k++) move_register(&instr->src[k], kept, M_RBX);
    }
    expect_allocation(f, "it destroys a value that is needed");
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(test_unforged),      CASE(test_selects_another), CASE(test_selects_other_operands),
        CASE(test_selects_early), CASE(test_drops),           CASE(test_allocates_another),
        CASE(test_destroyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
