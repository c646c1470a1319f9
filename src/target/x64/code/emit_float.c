// Operators on floats in vector registers, and conversions.
#include "target/x64/code/emit.h"

// Clears a register that the next instruction writes only partly, so that it need not wait for what
// was there.
static void break_dependency(Emit *e, Operand d) {
    asm_mixed(e, "xorps", W64, d, W64, d);
}

static void asm_arithmetic(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    Type type = op_info(op)->result;
    Operand d = asm_place(e, instr->dest), b = asm_source(e, instr, 1);
    assert(!asm_same(d, b) || asm_same(d, asm_source(e, instr, 0)));
    asm_fetch(e, instr, 0, type, d);
    asm_scalar(e, x64_table[op].mnemonic, type, b, d);
}

// The sign bit is flipped or cleared by a mask of 16 bytes.
static void asm_sign(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    Type type = op_info(op)->result;
    bool flip = op_family(op) == FAM_NEG;
    assert(flip || op_family(op) == FAM_ABS);
    uint64_t mask = type == TYPE_F32 ? 0x8000000080000000 : 0x8000000000000000;
    if (!flip) mask = ~mask;
    Operand d = asm_place(e, instr->dest);
    asm_fetch(e, instr, 0, type, d);
    asm_mixed(e, flip ? "xorps" : "andps", W64, asm_pool(e, 16, mask, mask), W64, d);
}

// sqrt, and conversions between f32 and f64.
static void asm_root(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    Operand d = asm_place(e, instr->dest), a = asm_source(e, instr, 0);
    if (!asm_same(a, d)) break_dependency(e, d);
    if (x64_shape(op) == X64_ROOT)
        asm_scalar(e, "sqrt", op_info(op)->result, a, d);
    else
        asm_mixed(e, x64_table[op].mnemonic, W64, a, W64, d);
}

// ---- Integers

static void from_integer(Emit *e, Type type, Width width, Operand from, Operand d) {
    break_dependency(e, d);
    const char *single = width == W64 ? "cvtsi2ssq" : "cvtsi2ssl";
    const char *pair = width == W64 ? "cvtsi2sdq" : "cvtsi2sdl";
    asm_mixed(e, type == TYPE_F32 ? single : pair, width, from, W64, d);
}

static void to_integer(Emit *e, Type type, Width width, Operand from, Operand d) {
    const char *single = width == W64 ? "cvttss2siq" : "cvttss2si";
    const char *pair = width == W64 ? "cvttsd2siq" : "cvttsd2si";
    asm_mixed(e, type == TYPE_F32 ? single : pair, W64, from, width, d);
}

// From unsigned integers. What has the top bit is halved, with the bit that falls out kept below so
// that the rounding is right, and the result doubled.
static void asm_from_wide(Emit *e, const MachInstr *instr) {
    const OpInfo *op = op_info((Op)instr->op);
    Operand d = asm_place(e, instr->dest), half = asm_reg(M_R11), low = asm_reg(M_R10);
    asm_fetch(e, instr, 0, op->operand[0], half);
    if (op->operand[0] == TYPE_I32) {
        if (asm_same(asm_source(e, instr, 0), half)) asm_two(e, "mov", W32, half, half);
        from_integer(e, op->result, W64, half, d);
        return;
    }
    uint32_t large = assembly_label(e->assembly), end = assembly_label(e->assembly);
    asm_two(e, "test", W64, half, half);
    asm_jump(e, "js", large);
    from_integer(e, op->result, W64, half, d);
    asm_jump(e, "jmp", end);
    asm_label(e, large);
    asm_two(e, "mov", W32, half, low);
    asm_two(e, "and", W32, asm_imm(1), low);
    asm_two(e, "shr", W64, asm_imm(1), half);
    asm_two(e, "or", W64, low, half);
    from_integer(e, op->result, W64, half, d);
    asm_scalar(e, "add", op->result, d, d);
    asm_label(e, end);
}

// To unsigned integers: 32 bits are the low half of 64; of 64 bits the upper half of the range goes
// through a - 2^63.
static void asm_to_wide(Emit *e, const MachInstr *instr) {
    const OpInfo *op = op_info((Op)instr->op);
    Type type = op->operand[0];
    Operand d = asm_place(e, instr->dest);
    if (op->result == TYPE_I32) {
        to_integer(e, type, W64, asm_source(e, instr, 0), d);
        return;
    }
    Operand value = asm_reg(M_XMM15);
    Operand limit =
        type == TYPE_F32 ? asm_pool(e, 4, 0x5f000000, 0) : asm_pool(e, 8, 0x43e0000000000000, 0);
    uint32_t large = assembly_label(e->assembly), end = assembly_label(e->assembly);
    asm_fetch(e, instr, 0, type, value);
    asm_scalar(e, "ucomi", type, limit, value);
    asm_jump(e, "jae", large);
    to_integer(e, type, W64, value, d);
    asm_jump(e, "jmp", end);
    asm_label(e, large);
    asm_scalar(e, "sub", type, limit, value);
    to_integer(e, type, W64, value, d);
    asm_two(e, "btc", W64, asm_imm(63), d);
    asm_label(e, end);
}

void asm_float(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    const OpInfo *info = op_info(op);
    switch (x64_shape(op)) {
    case X64_FLOAT: asm_arithmetic(e, instr); break;
    case X64_SIGN: asm_sign(e, instr); break;
    case X64_FROM_INT:
        from_integer(e, info->result, asm_width(info->operand[0]), asm_source(e, instr, 0),
                     asm_place(e, instr->dest));
        break;
    case X64_TO_INT:
        to_integer(e, info->operand[0], asm_width(info->result), asm_source(e, instr, 0),
                   asm_place(e, instr->dest));
        break;
    case X64_FROM_WIDE: asm_from_wide(e, instr); break;
    case X64_TO_WIDE: asm_to_wide(e, instr); break;
    default: asm_root(e, instr); break;
    }
}
