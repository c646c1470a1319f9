// Forged instruction selections: machine functions and hints that check_select_code must reject,
// each for the right reason. The hint is the RTL node at which each block starts.
#include "check/checkers.h"
#include "check/passes.h"
#include "test/gen/mach_forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const char *hint) {
    HintNumbers nodes = {0};
    SelectHint select = {0};
    mach_forge_numbers(arena, hint, &nodes);
    for (uint32_t i = 0; i < nodes.count; i++) vec_push(arena, &select.node_of_block, nodes.at[i]);
    return pass_check(PASS_select_code, arena, NULL, before, after, &select);
}

// Loads and stores that must stay in order, a branch, a call, a division, a switch in a loop, a
// select.
static const MachPair work = {
    .form = FORM_RTL,
    .before = "function i32 @f(i64 %p, i64 %q, i32 %n, i32 %m) {\n"
              "  slot $s size 8 align 8\n"
              "  0: %a = load.i32 [%p + 4]\n"
              "  1: store.i32 [%q], %n\n"
              "  2: %b = load.i32 [%p + 8]\n"
              "  3: %c = sub.i32 %a, %b\n"
              "  4: %i = sext.i64 %n\n"
              "  5: %d = load.i8 [%p + %i*4 + 16]\n"
              "  6: %e = add.i32 %c, %d\n"
              "  7: store.i8 [$s], %e\n"
              "  8: store.i32 [%q + 4], %m\n"
              "  9: if lt.i32 %e, %m then 10 else 14\n"
              "  10: %r = call @g(%e, %m)\n"
              "  11: check %m\n"
              "  12: %w = divs.i32 %r, %m\n"
              "  13: return %w\n"
              "  14: %k = const.i32 77\n"
              "  15: switch %e { 1: 16, 5: 18, default: 20 }\n"
              "  16: %x = add.i32 %e, %k\n"
              "  17: return %x\n"
              "  18: store.i32 [%p], %k\n"
              "  19: %e = add.i32 %e, 1 -> 14\n"
              "  20: %y = select.i32 %m, %n, %e\n"
              "  21: return %y\n"
              "}\n"
              "extern function i32 @g(i32, i32)\n"
              "extern function i32 @other(i32, i32)\n",
    .after = "function i32 @f(i64 %p, i64 %q, i32 %n, i32 %m) {\n"
             "  slot $s size 8 align 8\n"
             "b0:\n"
             "  %p, %q, %n, %m = params\n"
             "  %a = load.i32 [%p + 4]\n"
             "  store.i32 [%q], %n\n"
             "  %c = sub.i32 %a, i32 [%p + 8]\n"
             "  %i = sext.i64 %n\n"
             "  %d = load.i8 [%p + %i*4 + 16]\n"
             "  %e = add.i32 %c, %d\n"
             "  store.i8 [$s], %e\n"
             "  store.i32 [%q + 4], %m\n"
             "  branch lt.i32 %e, %m -> b1, b2\n"
             "b1:\n"
             "  %r = call @g(%e, %m)\n"
             "  check ne.i32 %m, 0\n"
             "  %w = divs.i32 %r, %m\n"
             "  return %w\n"
             "b2:\n"
             "  switch.i32 %e { 1: b3, 5: b4, default: b5 }\n"
             "b3:\n"
             "  %x = add.i32 %e, 77\n"
             "  return %x\n"
             "b4:\n"
             "  store.i32 [%p], 77\n"
             "  %e = add.i32 %e, 1\n"
             "  jump b2\n"
             "b5:\n"
             "  %y = select i32 if ne.i32 %m, 0 then %n else %e\n"
             "  return %y\n"
             "}\n"
             "extern function i32 @g(i32, i32)\n"
             "extern function i32 @other(i32, i32)\n",
    .hint = "0 10 14 16 18 20",
};

static const char effects[] = "its effects differ";
static const char later[] = "a register that is needed later differs";
static const char condition[] = "it branches by another condition";
static const char branch[] = "a branch leads elsewhere";
static const char reads[] = "it reads memory that the original does not";
static const char divides[] = "it divides where the original does not";

static const MachForgery wrong_code[] = {
    {&work, effects, NULL, {{"%e, 77", "%e, 78"}}},
    {&work, effects, NULL, {{"[%p], 77", "[%p], 76"}}},
    {&work, reads, NULL, {{"[%p + 4]", "[%p + 5]"}}},
    {&work, reads, NULL, {{"i32 [%p + 8]", "i32 [%p + 12]"}}},
    {&work, reads, NULL, {{"%i*4", "%i*8"}}},
    {&work, reads, NULL, {{"%i*4 + 16", "%i*4 + 20"}}},
    {&work, reads, NULL, {{"[%p + %i*4 + 16]", "[%q + %i*4 + 16]"}}},
    {&work, condition, NULL, {{"%d = load.i8", "%d = load.u8"}}},
    // Only one byte of it is read.
    {&work, reads, NULL, {{"%d = load.i8", "%d = load.i32"}}},
    {&work,
     effects,
     NULL,
     {{"%c = sub.i32 %a, i32 [%p + 8]", "%b = load.i32 [%p + 8]\n  %c = sub.i32 %b, %a"}}},
    {&work, effects, NULL, {{"%c = sub.i32", "%c = add.i32"}}},
    // What is checked is in memory.
    {&work, reads, NULL, {{"check ne.i32 %m, 0", "check ne.i32 i32 [%p], 0"}}},
    {&work, reads, NULL, {{"%i = sext.i64", "%i = zext.i64"}}},
    {&work, reads, NULL, {{"check ne.i32 %m, 0", "check ne.i32 i32 [%q + 4], 0"}}},
    {&work, effects, NULL, {{"  store.i8 [$s], %e\n", ""}}},
    {&work, effects, NULL, {{"store.i8 [$s], %e", "store.i16 [$s], %e"}}},
    {&work, effects, NULL, {{"store.i8 [$s], %e", "store.i8 [$s + 1], %e"}}},
    {&work, effects, NULL, {{"store.i8 [$s], %e", "store.i8 [%q], %e"}}},
    {&work,
     effects,
     NULL,
     {{"  store.i8 [$s], %e\n  store.i32 [%q + 4], %m\n",
       "  store.i32 [%q + 4], %m\n  store.i8 [$s], %e\n"}}},
    {&work, effects, NULL, {{"store.i32 [%q + 4], %m", "store.i32 [%q + 4], %n"}}},
    {&work,
     reads,
     NULL,
     {{"  store.i32 [%q], %n\n", "  store.i32 [%q], %n\n  store.i32 [%q], %n\n"}}},
    // Loads moved over a store, in either direction, and over a call.
    {&work,
     reads,
     NULL,
     {{"  store.i32 [%q], %n\n", ""},
      {"  %i = sext.i64 %n\n", "  %i = sext.i64 %n\n  store.i32 [%q], %n\n"}}},
    {&work,
     reads,
     NULL,
     {{"  %a = load.i32 [%p + 4]\n  store.i32 [%q], %n\n",
       "  store.i32 [%q], %n\n  %a = load.i32 [%p + 4]\n"}}},
    {&work, reads, NULL, {{"  %r = call", "  %z = load.i32 [%q]\n  %r = call"}}},
    // A division before the check that guards it, and before the call.
    {&work,
     divides,
     NULL,
     {{"  check ne.i32 %m, 0\n  %w = divs.i32 %r, %m\n",
       "  %w = divs.i32 %r, %m\n  check ne.i32 %m, 0\n"}}},
    {&work, divides, NULL, {{"  check ne.i32 %m, 0\n", ""}}},
    {&work, effects, NULL, {{"check ne.i32 %m, 0", "check ne.i32 %n, 0"}}},
    {&work, divides, NULL, {{"divs.i32 %r, %m", "divs.i32 %m, %r"}}},
    {&work, divides, NULL, {{"divs.i32", "divu.i32"}}},
    // Calls.
    {&work, effects, NULL, {{"call @g(%e, %m)", "call @g(%m, %e)"}}},
    {&work, effects, NULL, {{"call @g(%e, %m)", "call @g(%e, %n)"}}},
    {&work, effects, NULL, {{"call @g(%e, %m)", "call @other(%e, %m)"}}},
    {&work, divides, NULL, {{"call @g(%e, %m)", "call @g(%e, %m)\n  %r = call @g(%e, %m)"}}},
    {&work, effects, NULL, {{"return %w", "return %r"}}},
    // Branches and switches.
    {&work, condition, NULL, {{"branch lt.i32", "branch le.i32"}}},
    {&work, condition, NULL, {{"branch lt.i32", "branch ult.i32"}}},
    {&work, condition, NULL, {{"branch lt.i32 %e, %m", "branch lt.i32 %m, %e"}}},
    {&work, branch, NULL, {{"branch lt.i32", "branch ge.i32"}}},
    {&work, branch, NULL, {{"-> b1, b2", "-> b2, b1"}}},
    {&work, branch, NULL, {{"-> b1, b2", "-> b1, b1"}}},
    {&work, NULL, NULL, {{"branch lt.i32", "branch ge.i32"}, {"-> b1, b2", "-> b2, b1"}}},
    {&work, "a case leads elsewhere", NULL, {{"1: b3, 5: b4", "1: b4, 5: b3"}}},
    {&work, "a case leads elsewhere", NULL, {{"default: b5", "default: b3"}}},
    {&work, "the cases differ", NULL, {{"5: b4", "6: b4"}}},
    {&work, "the original switch is another", NULL, {{", 5: b4", ""}}},
    {&work, "it switches by another value", NULL, {{"switch.i32 %e", "switch.i32 %m"}}},
    {&work, "the original does not come to its end", NULL, {{"jump b2", "jump b3"}}},
    {&work, "its effects differ", NULL, {{"jump b2", "return %e"}}},
    {&work, effects, NULL, {{"then %n else %e", "then %e else %n"}}},
    {&work, effects, NULL, {{"if ne.i32 %m, 0", "if eq.i32 %m, 0"}}},
    // Registers at the end of a block.
    {&work, later, NULL, {{"%e = add.i32 %e, 1", "%x = add.i32 %e, 1"}}},
    {&work, later, NULL, {{"%e = add.i32 %e, 1", "%e = add.i32 %e, 2"}}},
    {&work, later, NULL, {{"  switch.i32", "  %m = const.i32 0\n  switch.i32"}}},
    {&work,
     later,
     NULL,
     {{"%p, %q, %n, %m = params", "%p, %q, %m, %n = params"},
      {"[%q], %n", "[%q], %m"},
      {"sext.i64 %n", "sext.i64 %m"},
      {"[%q + 4], %m", "[%q + 4], %n"},
      {"lt.i32 %e, %m", "lt.i32 %e, %n"}}},
    {&work,
     later,
     NULL,
     {{"  switch.i32", "  %own = add.i32 %e, 77\n  switch.i32"},
      {"  %x = add.i32 %e, 77\n  return %x", "  return %own"}}},
    {&work, "the cases differ", NULL, {{"1: b3", "0: b3"}}},
};

static const MachForgery wrong_hints[] = {
    {&work, "the hint does not fit", "0 10 14 16 18", {{0}}},
    {&work, "the hint does not fit", "0 10 14 16 18 20 20", {{0}}},
    {&work, "names a node that is not there", "0 10 14 16 18 22", {{0}}},
    {&work, "names a node that is not there", "0 10 14 16 18 -", {{0}}},
    {&work, "it starts elsewhere", "1 10 14 16 18 20", {{0}}},
    {&work, branch, "0 11 14 16 18 20", {{0}}},
    {&work, branch, "0 10 15 16 18 20", {{0}}},
    {&work, "a case leads elsewhere", "0 10 14 18 16 20", {{0}}},
    {&work, "a case leads elsewhere", "0 10 14 16 18 21", {{0}}},
};

// An aggregate in registers, copied into a slot of the function, two arguments on the stack.
#define SIX                                                                                        \
    "agg(16 align 8: i64, i64) @f(agg(16 align 8: i64, i64) %s, i64 %a, i64 %b, i64 %c, "          \
    "i64 %d, i64 %x, i32 %y) {\n"
#define SIX_EXTERN                                                                                 \
    "extern function agg(16 align 8: i64, i64) @h(agg(16 align 8: i64, i64), i64, i64, i64, "      \
    "i64, i64, i32)\n"

static const MachPair pieces = {
    .form = FORM_RTL,
    .before = "function " SIX "  slot $o size 16 align 8\n"
              "  0: %u = load.i64 [%s + 8]\n"
              "  1: %o = addr $o\n"
              "  2: call @h(%s, %a, %b, %c, %d, %x, %y) into %o\n"
              "  3: store.i64 [%o], %u\n"
              "  4: return %o\n"
              "}\n" SIX_EXTERN,
    .after = "function " SIX "  slot $o size 16 align 8\n"
             "  slot $1 size 16 align 8\n"
             "b0:\n"
             "  %lo, %hi, %a, %b, %c, %d = params\n"
             "  store_part.i64 8 bytes [$1], %lo\n"
             "  store_part.i64 8 bytes [$1 + 8], %hi\n"
             "  %s = lea.i64 [$1]\n"
             "  %x = load.i64 [incoming]\n"
             "  %y = load.i32 [incoming + 8]\n"
             "  %u = load.i64 [%s + 8]\n"
             "  store.i64 [outgoing], %x\n"
             "  store.i32 [outgoing + 8], %y\n"
             "  %t0 = load_part.i64 8 bytes [%s]\n"
             "  %t1 = load_part.i64 8 bytes [%s + 8]\n"
             "  %r0, %r1 = call @h(%t0, %t1, %a, %b, %c, %d)\n"
             "  store_part.i64 8 bytes [$o], %r0\n"
             "  store_part.i64 8 bytes [$o + 8], %r1\n"
             "  store.i64 [$o], %u\n"
             "  %v0 = load_part.i64 8 bytes [$o]\n"
             "  %v1 = load_part.i64 8 bytes [$o + 8]\n"
             "  return %v0, %v1\n"
             "}\n" SIX_EXTERN,
    .hint = "0",
};

static const char not_copied[] = "a parameter is not copied";
static const char missing[] = "a stack argument is missing";
static const char not_argument[] = "something is stored among the stack arguments that is none";
static const char no_argument[] = "it reads a stack argument that is not there";

static const MachForgery wrong_pieces[] = {
    {&pieces, not_copied, NULL, {{"  store_part.i64 8 bytes [$1 + 8], %hi\n", ""}}},
    {&pieces,
     reads,
     NULL,
     {{"store_part.i64 8 bytes [$1], %lo", "store_part.i64 7 bytes [$1], %lo"}}},
    {&pieces, reads, NULL, {{"[$1], %lo", "[$1], %hi"}}},
    {&pieces, reads, NULL, {{"[$1 + 8], %hi", "[$o + 8], %hi"}}},
    // One piece twice, the other not at all.
    {&pieces, reads, NULL, {{"[$1 + 8], %hi", "[$1], %lo"}}},
    // Read before it is there.
    {&pieces,
     reads,
     NULL,
     {{"  store_part.i64 8 bytes [$1], %lo\n", "  %u = load.i64 [$1 + 8]\n"},
      {"  %u = load.i64 [%s + 8]\n", "  store_part.i64 8 bytes [$1], %lo\n"}}},
    {&pieces,
     "the slot for the copy of a parameter is missing or too small",
     NULL,
     {{"slot $1 size 16", "slot $1 size 8"}}},
    {&pieces, "a slot has changed", NULL, {{"slot $o size 16", "slot $o size 8"}}},
    {&pieces,
     "there are slots that nothing needs",
     NULL,
     {{"slot $1 size 16 align 8\n", "slot $1 size 16 align 8\n  slot $2 size 16 align 8\n"}}},
    {&pieces, no_argument, NULL, {{"%x = load.i64 [incoming]", "%x = load.i64 [incoming + 4]"}}},
    {&pieces, no_argument, NULL, {{"%y = load.i32 [incoming + 8]", "%y = load.i8 [incoming + 8]"}}},
    {&pieces, no_argument, NULL, {{"%y = load.i32 [incoming + 8]", "%y = load.i32 [incoming]"}}},
    {&pieces, missing, NULL, {{"  store.i64 [outgoing], %x\n", ""}}},
    {&pieces, missing, NULL, {{"store.i32 [outgoing + 8], %y", "store.i32 [outgoing + 12], %y"}}},
    {&pieces, missing, NULL, {{"store.i32 [outgoing + 8], %y", "store.i64 [outgoing + 8], %x"}}},
    {&pieces, reads, NULL, {{"store.i32 [outgoing + 8], %y", "store.i8 [outgoing + 8], %y"}}},
    {&pieces, effects, NULL, {{"store.i64 [outgoing], %x", "store.i64 [outgoing], %a"}}},
    // Over a part of another, and beyond them.
    {&pieces,
     not_argument,
     NULL,
     {{"store.i32 [outgoing + 8], %y",
       "store.i32 [outgoing + 8], %y\n  store.i32 [outgoing + 4], %y"}}},
    {&pieces,
     not_argument,
     NULL,
     {{"store.i32 [outgoing + 8], %y",
       "store.i32 [outgoing + 8], %y\n  store.i64 [outgoing + 16], %x"}}},
    {&pieces,
     "stack arguments are stored for no call",
     NULL,
     {{"  %v0 = ", "  store.i64 [outgoing], %x\n  %v0 = "}}},
    {&pieces,
     reads,
     NULL,
     {{"  %u = load.i64 [%s + 8]\n", ""},
      {"  store.i64 [$o], %u\n", "  %u = load.i64 [%s + 8]\n  store.i64 [$o], %u\n"}}},
    {&pieces,
     effects,
     NULL,
     {{"%t1 = load_part.i64 8 bytes [%s + 8]", "%t1 = load_part.i64 8 bytes [%s]"}}},
    {&pieces, effects, NULL, {{"%t1 = load_part.i64 8", "%t1 = load_part.i64 7"}}},
    {&pieces, effects, NULL, {{"@h(%t0, %t1,", "@h(%t1, %t0,"}}},
    {&pieces, effects, NULL, {{"%r0, %r1 = call", "%r1, %r0 = call"}}},
    {&pieces, effects, NULL, {{"[$o + 8], %r1", "[$o + 8], %r0"}}},
    {&pieces, reads, NULL, {{"  store_part.i64 8 bytes [$o + 8], %r1\n", ""}}},
    {&pieces, effects, NULL, {{"return %v0, %v1", "return %v1, %v0"}}},
    {&pieces,
     effects,
     NULL,
     {{"%lo, %hi, %a, %b, %c, %d = params", "%lo, %hi, %b, %a, %c, %d = params"}}},
};

// An aggregate on the stack, and one for a result, whose address comes first.
static const MachPair memory = {
    .form = FORM_RTL,
    .before = "function agg(32 align 8) @f(agg(32 align 8) %l, i64 %a) {\n"
              "  slot $o size 32 align 8\n"
              "  0: store.i64 [%l + 8], %a\n"
              "  1: %o = addr $o\n"
              "  2: call @h(%l, %a) into %o\n"
              "  3: if lt.i64 %a, 0 then 4 else 5\n"
              "  4: return %o\n"
              "  5: return %l\n"
              "}\n"
              "extern function agg(32 align 8) @h(agg(32 align 8), i64)\n",
    .after = "function agg(32 align 8) @f(agg(32 align 8) %l, i64 %a) {\n"
             "  slot $o size 32 align 8\n"
             "b0:\n"
             "  %hidden, %a = params\n"
             "  %l = lea.i64 [incoming]\n"
             "  store.i64 [%l + 8], %a\n"
             "  %out = lea.i64 [outgoing]\n"
             "  memcpy %out, %l, 32\n"
             "  %o = addr $o\n"
             "  call @h(%o, %a)\n"
             "  branch lt.i64 %a, 0 -> b1, b2\n"
             "b1:\n"
             "  memcpy %hidden, %o, 32\n"
             "  return %hidden\n"
             "b2:\n"
             "  memcpy %hidden, %l, 32\n"
             "  return %hidden\n"
             "}\n"
             "extern function agg(32 align 8) @h(agg(32 align 8), i64)\n",
    .hint = "0 4 5",
};

static const MachForgery wrong_memory[] = {
    {&memory, effects, NULL, {{"lea.i64 [incoming]", "lea.i64 [incoming + 8]"}}},
    {&memory, effects, NULL, {{"[%l + 8], %a", "[%l], %a"}}},
    {&memory, missing, NULL, {{"  memcpy %out, %l, 32\n", ""}}},
    {&memory, missing, NULL, {{"memcpy %out, %l, 32", "memcpy %out, %l, 24"}}},
    {&memory, effects, NULL, {{"memcpy %out, %l, 32", "memcpy %out, %out, 32"}}},
    {&memory, missing, NULL, {{"%out = lea.i64 [outgoing]", "%out = lea.i64 [outgoing + 8]"}}},
    {&memory,
     missing,
     NULL,
     {{"  store.i64 [%l + 8], %a\n", ""},
      {"%l, 32\n  %o =", "%l, 32\n  store.i64 [%l + 8], %a\n  %o ="}}},
    {&memory, effects, NULL, {{"call @h(%o, %a)", "call @h(%l, %a)"}}},
    {&memory, effects, NULL, {{"call @h(%o, %a)", "call @h(%hidden, %a)"}}},
    {&memory,
     effects,
     NULL,
     {{"%hidden, %o, 32\n  return %hidden", "%hidden, %o, 32\n  return %o"}}},
    {&memory, effects, NULL, {{"  memcpy %hidden, %o, 32\n", ""}}},
    {&memory, effects, NULL, {{"memcpy %hidden, %l, 32", "memcpy %hidden, %o, 32"}}},
    {&memory, effects, NULL, {{"memcpy %hidden, %l, 32", "memcpy %hidden, %l, 31"}}},
    // The address for the result is lost: set again, or another one.
    {&memory, later, NULL, {{"  branch", "  %hidden = addr $o\n  branch"}}},
    {&memory, effects, NULL, {{"%hidden, %a = params", "%a, %hidden = params"}}},
};

// A loop that the original leaves by a branch, a division that it guards, a trap.
static const MachPair guarded = {
    .form = FORM_RTL,
    .before = "function i32 @f(i32 %a, i32 %b) {\n"
              "  0: nop\n"
              "  1: if ne.i32 %b, 0 then 2 else 4\n"
              "  2: %d = divs.i32 %a, %b\n"
              "  3: return %d\n"
              "  4: trap\n"
              "}\n",
    .after = "function i32 @f(i32 %a, i32 %b) {\n"
             "b0:\n"
             "  %a, %b = params\n"
             "  jump b1\n"
             "b1:\n"
             "  branch ne.i32 %b, 0 -> b2, b3\n"
             "b2:\n"
             "  %d = divs.i32 %a, %b\n"
             "  return %d\n"
             "b3:\n"
             "  trap\n"
             "}\n",
    .hint = "0 1 2 4",
};

// Two ways to one end, each with an effect.
static const MachPair shared_end = {
    .form = FORM_RTL,
    .before = "function void @f(i32 %a, i32 %b) {\n"
              "  0: if ne.i32 %a, 0 then 1 else 2\n"
              "  1: check %b -> 3\n"
              "  2: call @g()\n"
              "  3: unreachable\n"
              "}\n"
              "extern function void @g()\n",
    .after = "function void @f(i32 %a, i32 %b) {\n"
             "b0:\n"
             "  %a, %b = params\n"
             "  branch ne.i32 %a, 0 -> b1, b2\n"
             "b1:\n"
             "  check ne.i32 %b, 0\n"
             "  jump b3\n"
             "b2:\n"
             "  call @g()\n"
             "  jump b3\n"
             "b3:\n"
             "  unreachable\n"
             "}\n"
             "extern function void @g()\n",
    .hint = "0 1 2 3",
};

static const char no_end[] = "the original does not come to its end";

static const MachForgery wrong_ends[] = {
    {&shared_end, effects, NULL, {{"  check ne.i32 %b, 0\n", ""}}},
    {&shared_end, effects, NULL, {{"  call @g()\n", ""}}},
    {&shared_end, no_end, NULL, {{"  call @g()\n  jump b3\n", "  call @g()\n  jump b1\n"}}},
    {&shared_end, "the original does not trap", NULL, {{"  unreachable\n", "  trap\n"}}},
    {&shared_end, NULL, NULL, {{"  call @g()\n  jump b3\n", "  call @g()\n  unreachable\n"}}},
    {&guarded, NULL, "0 0 2 4", {{0}}},
    // The machine function goes on for ever where the original stands, or ends.
    {&guarded, no_end, NULL, {{"branch ne.i32 %b, 0 -> b2, b3", "jump b1"}}},
    {&guarded, no_end, NULL, {{"  trap\n", "  jump b3\n"}}},
    {&guarded, no_end, NULL, {{"  return %d\n", "  jump b2\n"}}},
    {&guarded, effects, NULL, {{"  trap\n", "  return %a\n"}}},
    {&guarded, "the original goes on", NULL, {{"  trap\n", "  unreachable\n"}}},
    {&guarded, effects, NULL, {{"  return %d\n", "  trap\n"}}},
    {&guarded,
     divides,
     NULL,
     {{"  branch ne.i32 %b, 0", "  %d = divs.i32 %a, %b\n  branch ne.i32 %b, 0"},
      {"b2:\n  %d = divs.i32 %a, %b\n", "b2:\n"}}},
    {&guarded,
     "the original does not branch",
     NULL,
     {{"  trap\n", "  branch eq.i32 %a, 0 -> b2, b3\n"}}},
    {&guarded,
     "the original switch is another",
     NULL,
     {{"  trap\n", "  switch.i32 %a { default: b3 }\n"}}},
};

// A quotient and a remainder from one division, at the first of them.
static const MachPair both = {
    .form = FORM_RTL,
    .before = "function i32 @f(i32 %a, i32 %b, i64 %p) {\n"
              "  0: store.i32 [%p + 8], %b\n"
              "  1: %r = mods.i32 %a, %b\n"
              "  2: store.i32 [%p], %r\n"
              "  3: %q = divs.i32 %a, %b\n"
              "  4: return %q\n"
              "}\n",
    .after = "function i32 @f(i32 %a, i32 %b, i64 %p) {\n"
             "b0:\n"
             "  %a, %b, %p = params\n"
             "  store.i32 [%p + 8], %b\n"
             "  %q = divs.i32 %a, %b\n"
             "  %t = mul.i32 %b, %q\n"
             "  %r = sub.i32 %a, %t\n"
             "  store.i32 [%p], %r\n"
             "  return %q\n"
             "}\n",
    .hint = "0",
};

static const MachForgery wrong_remainders[] = {
    {&both, NULL, NULL, {{0}}},
    {&both, effects, NULL, {{"mul.i32 %b, %q", "mul.i32 %a, %q"}}},
    {&both, effects, NULL, {{"sub.i32 %a, %t", "sub.i32 %b, %t"}}},
    {&both, effects, NULL, {{"sub.i32 %a, %t", "add.i32 %a, %t"}}},
    {&both, effects, NULL, {{"return %q", "return %r"}}},
    {&both, divides, NULL, {{"divs.i32 %a, %b", "divu.i32 %a, %b"}}},
    {&both, divides, NULL, {{"divs.i32 %a, %b", "divs.i32 %b, %a"}}},
    // The remainder by itself, and the other remainder.
    {&both, NULL, NULL, {{"sub.i32 %a, %t", "mods.i32 %a, %b"}}},
    {&both, divides, NULL, {{"sub.i32 %a, %t", "modu.i32 %a, %b"}}},
    // Both before the store that comes before them: it may not be reached.
    {&both,
     divides,
     NULL,
     {{"  store.i32 [%p + 8], %b\n  %q = divs.i32 %a, %b\n",
       "  %q = divs.i32 %a, %b\n  store.i32 [%p + 8], %b\n"}}},
};

// Sums and products that trap by themselves.
static const MachPair exact = {
    .form = FORM_RTL,
    .before = "function i32 @f(i32 %a, i32 %b, i64 %p) {\n"
              "  0: %c = naddo.i32 %a, %b\n"
              "  1: check %c\n"
              "  2: %s = add.i32 %a, %b\n"
              "  3: %d = nsubo.i32 %s, 7\n"
              "  4: check %d\n"
              "  5: store.i32 [%p], %a\n"
              "  6: %t = sub.i32 %s, 7\n"
              "  7: %e = nmulo.i32 %t, %b\n"
              "  8: check %e\n"
              "  9: %u = mul.i32 %t, %b\n"
              "  10: return %u\n"
              "}\n",
    .after = "function i32 @f(i32 %a, i32 %b, i64 %p) {\n"
             "b0:\n"
             "  %a, %b, %p = params\n"
             "  %s = add.i32 %a, %b checked\n"
             "  %t = sub.i32 %s, 7 checked\n"
             "  store.i32 [%p], %a\n"
             "  %u = mul.i32 %b, %t checked\n"
             "  return %u\n"
             "}\n",
    .hint = "0",
};

static const MachForgery wrong_exactness[] = {
    {&exact, NULL, NULL, {{0}}},
    {&exact, effects, NULL, {{"%a, %b checked", "%a, %b"}}},
    {&exact, effects, NULL, {{"7 checked", "7"}}},
    {&exact, effects, NULL, {{"%t checked", "%t"}}},
    {&exact, effects, NULL, {{"sub.i32 %s, 7 checked", "add.i32 %s, -7 checked"}}},
    {&exact, effects, NULL, {{"add.i32 %a, %b checked", "sub.i32 %a, %b checked"}}},
    {&exact, NULL, NULL, {{"add.i32 %a, %b checked", "add.i32 %b, %a checked"}}},
    // The check after the store that it comes before.
    {&exact,
     effects,
     NULL,
     {{"  %t = sub.i32 %s, 7 checked\n  store.i32 [%p], %a\n",
       "  store.i32 [%p], %a\n  %t = sub.i32 %s, 7 checked\n"}}},
    // The same as checks of their own: right, of something else, of the opposite.
    {&exact,
     NULL,
     NULL,
     {{"  %u = mul.i32 %b, %t checked\n", "  check nmulo.i32 %t, %b\n  %u = mul.i32 %t, %b\n"}}},
    {&exact,
     effects,
     NULL,
     {{"  %u = mul.i32 %b, %t checked\n", "  check nmulo.i32 %t, %a\n  %u = mul.i32 %t, %b\n"}}},
    {&exact,
     effects,
     NULL,
     {{"  %u = mul.i32 %b, %t checked\n", "  check mulo.i32 %t, %b\n  %u = mul.i32 %t, %b\n"}}},
    {&exact,
     effects,
     NULL,
     {{"  %t = sub.i32 %s, 7 checked\n", "  check nrsubo.i32 %s, 7\n  %t = sub.i32 %s, 7\n"}}},
};

static const MachPair tail = {
    .form = FORM_RTL,
    .before = "function i32 @f(i32 %a, i32 %b) {\n"
              "  0: %r = call @g(%b, %a)\n"
              "  1: return %r\n"
              "}\n"
              "extern function i32 @g(i32, i32)\n",
    .after = "function i32 @f(i32 %a, i32 %b) {\n"
             "b0:\n"
             "  %a, %b = params\n"
             "  tail_call @g(%b, %a)\n"
             "}\n"
             "extern function i32 @g(i32, i32)\n",
    .hint = "0",
};
static const MachPair tail_address = {
    .form = FORM_RTL,
    .before = "function void @f(i64 %n) {\n"
              "  slot $s size 8 align 8\n"
              "  0: %s = addr $s\n"
              "  1: call @g(%s)\n"
              "  2: return\n"
              "}\n"
              "extern function void @g(i64)\n",
    .after = "function void @f(i64 %n) {\n"
             "  slot $s size 8 align 8\n"
             "b0:\n"
             "  %n = params\n"
             "  %s = addr $s\n"
             "  call @g(%s)\n"
             "  return\n"
             "}\n"
             "extern function void @g(i64)\n",
    .hint = "0",
};
static const MachPair tail_variadic = {
    .form = FORM_RTL,
    .before = "function void @f(i64 %list, ...) {\n"
              "  0: va_start %list\n"
              "  1: call @g(%list)\n"
              "  2: return\n"
              "}\n"
              "extern function void @g(i64)\n",
    .after = "function void @f(i64 %list, ...) {\n"
             "b0:\n"
             "  %list = params\n"
             "  va_start %list\n"
             "  call @g(%list)\n"
             "  return\n"
             "}\n"
             "extern function void @g(i64)\n",
    .hint = "0",
};
// What is on the stack for a call is put there behind what moves the stack.
static const MachPair moving = {
    .form = FORM_RTL,
    .before = "function void @f(i64 %n) {\n"
              "  0: %m = alloca %n align 16\n"
              "  1: call @h(%m, %n, %n, %n, %n, %n, %n)\n"
              "  2: return\n"
              "}\n"
              "extern function void @h(i64, i64, i64, i64, i64, i64, i64)\n",
    .after = "function void @f(i64 %n) {\n"
             "b0:\n"
             "  %n = params\n"
             "  %m = alloca %n align 16\n"
             "  store.i64 [outgoing], %n\n"
             "  call @h(%m, %n, %n, %n, %n, %n)\n"
             "  return\n"
             "}\n"
             "extern function void @h(i64, i64, i64, i64, i64, i64, i64)\n",
    .hint = "0",
};

#define BEFORE_ALLOCA                                                                              \
    {                                                                                              \
        "  %m = alloca %n align 16\n  store.i64 [outgoing], %n\n",                                 \
            "  store.i64 [outgoing], %n\n  %m = alloca %n align 16\n"                              \
    }
#define EARLY_ADDRESS                                                                              \
    {                                                                                              \
        "  %m = alloca %n align 16\n  store.i64 [outgoing], %n\n",                                 \
            "  %out = lea.i64 [outgoing]\n  %m = alloca %n align 16\n  store.i64 [%out], %n\n"     \
    }

static const MachForgery wrong_stacks[] = {
    {&tail, effects, NULL, {{"@g(%b, %a)", "@g(%a, %b)"}}},
    {&tail, effects, NULL, {{"tail_call @g(%b, %a)\n", "%r = call @g(%b, %a)\n  trap\n"}}},
    {&tail_variadic,
     "a tail call is not possible here",
     NULL,
     {{"  call @g(%list)\n  return\n", "  tail_call @g(%list)\n"}}},
    {&moving, missing, NULL, {BEFORE_ALLOCA}},
    {&moving, missing, NULL, {EARLY_ADDRESS}},
};

// A constant that is not set on every way, registers of the machine function's own.
static const MachPair constants = {
    .form = FORM_RTL,
    .before = "function i32 @f(i32 %a, i32 %u) {\n"
              "  reg i32 %never\n"
              "  0: if lt.i32 %a, 5 then 1 else 2\n"
              "  1: %k = const.i32 9 -> 3\n"
              "  2: nop\n"
              "  3: %r = add.i32 %a, 1\n"
              "  4: if lt.i32 %r, 7 then 5 else 6\n"
              "  5: return %k\n"
              "  6: %z = const.i32 9\n"
              "  7: %y = add.i32 %r, %z\n"
              "  8: return %y\n"
              "}\n",
    .after = "function i32 @f(i32 %a, i32 %u) {\n"
             "  reg i32 %never\n  reg i32 %k\n"
             "b0:\n"
             "  %a, %u = params\n"
             "  %nine = const.i32 9\n"
             "  branch lt.i32 %a, 5 -> b1, b2\n"
             "b1:\n"
             "  jump b2\n"
             "b2:\n"
             "  %r = add.i32 %a, 1\n"
             "  branch lt.i32 %r, 7 -> b3, b4\n"
             "b3:\n"
             "  return %nine\n"
             "b4:\n"
             "  %y = add.i32 %r, 9\n"
             "  return %y\n"
             "}\n",
    .hint = "0 1 3 5 6",
};

static const MachForgery wrong_constants[] = {
    {&constants, later, NULL, {{"return %nine", "return %k"}}},
    // The register of a constant that may not have been set: right for itself, wrong for another.
    {&constants,
     NULL,
     NULL,
     {{"return %nine", "return %k"}, {"b1:\n", "b1:\n  %k = const.i32 9\n"}}},
    {&constants,
     effects,
     NULL,
     {{"add.i32 %r, 9", "add.i32 %r, %k"}, {"b1:\n", "b1:\n  %k = const.i32 9\n"}}},
    {&constants, effects, NULL, {{"%nine = const.i32 9", "%nine = const.i32 8"}}},
    {&constants, later, NULL, {{"b2:\n", "b2:\n  %nine = const.i32 9\n"}}},
    {&constants, later, NULL, {{"%nine = const.i32 9", "%nine = add.i32 %a, 9"}}},
    {&constants,
     later,
     NULL,
     {{"  %nine = const.i32 9\n", ""}, {"b1:\n", "b1:\n  %nine = const.i32 9\n"}}},
    // 0 times a register that has no value is no value.
    {&constants,
     effects,
     NULL,
     {{"%y = add.i32 %r, 9",
       "%none = sub.i32 %never, %never\n  %m = add.i32 %r, %none\n  %y = add.i32 %m, 9"}}},
    {&constants,
     condition,
     NULL,
     {{"%r = add.i32 %a, 1",
       "%same = select i32 if eq.i32 %never, 0 then %a else %a\n  %r = add.i32 %same, 1"}}},
};

// What the verifier refuses.
static const MachForgery malformed[] = {
    {&work,
     "expected 2 arguments, one for each register; found 1",
     NULL,
     {{"call @g(%e, %m)", "call @g(%e)"}}},
    {&tail_address,
     "expected no slots",
     NULL,
     {{"  call @g(%s)\n  return\n", "  tail_call @g(%s)\n"}}},
};

#define TEST(name, table)                                                                          \
    static void name(void **state) {                                                               \
        (void)state;                                                                               \
        mach_forge(check, table, sizeof table / sizeof table[0]);                                  \
    }

TEST(test_code, wrong_code)
TEST(test_hints, wrong_hints)
TEST(test_pieces, wrong_pieces)
TEST(test_memory, wrong_memory)
TEST(test_ends, wrong_ends)
TEST(test_exactness, wrong_exactness)
TEST(test_remainders, wrong_remainders)
TEST(test_stacks, wrong_stacks)
TEST(test_constants, wrong_constants)

static void test_malformed(void **state) {
    (void)state;
    mach_forge(NULL, malformed, sizeof malformed / sizeof malformed[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_code),       cmocka_unit_test(test_hints),
        cmocka_unit_test(test_pieces),     cmocka_unit_test(test_memory),
        cmocka_unit_test(test_ends),       cmocka_unit_test(test_exactness),
        cmocka_unit_test(test_remainders), cmocka_unit_test(test_stacks),
        cmocka_unit_test(test_constants),  cmocka_unit_test(test_malformed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
