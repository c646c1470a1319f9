// What each instruction may do (fact/effects.h), as its users see it: for an example of every kind
// and every builtin, whether checkers let it be dropped, let a value be forwarded past it, let a
// load be put before it, and let it be copied to another frame. What is expected is written here,
// not taken from the table.
#include "fact/effects.h"
#include "check/checkers.h"
#include "graph/versions.h"
#include "pass/values/values_hint.h"
#include "test/gen/forge.h"
#include "test/gen/plain_values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
    REMOVABLE = 1,     // it may be dropped
    SHARED = 2,        // memory that others know of is as before, but for the bytes at %p
    PRIVATE = 4,       // so is a private slot
    QUIET = 8,         // it goes on, or goes wrong, and nobody sees it
    ANYWHERE_ELSE = 16 // any function can do it for another
};

typedef struct {
    const char *instr;
    uint32_t expected;
} Example;

#define MEMORY (SHARED | PRIVATE)

static const Example plain[] = {
    {"nop", MEMORY | QUIET | ANYWHERE_ELSE},
    {"%d.1 = add.i32 %x.0, 1", REMOVABLE | MEMORY | QUIET | ANYWHERE_ELSE},
    {"%d.1 = divs.i32 %x.0, %x.0", REMOVABLE | MEMORY | QUIET | ANYWHERE_ELSE},
    {"%d.1 = load.i32 [@h]", REMOVABLE | MEMORY | QUIET | ANYWHERE_ELSE},
    {"store.i32 [@h], %x.0", MEMORY | QUIET | ANYWHERE_ELSE},
    {"store.i32 [%p.0], %x.0", PRIVATE | QUIET | ANYWHERE_ELSE},
    {"%d.1 = call @other(%x.0)", PRIVATE | ANYWHERE_ELSE},
    {"check %x.0", MEMORY | ANYWHERE_ELSE},
};

static const Example builtins[BI_COUNT] = {
    [BI_MEMCPY] = {"memcpy %p.0, %b.1, 8", PRIVATE | QUIET | ANYWHERE_ELSE},
    [BI_MEMSET] = {"memset %p.0, %x.0, 8", PRIVATE | QUIET | ANYWHERE_ELSE},
    [BI_ALLOCA] = {"%e.1 = alloca %p.0 align 16", MEMORY},
    [BI_STACK_SAVE] = {"%e.1 = stack_save", MEMORY},
    [BI_STACK_RESTORE] = {"stack_restore %p.0", MEMORY},
    [BI_VA_START] = {"va_start %b.1", PRIVATE},
    [BI_VA_ARG] = {"%d.1 = va_arg i32 %b.1", PRIVATE | ANYWHERE_ELSE},
    [BI_VA_COPY] = {"va_copy %b.1, %p.0", PRIVATE | ANYWHERE_ELSE},
    [BI_VA_END] = {"va_end %b.1", PRIVATE | ANYWHERE_ELSE},
    [BI_VOLATILE_LOAD] = {"%d.1 = volatile_load.i32 [@h]", MEMORY | ANYWHERE_ELSE},
    [BI_VOLATILE_STORE] = {"volatile_store.i32 [@h], %x.0", MEMORY | ANYWHERE_ELSE},
    [BI_ATOMIC_LOAD] = {"%d.1 = atomic_load.i32 [@h] acquire", PRIVATE | ANYWHERE_ELSE},
    [BI_ATOMIC_STORE] = {"atomic_store.i32 [@h], %x.0 relaxed", PRIVATE | ANYWHERE_ELSE},
    [BI_ATOMIC_EXCHANGE] = {"%d.1 = atomic_exchange.i32 [$s], %x.0 seq_cst", ANYWHERE_ELSE},
    [BI_ATOMIC_COMPARE] = {"%d.1 = atomic_compare.i32 [$s], %x.0, %x.0 seq_cst", ANYWHERE_ELSE},
    [BI_ATOMIC_ADD] = {"%d.1 = atomic_add.i32 [$s], %x.0 seq_cst", ANYWHERE_ELSE},
    [BI_ATOMIC_SUB] = {"%d.1 = atomic_sub.i32 [$s], %x.0 seq_cst", ANYWHERE_ELSE},
    [BI_ATOMIC_AND] = {"%d.1 = atomic_and.i32 [$s], %x.0 seq_cst", ANYWHERE_ELSE},
    [BI_ATOMIC_OR] = {"%d.1 = atomic_or.i32 [$s], %x.0 seq_cst", ANYWHERE_ELSE},
    [BI_ATOMIC_XOR] = {"%d.1 = atomic_xor.i32 [$s], %x.0 seq_cst", ANYWHERE_ELSE},
    [BI_ATOMIC_NAND] = {"%d.1 = atomic_nand.i32 [@h], %x.0 seq_cst", PRIVATE | ANYWHERE_ELSE},
    [BI_FENCE] = {"fence seq_cst", PRIVATE | ANYWHERE_ELSE},
    [BI_SIGNAL_FENCE] = {"signal_fence seq_cst", PRIVATE | ANYWHERE_ELSE},
    [BI_SPIN] = {"spin", MEMORY | ANYWHERE_ELSE},
    [BI_ASM] = {"asm %b.1, 0", PRIVATE | ANYWHERE_ELSE},
    [BI_ASM_ALONE] = {"asm_alone 1", PRIVATE | ANYWHERE_ELSE},
    [BI_READ_REGISTER] = {"%e.1 = read_register r12", MEMORY | ANYWHERE_ELSE},
    [BI_WRITE_REGISTER] = {"write_register %p.0, r12", MEMORY | ANYWHERE_ELSE},
    [BI_FRAME_ADDRESS] = {"%e.1 = frame_address 1", MEMORY},
    [BI_RETURN_ADDRESS] = {"%e.1 = return_address 0", MEMORY},
    [BI_TRAP] = {"trap", ANYWHERE_ELSE},
    [BI_UNREACHABLE] = {"unreachable", ANYWHERE_ELSE},
};

// The instruction stands between stores and loads of a private slot, of memory that others know of,
// and of what a pointer points at; @h is an object of its own.
static const char around[] = "function i32 @f(i64 %%p.0, i32 %%x.0, ...) {\n"
                             "  slot $s size 8 align 8\n"
                             "  slot $b size 64 align 16\n"
                             "  reg i32 %%d.1\n"
                             "  reg i64 %%e.1\n"
                             "  0: %%b.1 = addr $b\n"
                             "  1: %%c.1 = call @other(%%x.0)\n"
                             "  2: store.i32 [$s], %%x.0\n"
                             "  3: store.i32 [@g], %%x.0\n"
                             "  4: nop\n"
                             "  5: %s\n"
                             "  6: %%s.1 = load.i32 [$s]\n"
                             "  7: %%g.1 = load.i32 [@g]\n"
                             "  8: %%m.1 = load.i32 [%%p.0]\n"
                             "  9: return %%m.1\n"
                             "}\n"
                             "global @g size 8 align 8\n"
                             "global @h size 8 align 8\n"
                             "extern function i32 @other(i32)\n"
                             "asm 0 \"nop\" in (i64 rax at 0) out (i64 rax at 0) destroys (rax)\n"
                             "asm 1 \"nop\"\n"
                             "reserve r12\n";

static const Func *with(Arena *arena, const char *instr) {
    return forge_parse(arena, FORM_SSA, arena_printf(arena, around, instr));
}

// ---- What checkers say

static bool is_dropped(Arena *arena, const Func *func) {
    Func *after = func_clone(func, arena);
    after->nodes.at[5] = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {{6}}};
    DeadCodeHint hint = {0};
    return check_values(arena, func, after, explain_DeadCodeHint(arena, func, after, &hint))
        .accepted;
}

// The load at a node becomes a move of what was stored before.
static bool is_forwarded(Arena *arena, const Func *func, uint32_t node) {
    Func *after = func_clone(func, arena);
    const Instr *load = &func->nodes.at[node];
    after->nodes.at[node] = (Instr){.kind = I_OP,
                                    .op = OP_MOVE_I32,
                                    .dest = load->dest,
                                    .arg_count = 1,
                                    .arg = {forge_reg(func, "%x.0")},
                                    .succ_count = 1,
                                    .succ = {load->succ[0]}};
    ValuesHint *hint = plain_values(arena, func, after);
    plain_forward(arena, func, after, (Node){node}, hint);
    return check_values(arena, func, after, hint).accepted;
}

// The load through the pointer is done a first time before the instruction: at node 4, which is
// added. The nop that was there is a node at the end.
static bool is_passed(Arena *arena, const Func *func) {
    Func *after = func_clone(func, arena);
    Instr load = func->nodes.at[8];
    load.dest = func_temp(after, TYPE_I32);
    after->regs.at[load.dest.i].version = VERSION_FIRST_SET;
    load.succ[0] = (Node){5};
    after->nodes.at[4] = load;
    Node moved = func_nop(after, (Node){4});
    after->nodes.at[3].succ[0] = moved;
    ValuesHint *hint = plain_values(arena, func, after);
    hint->old.at[4] = NO_NODE;
    hint->old.at[moved.i] = (Node){4};
    HintValue early = {.kind = VALUE_LOAD, .ref = 5, .imm = 8};
    hint->value_of_new.at[load.dest.i] = plain_add(arena, hint, early, NULL);
    return check_values(arena, func, after, hint).accepted;
}

static void expect(const Example *example, uint32_t what, bool found, const char *question) {
    if (!(example->expected & what) == !found) return;
    fail_msg("%s: %s: expected %s", example->instr, question,
             example->expected & what ? "yes" : "no");
}

static void check_example(const Example *example) {
    Arena *arena = arena_new("effects");
    const Func *func = with(arena, example->instr);
    const Instr *instr = &func->nodes.at[5];
    expect(example, ANYWHERE_ELSE, !(instr_effects(instr) & USES_FRAME), "in another frame");
    if (!instr_ends(instr)) {
        expect(example, REMOVABLE, instr->kind != I_NOP && is_dropped(arena, func), "dropped");
        expect(example, PRIVATE, is_forwarded(arena, func, 6), "a private slot past it");
        expect(example, SHARED, is_forwarded(arena, func, 7), "shared memory past it");
        expect(example, QUIET, is_passed(arena, func), "a load before it");
    }
    arena_free(arena);
}

static void test_plain(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof plain / sizeof plain[0]; i++) check_example(&plain[i]);
}

static void test_builtins(void **state) {
    (void)state;
    for (Builtin builtin = 0; builtin < BI_COUNT; builtin++) {
        if (!builtins[builtin].instr)
            fail_msg("there is no example of %s", builtin_info(builtin)->name);
        check_example(&builtins[builtin]);
    }
}

// Whether an atomic access is an event is said by itself.
static void test_volatile(void **state) {
    (void)state;
    Arena *arena = arena_new("effects");
    const Func *plain_one = with(arena, "%d.1 = atomic_load.i32 [@h] acquire");
    const Func *volatile_one = with(arena, "%d.1 = atomic_load.i32 [@h] acquire volatile");
    assert_false(instr_effects(&plain_one->nodes.at[5]) & MAY_BE_EVENT);
    assert_true(instr_effects(&volatile_one->nodes.at[5]) & MAY_BE_EVENT);
    arena_free(arena);
}

// Only divisions are operators that may go wrong.
static void test_operators(void **state) {
    (void)state;
    static const Op partial[] = {OP_DIVS_I32, OP_DIVS_I64, OP_DIVU_I32, OP_DIVU_I64,
                                 OP_MODS_I32, OP_MODS_I64, OP_MODU_I32, OP_MODU_I64};
    for (Op op = 0; op < OP_COUNT; op++) {
        bool expected = false;
        for (uint32_t i = 0; i < sizeof partial / sizeof partial[0]; i++)
            expected = expected || partial[i] == op;
        if (expected != op_is_partial(op)) fail_msg("%s", op_info(op)->name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_builtins),
        cmocka_unit_test(test_volatile),
        cmocka_unit_test(test_operators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
