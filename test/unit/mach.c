// The machine form: the calling convention as gcc has it, every operator, and functions with wrong
// fields, which the verifier must survive, and what it accepts everyone else.
#include "target/x64/model/constraints.h"
#include "text/print/draw.h"
#include "text/text.h"
#include "verify/verify.h"

#include "test/gen/effort.h"
#include "test/gen/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Program *parse(Arena *arena, const char *text, size_t length) {
    Diag diag;
    diag_init(&diag, arena, NULL);
    Program *program = program_parse(arena, &diag, FORM_MACH, "test", text, length);
    out_char(&diag.out, '\0');
    if (!program) fail_msg("not parsed:\n%s\n%s", text, diag.out.text);
    diag_free(&diag);
    return program;
}

static void assert_verified(const Func *func) {
    Complaints complaints = {.arena = func->arena};
    if (verify_func(&complaints, func)) return;
    Out out = {0};
    complaint_print(&out, func->program, &complaints.list.at[0]);
    out_char(&out, '\n');
    func_print(&out, func, &(PrintOptions){0});
    out_char(&out, '\0');
    fail_msg("%s", out.text);
}

// ---- The calling convention

static void print_pieces(Out *out, const Piece *pieces, uint32_t count, bool results) {
    for (uint32_t k = 0; k < count; k++) {
        const Piece *piece = &pieces[k];
        if (k) out_char(out, ' ');
        if (piece->where == PIECE_STACK)
            out_printf(out, "[%u]", piece->stack);
        else if (results && piece->type == TYPE_F80)
            out_printf(out, "st%u", piece->reg);
        else
            out_text(out, machine_reg_name(piece->reg));
        if (piece->offset || (piece->size != 8 && piece->where == PIECE_REGISTER))
            out_printf(out, ":%u+%u", piece->offset, piece->size);
    }
}

// The convention of a signature, as the text form writes it, shown as "ARGUMENTS -> RESULTS".
static void assert_convention(const char *signature, const char *expected) {
    Arena *arena = arena_new("test");
    const char *at = strchr(signature, '(');
    if (strncmp(signature, "agg", 3) == 0) at = strchr(strchr(signature, ')'), '(');
    const char *text =
        arena_printf(arena, "extern function %.*s @f%s\n", (int)(at - signature), signature, at);
    const Program *program = parse(arena, text, strlen(text));
    const Convention *convention = convention_of(program, program->symbols.at[0].sig);
    Out out = {0};
    print_pieces(&out, convention->arguments.at, convention->arguments.count, false);
    out_text(&out, " -> ");
    print_pieces(&out, convention->results.at, convention->results.count, true);
    out_printf(&out, ", %u", convention->stack_size);
    out_char(&out, '\0');
    assert_string_equal(out.text, expected);
    out_free(&out);
    arena_free(arena);
}

#define LONG_DOUBLE "agg(16 align 8: i64, f64)"
#define BYTES       "agg(11 align 1: i64, i64)"
#define ALIGNED     "agg(16 align 16: i64, i64)"
#define FLOATS      "agg(12 align 4: f64, f64)"

// What gcc does with the same functions was looked up in its output.
static void convention_is_gccs(void **state) {
    (void)state;
    assert_convention("i64(i32, " LONG_DOUBLE ", f64, agg(16 align 8: f64, f64), f32)",
                      "rdi:0+4 rsi xmm0:8+8 xmm1 xmm2 xmm3:8+8 xmm4:0+4 -> rax, 0");
    assert_convention("i64(agg(24 align 8), i64, " BYTES ", i64, i64, " BYTES ", i64, i64)",
                      "[0] rdi rsi rdx:8+3 rcx r8 [24] r9 [40] -> rax, 48");
    assert_convention("i64(f80, i32, f80, i32)", "[0] rdi:0+4 [16] rsi:0+4 -> rax, 32");
    assert_convention("i64(i64, i64, i64, i64, i64, " LONG_DOUBLE ", i64, i64, " ALIGNED
                      ", i32, " ALIGNED ")",
                      "rdi rsi rdx rcx r8 r9 xmm0:8+8 [0] [8] [16] [32] [48] -> rax, 64");
    assert_convention("f64(" FLOATS ", agg(8 align 4: f64), agg(16 align 8: f64, f64), f64, f64, "
                      "f64, f64)",
                      "xmm0 xmm1:8+4 xmm2 xmm3 xmm4:8+8 xmm5 xmm6 xmm7 [0] -> xmm0, 8");
    assert_convention("agg(32 align 16: f80, f80)(agg(32 align 16: f80, f80))",
                      "[0] -> st0:0+16 st1:16+16, 32");
    assert_convention("agg(24 align 8)(i32)", "rdi rsi:0+4 -> rax, 0");
    assert_convention(BYTES "()", " -> rax rdx:8+3, 0");
    assert_convention(FLOATS "()", " -> xmm0 xmm1:8+4, 0");
    assert_convention(LONG_DOUBLE "()", " -> rax xmm0:8+8, 0");
    assert_convention("f80()", " -> st0:0+16, 0");
    assert_convention("void(i64, ...)", "rdi -> , 0");
}

// ---- Operators

static Place operand(Func *func, Type type) {
    return place_of_reg(func_temp(func, type));
}

// A function that applies an operator to registers.
static Func *apply(Arena *arena, const Func *from, Op op) {
    Func *func = mach_like(from, arena, false);
    MachInstr instr = mach_instr(MK_OP);
    const OpInfo *info = op_info(op);
    instr.op = (uint16_t)op;
    instr.dest = operand(func, info->result);
    for (uint32_t k = 0; k < info->arity; k++) instr.src[k] = operand(func, info->operand[k]);
    if (op == OP_ADDR_SYMBOL) instr.ref = 0;
    if (op == OP_ADDR_SLOT) instr.ref = func_add_slot(func, (SlotInfo){.size = 8, .align = 8}).i;
    mach_open(func);
    mach_add(func, instr);
    mach_add(func, mach_instr(MK_RETURN));
    mach_end(func, NULL, 0);
    return func;
}

static void assert_round_trip(Arena *arena, const Func *func) {
    Out once = {0}, twice = {0};
    out_text(&once, "");
    func_print(&once, func, &(PrintOptions){0});
    const Program *program = parse(arena, once.text, once.length);
    func_print(&twice, program->symbols.at[0].func, &(PrintOptions){0});
    out_char(&once, '\0');
    out_char(&twice, '\0');
    assert_string_equal(once.text, twice.text);
    out_free(&once);
    out_free(&twice);
}

static void assert_sane(const MachConstraints *c, uint32_t arity) {
    assert_int_equal(c->operands.count, arity + 1);
    assert_int_equal(c->operands.at[0].role, MO_DEF);
    for (uint32_t k = 0; k < c->operands.count; k++) {
        const MachOperand *one = &c->operands.at[k];
        assert_int_equal(one->reg_class, mach_class_of((Type)one->type));
        if (one->fixed != MACHINE_REG_LIMIT && k > 0)
            assert_false(regs_has(c->clobbers, one->fixed));
    }
    if (c->tied != NO_SOURCE) assert_in_range(c->tied, 1, arity);
    if (c->swappable != NO_SOURCE) assert_true(c->tied != NO_SOURCE);
}

static void every_operator(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    const char text[] = "function void @f() {\nb0:\n  return\n}\n";
    const Program *program = parse(arena, text, strlen(text));
    for (Op op = 0; op < OP_COUNT; op++) {
        Func *func = apply(arena, program->symbols.at[0].func, op);
        assert_verified(func);
        assert_round_trip(arena, func);
        assert_verified(mach_reading(arena, func));
        MachConstraints constraints = {0};
        mach_constraints(arena, func, mach_at(func, 0), &constraints);
        assert_sane(&constraints, op_info(op)->arity);
    }
    arena_free(arena);
}

// ---- Damaged functions

static const Program *load(Arena *arena, const char *name) {
    char *text;
    size_t length;
    const char *root = getenv("ROOT");
    const char *path = arena_printf(arena, "%s/test/form/mach/%s", root ? root : ".", name);
    assert_true(read_file(arena, path, &text, &length));
    return parse(arena, text, length);
}

static uint32_t odd_number(Random *random) {
    static const uint32_t odd[] = {0, 1, 2, 3, 8, 255, NO_ID, NO_ID - 1, 1u << 30, 1u << 31};
    uint64_t n = random_next(random);
    return n % 3 ? odd[n / 3 % (sizeof odd / sizeof odd[0])] : (uint32_t)(n >> 32) % 64;
}

// Overwrites four bytes of an element somewhere.
static void damage(Random *random, void *at, size_t size) {
    uint32_t number = odd_number(random);
    size_t width = random_next(random) % 2 ? 1 : 4;
    size_t offset = random_next(random) % (size / width) * width;
    memcpy((char *)at + offset, &number, width);
}

static void damage_func(Random *random, Func *func) {
    Mach *mach = func->mach;
    uint64_t which = random_next(random);
    switch (which % 8) {
    case 0:
        damage(random, &mach->blocks.at[which / 8 % mach->blocks.count], sizeof(MachBlock));
        break;
    case 1:
        if (mach->lists.count)
            damage(random, &mach->lists.at[which / 8 % mach->lists.count], sizeof(Place));
        break;
    case 2:
        if (mach->succs.count)
            damage(random, &mach->succs.at[which / 8 % mach->succs.count], sizeof(uint32_t));
        break;
    default: damage(random, &mach->code.at[which / 8 % mach->code.count], sizeof(MachInstr)); break;
    }
}

// A `bool` with another value than 0 or 1 cannot be read at all.
static void mend_bools(Func *func) {
    for (uint32_t i = 0; i < func->mach->code.count; i++) {
        MachInstr *instr = &func->mach->code.at[i];
        unsigned char byte;
        memcpy(&byte, &instr->addressed, 1);
        instr->addressed = byte & 1;
        memcpy(&byte, &instr->tested, 1);
        instr->tested = byte & 1;
        memcpy(&byte, &instr->checked, 1);
        instr->checked = byte & 1;
    }
}

static uint32_t survive(Random *random, const Func *original, uint32_t rounds) {
    uint32_t accepted = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        Arena *arena = arena_new("damage");
        Func *func = func_clone(original, arena);
        damage_func(random, func);
        mend_bools(func);
        Complaints complaints = {.arena = arena};
        bool good = verify_func(&complaints, func);
        Out out = {0};
        func_print(&out, func, &(PrintOptions){0});
        for (uint32_t i = 0; i < complaints.list.count; i++)
            complaint_print(&out, func->program, &complaints.list.at[i]);
        if (good) {
            accepted++;
            func_dot(&out, func);
            assert_verified(mach_reading(arena, func));
        }
        out_free(&out);
        arena_free(arena);
    }
    return accepted;
}

static void damage_is_survived(void **state) {
    (void)state;
    const char *names[] = {"unbounded.mach", "allocated.mach"};
    Random random = random_from(2026);
    uint32_t rounds = (uint32_t)effort(200, 2000, 20000), accepted = 0, functions = 0;
    for (uint32_t n = 0; n < 2; n++) {
        Arena *arena = arena_new("test");
        const Program *program = load(arena, names[n]);
        for (uint32_t i = 0; i < program->symbols.count; i++) {
            const Func *func = program->symbols.at[i].func;
            if (!func) continue;
            assert_verified(func);
            assert_verified(mach_reading(arena, func));
            accepted += survive(&random, func, rounds);
            functions++;
        }
        arena_free(arena);
    }
    // Most damage is seen, but not all of it does harm.
    assert_in_range(accepted, 1, functions * rounds / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convention_is_gccs),
        cmocka_unit_test(every_operator),
        cmocka_unit_test(damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
