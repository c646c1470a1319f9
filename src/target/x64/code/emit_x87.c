// long double: values live in memory (spills of 16 bytes) and pass over the x87 stack within one
// instruction, so the stack is empty between instructions.
#include "target/x64/code/emit.h"

void x64_x87_load(Emit *e, X64Operand from) {
    x64_full(e, "fldt", W64, from);
}

void x64_x87_store(Emit *e, X64Operand to) {
    x64_full(e, "fstpt", W64, to);
}

static X64Operand scratch(const Emit *e, int64_t offset) {
    return x64_frame_at(e, e->frame.scratch + offset);
}

static void x64_x87_constant(Emit *e, const MachInstr *instr) {
    uint64_t bits = (uint64_t)instr->imm;
    if (bits == 0 && instr->high == 0)
        x64_plain(e, "fldz");
    else if (bits == (uint64_t)1 << 63 && instr->high == 0x3fff)
        x64_plain(e, "fld1");
    else
        x64_x87_load(e, x64_pool(e, 16, bits, instr->high));
    x64_x87_store(e, x64_place(e, instr->dest));
}

// Pushes a, then b, and leaves the result alone on the stack. fsubrp and fdivrp are, in this
// syntax, the ones that compute st(1) - st(0) and st(1) / st(0).
static void x64_x87_arithmetic(Emit *e, const MachInstr *instr, const char *mnemonic) {
    x64_x87_load(e, x64_source(e, instr, 0));
    x64_x87_load(e, x64_source(e, instr, 1));
    x64_plain(e, mnemonic);
    x64_x87_store(e, x64_place(e, instr->dest));
}

static void x64_x87_unary(Emit *e, const MachInstr *instr, const char *mnemonic) {
    x64_x87_load(e, x64_source(e, instr, 0));
    if (mnemonic) x64_plain(e, mnemonic);
    x64_x87_store(e, x64_place(e, instr->dest));
}

// Two values are on the stack: the one on top goes to the result, the other away.
static void store_top_of_two(Emit *e, const MachInstr *instr) {
    x64_x87_store(e, x64_place(e, instr->dest));
    x64_plain(e, "fstp %st(0)");
}

// min: b, replaced by a if b is above it. max: a, replaced by b unless a is above it.
static void x64_x87_extreme(Emit *e, const MachInstr *instr, bool max) {
    x64_x87_load(e, x64_source(e, instr, max));
    x64_x87_load(e, x64_source(e, instr, !max));
    x64_plain(e, "fcomi %st(1), %st");
    x64_plain(e, max ? "fcmovbe %st(1), %st" : "fcmovnbe %st(1), %st");
    store_top_of_two(e, instr);
}

static void x64_x87_select(Emit *e, const MachInstr *instr) {
    X64Operand a = x64_source(e, instr, 0);
    x64_x87_load(e, x64_source(e, instr, 2));
    x64_x87_load(e, x64_source(e, instr, 1));
    if (x64_is_reg(a))
        x64_two(e, "test", W32, a, a);
    else
        x64_two(e, "cmp", W32, x64_imm(0), a);
    x64_plain(e, "fcmove %st(1), %st");
    store_top_of_two(e, instr);
}

// ---- Conversions

// A source that is no f80 must be in memory: where it is, or in the scratch area.
static X64Operand source_in_memory(Emit *e, const MachInstr *instr, Type type) {
    X64Operand a = x64_source(e, instr, 0);
    if (x64_is_memory(a)) return a;
    x64_move(e, type, a, scratch(e, 0));
    return scratch(e, 0);
}

static void x64_from_float(Emit *e, const MachInstr *instr, Type type) {
    X64Operand a = source_in_memory(e, instr, type);
    x64_full(e, type == TYPE_F32 ? "flds" : "fldl", W64, a);
    x64_x87_store(e, x64_place(e, instr->dest));
}

static void x64_to_float(Emit *e, const MachInstr *instr, Type type) {
    x64_x87_load(e, x64_source(e, instr, 0));
    x64_full(e, type == TYPE_F32 ? "fstps" : "fstpl", W64, scratch(e, 0));
    x64_move(e, type, scratch(e, 0), x64_place(e, instr->dest));
}

static void x64_from_signed(Emit *e, const MachInstr *instr, Type type) {
    X64Operand a = source_in_memory(e, instr, type);
    x64_full(e, type == TYPE_I64 ? "fildll" : "fildl", W64, a);
    x64_x87_store(e, x64_place(e, instr->dest));
}

// 32 bits become 64; of 64 bits those with the top bit were read 2^64 too small.
static void x64_from_unsigned(Emit *e, const MachInstr *instr, Type type) {
    X64Operand value = x64_reg(M_R11);
    x64_two(e, "mov", x64_width(type), x64_source(e, instr, 0), value);
    x64_two(e, "mov", W64, value, scratch(e, 0));
    x64_full(e, "fildll", W64, scratch(e, 0));
    if (type == TYPE_I64) {
        uint32_t end = assembly_label(e->assembly);
        x64_two(e, "test", W64, value, value);
        x64_jump(e, "jns", end);
        x64_full(e, "fadds", W64, x64_pool(e, 4, 0x5f800000, 0));
        x64_label(e, end);
    }
    x64_x87_store(e, x64_place(e, instr->dest));
}

// Stores the top of the stack as an integer, truncated: rounding is a mode, which is changed and
// changed back.
static void store_truncated(Emit *e, bool wide) {
    X64Operand control = scratch(e, 0), truncating = scratch(e, 2), value = x64_reg(M_R11);
    x64_full(e, "fnstcw", W64, control);
    x64_mixed(e, "movzwl", W16, control, W32, value);
    x64_two(e, "or", W32, x64_imm(0xc00), value);
    x64_two(e, "mov", W16, value, truncating);
    x64_full(e, "fldcw", W64, truncating);
    x64_full(e, wide ? "fistpll" : "fistpl", W64, scratch(e, 8));
    x64_full(e, "fldcw", W64, control);
}

static void x64_to_integer(Emit *e, const MachInstr *instr) {
    const OpInfo *op = op_info((Op)instr->op);
    bool wide = instr->op != OP_CVT_I32_F80;
    x64_x87_load(e, x64_source(e, instr, 0));
    store_truncated(e, wide);
    x64_move(e, op->result, scratch(e, 8), x64_place(e, instr->dest));
}

// The upper half of the range goes through a - 2^63.
static void x64_to_unsigned(Emit *e, const MachInstr *instr) {
    X64Operand d = x64_place(e, instr->dest), top = x64_reg(M_R10);
    uint32_t small = assembly_label(e->assembly);
    x64_x87_load(e, x64_source(e, instr, 0));
    x64_full(e, "flds", W64, x64_pool(e, 4, 0x5f000000, 0));
    x64_two(e, "xor", W32, top, top);
    // 2^63 is compared with a; unordered counts as not above, and as below.
    x64_plain(e, "fucomi %st(1), %st");
    x64_jump(e, "ja", small);
    x64_jump(e, "jp", small);
    x64_plain(e, "fsubr %st, %st(1)");
    x64_mixed(e, "movabsq", W64, x64_imm(INT64_MIN), W64, top);
    x64_label(e, small);
    x64_plain(e, "fstp %st(0)");
    store_truncated(e, true);
    x64_move(e, TYPE_I64, scratch(e, 8), d);
    x64_two(e, "xor", W64, top, d);
}

static void x64_x87_conversion(Emit *e, const MachInstr *instr) {
    switch (instr->op) {
    case OP_CVT_F80_F32: x64_from_float(e, instr, TYPE_F32); break;
    case OP_CVT_F80_F64: x64_from_float(e, instr, TYPE_F64); break;
    case OP_CVT_F32_F80: x64_to_float(e, instr, TYPE_F32); break;
    case OP_CVT_F64_F80: x64_to_float(e, instr, TYPE_F64); break;
    case OP_CVT_F80_I32: x64_from_signed(e, instr, TYPE_I32); break;
    case OP_CVT_F80_I64: x64_from_signed(e, instr, TYPE_I64); break;
    case OP_CVT_F80_U32: x64_from_unsigned(e, instr, TYPE_I32); break;
    case OP_CVT_F80_U64: x64_from_unsigned(e, instr, TYPE_I64); break;
    case OP_CVT_U64_F80: x64_to_unsigned(e, instr); break;
    case OP_CVT_I32_F80:
    case OP_CVT_I64_F80:
    case OP_CVT_U32_F80: x64_to_integer(e, instr); break;
    default: assert(false && "no operator of x87"); break;
    }
}

void x64_x87(Emit *e, const MachInstr *instr) {
    switch (instr->op) {
    case OP_CONST_F80: x64_x87_constant(e, instr); break;
    case OP_MOVE_F80: x64_x87_unary(e, instr, NULL); break;
    case OP_NEG_F80: x64_x87_unary(e, instr, "fchs"); break;
    case OP_ABS_F80: x64_x87_unary(e, instr, "fabs"); break;
    case OP_SQRT_F80: x64_x87_unary(e, instr, "fsqrt"); break;
    case OP_ADD_F80: x64_x87_arithmetic(e, instr, "faddp"); break;
    case OP_SUB_F80: x64_x87_arithmetic(e, instr, "fsubrp"); break;
    case OP_MUL_F80: x64_x87_arithmetic(e, instr, "fmulp"); break;
    case OP_DIV_F80: x64_x87_arithmetic(e, instr, "fdivrp"); break;
    case OP_MIN_F80: x64_x87_extreme(e, instr, false); break;
    case OP_MAX_F80: x64_x87_extreme(e, instr, true); break;
    case OP_SELECT_F80: x64_x87_select(e, instr); break;
    default:
        if (op_info((Op)instr->op)->flags & OPF_COND)
            x64_set(e, instr);
        else
            x64_x87_conversion(e, instr);
        break;
    }
}
