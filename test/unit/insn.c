// The decoder of machine code: what it takes apart, what it refuses, and that each bit matters.
// That it says what another disassembler says is for tools/decode-check.
#include "target/x64/object/insn_print.h"

#include "test/gen/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LONG = 16 };

typedef struct {
    uint8_t at[LONG];
    uint32_t count;
} Bytes;

static Bytes bytes_of(const char *hex) {
    Bytes bytes = {0};
    for (char *end; *hex; hex = end) bytes.at[bytes.count++] = (uint8_t)strtoul(hex, &end, 16);
    return bytes;
}

// In memory of exactly that size, so that sanitizers see a step over the end.
static bool decode(const uint8_t *bytes, size_t size, Insn *insn) {
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    bool known = insn_decode(copy, size, insn);
    free(copy);
    return known;
}

static Insn decoded(const char *hex) {
    Bytes bytes = bytes_of(hex);
    Insn insn;
    if (!decode(bytes.at, bytes.count, &insn)) fail_msg("%s is not known", hex);
    assert_int_equal(insn.length, bytes.count);
    for (uint32_t size = 0; size < bytes.count; size++) {
        Insn shorter;
        if (decode(bytes.at, size, &shorter)) fail_msg("%u bytes of %s are enough", size, hex);
    }
    return insn;
}

static void expect_text(const char *hex, const char *text) {
    Insn insn = decoded(hex);
    Out out = {0};
    insn_print(&out, &insn, 0x1000);
    out_char(&out, '\0');
    assert_string_equal(out.text, text);
    out_free(&out);
}

static void test_text(void **state) {
    (void)state;
    expect_text("48 89 5c 24 f8", "mov %rbx,-0x8(%rsp)");
    expect_text("64 4c 2b 1c 25 28 00 00 00", "sub %fs:0x28,%r11");
    expect_text("66 f0 44 0f b1 18", "lock cmpxchg %r11w,(%rax)");
    expect_text("f3 48 a5", "rep movsq %ds:(%rsi),%es:(%rdi)");
    expect_text("2e e8 00 00 00 00", "cs call 0x1006");
    expect_text("3e 41 ff e3", "notrack jmp *%r11");
    expect_text("0f 85 fa ff ff ff", "jne 0x1000");
    expect_text("40 0f b6 f6", "movzbl %sil,%esi");
    expect_text("f2 4c 0f 2a 08", "cvtsi2sdq (%rax),%xmm9");
    expect_text("4b 8d 04 e4", "lea (%r12,%r12,8),%rax");
    expect_text("41 d9 45 00", "flds 0x0(%r13)");
    expect_text("d9 e8", "fld1");
    expect_text("66 66 2e 0f 1f 84 00 00 00 00 00", "nop");
}

// Where relocations would apply.
static void test_fields(void **state) {
    (void)state;
    Insn insn = decoded("48 c7 05 04 03 02 01 fe ff ff ff"); // movq $-2, 0x1020304(%rip)
    assert_int_equal(insn.mnemonic, INSN_MOV);
    assert_int_equal(insn.width, 8);
    assert_int_equal(insn.displacement_at, 3);
    assert_int_equal(insn.displacement_size, 4);
    assert_int_equal(insn.number_at, 7);
    assert_int_equal(insn.number_size, 4);
    assert_int_equal(insn.operands, 2);
    assert_int_equal(insn.operand[0].kind, INSN_OPERAND_IMM);
    assert_int_equal(insn.operand[0].value, -2);
    assert_int_equal(insn.operand[1].kind, INSN_OPERAND_MEMORY);
    assert_int_equal(insn.operand[1].base, INSN_REG_RIP);
    assert_int_equal(insn.operand[1].index, INSN_REG_NONE);
    assert_int_equal(insn.operand[1].value, 0x1020304);
    insn = decoded("e9 00 00 00 80");
    assert_int_equal(insn.operand[0].kind, INSN_OPERAND_TARGET);
    assert_int_equal(insn.operand[0].value, INT32_MIN);
    assert_int_equal(insn.number_at, 1);
    assert_int_equal(insn.number_size, 4);
}

static void expect_widths(const char *hex, uint32_t own, uint32_t first, uint32_t second) {
    Insn insn = decoded(hex);
    assert_int_equal(insn.width, own);
    assert_int_equal(insn.operand[0].width, first);
    assert_int_equal(insn.operand[1].width, second);
}

static void test_widths(void **state) {
    (void)state;
    expect_widths("88 08", 1, 1, 1);
    expect_widths("66 89 08", 2, 2, 2);
    expect_widths("89 08", 4, 4, 4);
    expect_widths("48 89 08", 8, 8, 8);
    expect_widths("48 c7 00 01 00 00 00", 8, 8, 8);
    expect_widths("c0 20 05", 1, 1, 1);
    expect_widths("48 d3 20", 8, 1, 8);
    expect_widths("48 8d 00", 8, 0, 8);
    expect_widths("0f b6 00", 4, 1, 4);
    expect_widths("0f b7 00", 4, 2, 4);
    expect_widths("48 0f be 00", 8, 1, 8);
    expect_widths("48 63 00", 8, 4, 8);
    expect_widths("0f 94 00", 1, 1, 0);
    expect_widths("ff 20", 8, 8, 0);
    expect_widths("50", 8, 8, 0);
    expect_widths("eb 00", 0, 0, 0);
    expect_widths("f3 0f 10 00", 0, 4, 16);
    expect_widths("f2 0f 11 00", 0, 16, 8);
    expect_widths("0f 10 00", 0, 16, 16);
    expect_widths("66 48 0f 6e 00", 8, 8, 16);
    expect_widths("f2 0f 2a 00", 4, 4, 16);
    expect_widths("f3 48 0f 2c 00", 8, 4, 8);
    expect_widths("66 0f 2e 00", 0, 8, 16);
    expect_widths("d9 00", 0, 4, 0);
    expect_widths("dd 00", 0, 8, 0);
    expect_widths("db 28", 0, 10, 0);
    expect_widths("d9 28", 0, 2, 0);
    expect_widths("d9 e8", 0, 0, 0);
    expect_widths("48 98", 8, 0, 0);
    expect_widths("f3 48 ab", 8, 0, 0);
    expect_widths("90", 0, 0, 0);
}

static void expect_same(const char *a, const char *b) {
    Insn one = decoded(a), other = decoded(b);
    if (!insn_same(&one, &other)) fail_msg("%s and %s differ", a, b);
}

static void test_same(void **state) {
    (void)state;
    expect_same("89 c8", "8b c1");                // mov %ecx, %eax
    expect_same("83 c0 01", "81 c0 01 00 00 00"); // add $1, %eax
    expect_same("83 c0 01", "05 01 00 00 00");
    expect_same("d1 e0", "c1 e0 01");             // shl $1, %eax
    expect_same("8b 40 08", "8b 80 08 00 00 00"); // mov 8(%rax), %eax
    expect_same("48 c7 c0 ff ff ff ff", "48 b8 ff ff ff ff ff ff ff ff");
    expect_same("eb 00", "e9 00 00 00 00");
    expect_same("74 fe", "0f 84 fe ff ff ff");
}

static void expect_different(const char *a, const char *b) {
    Insn one = decoded(a), other = decoded(b);
    if (insn_same(&one, &other)) fail_msg("%s and %s are the same", a, b);
}

static void test_different(void **state) {
    (void)state;
    expect_different("89 c8", "48 89 c8");
    expect_different("f3 a4", "a4");
    expect_different("3e ff e0", "ff e0");
    expect_different("2e e8 00 00 00 00", "e8 00 00 00 00");
    expect_different("74 00", "75 00");
    expect_different("89 c8", "01 c8");
    expect_different("0f af c1", "6b c1 01");
    expect_different("64 8b 00", "65 8b 00");
    expect_different("8b 04 08", "8b 04 48");
}

static void test_refused(void **state) {
    (void)state;
    static const char *const refused[] = {
        "",
        "40 89 c8", // rex that does nothing
        "42 89 c8", // rex.x without an index
        "44 d9 e8", // rex.r
        "48 c3",    // rex.w where the width is not to be chosen
        "48 eb 00",
        "41 8b 05 00 00 00 00", // rex.b with rip
        "66 48 89 c8",          // 66 beside rex.w
        "66 88 c8",             // 66 with bytes
        "66 66 89 c8",          // twice
        "f3 89 c8",
        "f0 01 08",       // lock where we write none
        "0f b1 08",       // and none where we write it
        "f0 66 0f b1 08", // in another order
        "64 89 c8",       // a segment without memory
        "3e 8b 00",
        "2e 75 00", // a hint
        "26 8b 00",
        "67 8b 00",    // addresses of 32 bits
        "8b 40 00",    // a displacement for nothing
        "8b 04 20",    // a sib for nothing
        "8b 44 e4 08", // an index that is none, times 8
        "88 e0",       // ah
        "48 90",       // rax for itself
        "0f 1f 40 01", // a nop of others
        "0f 92 c8",    // set with middle bits
        "66 0f b7 c8", // of a width that we do not write
        "66 0f af c8",
        "f6 e0",
        "11 c8",       // adc
        "ff c0",       // inc
        "f3 0f b8 c1", // popcnt
        "c5 f8 77",    // vzeroupper
        "0f 05",       // syscall
        "cd 80",
        "f4",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        Bytes bytes = bytes_of(refused[i]);
        Insn insn;
        if (decode(bytes.at, bytes.count, &insn)) fail_msg("%s is known", refused[i]);
    }
}

// ---- All of the table

typedef void VisitBytes(const uint8_t *bytes, size_t size, void *context);

// Prefixes, opcodes and modrm in all combinations that our table may tell apart, with some bytes
// behind.
static void for_all(VisitBytes *visit, void *context) {
    static const uint8_t before[] = {0, 0x66, 0xf2, 0xf3, 0xf0};
    static const uint8_t rex[] = {0, 0x40, 0x41, 0x44, 0x48, 0x4d};
    for (uint32_t k = 0; k < sizeof before * sizeof rex * 2; k++)
        for (uint32_t code = 0; code < 0x10000; code++) {
            uint8_t bytes[LONG] = {0};
            uint32_t count = 0;
            if (before[k % 5]) bytes[count++] = before[k % 5];
            if (rex[k / 5 % 6]) bytes[count++] = rex[k / 5 % 6];
            if (k >= 30) bytes[count++] = 0x0f;
            bytes[count++] = (uint8_t)(code >> 8);
            bytes[count++] = (uint8_t)code;
            for (uint32_t i = count; i < LONG; i++) bytes[i] = (uint8_t)(0x11 * i + code);
            visit(bytes, LONG, context);
        }
}

static void note_mnemonic(const uint8_t *bytes, size_t size, void *context) {
    Insn insn;
    if (insn_decode(bytes, size, &insn)) ((bool *)context)[insn.mnemonic] = true;
}

static void test_table(void **state) {
    (void)state;
    bool seen[INSN_COUNT] = {0};
    for_all(note_mnemonic, seen);
    for (uint32_t i = 0; i < INSN_COUNT; i++)
        if (!seen[i]) fail_msg("nothing is %s", insn_name((InsnName)i));
}

typedef struct {
    uint32_t tried, refused, changed, kept;
} Flips;

// A move or a sum of a register and itself is the same in either direction.
static bool is_of_itself(const Insn *insn) {
    const InsnOperand *a = &insn->operand[0], *b = &insn->operand[1];
    return insn->operands == 2 && a->kind == INSN_OPERAND_REG && b->kind == INSN_OPERAND_REG &&
           a->reg == b->reg;
}

static void flip_bits(const uint8_t *bytes, size_t size, void *context) {
    Flips *flips = context;
    Insn insn, other;
    if (!insn_decode(bytes, size, &insn)) return;
    if ((bytes[0] + bytes[1] + bytes[2]) % 7) return; // some of them
    uint8_t changed[LONG];
    memcpy(changed, bytes, size);
    for (uint32_t bit = 0; bit < 8u * insn.length; bit++) {
        changed[bit / 8] ^= (uint8_t)(1u << bit % 8);
        flips->tried++;
        if (!insn_decode(changed, size, &other)) {
            flips->refused++;
        } else if (!insn_same(&insn, &other) || insn.length != other.length) {
            flips->changed++;
        } else {
            if (!is_of_itself(&insn))
                fail_msg("bit %u of %s does not matter", bit, insn_name((InsnName)insn.mnemonic));
            flips->kept++;
        }
        changed[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

static void test_flips(void **state) {
    (void)state;
    Flips flips = {0};
    for_all(flip_bits, &flips);
    print_message("%u flips, %u refused, %u changed, %u kept\n", flips.tried, flips.refused,
                  flips.changed, flips.kept);
    assert_true(flips.refused > 100000 && flips.changed > 300000 && flips.kept > 0);
    assert_true(flips.kept < flips.tried / 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),      cmocka_unit_test(test_fields),
        cmocka_unit_test(test_widths),    cmocka_unit_test(test_same),
        cmocka_unit_test(test_different), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_table),     cmocka_unit_test(test_flips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
