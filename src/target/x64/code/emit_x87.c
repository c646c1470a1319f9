// long double: values live in memory (spills of 16 bytes) and pass over the x87 stack within one
// instruction, so the stack is empty between instructions.
#include "target/x64/code/emit.h"

void asm_x87_load(Emit *e, Operand from) {
    asm_full(e, "fldt", W64, from);
}

void asm_x87_store(Emit *e, Operand to) {
    asm_full(e, "fstpt", W64, to);
}

static Operand scratch(const Emit *e, int64_t offset) {
    return asm_frame_at(e, e->frame.scratch + offset);
}

static void asm_x87_constant(Emit *e, const MachInstr *instr) {
    uint64_t bits = (uint64_t)instr->imm;
    if (bits == 0 && instr->high == 0)
        asm_plain(e, "fldz");
    else if (bits == (uint64_t)1 << 63 && instr->high == 0x3fff)
        asm_plain(e, "fld1");
    else
        asm_x87_load(e, asm_pool(e, 16, bits, instr->high));
    asm_x87_store(e, asm_place(e, instr->dest));
}

// Pushes a, then b, and leaves the result alone on the stack. fsubrp and fdivrp are, in this syntax,
// the ones that compute st(1) - st(0) and st(1) / st(0).
static void asm_x87_arithmetic(Emit *e, const MachInstr *instr, const char *mnemonic) {
    asm_x87_load(e, asm_source(e, instr, 0));
    asm_x87_load(e, asm_source(e, instr, 1));
    asm_plain(e, mnemonic);
    asm_x87_store(e, asm_place(e, instr->dest));
}

static void asm_x87_unary(Emit *e, const MachInstr *instr, const char *mnemonic) {
    asm_x87_load(e, asm_source(e, instr, 0));
    if (mnemonic) asm_plain(e, mnemonic);
    asm_x87_store(e, asm_place(e, instr->dest));
}

// Two values are on the stack: the one on top goes to the result, the other away.
static void store_top_of_two(Emit *e, const MachInstr *instr) {
    asm_x87_store(e, asm_place(e, instr->dest));
    asm_plain(e, "fstp %st(0)");
}

// min: b, replaced by a if b is above it. max: a, replaced by b unless a is above it.
static void asm_x87_extreme(Emit *e, const MachInstr *instr, bool max) {
    asm_x87_load(e, asm_source(e, instr, max));
    asm_x87_load(e, asm_source(e, instr, !max));
    asm_plain(e, "fucomi %st(1), %st");
    asm_plain(e, max ? "fcmovbe %st(1), %st" : "fcmovnbe %st(1), %st");
    store_top_of_two(e, instr);
}

static void asm_x87_select(Emit *e, const MachInstr *instr) {
    Operand a = asm_source(e, instr, 0);
    asm_x87_load(e, asm_source(e, instr, 2));
    asm_x87_load(e, asm_source(e, instr, 1));
    if (asm_is_reg(a))
        asm_two(e, "test", W32, a, a);
    else
        asm_two(e, "cmp", W32, asm_imm(0), a);
    asm_plain(e, "fcmove %st(1), %st");
    store_top_of_two(e, instr);
}

// ---- Conversions

// A source that is no f80 must be in memory: where it is, or in the scratch area.
static Operand source_in_memory(Emit *e, const MachInstr *instr, Type type) {
    Operand a = asm_source(e, instr, 0);
    if (asm_is_memory(a)) return a;
    asm_move(e, type, a, scratch(e, 0));
    return scratch(e, 0);
}

static void asm_from_float(Emit *e, const MachInstr *instr, Type type) {
    Operand a = source_in_memory(e, instr, type);
    asm_full(e, type == TYPE_F32 ? "flds" : "fldl", W64, a);
    asm_x87_store(e, asm_place(e, instr->dest));
}

static void asm_to_float(Emit *e, const MachInstr *instr, Type type) {
    asm_x87_load(e, asm_source(e, instr, 0));
    asm_full(e, type == TYPE_F32 ? "fstps" : "fstpl", W64, scratch(e, 0));
    asm_move(e, type, scratch(e, 0), asm_place(e, instr->dest));
}

static void asm_from_signed(Emit *e, const MachInstr *instr, Type type) {
    Operand a = source_in_memory(e, instr, type);
    asm_full(e, type == TYPE_I64 ? "fildll" : "fildl", W64, a);
    asm_x87_store(e, asm_place(e, instr->dest));
}

// 32 bits become 64; of 64 bits those with the top bit were read 2^64 too small.
static void asm_from_unsigned(Emit *e, const MachInstr *instr, Type type) {
    Operand value = asm_reg(M_R11);
    asm_two(e, "mov", asm_width(type), asm_source(e, instr, 0), value);
    asm_two(e, "mov", W64, value, scratch(e, 0));
    asm_full(e, "fildll", W64, scratch(e, 0));
    if (type == TYPE_I64) {
        uint32_t end = assembly_label(e->assembly);
        asm_two(e, "test", W64, value, value);
        asm_jump(e, "jns", end);
        asm_full(e, "fadds", W64, asm_pool(e, 4, 0x5f800000, 0));
        asm_label(e, end);
    }
    asm_x87_store(e, asm_place(e, instr->dest));
}

// Stores the top of the stack as an integer, truncated: rounding is a mode, which is changed and
// changed back.
static void store_truncated(Emit *e, bool wide) {
    Operand control = scratch(e, 0), truncating = scratch(e, 2), value = asm_reg(M_R11);
    asm_full(e, "fnstcw", W64, control);
    asm_mixed(e, "movzwl", W16, control, W32, value);
    asm_two(e, "or", W32, asm_imm(0xc00), value);
    asm_two(e, "mov", W16, value, truncating);
    asm_full(e, "fldcw", W64, truncating);
    asm_full(e, wide ? "fistpll" : "fistpl", W64, scratch(e, 8));
    asm_full(e, "fldcw", W64, control);
}

static void asm_to_integer(Emit *e, const MachInstr *instr) {
    const OpInfo *op = op_info((Op)instr->op);
    bool wide = instr->op != OP_CVT_I32_F80;
    asm_x87_load(e, asm_source(e, instr, 0));
    store_truncated(e, wide);
    asm_move(e, op->result, scratch(e, 8), asm_place(e, instr->dest));
}

// The upper half of the range goes through a - 2^63.
static void asm_to_unsigned(Emit *e, const MachInstr *instr) {
    Operand d = asm_place(e, instr->dest), top = asm_reg(M_R10);
    uint32_t small = assembly_label(e->assembly);
    asm_x87_load(e, asm_source(e, instr, 0));
    asm_full(e, "flds", W64, asm_pool(e, 4, 0x5f000000, 0));
    asm_two(e, "xor", W32, top, top);
    // 2^63 is compared with a; unordered counts as not above, and as below.
    asm_plain(e, "fucomi %st(1), %st");
    asm_jump(e, "ja", small);
    asm_jump(e, "jp", small);
    asm_plain(e, "fsubr %st, %st(1)");
    asm_mixed(e, "movabsq", W64, asm_imm(INT64_MIN), W64, top);
    asm_label(e, small);
    asm_plain(e, "fstp %st(0)");
    store_truncated(e, true);
    asm_move(e, TYPE_I64, scratch(e, 8), d);
    asm_two(e, "xor", W64, top, d);
}

static void asm_x87_conversion(Emit *e, const MachInstr *instr) {
    switch (instr->op) {
    case OP_CVT_F80_F32: asm_from_float(e, instr, TYPE_F32); break;
    case OP_CVT_F80_F64: asm_from_float(e, instr, TYPE_F64); break;
    case OP_CVT_F32_F80: asm_to_float(e, instr, TYPE_F32); break;
    case OP_CVT_F64_F80: asm_to_float(e, instr, TYPE_F64); break;
    case OP_CVT_F80_I32: asm_from_signed(e, instr, TYPE_I32); break;
    case OP_CVT_F80_I64: asm_from_signed(e, instr, TYPE_I64); break;
    case OP_CVT_F80_U32: asm_from_unsigned(e, instr, TYPE_I32); break;
    case OP_CVT_F80_U64: asm_from_unsigned(e, instr, TYPE_I64); break;
    case OP_CVT_U64_F80: asm_to_unsigned(e, instr); break;
    case OP_CVT_I32_F80:
    case OP_CVT_I64_F80:
    case OP_CVT_U32_F80: asm_to_integer(e, instr); break;
    default: assert(!"no operator of x87"); break;
    }
}

void asm_x87(Emit *e, const MachInstr *instr) {
    switch (instr->op) {
    case OP_CONST_F80: asm_x87_constant(e, instr); break;
    case OP_MOVE_F80: asm_x87_unary(e, instr, NULL); break;
    case OP_NEG_F80: asm_x87_unary(e, instr, "fchs"); break;
    case OP_ABS_F80: asm_x87_unary(e, instr, "fabs"); break;
    case OP_SQRT_F80: asm_x87_unary(e, instr, "fsqrt"); break;
    case OP_ADD_F80: asm_x87_arithmetic(e, instr, "faddp"); break;
    case OP_SUB_F80: asm_x87_arithmetic(e, instr, "fsubrp"); break;
    case OP_MUL_F80: asm_x87_arithmetic(e, instr, "fmulp"); break;
    case OP_DIV_F80: asm_x87_arithmetic(e, instr, "fdivrp"); break;
    case OP_MIN_F80: asm_x87_extreme(e, instr, false); break;
    case OP_MAX_F80: asm_x87_extreme(e, instr, true); break;
    case OP_SELECT_F80: asm_x87_select(e, instr); break;
    default:
        if (op_info((Op)instr->op)->flags & OPF_COND)
            asm_set(e, instr);
        else
            asm_x87_conversion(e, instr);
        break;
    }
}
