// Stores that are left out though somebody may read what they write: the values kernel must reject
// each of them. Beside them stand stores to slots that nobody reads, which it accepts; these must
// do no harm.
#include "check/checkers.h"
#include "test/gen/forge.h"
#include "test/gen/harmless.h"
#include "test/gen/plain_values.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD                                                                                       \
    "asm 0 \"nop\"\nglobal @g size 64 align 8\nextern function void @call(i64)\n"                  \
    "extern function i32 @setjmp(i64) returns_twice\n"                                             \
    "extern function void @take(agg(32 align 8))\n"                                                \
    "function i32 @f(i64 %p.0, i64 %q.0, i32 %v.0) {\n"                                            \
    "slot $s size 64 align 8\nslot $t size 64 align 8\n"
#define TAIL "\n9: return %v.0\n}\n"

// In `after` the nodes from 20 on are nops. A load at node 7 is a move of %v.0.
enum { FORWARDED = 7, FIRST_DROPPED = 20 };

static const char *const needed[] = {
    // The slot is read.
    "20: store.i32 [$s], %v.0\n1: %a.1 = load.i32 [$s] -> 9",
    "20: store.i32 [$s], %v.0\n1: %a.1 = load.u8 [$s + 63] -> 9",
    "20: store.i32 [$s], %v.0\n1: %a.1 = load.i32 [$s + %q.0*4] -> 9",
    "20: store.i32 [$s + %q.0*4], %v.0\n1: %a.1 = load.i32 [$s] -> 9",
    "0: %r.1 = addr $s\n20: store.i32 [$s], %v.0\n1: %a.1 = load.i32 [%r.1] -> 9",
    "0: %r.1 = addr $s + 8\n20: store.i32 [$s], %v.0\n1: %a.1 = load.i32 [%r.1 + %q.0*4] -> 9",
    "0: %r.1 = addr $s\n20: store.i32 [%r.1 + 4], %v.0\n1: %a.1 = load.i32 [$s + 4] -> 9",
    "0: %r.1 = addr $s\n20: store.i32 [$s], %v.0\n1: memcpy %p.0, %r.1, 8 -> 9",
    "0: %r.1 = addr $s\n20: memset %r.1, %v.0, 8\n1: memcpy %p.0, %r.1, 8 -> 9",
    "0: %r.1 = addr $s\n20: memcpy %r.1, %p.0, 8\n1: memcpy %p.0, %r.1, 8 -> 9",
    "20: store.i32 [$s], %v.0\n1: %a.1 = volatile_load.i32 [$s] -> 9",
    "20: store.i32 [$s], %v.0\n1: %a.1 = atomic_load.i32 [$s] relaxed -> 9",
    "20: store.i32 [$s], %v.0\n1: %a.1 = atomic_add.i32 [$s], %v.0 relaxed -> 9",
    // On one of several ways, in the next round, after a second return.
    "20: store.i32 [$s], %v.0\n1: if eq.i32 %v.0, 3 then 2 else 9\n2: %a.1 = load.i32 [$s]\n"
    "3: return %a.1",
    "0: nop\n1: %a.1 = load.i32 [$s]\n20: store.i32 [$s], %v.0\n2: if eq.i32 %a.1, 3 then 3 else "
    "9\n"
    "3: nop -> 1",
    "0: %r.1 = call @setjmp(%p.0)\n1: if eq.i32 %r.1, 0 then 20 else 3\n20: store.i32 [$s], %v.0\n"
    "2: call @call(%p.0) -> 9\n3: %a.1 = load.i32 [$s]\n4: return %a.1",
    // From one slot to another that is read.
    "0: %r.1 = addr $s\n1: %u.1 = addr $t\n20: store.i32 [$s], %v.0\n2: memcpy %u.1, %r.1, 8\n"
    "3: %a.1 = load.i32 [$t] -> 9",
    "0: %r.1 = addr $s\n1: %u.1 = addr $t\n2: store.i32 [$s], %v.0\n20: memcpy %u.1, %r.1, 8\n"
    "3: %a.1 = load.i32 [$t] -> 9",
    "0: %r.1 = addr $s\n1: %u.1 = addr $t\n20: store.i32 [$s], %v.0\n2: memcpy %u.1, %r.1, 8 -> 9",
    // The load that stays reads the slot, also when another load does not.
    "20: store.i32 [$s], %v.0\n7: %b.1 = load.i32 [$s]\n1: %a.1 = load.i32 [$s + 4] -> 9",
    // Others know of the slot.
    "0: %r.1 = addr $s\n20: store.i32 [$s], %v.0\n1: call @call(%r.1) -> 9",
    "0: %r.1 = addr $s\n20: store.i32 [$s], %v.0\n1: call @take(%r.1) -> 9",
    "0: %r.1 = addr $s\n20: store.i32 [$s], %v.0\n1: store.i64 [@g], %r.1 -> 9",
    "0: %r.1 = addr $s\n20: store.i32 [$s], %v.0\n1: store.i64 [$t], %r.1 -> 9",
    "0: %r.1 = addr $s\n20: store.i32 [$s], %v.0\n1: asm %r.1, 0 -> 9",
    "0: %r.1 = addr $s\n20: store.i32 [$s], %v.0\n1: va_end %r.1 -> 9",
    "0: %r.1 = addr $s\n1: %u.1 = add.i64 %r.1, %q.0\n20: store.i32 [$s], %v.0\n"
    "2: %a.1 = load.i32 [%u.1] -> 9",
    "0: %r.1 = addr $s\n1: %u.1 = sub.i64 %r.1, %p.0\n20: store.i32 [$s], %v.0\n"
    "2: %a.1 = load.i32 [%p.0 + %u.1*1] -> 9",
    "0: %r.1 = addr $s\n1: if eq.i32 %v.0, 3 then 2 else 3\n2: nop -> 4\n3: nop -> 4\n"
    "4: %u.1 = phi(2: %r.1, 3: %p.0)\n4: nop\n20: store.i32 [$s], %v.0\n"
    "5: %a.1 = load.i32 [%u.1] -> 9",
    // Memory that is no slot, or may be none.
    "20: store.i32 [@g], %v.0 -> 9",
    "20: store.i32 [%p.0], %v.0 -> 9",
    "20: store.i32 [%q.0*8], %v.0 -> 9",
    "0: %r.1 = addr @g\n20: store.i32 [%r.1], %v.0 -> 9",
    "0: %r.1 = addr @g\n20: memset %r.1, %v.0, 8 -> 9",
    "20: memset %p.0, %v.0, 8 -> 9",
    "0: %r.1 = addr $s\n20: memcpy %p.0, %r.1, 8 -> 9",
    // More than a write.
    "20: volatile_store.i32 [$s], %v.0 -> 9",
    "20: atomic_store.i32 [$s], %v.0 relaxed -> 9",
    "20: %a.1 = atomic_exchange.i32 [$s], %v.0 relaxed -> 9",
    "20: call @call(%p.0) -> 9",
    "20: check %v.0 -> 9",
};

static const char *const needless[] = {
    "20: store.i32 [$s], %v.0 -> 9",
    "20: store.i32 [$s + %q.0*4], %v.0 -> 9",
    "20: store.i32 [$s + 64], %v.0 -> 9", // a wrong step
    "0: %r.1 = addr $s\n20: store.i32 [%r.1 + %q.0*4], %v.0 -> 9",
    "0: %r.1 = addr $s + 8\n20: memset %r.1, %v.0, 8 -> 9",
    "0: %r.1 = addr $s\n20: memcpy %r.1, %p.0, 8 -> 9",
    "20: store.i32 [$s], %v.0\n1: call @call(%p.0) -> 9",
    "20: store.i32 [$s], %v.0\n1: %a.1 = load.i32 [$t]\n2: %b.1 = load.i32 [%p.0 + %q.0*4] -> 9",
    "20: store.i32 [$s], %v.0\n1: %a.1 = call @setjmp(%p.0)\n21: store.i32 [$s], %a.1 -> 9",
    // Another write to the slot stays, or an event.
    "20: store.i32 [$s], %v.0\n1: store.i32 [$s], %v.0 -> 9",
    "20: store.i32 [$s], %v.0\n1: volatile_store.i32 [$s], %v.0 -> 9",
    // Loads that nobody needs, or that yield what is known, go with the stores.
    "20: store.i32 [$s], %v.0\n21: %a.1 = load.i32 [$s] -> 9",
    "20: store.i32 [$s], %v.0\n7: %b.1 = load.i32 [$s] -> 9",
    "0: %r.1 = addr $s\n1: %u.1 = addr $t\n20: store.i32 [$s], %v.0\n21: memcpy %u.1, %r.1, 8 -> 9",
    // In a loop.
    "0: nop\n1: %i.1 = phi(0: %v.0, 3: %k.1)\n1: nop\n20: store.i32 [$s], %i.1\n"
    "2: %k.1 = add.i32 %i.1, 1\n"
    "4: if eq.i32 %k.1, 3 then 3 else 9\n3: nop -> 1",
};

static Verdict judge(Arena *arena, const char *code, const Func **before, Func **after) {
    *before = forge_parse(arena, FORM_SSA, arena_printf(arena, "%s%s%s", HEAD, code, TAIL));
    *after = func_clone(*before, arena);
    Node load = NO_NODE;
    for (uint32_t n = 0; n < (*after)->nodes.count; n++) {
        uint32_t label = func_label(*before, (Node){n});
        Instr *instr = &(*after)->nodes.at[n];
        if (label >= FIRST_DROPPED)
            *instr =
                (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {instr->succ[0]}};
        if (label != FORWARDED) continue;
        load = (Node){n};
        *instr = (Instr){.kind = I_OP,
                         .op = OP_MOVE_I32,
                         .dest = instr->dest,
                         .arg_count = 1,
                         .arg = {forge_reg(*before, "%v.0")},
                         .succ_count = 1,
                         .succ = {instr->succ[0]}};
    }
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, *after)) fail_msg("%s: %s", code, complaints.list.at[0].message);
    ValuesHint *hint = plain_values(arena, *before, *after);
    if (load.i != NO_ID) plain_forward(arena, *before, *after, load, hint);
    return check_values(arena, *before, *after, hint);
}

static void test_needed_stores(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        Arena *arena = arena_new("forgery");
        const Func *before;
        Func *after;
        Verdict verdict = judge(arena, needed[i], &before, &after);
        if (verdict.accepted) fail_msg("%s: accepted", needed[i]);
        if (!strstr(verdict.reason, "it does not do what the old node does"))
            fail_msg("%s: %s", needed[i], verdict.reason);
        arena_free(arena);
    }
}

static void test_needless_stores(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof needless / sizeof needless[0]; i++) {
        Arena *arena = arena_new("forgery");
        const Func *before;
        Func *after;
        Verdict verdict = judge(arena, needless[i], &before, &after);
        if (!verdict.accepted) fail_msg("%s: %s", needless[i], verdict.reason);
        forge_expect_harmless(arena, verdict, before, after, needless[i]);
        arena_free(arena);
    }
}

// ---- A load that `after` does in front of a node

#define EARLY(first, second)                                                                       \
    "function i32 @f(i64 %p.0, i32 %v.0) {\n"                                                      \
    "  slot $s size 8 align 8\n"                                                                   \
    "  slot $t size 8 align 8\n"                                                                   \
    "  0: " first "\n"                                                                             \
    "  1: %a.1 = load.i32 [$" second "]\n"                                                         \
    "  2: return %v.0\n"                                                                           \
    "}\n"

// Node 0 is left out. In place of the load of the old node 1, `after` does the load of a LOAD in
// front of node 1. Only the LOAD tells where the new node reads.
static Verdict judge_early(Arena *arena, const char *text) {
    const Func *before = forge_parse(arena, FORM_SSA, text);
    Func *after = func_clone(before, arena);
    Instr *store = &after->nodes.at[0];
    *store = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {{1}}};
    ValuesHint *hint = plain_values(arena, before, after);
    HintValue early = {.kind = VALUE_LOAD, .ref = 2, .imm = 1};
    hint->old.at[1] = NO_NODE;
    hint->value_of_new.at[before->nodes.at[1].dest.i] = plain_add(arena, hint, early, NULL);
    return check_values(arena, before, after, hint);
}

static void test_early_load(void **state) {
    (void)state;
    Arena *arena = arena_new("forgery");
    Verdict read = judge_early(arena, EARLY("store.i32 [$s], %v.0", "s"));
    Verdict unread = judge_early(arena, EARLY("store.i32 [$s], %v.0", "t"));
    if (!unread.accepted) fail_msg("another slot: %s", unread.reason);
    assert_false(read.accepted);
    assert_non_null(strstr(read.reason, "it does not do what the old node does"));
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_needed_stores),
                                       cmocka_unit_test(test_needless_stores),
                                       cmocka_unit_test(test_early_load)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
