// Operators on floats in vector registers, and conversions.
#include "x64/emit.h"

// Clears a register that the next instruction writes only partly, so that it need not wait for what
// was there.
static void break_dependency(Emit *e, Operand d) {
    emit_mixed(e, "xorps", W64, d, W64, d);
}

static void emit_arithmetic(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    Type type = op_info(op)->result;
    Operand d = emit_place(e, instr->dest), b = emit_source(e, instr, 1);
    assert(!emit_same(d, b) || emit_same(d, emit_source(e, instr, 0)));
    emit_fetch(e, instr, 0, type, d);
    emit_scalar(e, x64_table[op].mnemonic, type, b, d);
}

// The sign bit is flipped or cleared by a mask of 16 bytes.
static void emit_sign(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    Type type = op_info(op)->result;
    bool flip = op == OP_NEG_F32 || op == OP_NEG_F64;
    uint64_t mask = type == TYPE_F32 ? 0x8000000080000000 : 0x8000000000000000;
    if (!flip) mask = ~mask;
    Operand d = emit_place(e, instr->dest);
    emit_fetch(e, instr, 0, type, d);
    emit_mixed(e, flip ? "xorps" : "andps", W64, emit_pool(e, 16, mask, mask), W64, d);
}

// sqrt, and conversions between f32 and f64.
static void emit_root(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    Operand d = emit_place(e, instr->dest), a = emit_source(e, instr, 0);
    if (!emit_same(a, d)) break_dependency(e, d);
    if (x64_shape(op) == X64_ROOT)
        emit_scalar(e, "sqrt", op_info(op)->result, a, d);
    else
        emit_mixed(e, x64_table[op].mnemonic, W64, a, W64, d);
}

// ---- Integers

static void from_integer(Emit *e, Type type, Width width, Operand from, Operand d) {
    break_dependency(e, d);
    const char *single = width == W64 ? "cvtsi2ssq" : "cvtsi2ssl";
    const char *pair = width == W64 ? "cvtsi2sdq" : "cvtsi2sdl";
    emit_mixed(e, type == TYPE_F32 ? single : pair, width, from, W64, d);
}

static void to_integer(Emit *e, Type type, Width width, Operand from, Operand d) {
    const char *single = width == W64 ? "cvttss2siq" : "cvttss2si";
    const char *pair = width == W64 ? "cvttsd2siq" : "cvttsd2si";
    emit_mixed(e, type == TYPE_F32 ? single : pair, W64, from, width, d);
}

// From unsigned integers. What has the top bit is halved, with the bit that falls out kept below so
// that the rounding is right, and the result doubled.
static void emit_from_wide(Emit *e, const MachInstr *instr) {
    const OpInfo *op = op_info((Op)instr->op);
    Operand d = emit_place(e, instr->dest), half = emit_reg(M_R11), low = emit_reg(M_R10);
    emit_fetch(e, instr, 0, op->operand[0], half);
    if (op->operand[0] == TYPE_I32) {
        if (emit_same(emit_source(e, instr, 0), half)) emit_two(e, "mov", W32, half, half);
        from_integer(e, op->result, W64, half, d);
        return;
    }
    uint32_t large = assembly_label(e->assembly), end = assembly_label(e->assembly);
    emit_two(e, "test", W64, half, half);
    emit_jump(e, "js", large);
    from_integer(e, op->result, W64, half, d);
    emit_jump(e, "jmp", end);
    emit_label(e, large);
    emit_two(e, "mov", W32, half, low);
    emit_two(e, "and", W32, emit_imm(1), low);
    emit_two(e, "shr", W64, emit_imm(1), half);
    emit_two(e, "or", W64, low, half);
    from_integer(e, op->result, W64, half, d);
    emit_scalar(e, "add", op->result, d, d);
    emit_label(e, end);
}

// To unsigned integers: 32 bits are the low half of 64; of 64 bits the upper half of the range goes
// through a - 2^63.
static void emit_to_wide(Emit *e, const MachInstr *instr) {
    const OpInfo *op = op_info((Op)instr->op);
    Type type = op->operand[0];
    Operand d = emit_place(e, instr->dest);
    if (op->result == TYPE_I32) {
        to_integer(e, type, W64, emit_source(e, instr, 0), d);
        return;
    }
    Operand value = emit_reg(M_XMM15);
    Operand limit =
        type == TYPE_F32 ? emit_pool(e, 4, 0x5f000000, 0) : emit_pool(e, 8, 0x43e0000000000000, 0);
    uint32_t large = assembly_label(e->assembly), end = assembly_label(e->assembly);
    emit_fetch(e, instr, 0, type, value);
    emit_scalar(e, "ucomi", type, limit, value);
    emit_jump(e, "jae", large);
    to_integer(e, type, W64, value, d);
    emit_jump(e, "jmp", end);
    emit_label(e, large);
    emit_scalar(e, "sub", type, limit, value);
    to_integer(e, type, W64, value, d);
    emit_two(e, "btc", W64, emit_imm(63), d);
    emit_label(e, end);
}

void emit_float(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    const OpInfo *info = op_info(op);
    switch (x64_shape(op)) {
    case X64_FLOAT: emit_arithmetic(e, instr); break;
    case X64_SIGN: emit_sign(e, instr); break;
    case X64_FROM_INT:
        from_integer(e, info->result, emit_width(info->operand[0]), emit_source(e, instr, 0),
                     emit_place(e, instr->dest));
        break;
    case X64_TO_INT:
        to_integer(e, info->operand[0], emit_width(info->result), emit_source(e, instr, 0),
                   emit_place(e, instr->dest));
        break;
    case X64_FROM_WIDE: emit_from_wide(e, instr); break;
    case X64_TO_WIDE: emit_to_wide(e, instr); break;
    default: emit_root(e, instr); break;
    }
}
