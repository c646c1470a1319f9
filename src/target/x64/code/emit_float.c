// Operators on floats in vector registers, and conversions.
#include "target/x64/code/emit.h"

// Clears a register that the next instruction writes only partly, so that it need not wait for what
// was there.
static void break_dependency(Emit *e, X64Operand d) {
    x64_mixed(e, "xorps", W64, d, W64, d);
}

static void x64_arithmetic(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    Type type = op_info(op)->result;
    X64Operand d = x64_place(e, instr->dest), b = x64_source(e, instr, 1);
    assert(!x64_same(d, b) || x64_same(d, x64_source(e, instr, 0)));
    x64_fetch(e, instr, 0, type, d);
    x64_scalar(e, x64_table[op].mnemonic, type, b, d);
}

// The sign bit is flipped or cleared by a mask of 16 bytes.
static void x64_sign(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    Type type = op_info(op)->result;
    bool flip = op_family(op) == FAM_NEG;
    assert(flip || op_family(op) == FAM_ABS);
    uint64_t mask = type == TYPE_F32 ? 0x8000000080000000 : 0x8000000000000000;
    if (!flip) mask = ~mask;
    X64Operand d = x64_place(e, instr->dest);
    x64_fetch(e, instr, 0, type, d);
    x64_mixed(e, flip ? "xorps" : "andps", W64, x64_pool(e, 16, mask, mask), W64, d);
}

// sqrt, and conversions between f32 and f64.
static void x64_root(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    X64Operand d = x64_place(e, instr->dest), a = x64_source(e, instr, 0);
    if (!x64_same(a, d)) break_dependency(e, d);
    if (x64_shape(op) == X64_ROOT)
        x64_scalar(e, "sqrt", op_info(op)->result, a, d);
    else
        x64_mixed(e, x64_table[op].mnemonic, W64, a, W64, d);
}

// ---- Integers

static void from_integer(Emit *e, Type type, Width width, X64Operand from, X64Operand d) {
    break_dependency(e, d);
    const char *single = width == W64 ? "cvtsi2ssq" : "cvtsi2ssl";
    const char *pair = width == W64 ? "cvtsi2sdq" : "cvtsi2sdl";
    x64_mixed(e, type == TYPE_F32 ? single : pair, width, from, W64, d);
}

static void to_integer(Emit *e, Type type, Width width, X64Operand from, X64Operand d) {
    const char *single = width == W64 ? "cvttss2siq" : "cvttss2si";
    const char *pair = width == W64 ? "cvttsd2siq" : "cvttsd2si";
    x64_mixed(e, type == TYPE_F32 ? single : pair, W64, from, width, d);
}

// From unsigned integers. What has the top bit is halved, with the bit that falls out kept below so
// that the rounding is right, and the result doubled.
static void x64_from_wide(Emit *e, const MachInstr *instr) {
    const OpInfo *op = op_info((Op)instr->op);
    X64Operand d = x64_place(e, instr->dest), half = x64_reg(M_R11), low = x64_reg(M_R10);
    x64_fetch(e, instr, 0, op->operand[0], half);
    if (op->operand[0] == TYPE_I32) {
        if (x64_same(x64_source(e, instr, 0), half)) x64_two(e, "mov", W32, half, half);
        from_integer(e, op->result, W64, half, d);
        return;
    }
    uint32_t large = assembly_label(e->assembly), end = assembly_label(e->assembly);
    x64_two(e, "test", W64, half, half);
    x64_jump(e, "js", large);
    from_integer(e, op->result, W64, half, d);
    x64_jump(e, "jmp", end);
    x64_label(e, large);
    x64_two(e, "mov", W32, half, low);
    x64_two(e, "and", W32, x64_imm(1), low);
    x64_two(e, "shr", W64, x64_imm(1), half);
    x64_two(e, "or", W64, low, half);
    from_integer(e, op->result, W64, half, d);
    x64_scalar(e, "add", op->result, d, d);
    x64_label(e, end);
}

// To unsigned integers: 32 bits are the low half of 64; of 64 bits the upper half of the range goes
// through a - 2^63.
static void x64_to_wide(Emit *e, const MachInstr *instr) {
    const OpInfo *op = op_info((Op)instr->op);
    Type type = op->operand[0];
    X64Operand d = x64_place(e, instr->dest);
    if (op->result == TYPE_I32) {
        to_integer(e, type, W64, x64_source(e, instr, 0), d);
        return;
    }
    X64Operand value = x64_reg(M_XMM15);
    X64Operand limit =
        type == TYPE_F32 ? x64_pool(e, 4, 0x5f000000, 0) : x64_pool(e, 8, 0x43e0000000000000, 0);
    uint32_t large = assembly_label(e->assembly), end = assembly_label(e->assembly);
    x64_fetch(e, instr, 0, type, value);
    x64_scalar(e, "ucomi", type, limit, value);
    x64_jump(e, "jae", large);
    to_integer(e, type, W64, value, d);
    x64_jump(e, "jmp", end);
    x64_label(e, large);
    x64_scalar(e, "sub", type, limit, value);
    to_integer(e, type, W64, value, d);
    x64_two(e, "btc", W64, x64_imm(63), d);
    x64_label(e, end);
}

void x64_float(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    const OpInfo *info = op_info(op);
    switch (x64_shape(op)) {
    case X64_FLOAT: x64_arithmetic(e, instr); break;
    case X64_SIGN: x64_sign(e, instr); break;
    case X64_FROM_INT:
        from_integer(e, info->result, x64_width(info->operand[0]), x64_source(e, instr, 0),
                     x64_place(e, instr->dest));
        break;
    case X64_TO_INT:
        to_integer(e, info->operand[0], x64_width(info->result), x64_source(e, instr, 0),
                   x64_place(e, instr->dest));
        break;
    case X64_FROM_WIDE: x64_from_wide(e, instr); break;
    case X64_TO_WIDE: x64_to_wide(e, instr); break;
    default: x64_root(e, instr); break;
    }
}
