// Loads from constant objects that become numbers or addresses: the values kernel accepts the
// initial value of a constant object that is defined here for good, and nothing else. All of them
// are well-formed SSA, so that nothing but the checker stands in their way.
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

#define DATA                                                                                       \
    "= i32 -2, i16 513, i8 7, i8 -1, addr @t + 4, \"abc\", zero 5, i64 4611686018427387904\n"
#define HEAD                                                                                       \
    "global @t size 8 align 8\nglobal @o size 16 align 16\n"                                       \
    "global @c size 40 align 8 const " DATA "global @m size 40 align 8 " DATA                      \
    "global @w size 40 align 8 weak const " DATA                                                   \
    "global @r size 40 align 8 const replaceable " DATA                                            \
    "global @l size 40 align 8 const thread = i32 -2\n"                                            \
    "extern global @x size 40 align 8 const\n"                                                     \
    "alias @a = @c\n"                                                                              \
    "function i32 @f(i64 %p.0, i64 %q.0, i32 %v.0) {\n"

// The load at node 7, and what stands there instead. The result depends on it. If the load
// extends, `raw` is the number whose low bytes are loaded.
typedef struct {
    const char *load, *now;
    int64_t raw;
    const char *first; // the node in front, if there is one
} InitialLoad;

static Verdict judge(Arena *arena, const InitialLoad *it, const Func **before, Func **after) {
    const char *word = strchr(it->load, '.') + 1;
    Chunk loaded = chunk_named(word, strcspn(word, " "));
    const char *chunk = chunk_name(type_chunk(chunk_type(loaded)));
    const char *text = arena_printf(arena,
                                    "%s0: %s -> 7\n7: %%b.1 = %s\n8: store.%s [@o], %%b.1\n"
                                    "9: %%d.1 = load.i32 [@o]\n10: %%e.1 = load.i32 [@o + 4]\n"
                                    "11: %%f.1 = xor.i32 %%d.1, %%e.1\n12: return %%f.1\n}\n",
                                    HEAD, it->first ? it->first : "nop", it->load, chunk);
    Edit edits[MAX_EDITS] = {
        {arena_printf(arena, "%%b.1 = %s", it->load), arena_printf(arena, "%%b.1 = %s", it->now)}};
    *before = forge_parse(arena, FORM_SSA, text);
    *after = forge_edit(arena, *before, edits);
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, *after)) fail_msg("%s", complaints.list.at[0].message);
    ValuesHint *hint = plain_values(arena, *before, *after);
    Node node = {1};
    const Instr *load = func_at(*before, node), *now = func_at(*after, node);
    assert_int_equal(load->kind, I_LOAD);
    bool address = now->op == OP_ADDR_SYMBOL;
    uint32_t dest = load->dest.i, formed = NO_ID;
    uint32_t value = plain_add(
        arena, hint,
        (HintValue){
            .kind = VALUE_OP, .op = now->op, .ref = address ? now->ref : NO_ID, .imm = now->imm},
        NULL);
    Op extension = chunk_extension((Chunk)load->chunk);
    if (extension != OP_COUNT) {
        HintValue raw = {.kind = VALUE_OP, .op = OP_CONST_I32, .ref = NO_ID, .imm = it->raw};
        uint32_t arg = plain_add(arena, hint, raw, NULL);
        formed = plain_add(
            arena, hint,
            (HintValue){.kind = VALUE_OP, .op = (uint16_t)extension, .ref = NO_ID, .count = 1},
            &arg);
        vec_push(arena, &hint->steps, (ValueStep){formed, value, STEP_FOLD});
    }
    hint->value_of.at[dest] = hint->value_of_new.at[dest] = value;
    hint->formed.at[dest] = formed;
    return check_values(arena, *before, *after, hint);
}

// ---- The initial value

static const InitialLoad right[] = {
    {"load.i32 [@c]", "const.i32 -2", 0, NULL},
    {"load.i32 [@c + 2]", "const.i32 33685503", 0, NULL}, // 0x0201ffff, over two pieces
    {"load.i32 [@c + 4]", "const.i32 -16317951", 0, NULL},
    {"load.i16 [@c + 4]", "const.i32 513", 513, NULL},
    {"load.i8 [@c + 7]", "const.i32 -1", -1, NULL},
    {"load.i8 [@c + 7]", "const.i32 -1", 255, NULL},
    {"load.u8 [@c + 7]", "const.i32 255", -1, NULL},
    {"load.u8 [@c + 7]", "const.i32 255", 511, NULL}, // only low bytes count
    {"load.u16 [@c + 6]", "const.i32 65287", 65287, NULL},
    {"load.i64 [@c]", "const.i64 -70085061587763202", 0, NULL},
    {"load.i64 [@c + 8]", "addr @t + 4", 0, NULL},
    {"load.u8 [@c + 18]", "const.i32 99", 99, NULL},
    {"load.i32 [@c + 17]", "const.i32 25442", 0, NULL}, // "bc" and zeros
    {"load.i64 [@c + 24]", "const.i64 4611686018427387904", 0, NULL},
    {"load.f64 [@c + 24]", "const.f64 2.0", 0, NULL},
    {"load.f32 [@c + 28]", "const.f32 2.0", 0, NULL},
    {"load.i64 [@c + 32]", "const.i64 0", 0, NULL}, // behind the last piece
    {"load.i32 [@c + 30]", "const.i32 16384", 0, NULL},
    // The address is in a register, and a write to somewhere is none to a constant object.
    {"load.i64 [%s.1]", "addr @t + 4", 0, "%s.1 = addr @c + 8"},
    {"load.i64 [%s.1 + 4]", "addr @t + 4", 0, "%s.1 = addr @c + 4"},
    {"load.i32 [@c]", "const.i32 -2", 0, "store.i32 [%p.0], %v.0"},
};

static void test_right(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        Arena *arena = arena_new("initial");
        const Func *before;
        Func *after;
        Verdict verdict = judge(arena, &right[i], &before, &after);
        if (!verdict.accepted)
            fail_msg("%s is not %s: %s", right[i].load, right[i].now, verdict.reason);
        forge_expect_harmless(arena, verdict, before, after, right[i].load);
        arena_free(arena);
    }
}

// ---- Other values, other objects

static const InitialLoad wrong[] = {
    // another number, another address, a number instead of an address
    {"load.i32 [@c]", "const.i32 -3", 0, NULL},
    {"load.i32 [@c]", "const.i32 0", 0, NULL},
    {"load.i32 [@c + 2]", "const.i32 -65023", 0, NULL},
    {"load.i8 [@c + 7]", "const.i32 255", 255, NULL},
    {"load.u8 [@c + 7]", "const.i32 -1", -1, NULL},
    {"load.u8 [@c + 6]", "const.i32 8", 8, NULL},
    {"load.u16 [@c + 6]", "const.i32 7", 7, NULL},
    {"load.i64 [@c + 8]", "addr @t", 0, NULL},
    {"load.i64 [@c + 8]", "addr @t + 8", 0, NULL},
    {"load.i64 [@c + 8]", "addr @c + 4", 0, NULL},
    {"load.i64 [@c + 8]", "const.i64 0", 0, NULL},
    {"load.i64 [@c + 8]", "const.i64 4", 0, NULL},
    {"load.i64 [@c + 24]", "addr @t + 4", 0, NULL},
    // a part of an address
    {"load.i32 [@c + 8]", "const.i32 0", 0, NULL},
    {"load.i32 [@c + 8]", "const.i32 4", 0, NULL},
    {"load.i32 [@c + 12]", "const.i32 0", 0, NULL},
    {"load.u8 [@c + 15]", "const.i32 0", 0, NULL},
    {"load.i64 [@c + 4]", "const.i64 4278649345", 0, NULL},
    {"load.i64 [@c + 12]", "const.i64 0", 0, NULL},
    {"load.i64 [@c + 9]", "addr @t + 4", 0, NULL},
    {"load.f64 [@c + 8]", "const.f64 0.0", 0, NULL},
    // outside of the object
    {"load.i64 [@c + 33]", "const.i64 0", 0, NULL},
    {"load.i32 [@c + 40]", "const.i32 0", 0, NULL},
    {"load.i32 [@c - 4]", "const.i32 0", 0, NULL},
    {"load.i32 [%s.1]", "const.i32 0", 0, "%s.1 = addr @c + 38"},
    // more than a register of integers has
    {"load.f80 [@c + 24]", "const.f80 0x0p+0", 0, NULL},
    // objects that may be written, or replaced, or belong to threads
    {"load.i32 [@m]", "const.i32 -2", 0, NULL},
    {"load.i32 [@w]", "const.i32 -2", 0, NULL},
    {"load.i32 [@r]", "const.i32 -2", 0, NULL},
    {"load.i32 [@l]", "const.i32 -2", 0, NULL},
    {"load.i32 [@x]", "const.i32 0", 0, NULL},
    {"load.i32 [@a]", "const.i32 -2", 0, NULL},
    {"load.i32 [%s.1]", "const.i32 -2", 0, "%s.1 = addr @m"},
    // an address that is not known
    {"load.i32 [@c + %q.0*4]", "const.i32 -2", 0, NULL},
    {"load.i32 [%p.0]", "const.i32 -2", 0, NULL},
    {"load.i32 [%s.1 + %q.0*1]", "const.i32 -2", 0, "%s.1 = addr @c"},
};

static void test_wrong(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Arena *arena = arena_new("initial");
        const Func *before;
        Func *after;
        if (judge(arena, &wrong[i], &before, &after).accepted)
            fail_msg("accepted: %s is %s", wrong[i].load, wrong[i].now);
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_right), cmocka_unit_test(test_wrong)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
