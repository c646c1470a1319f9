// Forged splittings: fields that are set, read or copied in a wrong way, slots that cannot be
// split, hints that name something else.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "test/gen/forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// $0 and $2 are records of an i32, a byte and an f64; $1 stays. %p and %q are addresses of memory.
static const char text[] = "function i32 @f(i64 %p, i32 %x) {\n"
                           "  slot $0 size 16 align 8\n"
                           "  slot $1 size 16 align 8\n"
                           "  slot $2 size 16 align 8\n"
                           "  0: %z = const.i32 0\n"
                           "  1: %a = addr $0\n"
                           "  2: memset %a, %z, 16\n"
                           "  3: store.i32 [$0], %x\n"
                           "  4: store.i8 [$0 + 4], %x\n"
                           "  5: %b = addr $2\n"
                           "  6: memcpy %b, %a, 16\n"
                           "  7: %d = load.f64 [%b + 8]\n"
                           "  8: %i = load.i32 [%b]\n"
                           "  9: %c = load.u8 [%b + 4]\n"
                           "  10: %o = addr $1\n"
                           "  11: memcpy %o, %b, 16\n"
                           "  12: memcpy %a, %p, 16\n"
                           "  13: %u = load.i64 [$0 + 8]\n"
                           "  14: call @g(%o, %u, %d, %i)\n"
                           "  15: return %c\n"
                           "}\n"
                           "extern function void @g(i64, i64, f64, i32)\n";

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_split_slots, arena, NULL, before, after, hint);
}

static Forgery start(void) {
    Arena *arena = arena_new("forgery");
    const Func *before = forge_parse(arena, FORM_RTL, text);
    SplitHint *hint = ARENA_NEW(arena, SplitHint);
    Func *after = split_slots(arena, before, hint);
    assert_non_null(after);
    assert_int_equal(hint->slots.count, 2);
    assert_int_equal(after->slots.count, 1);
    return (Forgery){
        .arena = arena, .before = before, .after = after, .hint = hint, .check = check};
}

static void test_codes(void **state) {
    (void)state;
    static const CodeForgery forgeries[] = {
        // accesses
        {"what node 3 does", {{"3: %0 = move.i32 %x", "3: %1 = move.i32 %x"}}},
        {"what node 3 does", {{"3: %0 = move.i32 %x", "3: %0 = move.i32 %z"}}},
        {"what node 3 does", {{"3: %0 = move.i32 %x", "3: nop"}}},
        {"what node 7 does", {{"7: %d = move.f64 %9", "7: %d = neg.f64 %9"}}},
        {"what node 8 does", {{"8: %i = move.i32 %5", "8: %i = move.i32 %0"}}},
        {"what node 9 does", {{"9: %c = zext8.i32 %6", "9: %c = sext8.i32 %6"}}},
        {"what node 9 does", {{"9: %c = zext8.i32 %6", "9: %c = move.i32 %6"}}},
        {"what node 13 does", {{"13: %u = move.i64 %4", "13: %u = bits.i64.f64 %9"}}},
        // fills
        {"what node 2 does", {{"2: %0 = const.i32 0", "2: %0 = const.i32 1"}}},
        {"what node 2 does", {{"19: %4 = const.i64 0", "19: %4 = const.i64 1"}}},
        {"what node 2 does", {{"17: %2 = const.i32 0", "17: %2 = const.i32 257"}}},
        // copies between slots
        {"what node 6 does", {{"21: %7 = move.i32 %2", "21: %7 = move.i32 %3"}}},
        {"what node 6 does",
         {{"20: %6 = move.i32 %1", "20: %7 = move.i32 %1"},
          {"21: %7 = move.i32 %2", "21: %6 = move.i32 %2"}}},
        {"what node 6 does", {{"23: %9 = bits.f64.i64 %4", "23: %9 = cvt.f64.i64 %4"}}},
        {"go on to what follows", {{"20: %6 = move.i32 %1", "20: %6 = move.i32 %1 -> 22"}}},
        {"go on to what follows", {{"6: %5 = move.i32 %0 -> 20", "6: %5 = move.i32 %0 -> 7"}}},
        // copies to and from memory
        {"what node 11 does", {{"25: store.i8 [%o + 5], %7", "25: nop"}}},
        {"what node 11 does", {{"27: store.f64 [%o + 8], %9", "27: store.f64 [%o], %9"}}},
        {"what node 11 does", {{"26: store.i16 [%o + 6], %8", "26: store.i32 [%o + 6], %8"}}},
        {"what node 11 does", {{"26: store.i16 [%o + 6], %8", "26: store.i16 [%p + 6], %8"}}},
        {"what node 12 does", {{"29: %2 = load.i8 [%p + 5]", "29: %2 = load.i8 [%o + 5]"}}},
        {"what node 12 does", {{"31: %4 = load.i64 [%p + 8]", "31: %4 = load.i64 [%p + 16]"}}},
        {"go on to what follows",
         {{"31: %4 = load.i64 [%p + 8] -> 13", "31: %4 = load.i64 [%p + 8] -> 12"}}},
        // the rest
        {"what node 1 does", {{"1: nop", "1: %a = addr $0"}}},
        {"has changed", {{"0: %z = const.i32 0", "0: %z = const.i32 1"}}},
        {"has changed", {{"14: call @g(%o, %u, %d, %i)", "14: call @g(%p, %u, %d, %i)"}}},
        {"has changed", {{"15: return %c", "15: return %i"}}},
        {"has changed", {{"10: %o = addr $0", "10: %o = addr $0 + 8"}}},
    };
    forge_codes(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

// ---- Hints

static SplitHint *hint_of(Forgery *f) {
    return f->hint;
}
static void drop_field(Forgery *f) {
    hint_of(f)->fields.count--;
}
static void overlap(Forgery *f) {
    hint_of(f)->fields.at[1].at = 3;
}
static void leave_slot(Forgery *f) {
    hint_of(f)->fields.at[4].at = 9;
}
static void other_chunk(Forgery *f) {
    hint_of(f)->fields.at[4].chunk = CHUNK_F64;
}
static void no_chunk(Forgery *f) {
    hint_of(f)->fields.at[4].chunk = CHUNK_COUNT;
}
static void unsigned_chunk(Forgery *f) {
    hint_of(f)->fields.at[1].chunk = CHUNK_U8;
}
static void other_slot(Forgery *f) {
    hint_of(f)->fields.at[0].slot.i = 1;
}
static void drop_slot(Forgery *f) {
    hint_of(f)->slots.count--;
}
static void same_slot(Forgery *f) {
    hint_of(f)->slots.at[1].i = 0;
}
static void no_slot(Forgery *f) {
    hint_of(f)->slots.at[1].i = 3;
}
static void escaping_slot(Forgery *f) {
    hint_of(f)->slots.at[1].i = 1;
}
static void smaller_slot(Forgery *f) {
    f->after->slots.at[0].size = 8;
}
static void more_slots(Forgery *f) {
    func_add_slot(f->after, (SlotInfo){.size = 8, .align = 8});
}
static void more_registers(Forgery *f) {
    func_temp(f->after, TYPE_I32);
}
static void more_nodes(Forgery *f) {
    func_nop(f->after, (Node){3});
}
static void fewer_nodes(Forgery *f) {
    f->after->nodes.count--;
}
static void other_parameter(Forgery *f) {
    f->after->params.at[1] = forge_reg(f->after, "%z");
}
static void claim_ssa(Forgery *f) {
    f->after->form = FORM_SSA;
}

static void test_hints(void **state) {
    (void)state;
    static const HintForgery forgeries[] = {
        {"a field less", drop_field, "not as many"},
        {"fields that overlap", overlap, "out of order"},
        {"a field outside", leave_slot, "leaves its slot"},
        {"another type", other_chunk, "another type"},
        {"no chunk", no_chunk, "none of a split slot"},
        {"a chunk that only loads have", unsigned_chunk, "none of a split slot"},
        {"a field of another slot", other_slot, "none of a split slot"},
        {"a slot less", drop_slot, "none of a split slot"},
        {"a slot twice", same_slot, "not in order"},
        {"a slot that does not exist", no_slot, "not in order"},
        {"a slot that escapes", escaping_slot, "not only accessed"},
        {"a smaller slot", smaller_slot, "has changed"},
        {"more slots", more_slots, "number of slots"},
        {"more registers", more_registers, "not as many"},
        {"more nodes", more_nodes, "more nodes"},
        {"fewer nodes", fewer_nodes, "nodes are missing"},
        {"another parameter", other_parameter, "parameter 1"},
        {"SSA", claim_ssa, "not rtl"},
    };
    forge_hints(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

// ---- Slots that cannot be split

// A function with slot $0, of 16 bytes, whose first eight bytes the forger says to be two fields.
// Addresses of slots are gone; the rest of the code stays.
static Verdict check_claim(Arena *arena, const char *code) {
    const char *whole = arena_printf(arena,
                                     "function i32 @f(i64 %%p, i32 %%x) {\n"
                                     "  slot $0 size 16 align 8\n"
                                     "  slot $1 size 16 align 8\n"
                                     "%s"
                                     "}\n"
                                     "extern function i32 @g(i64)\n"
                                     "extern function i32 @setjmp(i64) returns_twice\n",
                                     code);
    const Func *before = forge_parse(arena, FORM_RTL, whole);
    SplitHint hint = {0};
    vec_push(arena, &hint.slots, (Slot){0});
    vec_push(arena, &hint.fields, (SlotField){.at = 0, .chunk = CHUNK_I32});
    vec_push(arena, &hint.fields, (SlotField){.at = 4, .chunk = CHUNK_I32});
    Func *after = func_clone(before, arena);
    after->slots.at[0] = after->slots.at[1];
    after->slots.count = 1;
    for (int i = 0; i < 2; i++) func_temp(after, TYPE_I32);
    for (uint32_t n = 0; n < after->nodes.count; n++) {
        Instr *instr = &after->nodes.at[n];
        if (instr->kind == I_OP && instr->op == OP_ADDR_SLOT)
            *instr = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {{n + 1}}};
    }
    return pass_check(PASS_split_slots, arena, NULL, before, after, &hint);
}

static void test_claims(void **state) {
    (void)state;
    static const struct {
        const char *reason, *code;
    } claims[] = {
        {"not only accessed", "  0: %a = addr $0\n  1: %r = call @g(%a)\n  2: return %r\n"},
        {"not only accessed", "  0: %a = addr $0\n  1: store.i64 [%p], %a\n  2: return %x\n"},
        {"not only accessed", "  0: %a = addr $0\n  1: store.i64 [$0], %a\n  2: return %x\n"},
        {"not only accessed", "  0: %a = addr $0\n  1: %b = sub.i64 %a, 4\n  2: return %x\n"},
        {"not only accessed", "  0: %a = addr $0\n  1: %b = add.i64 %p, %a\n  2: return %x\n"},
        {"not only accessed",
         "  0: %a = addr $0\n  1: if eq.i64 %a, 0 then 2 else 2\n  2: return %x\n"},
        {"not only accessed", "  0: %r = load.i32 [$0 + %p * 4]\n  1: return %r\n"},
        {"not only accessed",
         "  0: %a = addr $0\n  1: %r = load.i32 [%a + %p * 4]\n  2: return %r\n"},
        {"not only accessed", "  0: %r = volatile_load.i32 [$0]\n  1: return %r\n"},
        // registers that do not always hold the address
        {"not only accessed",
         "  0: %a = addr $0\n  1: %a = addr $1\n  2: %r = load.i32 [%a]\n  3: return %r\n"},
        {"not only accessed", "  0: %p = addr $0\n  1: %r = load.i32 [%p]\n  2: return %r\n"},
        {"not only accessed", "  0: %a = addr $0\n  1: %b = move.i64 %a\n  2: %b = move.i64 %p\n"
                              "  3: %r = load.i32 [%b]\n  4: return %r\n"},
        // calls that may return twice
        {"not only accessed", "  0: %r = call @setjmp(%p)\n  1: return %r\n"},
        {"not only accessed", "  0: %r = call i32(i64) returns_twice %p(%p)\n  1: return %r\n"},
        // parts
        {"accesses no field", "  0: %r = load.i32 [$0 + 2]\n  1: return %r\n"},
        {"accesses no field", "  0: %r = load.i32 [$0 + 8]\n  1: return %r\n"},
        {"accesses no field", "  0: %r = load.i32 [$0 - 4]\n  1: return %r\n"},
        {"accesses no field", "  0: store.i64 [$0], %p\n  1: return %x\n"},
        {"accesses no field", "  0: store.i8 [$0], %x\n  1: return %x\n"},
        {"writes a part", "  0: %a = addr $0\n  1: memcpy %a, %p, 6\n  2: return %x\n"},
        {"writes a part", "  0: %a = addr $0 + 2\n  1: memcpy %a, %p, 6\n  2: return %x\n"},
        {"leaves", "  0: %a = addr $0 + 8\n  1: memcpy %a, %p, 9\n  2: return %x\n"},
        {"leaves", "  0: %a = addr $0 - 1\n  1: memcpy %a, %p, 1\n  2: return %x\n"},
        {"reads a part", "  0: %a = addr $0\n  1: memcpy %p, %a, 6\n  2: return %x\n"},
        {"leaves", "  0: %a = addr $0\n  1: memcpy %p, %a, 17\n  2: return %x\n"},
        {"in no field", "  0: %a = addr $0\n  1: memcpy %p, %a, 12\n  2: %b = addr $0 + 8\n"
                        "  3: memcpy %b, %p, 4\n  4: return %x\n"},
        {"what is no field", "  0: %a = addr $0\n  1: %b = addr $0 + 8\n"
                             "  2: memcpy %a, %b, 8\n  3: return %x\n"},
        {"no constant", "  0: %a = addr $0\n  1: memset %a, %x, 16\n  2: return %x\n"},
        {"fills a part",
         "  0: %a = addr $0\n  1: %z = const.i32 0\n  2: memset %a, %z, 7\n  3: return %x\n"},
        {"leaves",
         "  0: %a = addr $0\n  1: %z = const.i32 0\n  2: memset %a, %z, 17\n  3: return %x\n"},
    };
    for (uint32_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        Arena *arena = arena_new("forgery");
        Verdict verdict = check_claim(arena, claims[i].code);
        if (verdict.accepted) fail_msg("accepted:\n%s", claims[i].code);
        if (!strstr(verdict.reason, claims[i].reason))
            fail_msg("expected '%s', found '%s' for\n%s", claims[i].reason, verdict.reason,
                     claims[i].code);
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_codes), cmocka_unit_test(test_hints),
                                       cmocka_unit_test(test_claims)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
