// Forged register allocations: functions and hints that check_allocate, or the verifier before it,
// must reject, each for the right reason. The hint is the origin of each instruction, then of each
// block, then perhaps the rank of each block.
#include "check/checkers.h"
#include "check/passes.h"
#include "test/gen/mach_forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const char *hint) {
    HintNumbers instrs = {0}, blocks = {0}, ranks = {0};
    AllocateHint allocate = {0};
    hint = mach_forge_numbers(arena, hint, &instrs);
    assert_int_equal(*hint, '/');
    hint = mach_forge_numbers(arena, hint + 1, &blocks);
    if (*hint == '/') mach_forge_numbers(arena, hint + 1, &ranks);
    for (uint32_t i = 0; i < ranks.count; i++) vec_push(arena, &allocate.rank, ranks.at[i]);
    for (uint32_t i = 0; i < instrs.count; i++) vec_push(arena, &allocate.origin, instrs.at[i]);
    for (uint32_t i = 0; i < blocks.count; i++)
        vec_push(arena, &allocate.block_origin, blocks.at[i]);
    return pass_check(PASS_allocate, arena, NULL, before, after, &allocate);
}

static const char elsewhere[] = "its result is needed in another place as well";
static const char destroys[] = "it destroys a value that is needed";
static const char part[] = "it moves only a part of a value that is needed";
static const char missing[] = "an instruction is missing before it whose result is needed";
static const char no_effect[] = "an instruction with an effect is missing before it";
static const char another[] = "it is not its origin with places for registers";
static const char order[] = "its origin is out of order";
static const char no_move[] = "an instruction was put in that is no move, exchange or constant";
static const char constant[] = "a constant is put where another value is needed";
static const char way[] = "a way leads elsewhere";

// A value over a call and a division, one in a spill, a constant.
#define EXTERNS                                                                                    \
    "extern function i32 @g(i32)\n"                                                                \
    "extern function i32 @other(i32)\n"

static const MachPair calls = {
    .form = FORM_MACH,
    .before = "function i32 @f(i64 %p, i32 %a, i32 %b) {\n"
              "b0:\n"
              "  %p, %a, %b = params\n"
              "  %x = call @g(%a)\n"
              "  %c = sub.i32 %x, %b\n"
              "  %d = divs.i32 %c, %x\n"
              "  %e = shl.i32 %d, %b\n"
              "  store.i32 [%p], %e\n"
              "  %k = const.i32 12345\n"
              "  %h = add.i32 %k, %e\n"
              "  branch lt.i32 %h, %x -> b1, b2\n"
              "b1:\n"
              "  return %h\n"
              "b2:\n"
              "  %i = add.i32 %h, %x\n"
              "  return %i\n"
              "}\n" EXTERNS,
    .after = "function i32 @f(i64, i32, i32) {\n"
             "  allocated\n"
             "  saves rbx, r12\n"
             "  spills 8, 8\n"
             "b0:\n"
             "  rdi, rsi, rdx = params\n"
             "  rbx = move i64 rdi\n"
             "  s0 = move i32 rdx\n"
             "  rdi = move i32 rsi\n"
             "  rax = call @g(rdi)\n"
             "  r12 = move i32 rax\n"
             "  rax = sub.i32 rax, s0\n"
             "  rax = divs.i32 rax, r12\n"
             "  rcx = move i32 s0\n"
             "  rax = shl.i32 rax, rcx\n"
             "  store.i32 [rbx], rax\n"
             "  rcx = const.i32 12345\n"
             "  rax = add.i32 rcx, rax\n"
             "  branch lt.i32 rax, r12 -> b1, b2\n"
             "b1:\n"
             "  return rax\n"
             "b2:\n"
             "  rax = add.i32 rax, r12\n"
             "  return rax\n"
             "}\n" EXTERNS,
    .hint = "0 - - - 1 - 2 3 - 4 5 6 7 8 9 10 11 / 0 1 2",
};

static const MachForgery wrong_places[] = {
    // Missing and wrong stores to and loads from spills.
    {&calls,
     elsewhere,
     "0 - - 1 - 2 3 - 4 5 6 7 8 9 10 11 / 0 1 2",
     {{"  s0 = move i32 rdx\n", ""}}},
    {&calls, destroys, NULL, {{"s0 = move i32 rdx", "s0 = move i32 rsi"}}},
    {&calls, elsewhere, NULL, {{"s0 = move i32 rdx", "s1 = move i32 rdx"}}},
    {&calls, elsewhere, NULL, {{"rcx = move i32 s0", "rcx = move i32 s1"}}},
    {&calls, destroys, NULL, {{"rcx = move i32 s0", "rcx = move i32 r12"}}},
    {&calls, elsewhere, NULL, {{"sub.i32 rax, s0", "sub.i32 rax, s1"}}},
    {&calls,
     destroys,
     "0 - - - 1 - 2 3 4 5 6 7 8 9 10 11 / 0 1 2",
     {{"  rcx = move i32 s0\n", ""}}},
    // Two values that are needed in one place.
    {&calls,
     destroys,
     "0 - - - 1 - - 2 3 - 4 5 6 7 8 9 10 11 / 0 1 2",
     {{"  r12 = move i32 rax\n", "  r12 = move i32 rax\n  s0 = move i32 rax\n"}}},
    {&calls,
     elsewhere,
     NULL,
     {{"r12 = move i32 rax", "rcx = move i32 rax"}, {"rax, r12\n  rcx", "rax, rcx\n  rcx"}}},
    {&calls,
     destroys,
     NULL,
     {{"rcx = const", "r12 = const"}, {"add.i32 rcx, rax", "add.i32 r12, rax"}}},
    {&calls, elsewhere, NULL, {{"add.i32 rcx, rax", "add.i32 rcx, r12"}}},
    {&calls,
     destroys,
     NULL,
     {{"rbx = move i64 rdi", "r8 = move i64 rdi"}, {"[rbx], rax", "[r8], rax"}}},
    {&calls,
     destroys,
     NULL,
     {{"s0 = move i32 rdx", "r9 = move i32 rdx"},
      {"rax, s0", "rax, r9"},
      {"move i32 s0", "move i32 r9"}}},
    {&calls, elsewhere, NULL, {{"rdi = move i32 rsi", "rdi = move i32 rdx"}}},
    {&calls,
     destroys,
     "0 - - 1 - 2 3 - 4 5 6 7 8 9 10 11 / 0 1 2",
     {{"  rdi = move i32 rsi\n", ""}}},
    {&calls,
     elsewhere,
     "0 - - - 1 2 3 - 4 5 6 7 8 9 10 11 / 0 1 2",
     {{"  r12 = move i32 rax\n", ""}}},
    {&calls, elsewhere, NULL, {{"rax = add.i32 rax, r12", "rax = add.i32 rax, rbx"}}},
    {&calls, elsewhere, NULL, {{"lt.i32 rax, r12", "lt.i32 r12, rax"}}},
    // A pointer of which half is moved.
    {&calls, part, NULL, {{"rbx = move i64 rdi", "rbx = move i32 rdi"}}},
    {&calls, NULL, NULL, {{"r12 = move i32 rax", "r12 = move i64 rax"}}},
    // b - x instead of x - b.
    {&calls,
     elsewhere,
     "0 - - - 1 - - - 2 - 3 - 4 5 6 7 8 9 10 11 / 0 1 2",
     {{"  rax = sub.i32 rax, s0\n", "  rcx = move i32 s0\n  rdx = move i32 rax\n  rcx = sub.i32 "
                                    "rcx, rdx\n  rax = move i32 rcx\n"}}},
    // Results that go elsewhere.
    {&calls, elsewhere, NULL, {{"rax = sub.i32 rax, s0", "s0 = sub.i32 s0, rax"}}},
    {&calls, elsewhere, NULL, {{"rax = add.i32 rcx, rax", "rcx = add.i32 rcx, rax"}}},
};

static const MachForgery wrong_code[] = {
    {&calls,
     no_effect,
     "0 - - - 1 - 2 3 - 4 6 7 8 9 10 11 / 0 1 2",
     {{"  store.i32 [rbx], rax\n", ""}}},
    {&calls,
     missing,
     "0 - - - 1 - 3 - 4 5 6 7 8 9 10 11 / 0 1 2",
     {{"  rax = sub.i32 rax, s0\n", ""}}},
    {&calls,
     missing,
     "0 - - - 1 - 2 3 - 4 5 7 8 9 10 11 / 0 1 2",
     {{"  rcx = const.i32 12345\n", ""}}},
    {&calls, another, NULL, {{"const.i32 12345", "const.i32 12346"}}},
    {&calls, another, NULL, {{"[rbx], rax", "[rbx + 4], rax"}}},
    {&calls, another, NULL, {{"store.i32", "store.i16"}}},
    {&calls, another, NULL, {{"sub.i32 rax", "add.i32 rax"}}},
    {&calls, another, NULL, {{"divs.i32", "divu.i32"}}},
    {&calls, another, NULL, {{"call @g", "call @other"}}},
    {&calls, another, NULL, {{"branch lt.i32", "branch le.i32"}}},
    {&calls, another, NULL, {{"lt.i32 rax, r12", "lt.i32 rax, 0"}}},
    {&calls, another, NULL, {{"lt.i32 rax, r12", "eq.i32 rax & r12, 0"}}},
    {&calls, way, NULL, {{"-> b1, b2", "-> b2, b1"}}},
    {&calls, way, NULL, {{"-> b1, b2", "-> b1, b1"}}},
    {&calls,
     no_effect,
     "0 - - - 1 - 2 3 - 4 6 5 7 8 9 10 11 / 0 1 2",
     {{"  store.i32 [rbx], rax\n  rcx = const.i32 12345\n",
       "  rcx = const.i32 12345\n  store.i32 [rbx], rax\n"}}},
    {&calls,
     order,
     "0 - - - 1 - 2 3 - 4 5 5 6 7 8 9 10 11 / 0 1 2",
     {{"  store.i32 [rbx], rax\n", "  store.i32 [rbx], rax\n  store.i32 [rbx], rax\n"}}},
    // Constants put in: for what is none, another one, and the right one.
    {&calls, constant, NULL, {{"rcx = move i32 s0", "rcx = const.i32 12345"}}},
    {&calls,
     constant,
     "0 - - - 1 - 2 3 - 4 5 - 7 8 9 10 11 / 0 1 2",
     {{"const.i32 12345", "const.i32 1"}}},
    {&calls, NULL, "0 - - - 1 - 2 3 - 4 5 - 7 8 9 10 11 / 0 1 2", {{0}}},
    {&calls,
     no_move,
     "0 - - - 1 - 2 3 - 4 5 - 6 7 8 9 10 11 / 0 1 2",
     {{"  rcx = const", "  rbx = lea.i64 [rbx + 4]\n  rcx = const"}}},
};

static const MachForgery wrong_hints[] = {
    {&calls, "the hint does not fit", "0 - - - 1 - 2 3 - 4 5 6 7 8 9 10 / 0 1 2", {{0}}},
    {&calls, "the hint does not fit", "0 - - - 1 - 2 3 - 4 5 6 7 8 9 10 11 / 0 1", {{0}}},
    {&calls, order, "0 - - - 1 - 2 3 - 4 5 6 7 8 9 10 99 / 0 1 2", {{0}}},
    {&calls, order, "0 - - - 1 - 2 3 - 4 5 6 7 8 10 10 11 / 0 1 2", {{0}}},
    {&calls, no_move, "0 - - - 1 - 2 3 - 4 - 6 7 8 9 10 11 / 0 1 2", {{0}}},
    {&calls, no_move, "0 - - - 1 - - 3 - 4 5 6 7 8 9 10 11 / 0 1 2", {{0}}},
    {&calls, no_move, "0 - - - 1 - 2 3 - 4 5 6 7 8 9 10 - / 0 1 2", {{0}}},
    {&calls, another, "0 - - - 1 - 2 3 4 5 6 7 8 9 9 10 11 / 0 1 2", {{0}}},
    {&calls,
     "names a block that is not there",
     "0 - - - 1 - 2 3 - 4 5 6 7 8 9 10 11 / 0 1 3",
     {{0}}},
    {&calls, way, "0 - - - 1 - 2 3 - 4 5 6 7 8 9 10 11 / 0 2 1", {{0}}},
    {&calls, "the function starts elsewhere", "0 - - - 1 - 2 3 - 4 5 6 7 8 9 10 11 / 1 0 2", {{0}}},
    {&calls, "does not end with a jump", "0 - - - 1 - 2 3 - 4 5 6 7 8 - 10 11 / 0 - 2", {{0}}},
};

// Two values that change places on the way back to the loop's head.
static const MachPair loop = {
    .form = FORM_MACH,
    .before = "function i32 @f(i32 %a, i32 %b, i32 %n) {\n"
              "b0:\n"
              "  %a, %b, %n = params\n"
              "  jump b1\n"
              "b1:\n"
              "  branch gt.i32 %n, 0 -> b2, b3\n"
              "b2:\n"
              "  %t = move.i32 %a\n"
              "  %a = move.i32 %b\n"
              "  %b = move.i32 %t\n"
              "  %n = sub.i32 %n, 1\n"
              "  branch ne.i32 %n, 7 -> b1, b4\n"
              "b3:\n"
              "  %r = sub.i32 %a, %b\n"
              "  return %r\n"
              "b4:\n"
              "  return %b\n"
              "}\n",
    .after = "function i32 @f(i32, i32, i32) {\n"
             "  allocated\n"
             "b0:\n"
             "  rdi, rsi, rdx = params\n"
             "  jump b1\n"
             "b1:\n"
             "  branch gt.i32 rdx, 0 -> b2, b3\n"
             "b2:\n"
             "  rdx = sub.i32 rdx, 1\n"
             "  branch ne.i32 rdx, 7 -> b5, b4\n"
             "b3:\n"
             "  rdi = sub.i32 rdi, rsi\n"
             "  rax = move i32 rdi\n"
             "  return rax\n"
             "b4:\n"
             "  rax = move i32 rdi\n"
             "  return rax\n"
             "b5:\n"
             "  exchange rdi, rsi\n"
             "  jump b1\n"
             "}\n",
    .hint = "0 1 2 6 7 8 - 9 - 10 - - / 0 1 2 3 4 -",
};
#define THREE_MOVES "0 1 2 6 7 8 - 9 - 10 - - - - / 0 1 2 3 4 -"
#define TWO_MOVES   "0 1 2 6 7 8 - 9 - 10 - - - / 0 1 2 3 4 -"

static const MachForgery wrong_edges[] = {
    {&loop, elsewhere, "0 1 2 6 7 8 - 9 - 10 - / 0 1 2 3 4 -", {{"  exchange rdi, rsi\n", ""}}},
    {&loop, elsewhere, NULL, {{"exchange rdi, rsi", "rdi = move i32 rsi"}}},
    {&loop, elsewhere, NULL, {{"exchange rdi, rsi", "exchange rdi, rcx"}}},
    {&loop, elsewhere, NULL, {{"exchange rdi, rsi", "exchange rdx, rsi"}}},
    {&loop,
     elsewhere,
     TWO_MOVES,
     {{"exchange rdi, rsi\n", "exchange rdi, rsi\n  exchange rsi, rdi\n"}}},
    // Moves that act at once, one after the other.
    {&loop,
     NULL,
     THREE_MOVES,
     {{"exchange rdi, rsi\n", "rcx = move i32 rdi\n  rdi = move i32 rsi\n  rsi = move i32 rcx\n"}}},
    {&loop,
     elsewhere,
     TWO_MOVES,
     {{"exchange rdi, rsi\n", "rdi = move i32 rsi\n  rsi = move i32 rdi\n"}}},
    {&loop,
     elsewhere,
     THREE_MOVES,
     {{"exchange rdi, rsi\n", "rdi = move i32 rsi\n  rcx = move i32 rdi\n  rsi = move i32 rcx\n"}}},
    {&loop,
     elsewhere,
     THREE_MOVES,
     {{"exchange rdi, rsi\n", "rdx = move i32 rdi\n  rdi = move i32 rsi\n  rsi = move i32 rdx\n"}}},
    // The block on another edge, left out, or leading elsewhere.
    {&loop, elsewhere, NULL, {{"-> b5, b4", "-> b1, b4"}}},
    {&loop, elsewhere, NULL, {{"-> b5, b4", "-> b1, b5"}, {"rsi\n  jump b1", "rsi\n  jump b4"}}},
    {&loop,
     elsewhere,
     NULL,
     {{"gt.i32 rdx, 0 -> b2, b3", "gt.i32 rdx, 0 -> b2, b5"},
      {"-> b5, b4", "-> b1, b4"},
      {"rsi\n  jump b1", "rsi\n  jump b3"}}},
    {&loop, way, NULL, {{"-> b5, b4", "-> b4, b5"}}},
    {&loop, way, NULL, {{"rsi\n  jump b1", "rsi\n  jump b3"}}},
    {&loop, way, NULL, {{"rsi\n  jump b1", "rsi\n  jump b5"}}},
    {&loop,
     way,
     "0 1 2 6 7 8 - 9 - 10 - - - / 0 1 2 3 4 - -",
     {{"rsi\n  jump b1\n", "rsi\n  jump b6\nb6:\n  jump b1\n"}}},
    {&loop,
     "does not end with a jump",
     NULL,
     {{"rsi\n  jump b1", "rsi\n  branch gt.i32 rdx, 0 -> b1, b1"}}},
    {&loop, "does not end with a jump", NULL, {{"rsi\n  jump b1", "rsi\n  return rax"}}},
    {&loop,
     no_move,
     TWO_MOVES,
     {{"exchange rdi, rsi\n", "exchange rdi, rsi\n  rdx = sub.i32 rdx, 1\n"}}},
    {&loop,
     "it is not put in",
     "0 1 2 6 7 8 - 9 - 10 6 - / 0 1 2 3 4 -",
     {{"exchange rdi, rsi", "rdi = move i32 rsi"}}},
    {&loop, "two blocks have one origin", "0 1 2 6 7 8 - 9 - 10 - - / 0 1 2 3 4 1", {{0}}},
    // Values that are not where they should be.
    {&loop, elsewhere, NULL, {{"b4:\n  rax = move i32 rdi", "b4:\n  rax = move i32 rsi"}}},
    {&loop,
     destroys,
     NULL,
     {{"rdx = sub.i32 rdx, 1", "rdi = sub.i32 rdx, 1"}, {"ne.i32 rdx", "ne.i32 rdi"}}},
    {&loop, elsewhere, NULL, {{"rdx = sub.i32 rdx, 1", "rdi = sub.i32 rdx, 1"}}},
    {&loop, missing, "0 1 2 7 8 - 9 - 10 - - / 0 1 2 3 4 -", {{"  rdx = sub.i32 rdx, 1\n", ""}}},
    {&loop,
     elsewhere,
     NULL,
     {{"rdi = sub.i32 rdi, rsi", "rsi = sub.i32 rsi, rdi"},

      {"rdi\n  rax = move i32 rdi", "rdi\n  rax = move i32 rsi"}}},
    {&loop,
     elsewhere,
     "0 1 2 6 7 8 9 - 10 - - / 0 1 2 3 4 -",
     {{"rsi\n  rax = move i32 rdi\n", "rsi\n"}}},
};

// What some instructions destroy: a copy of many bytes, a high product, a remainder, a switch.
static const MachPair fixed = {
    .form = FORM_MACH,
    .before = "function i64 @f(i64 %p, i64 %q, i64 %n) {\n"
              "b0:\n"
              "  %p, %q, %n = params\n"
              "  memcpy %p, %q, 200\n"
              "  %h = mulhu.i64 %n, %p\n"
              "  %d = modu.i64 %h, %q\n"
              "  switch.i64 %d { 1: b1, default: b2 }\n"
              "b1:\n"
              "  return %d\n"
              "b2:\n"
              "  return %p\n"
              "}\n",
    .after = "function i64 @f(i64, i64, i64) {\n"
             "  allocated\n"
             "  saves rbx, r12\n"
             "b0:\n"
             "  rdi, rsi, rdx = params\n"
             "  rbx = move i64 rdi\n"
             "  r12 = move i64 rsi\n"
             "  r8 = move i64 rdx\n"
             "  memcpy rdi, rsi, 200\n"
             "  rax = move i64 r8\n"
             "  rdx = mulhu.i64 rax, rbx\n"
             "  rax = move i64 rdx\n"
             "  rdx = modu.i64 rax, r12\n"
             "  switch.i64 rdx { 1: b1, default: b2 }\n"
             "b1:\n"
             "  rax = move i64 rdx\n"
             "  return rax\n"
             "b2:\n"
             "  rax = move i64 rbx\n"
             "  return rax\n"
             "}\n",
    .hint = "0 - - - 1 - 2 - 3 4 - 5 - 6 / 0 1 2",
};

static const MachForgery wrong_fixed[] = {
    {&fixed,
     destroys,
     NULL,
     {{"r8 = move i64 rdx", "rcx = move i64 rdx"}, {"move i64 r8", "move i64 rcx"}}},
    {&fixed, destroys, NULL, {{"mulhu.i64 rax, rbx", "mulhu.i64 rax, rdi"}}},
    {&fixed, destroys, NULL, {{"modu.i64 rax, r12", "modu.i64 rax, rsi"}}},
    {&fixed,
     destroys,
     NULL,
     {{"rax = move i64 rbx", "rax = move i64 rsi"},
      {"r12 = move i64 rsi", "rsi = move i64 rdi"},
      {"modu.i64 rax, r12", "modu.i64 rax, rdi"}}},
    // The product of another value: rdx is written by it.
    {&fixed,
     elsewhere,
     NULL,
     {{"rax = move i64 rdx\n  rdx = modu", "rax = move i64 r8\n  rdx = modu"}}},
    // rax is gone behind the product, the remainder and the switch's own registers.
    {&fixed,
     elsewhere,
     "0 - - - 1 - 2 3 4 - 5 - 6 / 0 1 2",
     {{"  rax = move i64 rdx\n  rdx = modu", "  rdx = modu"}}},
    {&fixed,
     destroys,
     NULL,
     {{"  rax = move i64 rbx", "  rax = move i64 r11"},
      {"rbx = move i64 rdi", "r11 = move i64 rdi"},
      {"mulhu.i64 rax, rbx", "mulhu.i64 rax, r11"}}},
    {&fixed,
     destroys,
     NULL,
     {{"b1:\n  rax = move i64 rdx", "b1:\n  rax = move i64 rbx"},
      {"  rax = move i64 rbx\n  return rax\n}", "  rax = move i64 r10\n  return rax\n}"}}},
    {&fixed, another, NULL, {{"rsi, 200", "rsi, 192"}}},
    {&fixed, another, NULL, {{"{ 1: b1", "{ 2: b1"}}},
    {&fixed, way, NULL, {{"1: b1, default: b2", "1: b2, default: b1"}}},
};

// A call that returns twice: what is needed behind it is in a spill that is not written again.
#define SETJMP                                                                                     \
    "extern function i32 @_setjmp(i64) returns_twice\n"                                            \
    "extern function i32 @risky(i32)\n"

static const MachPair twice = {
    .form = FORM_MACH,
    .before = "function i32 @f(i64 %buffer, i32 %a) {\n"
              "b0:\n"
              "  %buffer, %a = params\n"
              "  %b = add.i32 %a, 1\n"
              "  %j = call @_setjmp(%buffer)\n"
              "  branch ne.i32 %j, 0 -> b1, b2\n"
              "b1:\n"
              "  return %b\n"
              "b2:\n"
              "  %c = call @risky(%a)\n"
              "  %d = add.i32 %b, %c\n"
              "  %b = add.i32 %c, 5\n"
              "  %e = call @risky(%d)\n"
              "  return %e\n"
              "}\n" SETJMP,
    .after = "function i32 @f(i64, i32) {\n"
             "  allocated\n"
             "  saves rbx\n"
             "  spills 8, 8, 8\n"
             "b0:\n"
             "  rdi, rsi = params\n"
             "  s0 = move i32 rsi\n"
             "  rsi = add.i32 rsi, 1\n"
             "  s1 = move i32 rsi\n"
             "  rax = call @_setjmp(rdi)\n"
             "  branch ne.i32 rax, 0 -> b1, b2\n"
             "b1:\n"
             "  rax = move i32 s1\n"
             "  return rax\n"
             "b2:\n"
             "  rdi = move i32 s0\n"
             "  rax = call @risky(rdi)\n"
             "  rcx = move i32 s1\n"
             "  rcx = add.i32 rcx, rax\n"
             "  rdi = move i32 rcx\n"
             "  rax = add.i32 rax, 5\n"
             "  s2 = move i32 rax\n"
             "  rax = call @risky(rdi)\n"
             "  return rax\n"
             "}\n" SETJMP,
    .hint = "0 - 1 - 2 3 - 4 - 5 - 6 - 7 - 8 9 / 0 1 2 / 0 1 2",
};

// The same in a loop: what is set in it is in a register that the call brings back.
static const MachPair twice_in_loop = {
    .form = FORM_MACH,
    .before = "function i32 @f(i64 %buffer, i32 %n) {\n"
              "b0:\n"
              "  %buffer, %n = params\n"
              "  %i = const.i32 0\n"
              "  jump b1\n"
              "b1:\n"
              "  %i = add.i32 %i, 1\n"
              "  %j = call @_setjmp(%buffer)\n"
              "  branch lt.i32 %i, %n -> b1, b2\n"
              "b2:\n"
              "  return %i\n"
              "}\n" SETJMP,
    .after = "function i32 @f(i64, i32) {\n"
             "  allocated\n"
             "  saves rbx\n"
             "  spills 8, 8, 8\n"
             "b0:\n"
             "  rdi, rsi = params\n"
             "  s0 = move i64 rdi\n"
             "  s1 = move i32 rsi\n"
             "  rbx = const.i32 0\n"
             "  jump b1\n"
             "b1:\n"
             "  rbx = add.i32 rbx, 1\n"
             "  rdi = move i64 s0\n"
             "  rax = call @_setjmp(rdi)\n"
             "  rcx = move i32 s1\n"
             "  branch lt.i32 rbx, rcx -> b1, b2\n"
             "b2:\n"
             "  rax = move i32 rbx\n"
             "  return rax\n"
             "}\n" SETJMP,
    .hint = "0 - - 1 2 3 - 4 - 5 - 6 / 0 1 2 / 0 1 2",
};

// __builtin_setjmp brings back no register.
static const MachPair unsaved = {
    .form = FORM_MACH,
    .before = "function i32 @f(i64 %buffer, i32 %a) {\n"
              "b0:\n"
              "  %buffer, %a = params\n"
              "  %j = call @__builtin_setjmp(%buffer)\n"
              "  return %a\n"
              "}\n"
              "extern function i32 @__builtin_setjmp(i64) returns_twice\n",
    .after = "function i32 @f(i64, i32) {\n"
             "  allocated\n"
             "  saves rbx, r12, r13, r14, r15\n"
             "  spills 8\n"
             "b0:\n"
             "  rdi, rsi = params\n"
             "  s0 = move i32 rsi\n"
             "  rax = call @__builtin_setjmp(rdi)\n"
             "  rax = move i32 s0\n"
             "  return rax\n"
             "}\n"
             "extern function i32 @__builtin_setjmp(i64) returns_twice\n",
    .hint = "0 - 1 - 2 / 0 / 0",
};

static const char again[] = "a spill is needed behind a call that returns twice, and written again";
static const char unranked[] = "the hint does not rank the blocks";
static const char falls[] = "the rank falls on a way on";

#define TWICE "0 - 1 - 2 3 - 4 - 5 - 6 - 7 - 8 9 / 0 1 2 "

static const MachForgery wrong_twice[] = {
    {&twice,
     NULL, // in a register that calls keep it is fine
     NULL,
     {{"s1 = move i32 rsi", "rbx = move i32 rsi"},
      {"rax = move i32 s1", "rax = move i32 rbx"},
      {"rcx = move i32 s1", "rcx = move i32 rbx"}}},
    {&twice,
     destroys,
     NULL,
     {{"s1 = move i32 rsi", "rdx = move i32 rsi"},
      {"rax = move i32 s1", "rax = move i32 rdx"},
      {"rcx = move i32 s1", "rcx = move i32 rdx"}}},
    // The register's own new value, or another, which the first return has left there.
    {&twice, again, NULL, {{"s2 = move i32 rax", "s1 = move i32 rax"}}},
    {&twice, again, NULL, {{"s2 = move i32 rax", "s0 = move i32 rax"}}},
    {&twice, unranked, TWICE, {{0}}},
    {&twice, unranked, TWICE "/ 0 1", {{0}}},
    {&twice, "a rank is out of range", TWICE "/ 0 1 3", {{0}}},
    {&twice, falls, TWICE "/ 1 0 2", {{0}}},
    {&twice, falls, TWICE "/ 2 2 1", {{0}}},
    {&twice, NULL, TWICE "/ 0 1 1", {{0}}},
    {&twice, again, TWICE "/ 0 0 1", {{0}}}, // the block of the call would not be alone
    {&twice_in_loop,
     again,
     "0 - - 1 2 3 - - 4 - - 5 - 6 / 0 1 2 / 0 1 2",
     {{"  rdi = move i64 s0", "  s2 = move i32 rbx\n  rdi = move i64 s0"},
      {"  rcx = move i32 s1", "  rbx = move i32 s2\n  rcx = move i32 s1"}}},
    {&twice_in_loop, again, "0 - - 1 2 3 - 4 - 5 - 6 / 0 1 2 / 1 1 1", {{0}}},
    {&twice_in_loop, falls, "0 - - 1 2 3 - 4 - 5 - 6 / 0 1 2 / 0 2 1", {{0}}},
    {&unsaved,
     destroys,
     NULL,
     {{"s0 = move i32 rsi", "rbx = move i32 rsi"}, {"rax = move i32 s0", "rax = move i32 rbx"}}},
    {&unsaved,
     "expected r14, which is written, to be saved",
     NULL,
     {{"r13, r14, r15", "r13, r15"}}},
};

// A float over a call.
static const MachPair floats = {
    .form = FORM_MACH,
    .before = "function f32 @f(f32 %x) {\n"
              "b0:\n"
              "  %x = params\n"
              "  call @g()\n"
              "  return %x\n"
              "}\n"
              "extern function void @g()\n",
    .after = "function f32 @f(f32) {\n"
             "  allocated\n"
             "  spills 8\n"
             "b0:\n"
             "  xmm0 = params\n"
             "  s0 = move f32 xmm0\n"
             "  call @g()\n"
             "  xmm0 = move f32 s0\n"
             "  return xmm0\n"
             "}\n"
             "extern function void @g()\n",
    .hint = "0 - 1 - 2 / 0",
};

// The address of stack arguments, which alloca moves.
static const MachPair moving = {
    .form = FORM_MACH,
    .before = "function void @f(i64 %n, i64 %p) {\n"
              "b0:\n"
              "  %n, %p = params\n"
              "  %m = alloca %n align 16\n"
              "  %out = lea.i64 [outgoing]\n"
              "  memcpy %out, %p, 32\n"
              "  call @g(%m)\n"
              "  return\n"
              "}\n"
              "extern function void @g(agg(32 align 8), i64)\n",
    .after = "function void @f(i64, i64) {\n"
             "  allocated\n"
             "b0:\n"
             "  rdi, rsi = params\n"
             "  rdx = alloca rdi align 16\n"
             "  rcx = lea.i64 [outgoing]\n"
             "  memcpy rcx, rsi, 32\n"
             "  rdi = move i64 rdx\n"
             "  call @g(rdi)\n"
             "  return\n"
             "}\n"
             "extern function void @g(agg(32 align 8), i64)\n",
    .hint = "0 1 2 3 - 4 5 / 0",
};

static const MachForgery wrong_addresses[] = {
    {&moving,
     no_move,
     "0 - 1 3 - 4 5 / 0",
     {{"  rdx = alloca rdi align 16\n  rcx = lea.i64 [outgoing]\n",
       "  rcx = lea.i64 [outgoing]\n  rdx = alloca rdi align 16\n"}}},
};

static const MachForgery wrong_floats[] = {
    {&floats, "it moves a value as a larger float", NULL, {{"xmm0 = move f32", "xmm0 = move f64"}}},
    {&floats,
     destroys,
     "0 1 - 2 / 0",
     {{"  s0 = move f32 xmm0\n", ""}, {"move f32 s0", "move f32 xmm1"}}},
    {&floats, elsewhere, NULL, {{"s0 = move f32 xmm0", "s0 = move f32 xmm1"}}},
};

// What the verifier refuses, which stands before the checker.
static const MachForgery malformed[] = {
    {&calls,
     "expected r12, which is written, to be saved",
     NULL,
     {{"saves rbx, r12", "saves rbx"}}},
    {&calls,
     "divs.i32: expected places as x86-64 wants them",
     NULL,
     {{"divs.i32 rax, r12", "divs.i32 rax, rdx"}}},
    {&calls,
     "divs.i32: expected places as x86-64 wants them",
     NULL,
     {{"rax = divs.i32", "rcx = divs.i32"}}},
    {&calls,
     "shl.i32: expected places as x86-64 wants them",
     NULL,
     {{"shl.i32 rax, rcx", "shl.i32 rax, rdx"}}},
    {&calls,
     "call: expected places as x86-64 wants them",
     NULL,
     {{"call @g(rdi)", "call @g(rsi)"}}},
    {&calls, "call: expected places as x86-64 wants them", NULL, {{"rax = call", "rcx = call"}}},
    {&calls,
     "params: expected places as x86-64 wants them",
     NULL,
     {{"rdi, rsi, rdx = params", "rsi, rdi, rdx = params"}}},
    {&calls,
     "return: expected places as x86-64 wants them",
     NULL,
     {{"b1:\n  return rax", "b1:\n  return rcx"}}},
    {&calls,
     "move: expected places as x86-64 wants them",
     NULL,
     {{"rcx = move i32 s0", "s1 = move i32 s0"}}},
    {&calls,
     "move: expected places as x86-64 wants them",
     NULL,
     {{"rcx = move i32 s0", "xmm0 = move i32 s0"}}},
    {&calls, "expected 8 or 16 bytes; found 4", NULL, {{"spills 8, 8", "spills 8, 4"}}},
    {&loop,
     "exchange: expected places as x86-64 wants them",
     NULL,
     {{"exchange rdi, rsi", "exchange rdi, xmm0"}}},
    {&fixed,
     "memcpy: expected places as x86-64 wants them",
     NULL,
     {{"memcpy rdi, rsi", "memcpy rbx, rsi"}}},
    {&fixed,
     "mulhu.i64: expected places as x86-64 wants them",
     NULL,
     {{"rdx = mulhu.i64", "rcx = mulhu.i64"}}},
    {&fixed,
     "switch: expected places as x86-64 wants them",
     NULL,
     {{"switch.i64 rdx", "switch.i64 r11"}}},
};

#define TEST(name, table, checker)                                                                 \
    static void name(void **state) {                                                               \
        (void)state;                                                                               \
        mach_forge(checker, table, sizeof table / sizeof table[0]);                                \
    }

TEST(test_places, wrong_places, check)
TEST(test_code, wrong_code, check)
TEST(test_hints, wrong_hints, check)
TEST(test_edges, wrong_edges, check)
TEST(test_fixed, wrong_fixed, check)
TEST(test_twice, wrong_twice, check)
TEST(test_addresses, wrong_addresses, check)
TEST(test_floats, wrong_floats, check)
TEST(test_malformed, malformed, NULL)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),    cmocka_unit_test(test_code),
        cmocka_unit_test(test_hints),     cmocka_unit_test(test_edges),
        cmocka_unit_test(test_fixed),     cmocka_unit_test(test_twice),
        cmocka_unit_test(test_addresses), cmocka_unit_test(test_floats),
        cmocka_unit_test(test_malformed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
