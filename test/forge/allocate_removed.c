// Allocations in which instructions are missing or made again, long doubles move, and blocks end
// otherwise. What does nothing but set a register that nobody needs may be missing; everything else
// is told.
#include "check/checkers.h"
#include "check/passes.h"
#include "test/gen/mach_forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const char *hint) {
    HintNumbers instrs = {0}, blocks = {0};
    AllocateHint allocate = {0};
    hint = mach_forge_numbers(arena, hint, &instrs);
    assert_int_equal(*hint, '/');
    mach_forge_numbers(arena, hint + 1, &blocks);
    for (uint32_t i = 0; i < instrs.count; i++) vec_push(arena, &allocate.origin, instrs.at[i]);
    for (uint32_t i = 0; i < blocks.count; i++)
        vec_push(arena, &allocate.block_origin, blocks.at[i]);
    return pass_check(PASS_allocate, arena, NULL, before, after, &allocate);
}

// A load, a select, a load of a part and an address that nobody needs.
static const MachPair unneeded = {
    .form = FORM_MACH,
    .before = "function i32 @f(i64 %p, i32 %a) {\n"
              "b0:\n"
              "  %p, %a = params\n"
              "  %x = load.i32 [%p]\n"
              "  %y = select i32 if lt.i32 %a, 5 then %x else %a\n"
              "  %z = load_part.i64 3 bytes [%p + 8]\n"
              "  %l = lea.i64 [%p + 8]\n"
              "  store.i32 [%p], %a\n"
              "  %k = const.i32 7\n"
              "  branch lt.i32 %a, 0 -> b1, b2\n"
              "b1:\n"
              "  return %k\n"
              "b2:\n"
              "  return %a\n"
              "}\n",
    .after = "function i32 @f(i64, i32) {\n"
             "  allocated\n"
             "b0:\n"
             "  rdi, rsi = params\n"
             "  rax = load.i32 [rdi]\n"
             "  rax = select i32 if lt.i32 rsi, 5 then rax else rsi\n"
             "  rax = load_part.i64 3 bytes [rdi + 8]\n"
             "  rax = lea.i64 [rdi + 8]\n"
             "  store.i32 [rdi], rsi\n"
             "  rax = const.i32 7\n"
             "  branch lt.i32 rsi, 0 -> b1, b2\n"
             "b1:\n"
             "  return rax\n"
             "b2:\n"
             "  rax = move i32 rsi\n"
             "  return rax\n"
             "}\n",
    .hint = "0 1 2 3 4 5 6 7 8 - 9 / 0 1 2",
};

static const char no_effect[] = "an instruction with an effect is missing before it";
static const char missing[] = "an instruction is missing before it whose result is needed";

static const MachForgery removals[] = {
    {&unneeded, NULL, NULL, {{"  rax = lea.i64 [rdi + 8]\n", "  rcx = lea.i64 [rdi + 8]\n"}}},
    {&unneeded, missing, "0 2 3 4 5 6 7 8 - 9 / 0 1 2", {{"  rax = load.i32 [rdi]\n", ""}}},
    {&unneeded,
     NULL,
     "0 3 4 5 6 7 8 - 9 / 0 1 2",
     {{"  rax = load.i32 [rdi]\n", ""},
      {"  rax = select i32 if lt.i32 rsi, 5 then rax else rsi\n", ""}}},
    {&unneeded,
     NULL,
     "0 1 3 4 5 6 7 8 - 9 / 0 1 2",
     {{"  rax = select i32 if lt.i32 rsi, 5 then rax else rsi\n", ""}}},
    {&unneeded,
     NULL,
     "0 1 2 4 5 6 7 8 - 9 / 0 1 2",
     {{"  rax = load_part.i64 3 bytes [rdi + 8]\n", ""}}},
    {&unneeded, NULL, "0 1 2 3 5 6 7 8 - 9 / 0 1 2", {{"  rax = lea.i64 [rdi + 8]\n", ""}}},
    {&unneeded, no_effect, "0 1 2 3 4 6 7 8 - 9 / 0 1 2", {{"  store.i32 [rdi], rsi\n", ""}}},
    {&unneeded, missing, "0 1 2 3 4 5 7 8 - 9 / 0 1 2", {{"  rax = const.i32 7\n", ""}}},
    // A constant and an address may be made again, elsewhere; nothing else may.
    {&unneeded,
     NULL,
     "0 1 2 3 4 5 7 - 8 - 9 / 0 1 2",
     {{"  rax = const.i32 7\n", ""}, {"b1:\n", "b1:\n  rax = const.i32 7\n"}}},
    {&unneeded,
     "a constant is put where another value is needed",
     "0 1 2 3 4 5 7 - 8 - 9 / 0 1 2",
     {{"  rax = const.i32 7\n", ""}, {"b1:\n", "b1:\n  rax = const.i32 8\n"}}},
    {&unneeded,
     "an instruction was put in that is no move, exchange or constant",
     "0 1 2 3 4 5 6 7 - 8 - 9 / 0 1 2",
     {{"b1:\n", "b1:\n  rcx = lea.i64 [rdi + 8]\n"}}},
    {&unneeded,
     "an instruction was put in that is no move, exchange or constant",
     "0 1 2 3 4 5 6 7 - 8 - 9 / 0 1 2",
     {{"b1:\n", "b1:\n  rcx = load.i32 [rdi]\n"}}},
    // Blocks that end otherwise.
    {&unneeded, "a way leads elsewhere", NULL, {{"-> b1, b2", "-> b2, b1"}}},
    {&unneeded, "a way leads elsewhere", NULL, {{"-> b1, b2", "-> b2, b2"}}},
    {&unneeded,
     "an instruction was put in that is no move, exchange or constant",
     "0 1 2 3 4 5 6 - 8 - 9 / 0 1 2",
     {{"  branch lt.i32 rsi, 0 -> b1, b2\n", "  jump b1\n"}}},
    {&unneeded,
     "the hint names a block that is not there",
     "0 1 2 3 4 5 6 7 8 - 9 / 0 1 3",
     {{"rdi + 8]\n  store", "rdi + 8]\n  store"}}},
    {&unneeded,
     "the function starts elsewhere",
     "0 1 2 3 4 5 6 7 8 - 9 / 1 0 2",
     {{"rdi + 8]\n  store", "rdi + 8]\n  store"}}},
    {&unneeded,
     "the hint does not fit the function",
     "0 1 2 3 4 5 6 7 8 - / 0 1 2",
     {{"rdi + 8]\n  store", "rdi + 8]\n  store"}}},
    {&unneeded,
     "the hint does not fit the function",
     "0 1 2 3 4 5 6 7 8 - 9 / 0 1",
     {{"rdi + 8]\n  store", "rdi + 8]\n  store"}}},
};

// A long double that lives over calls.
static const MachPair long_doubles = {
    .form = FORM_MACH,
    .before = "function f80 @f(f80 %p, i32 %a) {\n"
              "b0:\n"
              "  %a = params\n"
              "  %p = load.f80 [incoming]\n"
              "  call @g(%a)\n"
              "  %s = add.f80 %p, %p\n"
              "  call @g(%a)\n"
              "  return %s\n"
              "}\n"
              "extern function void @g(i32)\n",
    .after = "function f80 @f(f80, i32) {\n"
             "  allocated\n"
             "  saves rbx\n"
             "  spills 16, 16, 8\n"
             "b0:\n"
             "  rdi = params\n"
             "  rbx = move i32 rdi\n"
             "  s0 = load.f80 [incoming]\n"
             "  rdi = move i32 rbx\n"
             "  call @g(rdi)\n"
             "  s1 = move f80 s0\n"
             "  s0 = add.f80 s1, s1\n"
             "  rdi = move i32 rbx\n"
             "  call @g(rdi)\n"
             "  return s0\n"
             "}\n"
             "extern function void @g(i32)\n",
    .hint = "0 - 1 - 2 - 3 - 4 5 / 0",
};

static const MachForgery moves[] = {
    {&long_doubles, NULL, NULL, {{"s0 = add.f80 s1, s1", "s0 = add.f80 s1, s0"}}},
    {&long_doubles,
     NULL,
     NULL,
     {{"s0 = add.f80 s1, s1", "s1 = add.f80 s1, s1"}, {"return s0", "return s1"}}},
    {&long_doubles, "needed in another place", NULL, {{"return s0", "return s1"}}},
    {&long_doubles,
     "needed in another place",
     "0 - 1 - 2 3 - 4 5 / 0",
     {{"  s1 = move f80 s0\n", ""}}},
    {&long_doubles,
     "needed in another place",
     NULL,
     {{"s1 = move f80 s0", "s0 = move f80 s1"}, {"add.f80 s1, s1", "add.f80 s0, s0"}}},
};

#define TEST(name, table)                                                                          \
    static void name(void **state) {                                                               \
        (void)state;                                                                               \
        mach_forge(check, table, sizeof table / sizeof table[0]);                                  \
    }

TEST(test_removals, removals)
TEST(test_long_doubles, moves)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_removals),
                                       cmocka_unit_test(test_long_doubles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
