// Forged orders of machine instructions: each is rejected for its reason, or accepted, so that the
// checker is not simply strict. A row names the instructions of the new function by their numbers
// in the old one; the new function is made from that, or from its text changed.
#include "check/checkers.h"
#include "check/passes.h"
#include "form/mach.h"
#include "test/gen/forge.h"
#include "test/gen/mach_forge.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char reads[] = "it reads what another one has set";
static const char leaves[] = "a place that it sets is left with another value";
static const char side[] = "it has left its side";
static const char waits[] = "something has passed it that has to wait for it";
static const char bytes[] = "an access to the same bytes has passed it";

typedef struct {
    const char *code;   // between params, which is 0, and the return of %p, or of rax
    const char *order;  // with params and the return
    const char *reason; // NULL: it is accepted
} OrderForgery;

// ---- Making them

static const char externs[] = "extern function i32 @g(i32)\n"
                              "extern function void @many(i64, i64, i64, i64, i64, i64, i64, i64)\n"
                              "extern function i32 @_setjmp(i64) returns_twice\n"
                              "global @own size 16 align 8 static = i64 1, i64 2\n"
                              "global @other size 16 align 8 static = i64 1, i64 2\n"
                              "global @fixed size 8 align 8 static const = i64 3\n"
                              "extern global @foreign size 16 align 8\n"
                              "extern global @strange size 16 align 8\n"
                              "asm 0 \"nop\" in (i64 rax at 0) destroys (rax)\n";

static const char unbounded[] = "code fixed\n"
                                "reserve r15\n"
                                "function i64 @f(i64 %%p, i64 %%q, i32 %%a, i32 %%b, f64 %%x) {\n"
                                "  slot $s size 32 align 8\n"
                                "  slot $t size 32 align 8\n"
                                "  slot $known size 32 align 8\n"
                                "b0:\n"
                                "  %%p, %%q, %%a, %%b, %%x = params\n"
                                "%s"
                                "  return %%p\n"
                                "}\n%s";

static const char allocated[] = "function i64 @f(i64, i64, i32, i32, f64) {\n"
                                "  slot $s size 32 align 8\n"
                                "  allocated\n"
                                "  saves rbx\n"
                                "  spills 8, 8, 16, 16\n"
                                "b0:\n"
                                "  rdi, rsi, rdx, rcx, xmm0 = params\n"
                                "%s"
                                "  return rax\n"
                                "}\n%s";

// The function in the order of the hint, as far as that names instructions.
static Func *reordered(Arena *arena, const Func *before, const ScheduleHint *hint) {
    Func *after = func_clone(before, arena);
    uint32_t count = before->mach->code.count;
    for (uint32_t i = 0; i < hint->old.count && i < count; i++)
        if (hint->old.at[i] < count) after->mach->code.at[i] = *mach_at(before, hint->old.at[i]);
    return after;
}

static ScheduleHint hint_of(Arena *arena, const char *order) {
    HintNumbers numbers = {0};
    ScheduleHint hint = {0};
    mach_forge_numbers(arena, order, &numbers);
    for (uint32_t i = 0; i < numbers.count; i++) vec_push(arena, &hint.old, numbers.at[i]);
    return hint;
}

static uint32_t unexpected(const char *what, const Verdict *verdict, const char *reason) {
    const char *found = verdict->accepted ? NULL : verdict->reason;
    if (reason ? found && strstr(found, reason) : !found) return 0;
    print_message("%s: %s; expected: %s\n", what, found ? found : "accepted",
                  reason ? reason : "accepted");
    return 1;
}

static uint32_t try_order(const char *frame, const OrderForgery *forgery) {
    Arena *arena = arena_new("forgery");
    Out text = {0};
    out_printf(&text, frame, forgery->code, externs);
    out_char(&text, '\0');
    const Func *before = forge_parse(arena, FORM_MACH, text.text);
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, before))
        fail_msg("%s: %s", forgery->code, complaints.list.at[0].message);
    ScheduleHint hint = hint_of(arena, forgery->order);
    assert_int_equal(hint.old.count, before->mach->code.count);
    const Func *after = reordered(arena, before, &hint);
    Verdict verdict = pass_check(PASS_schedule, arena, NULL, before, after, &hint);
    out_printf(&text, "%s%s", forgery->code, forgery->order);
    uint32_t bad = unexpected(arena_printf(arena, "%s%s", forgery->code, forgery->order), &verdict,
                              forgery->reason);
    out_free(&text);
    arena_free(arena);
    return bad;
}

static void try_orders(const char *frame, const OrderForgery *forgeries, uint32_t count) {
    uint32_t bad = 0, refused = 0;
    for (uint32_t i = 0; i < count; i++) {
        bad += try_order(frame, &forgeries[i]);
        refused += forgeries[i].reason != NULL;
    }
    print_message("%u orders refused, %u accepted\n", refused, count - refused);
    assert_int_equal(bad, 0);
}

// ---- What is read and set

static const char chain[] = "  %c = add.i32 %a, %b\n" // 1
                            "  %d = sub.i32 %a, %b\n" // 2
                            "  %e = add.i32 %c, %d\n" // 3
                            "  %c = and.i32 %a, %b\n" // 4
                            "  %a = or.i32 %c, %e\n"; // 5

static const OrderForgery registers[] = {
    {chain, "0 1 2 3 4 5 6", NULL},
    {chain, "0 2 1 3 4 5 6", NULL},
    {chain, "0 1 3 2 4 5 6", reads}, // needs %d
    {chain, "0 1 2 4 3 5 6", reads}, // %c is set again before it is read
    {chain, "0 4 2 3 1 5 6", reads}, // both
    {chain, "0 1 2 3 5 4 6", reads}, // needs the other %c
    {chain, "0 5 1 2 3 4 6", reads}, // what is set first
    {chain, "0 1 2 3 4 6 5", side},  // behind the end
    {chain, "1 0 2 3 4 5 6", side},  // before the parameters
    {chain, "1 2 3 4 5 6 0", side},  // parameters last
    // A place that is set twice and read behind the block, or not at all.
    {"  %c = add.i32 %a, %b\n  %c = sub.i32 %a, %b\n", "0 2 1 3", leaves},
    // An operation that reads what it sets.
    {"  %a = add.i32 %a, 1\n  %a = mul.i32 %a, 3\n", "0 2 1 3", reads},
    {"  %a = add.i32 %a, 1\n  %b = mul.i32 %b, 3\n", "0 2 1 3", NULL},
    // The base and the index of an address, and what a branch of its own reads.
    {"  %q = add.i64 %q, 8\n  %c = load.i32 [%q]\n", "0 2 1 3", reads},
    {"  %c = load.i32 [%q]\n  %q = add.i64 %q, 8\n", "0 2 1 3", reads},
    {"  %c = load.i32 [%p + %q*4]\n  %q = add.i64 %q, 8\n", "0 2 1 3", reads},
    {"  %c = lea.i64 [%p + %q*4]\n  %q = add.i64 %q, 8\n", "0 2 1 3", reads},
    {"  store.i32 [%p], %a\n  %a = add.i32 %b, 8\n", "0 2 1 3", reads},
    {"  %c = select i32 if lt.i32 %a, %b then %a else %b\n  %b = const.i32 1\n", "0 2 1 3", reads},
    {"  %c = call @g(%a)\n  %a = const.i32 1\n", "0 2 1 3", reads},
    {"  %c = call @g(%a)\n  %d = add.i32 %c, 1\n", "0 2 1 3", reads},
    {"  %c = call @g(%a)\n  %d = add.i32 %b, 1\n", "0 2 1 3", NULL},
    {"  %p = add.i64 %q, 1\n  %d = add.i32 %b, 1\n", "0 2 1 3", NULL},
    {"  %d = add.i32 %b, 1\n  %p = add.i64 %q, 1\n", "0 1 3 2", side},
};

// ---- Memory

#define TWO(first, second) "  " first "\n  " second "\n"

static const OrderForgery memory[] = {
    // The same register, and bytes that overlap or not.
    {TWO("store.i32 [%p], %a", "%c = load.i32 [%p]"), "0 2 1 3", bytes},
    {TWO("%c = load.i32 [%p]", "store.i32 [%p], %a"), "0 2 1 3", bytes},
    {TWO("store.i32 [%p], %a", "store.i32 [%p], %b"), "0 2 1 3", bytes},
    {TWO("%c = load.i32 [%p]", "%d = load.i32 [%p]"), "0 2 1 3", NULL},
    {TWO("store.i32 [%p], %a", "%c = load.i32 [%p + 4]"), "0 2 1 3", NULL},
    {TWO("store.i32 [%p + 4], %a", "%c = load.i32 [%p]"), "0 2 1 3", NULL},
    {TWO("store.i32 [%p], %a", "%c = load.i32 [%p + 3]"), "0 2 1 3", bytes},
    {TWO("store.i64 [%p], %q", "%c = load.i8 [%p + 7]"), "0 2 1 3", bytes},
    {TWO("store.i8 [%p + 7], %a", "%c = load.i64 [%p]"), "0 2 1 3", bytes},
    {TWO("store.i8 [%p + 8], %a", "%c = load.i64 [%p]"), "0 2 1 3", NULL},
    {TWO("store.i32 [%p - 4], %a", "%c = load.i32 [%p]"), "0 2 1 3", NULL},
    {TWO("store.i32 [%p - 3], %a", "%c = load.i32 [%p]"), "0 2 1 3", bytes},
    // Other registers, the same that is set between, other scales and indices.
    {TWO("store.i32 [%p], %a", "%c = load.i32 [%q + 4]"), "0 2 1 3", bytes},
    {"  store.i32 [%p], %a\n  %p = add.i64 %p, 4\n  %c = load.i32 [%p - 4]\n", "0 2 3 1 4", reads},
    {"  %c = load.i32 [%p + 4]\n  %p = add.i64 %p, 4\n  store.i32 [%p], %a\n"
     "  %d = load.i32 [%p + 4]\n",
     "0 1 2 4 3 5", NULL},
    {TWO("store.i32 [%p + %q*4], %a", "%c = load.i32 [%p + %q*4 + 4]"), "0 2 1 3", NULL},
    {TWO("store.i32 [%p + %q*4], %a", "%c = load.i32 [%p + %q*8 + 4]"), "0 2 1 3", bytes},
    {TWO("store.i32 [%p + %q*4], %a", "%c = load.i32 [%p + 4]"), "0 2 1 3", bytes},
    // Slots whose address nobody has, against each other and against anything by a register or a
    // call.
    {TWO("store.i32 [$s], %a", "%c = load.i32 [$t]"), "0 2 1 3", NULL},
    {TWO("store.i32 [$s], %a", "%c = load.i32 [$s + 4]"), "0 2 1 3", NULL},
    {TWO("store.i32 [$s], %a", "%c = load.i32 [$s + 2]"), "0 2 1 3", bytes},
    {TWO("store.i32 [$s], %a", "%c = load.i32 [%p]"), "0 2 1 3", NULL},
    {TWO("store.i32 [%p], %a", "%c = load.i32 [$s]"), "0 2 1 3", NULL},
    {TWO("store.i32 [$s], %a", "%c = load.i32 [$s + %q*4]"), "0 2 1 3", bytes},
    {TWO("store.i32 [$s], %a", "%c = load.i32 [$t + %q*4]"), "0 2 1 3", NULL},
    {TWO("%c = call @g(%a)", "%d = load.i32 [$s]"), "0 2 1 3", NULL},
    {TWO("%c = call @g(%a)", "store.i32 [$s], %b"), "0 2 1 3", NULL},
    // A slot whose address is a value.
    {"  %r = lea.i64 [$known]\n  store.i32 [$known], %a\n  %c = load.i32 [%p]\n", "0 1 3 2 4",
     bytes},
    {"  %r = addr $known\n  %c = call @g(%a)\n  %d = load.i32 [$known]\n", "0 1 3 2 4", bytes},
    {"  %r = lea.i64 [$known]\n  store.i32 [$known], %a\n  %c = load.i32 [$s + %q*4]\n",
     "0 1 3 2 4", NULL},
    {"  %r = lea.i64 [$known]\n  store.i32 [$known + %q*4], %a\n  %c = load.i32 [@own]\n",
     "0 1 3 2 4", bytes},
    {"  %r = lea.i64 [$known]\n  store.i32 [$known + 32], %a\n  %c = load.i32 [@own]\n",
     "0 1 3 2 4", bytes},
    {"  %r = lea.i64 [$known + 8]\n  store.i32 [%r], %a\n  %c = load.i32 [$known]\n", "0 1 3 2 4",
     NULL},
    {"  %r = lea.i64 [$known + 8]\n  store.i32 [%r], %a\n  %c = load.i32 [$known + 8]\n",
     "0 1 3 2 4", bytes},
    {"  %r = lea.i64 [$known + 8]\n  store.i32 [%r], %a\n  %c = load.i32 [@own + 8]\n", "0 1 3 2 4",
     NULL},
    {"  %r = lea.i64 [$known + 8]\n  store.i32 [%r + %q*4], %a\n  %c = load.i32 [@own + 8]\n",
     "0 1 3 2 4", bytes},
    // Symbols: defined here, elsewhere, read-only; inside of them or not.
    {TWO("store.i32 [@own], %a", "%c = load.i32 [@other]"), "0 2 1 3", NULL},
    {TWO("store.i32 [@own], %a", "%c = load.i32 [%p]"), "0 2 1 3", bytes},
    {TWO("store.i32 [%p], %a", "%c = load.i32 [@fixed]"), "0 2 1 3", NULL},
    {TWO("%c = call @g(%a)", "%d = load.i32 [@fixed]"), "0 2 1 3", NULL},
    {TWO("%c = call @g(%a)", "%d = load.i32 [@own]"), "0 2 1 3", bytes},
    {TWO("store.i32 [@own + 16], %a", "%c = load.i32 [@other]"), "0 2 1 3", bytes},
    {TWO("store.i32 [@own + %q*4], %a", "%c = load.i32 [@other]"), "0 2 1 3", bytes},
    // Parts, updates, operands in memory, copies and fills.
    {TWO("store_part.i64 3 bytes [%p], %q", "%c = load.i8 [%p + 3]"), "0 2 1 3", NULL},
    {TWO("store_part.i64 3 bytes [%p], %q", "%c = load.i8 [%p + 2]"), "0 2 1 3", bytes},
    {TWO("%c = load_part.i64 5 bytes [%p]", "store.i8 [%p + 4], %a"), "0 2 1 3", bytes},
    {TWO("%c = load_part.i64 5 bytes [%p]", "store.i8 [%p + 5], %a"), "0 2 1 3", NULL},
    {TWO("update add.i32 i32 [%p], %a", "%c = load.i32 [%p]"), "0 2 1 3", bytes},
    {TWO("%c = load.i32 [%p]", "update add.i32 i32 [%p], %a"), "0 2 1 3", bytes},
    {TWO("update add.i32 i32 [%p], %a", "update add.i32 i32 [%p + 4], %a"), "0 2 1 3", NULL},
    {TWO("%c = add.i32 %a, i32 [%p]", "store.i32 [%p], %a"), "0 2 1 3", bytes},
    {TWO("%c = select i32 if lt.i32 %a, i32 [%p] then %a else %b", "store.i32 [%p], %a"), "0 2 1 3",
     bytes},
    {TWO("memcpy %p, %q, 16", "%c = load.i32 [%p + 12]"), "0 2 1 3", bytes},
    {TWO("memcpy %p, %q, 16", "store.i32 [%q + 12], %a"), "0 2 1 3", bytes},
    {TWO("memcpy %p, %q, 16", "store.i32 [$s], %a"), "0 2 1 3", NULL},
    {TWO("memcpy %p, %p, 16", "store.i32 [%p + 16], %a"), "0 2 1 3", NULL},
    {TWO("memset %p, 0, 16", "%c = load.i32 [%p + 16]"), "0 2 1 3", NULL},
    {TWO("memset %p, 0, 16", "%c = load.i32 [%p + 15]"), "0 2 1 3", bytes},
    {TWO("memset %p, 0, 1600", "%c = load.i32 [%p + 1600]"), "0 2 1 3", bytes}, // many bytes
    {TWO("memset %p, 0, 1600", "%c = load.i32 [$s]"), "0 2 1 3", NULL},
};

// ---- The world

static const OrderForgery world[] = {
    // What stops, what is seen, and what may go wrong.
    {TWO("check ne.i32 %a, 0", "%c = divs.i32 %b, %a"), "0 2 1 3", waits},
    {TWO("%c = divs.i32 %b, %a", "check ne.i32 %a, 0"), "0 2 1 3", NULL},
    // An operand that surely can be read does not make the division right.
    {TWO("check ne.i32 %a, 0", "%c = divs.i32 %b, i32 [$s]"), "0 2 1 3", waits},
    {TWO("check ne.i32 %a, 0", "%c = add.i32 %b, i32 [$s]"), "0 2 1 3", NULL},
    {TWO("check ne.i32 %a, 0", "%c = load.i32 [%p]"), "0 2 1 3", waits},
    {TWO("check ne.i32 %a, 0", "store.i32 [%p], %b"), "0 2 1 3", waits},
    {TWO("check ne.i32 %a, 0", "%c = load.i32 [$s]"), "0 2 1 3", NULL},
    {TWO("check ne.i32 %a, 0", "%c = load.i32 [$s + %q*4]"), "0 2 1 3", waits},
    {TWO("check ne.i32 %a, 0", "%c = load.i32 [$s + 29]"), "0 2 1 3", waits},
    {TWO("check ne.i32 %a, 0", "%c = load.i32 [@foreign]"), "0 2 1 3", waits},
    {TWO("check ne.i32 %a, 0", "store.i32 [@fixed], %b"), "0 2 1 3", waits}, // read-only
    {TWO("check ne.i32 %a, 0", "store.i32 [@own], %b"), "0 2 1 3", NULL},
    {TWO("check ne.i32 %a, 0", "%c = add.i32 %a, %b"), "0 2 1 3", NULL},
    {TWO("check ne.i32 %a, 0", "check ne.i32 %b, 0"), "0 2 1 3", waits},
    {TWO("check ne.i32 %a, 0", "%c = add.i32 %a, %b checked"), "0 2 1 3", waits},
    {TWO("%c = add.i32 %a, %b checked", "%d = call @g(%a)"), "0 2 1 3", waits},
    {TWO("%c = call @g(%a)", "%d = call @g(%b)"), "0 2 1 3", waits},
    {TWO("%c = call @g(%a)", "%d = load.i32 [%p]"), "0 2 1 3", waits},
    {TWO("%c = call @g(%a)", "%d = divs.i32 %b, %a"), "0 2 1 3", waits},
    {TWO("%c = divs.i32 %b, %a", "%d = call @g(%a)"), "0 2 1 3", NULL},
    {TWO("%c = call @g(%a)", "store.i32 [@own], %b"), "0 2 1 3", bytes},
    // The mode of floating-point operators is no part of what a program does.
    {TWO("%c = call @g(%a)", "%y = add.f64 %x, %x"), "0 2 1 3", NULL},
    // Volatile accesses, among themselves and with others.
    {TWO("%c = volatile_load.i32 [%p]", "%d = volatile_load.i32 [%q]"), "0 2 1 3", waits},
    {TWO("volatile_store.i32 [@own], %a", "volatile_store.i32 [@other], %b"), "0 2 1 3", waits},
    {TWO("volatile_store.i32 [$s], %a", "%c = load.i32 [$t]"), "0 2 1 3", NULL},
    {TWO("volatile_store.i32 [@own], %a", "%c = load.i32 [%p]"), "0 2 1 3", waits},
    {TWO("%c = load.i32 [%p]", "volatile_store.i32 [@own], %a"), "0 2 1 3", bytes},
    {TWO("%c = volatile_load.i32 [$s]", "%d = call @g(%a)"), "0 2 1 3", waits},
    // Fences and atomic accesses: all that others know of stays on its side.
    {TWO("store.i32 [@own], %a", "fence release"), "0 2 1 3", bytes},
    {TWO("fence acquire", "%c = load.i32 [%p]"), "0 2 1 3", bytes},
    {TWO("signal_fence acquire", "%c = load.i32 [@own]"), "0 2 1 3", bytes},
    {TWO("fence acquire", "%c = load.i32 [$s]"), "0 2 1 3", NULL},
    {TWO("fence acquire", "%c = load.i32 [@fixed]"), "0 2 1 3", NULL},
    {TWO("store.i32 [@own], %a", "atomic_store.i32 [@other], %b release"), "0 2 1 3", bytes},
    {TWO("%c = atomic_load.i32 [@other] acquire", "%d = load.i32 [@own]"), "0 2 1 3", bytes},
    {TWO("%c = atomic_add.i32 [%p], %a relaxed", "%d = atomic_add.i32 [%q], %a relaxed"), "0 2 1 3",
     waits},
    // The stack: what alloca gives begins and ends its life, and the arguments of calls move with
    // it.
    {TWO("%r = alloca %q align 16", "store.i64 [%p], %q"), "0 2 1 3", waits},
    {TWO("store.i64 [%p], %q", "stack_restore %q"), "0 2 1 3", bytes},
    {TWO("%c = load.i64 [%p]", "stack_restore %q"), "0 2 1 3", bytes},
    {TWO("%r = stack_save", "%t = alloca %q align 16"), "0 2 1 3", waits},
    {TWO("%r = alloca %q align 16", "%t = alloca %p align 16"), "0 2 1 3", waits},
    {TWO("%r = alloca %q align 16", "store.i64 [$s], %q"), "0 2 1 3", NULL},
    {"  %r = alloca %q align 16\n  %t = lea.i64 [outgoing]\n"
     "  store.i64 [%t], %q\n  store.i64 [outgoing + 8], %q\n"
     "  call @many(%p, %p, %p, %p, %p, %p)\n",
     "0 2 1 3 4 5 6", reads},
    {"  %t = lea.i64 [outgoing]\n  %r = alloca %q align 16\n"
     "  store.i64 [outgoing], %q\n  store.i64 [outgoing + 8], %q\n"
     "  call @many(%p, %p, %p, %p, %p, %p)\n",
     "0 1 2 4 3 5 6", NULL},
    {"  store.i64 [outgoing], %q\n  store.i64 [outgoing + 8], %q\n"
     "  call @many(%p, %p, %p, %p, %p, %p)\n  store.i64 [outgoing], %q\n"
     "  store.i64 [outgoing + 8], %q\n  call @many(%p, %p, %p, %p, %p, %p)\n",
     "0 2 1 3 5 4 6 7", NULL},
    {"  store.i64 [outgoing], %q\n  store.i64 [outgoing + 8], %q\n"
     "  call @many(%p, %p, %p, %p, %p, %p)\n  store.i64 [outgoing], %q\n"
     "  store.i64 [outgoing + 8], %q\n  call @many(%p, %p, %p, %p, %p, %p)\n",
     "0 1 2 4 3 5 6 7", bytes},
    {"  store.i64 [outgoing], %q\n  store.i64 [outgoing + 8], %q\n"
     "  call @many(%p, %p, %p, %p, %p, %p)\n",
     "0 1 3 2 4", bytes},
    {"  store.i64 [outgoing], %q\n  store.i64 [outgoing + 8], %q\n  %c = load.i64 [%p]\n"
     "  call @many(%p, %p, %p, %p, %p, %p)\n",
     "0 1 3 2 4 5", bytes}, // the address in %p may be that
    // Assembler text and registers that have no name.
    {TWO("asm %p, 0", "asm %q, 0"), "0 2 1 3", waits},
    {TWO("asm %p, 0", "%c = load.i32 [@own]"), "0 2 1 3", bytes},
    {TWO("asm %p, 0", "%c = load.i32 [$s]"), "0 2 1 3", NULL},
    {TWO("write_register %p, r15", "%c = call @g(%a)"), "0 2 1 3", waits},
    {TWO("write_register %p, r15", "%r = read_register r15"), "0 2 1 3", waits},
    {TWO("write_register %p, r15", "%c = add.i32 %a, %b"), "0 2 1 3", NULL},
};

static const OrderForgery twice[] = {
    {"  %j = call @_setjmp(%p)\n  %c = add.i32 %a, %b\n", "0 2 1 3", "where a call returns twice"},
    {"  %j = call @_setjmp(%p)\n  %c = add.i32 %a, %b\n", "0 1 2 3", NULL},
    {"  %c = add.i32 %a, %b\n  %d = sub.i32 %a, %b\n  %j = call @_setjmp(%p)\n", "0 2 1 3 4",
     "where a call returns twice"},
};

// ---- Machine registers

static const OrderForgery machine[] = {
    {TWO("rax = add.i64 rdi, rsi", "r8 = add.i64 rdi, rsi"), "0 2 1 3", NULL},
    {TWO("rax = add.i64 rdi, rsi", "rdi = move i64 rsi"), "0 2 1 3", reads},
    {TWO("s0 = move i64 rdi", "rax = move i64 s0"), "0 2 1 3", reads},
    {TWO("s0 = move i64 rdi", "rax = move i64 s1"), "0 2 1 3", NULL},
    {TWO("s0 = move i64 rdi", "rax = move i32 s0"), "0 2 1 3", reads}, // a part of it
    {TWO("r8 = move i64 rdi", "r8 = move i32 rsi"), "0 2 1 3", leaves},
    {TWO("s0 = move i64 rdi", "s0 = move i64 rsi"), "0 2 1 3", leaves},
    {TWO("s2 = cvt.f80.f64 xmm0", "s3 = move f80 s2"), "0 2 1 3", reads},
    {TWO("s2 = cvt.f80.f64 xmm0", "s0 = move i64 rdi"), "0 2 1 3", NULL},
    {TWO("exchange rdi, rsi", "rax = move i64 rsi"), "0 2 1 3", reads},
    {TWO("exchange rdi, rsi", "rax = move i64 rdi"), "0 2 1 3", reads},
    {TWO("rax = move i64 rsi", "exchange rdi, rsi"), "0 2 1 3", reads},
    {TWO("rsi = move i64 rdx", "exchange rdi, rsi"), "0 2 1 3", reads},
    {TWO("exchange rdi, rsi", "exchange rdi, rdx"), "0 2 1 3", reads},
    // What is destroyed: by a division (rdx), a product (rax), a long copy (rdi rsi rcx), a call.
    {"  rbx = move i64 rdi\n  rax = move i64 rdi\n  rax = divu.i64 rax, rsi\n  rdx = move i64 rsi\n"
     "  rbx = add.i64 rbx, rdx\n",
     "0 1 2 4 3 5 6", reads},
    {"  rax = move i64 rdi\n  rax = divu.i64 rax, rsi\n  rbx = move i64 rdx\n", "0 1 3 2 4", NULL},
    {"  rbx = move i64 rdx\n  rax = move i64 rdi\n  rax = divu.i64 rax, rsi\n", "0 2 3 1 4", reads},
    {"  rax = move i64 rdi\n  rdx = mulhu.i64 rax, rsi\n  rax = move i64 rdx\n", "0 1 3 2 4",
     reads},
    {"  memcpy rdi, rsi, 200\n  rdi = move i64 rdx\n", "0 2 1 3", reads},
    {"  memcpy rdi, rsi, 200\n  rcx = move i64 rdx\n  rax = move i64 rcx\n", "0 2 1 3 4", reads},
    {"  memcpy rdi, rsi, 16\n  r11 = move i64 rdx\n  rax = move i64 r11\n", "0 2 1 3 4", reads},
    {"  memcpy rdi, rsi, 16\n  r9 = move i64 rdx\n  rax = move i64 r9\n", "0 2 1 3 4", NULL},
    {"  rdi = move i32 rdx\n  rax = call @g(rdi)\n  r8 = const.i64 1\n  rax = move i64 r8\n",
     "0 1 3 2 4 5", reads},
    {"  rdi = move i32 rdx\n  rax = call @g(rdi)\n  rbx = const.i64 1\n  rax = move i64 rbx\n",
     "0 1 3 2 4 5", NULL},
    {"  rdi = move i32 rdx\n  rax = call @g(rdi)\n  r8 = const.i64 1\n", "0 1 3 2 4", leaves},
    {"  rdi = move i32 rdx\n  rax = call @g(rdi)\n  s0 = move i32 rax\n", "0 1 3 2 4", reads},
    {"  rdi = move i32 rdx\n  s0 = move i64 rsi\n  rax = call @g(rdi)\n", "0 1 3 2 4", reads},
    // Two that destroy the same register, and leave nothing there.
    {"  memcpy rdi, rsi, 16\n  r8 = popcount.i64 rdx\n", "0 2 1 3", NULL},
    {"  r11 = move i64 rdi\n  r8 = popcount.i64 rdx\n  rax = move i64 r8\n", "0 2 1 3 4", NULL},
    {"  r8 = popcount.i64 rdx\n  r11 = move i64 rdi\n  rax = move i64 r8\n", "0 2 1 3 4", leaves},
    // A two-address operation whose operand is not its result, and one whose count is in rcx.
    {TWO("rax = sub.i64 rdi, rsi", "rdi = move i64 rdx"), "0 2 1 3", reads},
    {TWO("rax = shl.i32 rdx, rcx", "rcx = move i32 rdi"), "0 2 1 3", reads},
    // Slots and memory are as before.
    {TWO("store.i64 [$s], rdi", "rax = load.i64 [$s]"), "0 2 1 3", bytes},
    {TWO("store.i64 [$s], rdi", "rax = load.i64 [rsi]"), "0 2 1 3", NULL},
    {TWO("store.i64 [rsi], rdi", "rax = load.i64 [rsi + 8]"), "0 2 1 3", NULL},
    {TWO("store.i64 [rsi], rdi", "rax = load.i64 [rdi + 8]"), "0 2 1 3", bytes},
};

static void test_registers(void **state) {
    (void)state;
    try_orders(unbounded, registers, sizeof registers / sizeof *registers);
}
static void test_memory(void **state) {
    (void)state;
    try_orders(unbounded, memory, sizeof memory / sizeof *memory);
}
static void test_world(void **state) {
    (void)state;
    try_orders(unbounded, world, sizeof world / sizeof *world);
    try_orders(unbounded, twice, sizeof twice / sizeof *twice);
}
static void test_machine(void **state) {
    (void)state;
    try_orders(allocated, machine, sizeof machine / sizeof *machine);
}

// ---- Other functions and hints

static Verdict check(Arena *arena, const Func *before, const Func *after, const char *hint) {
    ScheduleHint schedule = hint_of(arena, hint);
    return pass_check(PASS_schedule, arena, NULL, before, after, &schedule);
}

#define BLOCKS                                                                                     \
    "function i32 @f(i32 %a, i32 %b) {\n"                                                          \
    "  slot $s size 8 align 8\n"                                                                   \
    "b0:\n"                                                                                        \
    "  %a, %b = params\n"                                                                          \
    "  %c = add.i32 %a, %b\n"                                                                      \
    "  %d = sub.i32 %a, 3\n"                                                                       \
    "  branch lt.i32 %c, %d -> b1, b2\n"                                                           \
    "b1:\n"                                                                                        \
    "  %a = add.i32 %a, %d\n"                                                                      \
    "  switch.i32 %a { 1: b2, default: b3 }\n"                                                     \
    "b2:\n"                                                                                        \
    "  return %c\n"                                                                                \
    "b3:\n"                                                                                        \
    "  %e = call @g(%a)\n"                                                                         \
    "  return %e\n"                                                                                \
    "}\n"                                                                                          \
    "extern function i32 @g(i32)\n"                                                                \
    "extern function i32 @h(i32)\n"

static const char another[] = "it is another instruction than the one that it was";

static const MachPair blocks = {
    .form = FORM_MACH, .before = BLOCKS, .after = BLOCKS, .hint = "0 1 2 3 4 5 6 7 8"};

static const MachForgery wrong[] = {
    {&blocks, "the hint does not fit", "0 1 2 3 4 5 6 7", {{0}}},
    {&blocks, "the hint does not fit", "0 1 2 3 4 5 6 7 8 8", {{0}}},
    {&blocks, "another block", "0 1 2 3 4 5 6 7 99", {{0}}},
    {&blocks, "another block", "0 1 2 3 4 5 6 7 -", {{0}}},
    {&blocks, "another block", "0 1 4 3 2 5 6 7 8", {{0}}},
    {&blocks, another, "0 2 1 3 4 5 6 7 8", {{0}}},
    {&blocks, another, "0 1 1 3 4 5 6 7 8", {{0}}},
    {&blocks,
     NULL,
     "0 2 1 3 4 5 6 7 8",
     {{"  %c = add.i32 %a, %b\n  %d = sub.i32 %a, 3\n",
       "  %d = sub.i32 %a, 3\n  %c = add.i32 %a, %b\n"}}},
    // One twice, the other not at all.
    {&blocks,
     "not every operation of the block is there once",
     "0 1 1 3 4 5 6 7 8",
     {{"  slot $s size 8 align 8\n", "  slot $s size 8 align 8\n  reg i32 %d\n"},
      {"  %d = sub.i32 %a, 3\n", "  %c = add.i32 %a, %b\n"}}},
    {&blocks, another, NULL, {{"add.i32 %a, %b", "sub.i32 %a, %b"}}},
    {&blocks, another, NULL, {{"add.i32 %a, %b", "add.i32 %b, %b"}}},
    {&blocks, another, NULL, {{"sub.i32 %a, 3", "sub.i32 %a, 4"}}},
    {&blocks, another, NULL, {{"%e = call", "%c = call"}, {"return %e", "return %c"}}},
    {&blocks, another, NULL, {{"call @g", "call @h"}}},
    {&blocks, another, NULL, {{"branch lt.i32", "branch le.i32"}}},
    {&blocks, "a way leads elsewhere", NULL, {{"-> b1, b2", "-> b2, b1"}}},
    {&blocks, "the cases of switches have changed", NULL, {{"{ 1: b2", "{ 2: b2"}}},
    {&blocks, "a way leads elsewhere", NULL, {{"1: b2, default: b3", "1: b3, default: b2"}}},
    {&blocks, "slot 0 has changed", NULL, {{"size 8", "size 16"}}},
    // A block that ends elsewhere.
    {&blocks,
     "another number of instructions",
     NULL,
     {{"  %e = call @g(%a)\n", ""}, {"b2:\n", "b2:\n  %e = call @g(%a)\n"}}},
    {&blocks, "the hint does not fit", NULL, {{"  %a = add.i32 %a, %d\n", ""}}},
};

static void test_functions(void **state) {
    (void)state;
    mach_forge(check, wrong, sizeof wrong / sizeof *wrong);
}

static void test_frames(void **state) {
    (void)state;
    static const MachPair frames = {
        .form = FORM_MACH,
        .before = "function i64 @f(i64) {\n  allocated\n  saves rbx\n  spills 8, 16\nb0:\n"
                  "  rdi = params\n  rax = move i64 rdi\n  return rax\n}\n",
        .after = "function i64 @f(i64) {\n  allocated\n  saves rbx\n  spills 8, 16\nb0:\n"
                 "  rdi = params\n  rax = move i64 rdi\n  return rax\n}\n",
        .hint = "0 1 2"};
    static const MachForgery changed[] = {
        {&frames, "registers or spills have changed", NULL, {{"saves rbx", "saves r12"}}},
        {&frames, "registers or spills have changed", NULL, {{"spills 8, 16", "spills 8, 8"}}},
        {&frames, "registers or spills have changed", NULL, {{"spills 8, 16", "spills 8"}}},
    };
    mach_forge(check, changed, sizeof changed / sizeof *changed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_world),     cmocka_unit_test(test_machine),
        cmocka_unit_test(test_functions), cmocka_unit_test(test_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
