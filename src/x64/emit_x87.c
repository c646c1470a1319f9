// long double: values live in memory (spills of 16 bytes) and pass over the x87 stack within one
// instruction, so the stack is empty between instructions.
#include "x64/emit.h"

void emit_x87_load(Emit *e, Operand from) {
    emit_full(e, "fldt", W64, from);
}

void emit_x87_store(Emit *e, Operand to) {
    emit_full(e, "fstpt", W64, to);
}

static Operand scratch(const Emit *e, int64_t offset) {
    return emit_frame_at(e, e->frame.scratch + offset);
}

static void emit_x87_constant(Emit *e, const MachInstr *instr) {
    uint64_t bits = (uint64_t)instr->imm;
    if (bits == 0 && instr->high == 0)
        emit_plain(e, "fldz");
    else if (bits == (uint64_t)1 << 63 && instr->high == 0x3fff)
        emit_plain(e, "fld1");
    else
        emit_x87_load(e, emit_pool(e, 16, bits, instr->high));
    emit_x87_store(e, emit_place(e, instr->dest));
}

// Pushes a, then b, and leaves the result alone on the stack. fsubrp and fdivrp are, in this syntax,
// the ones that compute st(1) - st(0) and st(1) / st(0).
static void emit_x87_arithmetic(Emit *e, const MachInstr *instr, const char *mnemonic) {
    emit_x87_load(e, emit_source(e, instr, 0));
    emit_x87_load(e, emit_source(e, instr, 1));
    emit_plain(e, mnemonic);
    emit_x87_store(e, emit_place(e, instr->dest));
}

static void emit_x87_unary(Emit *e, const MachInstr *instr, const char *mnemonic) {
    emit_x87_load(e, emit_source(e, instr, 0));
    if (mnemonic) emit_plain(e, mnemonic);
    emit_x87_store(e, emit_place(e, instr->dest));
}

// Two values are on the stack: the one on top goes to the result, the other away.
static void store_top_of_two(Emit *e, const MachInstr *instr) {
    emit_x87_store(e, emit_place(e, instr->dest));
    emit_plain(e, "fstp %st(0)");
}

// min: b, replaced by a if b is above it. max: a, replaced by b unless a is above it.
static void emit_x87_extreme(Emit *e, const MachInstr *instr, bool max) {
    emit_x87_load(e, emit_source(e, instr, max));
    emit_x87_load(e, emit_source(e, instr, !max));
    emit_plain(e, "fucomi %st(1), %st");
    emit_plain(e, max ? "fcmovbe %st(1), %st" : "fcmovnbe %st(1), %st");
    store_top_of_two(e, instr);
}

static void emit_x87_select(Emit *e, const MachInstr *instr) {
    Operand a = emit_source(e, instr, 0);
    emit_x87_load(e, emit_source(e, instr, 2));
    emit_x87_load(e, emit_source(e, instr, 1));
    if (emit_is_reg(a))
        emit_two(e, "test", W32, a, a);
    else
        emit_two(e, "cmp", W32, emit_imm(0), a);
    emit_plain(e, "fcmove %st(1), %st");
    store_top_of_two(e, instr);
}

// ---- Conversions

// A source that is no f80 must be in memory: where it is, or in the scratch area.
static Operand source_in_memory(Emit *e, const MachInstr *instr, Type type) {
    Operand a = emit_source(e, instr, 0);
    if (emit_is_memory(a)) return a;
    emit_move(e, type, a, scratch(e, 0));
    return scratch(e, 0);
}

static void emit_from_float(Emit *e, const MachInstr *instr, Type type) {
    Operand a = source_in_memory(e, instr, type);
    emit_full(e, type == TYPE_F32 ? "flds" : "fldl", W64, a);
    emit_x87_store(e, emit_place(e, instr->dest));
}

static void emit_to_float(Emit *e, const MachInstr *instr, Type type) {
    emit_x87_load(e, emit_source(e, instr, 0));
    emit_full(e, type == TYPE_F32 ? "fstps" : "fstpl", W64, scratch(e, 0));
    emit_move(e, type, scratch(e, 0), emit_place(e, instr->dest));
}

static void emit_from_signed(Emit *e, const MachInstr *instr, Type type) {
    Operand a = source_in_memory(e, instr, type);
    emit_full(e, type == TYPE_I64 ? "fildll" : "fildl", W64, a);
    emit_x87_store(e, emit_place(e, instr->dest));
}

// 32 bits become 64; of 64 bits those with the top bit were read 2^64 too small.
static void emit_from_unsigned(Emit *e, const MachInstr *instr, Type type) {
    Operand value = emit_reg(M_R11);
    emit_two(e, "mov", emit_width(type), emit_source(e, instr, 0), value);
    emit_two(e, "mov", W64, value, scratch(e, 0));
    emit_full(e, "fildll", W64, scratch(e, 0));
    if (type == TYPE_I64) {
        uint32_t end = assembly_label(e->assembly);
        emit_two(e, "test", W64, value, value);
        emit_jump(e, "jns", end);
        emit_full(e, "fadds", W64, emit_pool(e, 4, 0x5f800000, 0));
        emit_label(e, end);
    }
    emit_x87_store(e, emit_place(e, instr->dest));
}

// Stores the top of the stack as an integer, truncated: rounding is a mode, which is changed and
// changed back.
static void store_truncated(Emit *e, bool wide) {
    Operand control = scratch(e, 0), truncating = scratch(e, 2), value = emit_reg(M_R11);
    emit_full(e, "fnstcw", W64, control);
    emit_mixed(e, "movzwl", W16, control, W32, value);
    emit_two(e, "or", W32, emit_imm(0xc00), value);
    emit_two(e, "mov", W16, value, truncating);
    emit_full(e, "fldcw", W64, truncating);
    emit_full(e, wide ? "fistpll" : "fistpl", W64, scratch(e, 8));
    emit_full(e, "fldcw", W64, control);
}

static void emit_to_integer(Emit *e, const MachInstr *instr) {
    const OpInfo *op = op_info((Op)instr->op);
    bool wide = instr->op != OP_CVT_I32_F80;
    emit_x87_load(e, emit_source(e, instr, 0));
    store_truncated(e, wide);
    emit_move(e, op->result, scratch(e, 8), emit_place(e, instr->dest));
}

// The upper half of the range goes through a - 2^63.
static void emit_to_unsigned(Emit *e, const MachInstr *instr) {
    Operand d = emit_place(e, instr->dest), top = emit_reg(M_R10);
    uint32_t small = assembly_label(e->assembly);
    emit_x87_load(e, emit_source(e, instr, 0));
    emit_full(e, "flds", W64, emit_pool(e, 4, 0x5f000000, 0));
    emit_two(e, "xor", W32, top, top);
    // 2^63 is compared with a; unordered counts as not above, and as below.
    emit_plain(e, "fucomi %st(1), %st");
    emit_jump(e, "ja", small);
    emit_jump(e, "jp", small);
    emit_plain(e, "fsubr %st, %st(1)");
    emit_mixed(e, "movabsq", W64, emit_imm(INT64_MIN), W64, top);
    emit_label(e, small);
    emit_plain(e, "fstp %st(0)");
    store_truncated(e, true);
    emit_move(e, TYPE_I64, scratch(e, 8), d);
    emit_two(e, "xor", W64, top, d);
}

static void emit_x87_conversion(Emit *e, const MachInstr *instr) {
    switch (instr->op) {
    case OP_CVT_F80_F32: emit_from_float(e, instr, TYPE_F32); break;
    case OP_CVT_F80_F64: emit_from_float(e, instr, TYPE_F64); break;
    case OP_CVT_F32_F80: emit_to_float(e, instr, TYPE_F32); break;
    case OP_CVT_F64_F80: emit_to_float(e, instr, TYPE_F64); break;
    case OP_CVT_F80_I32: emit_from_signed(e, instr, TYPE_I32); break;
    case OP_CVT_F80_I64: emit_from_signed(e, instr, TYPE_I64); break;
    case OP_CVT_F80_U32: emit_from_unsigned(e, instr, TYPE_I32); break;
    case OP_CVT_F80_U64: emit_from_unsigned(e, instr, TYPE_I64); break;
    case OP_CVT_U64_F80: emit_to_unsigned(e, instr); break;
    default: emit_to_integer(e, instr); break;
    }
}

void emit_x87(Emit *e, const MachInstr *instr) {
    switch (instr->op) {
    case OP_CONST_F80: emit_x87_constant(e, instr); break;
    case OP_MOVE_F80: emit_x87_unary(e, instr, NULL); break;
    case OP_NEG_F80: emit_x87_unary(e, instr, "fchs"); break;
    case OP_ABS_F80: emit_x87_unary(e, instr, "fabs"); break;
    case OP_SQRT_F80: emit_x87_unary(e, instr, "fsqrt"); break;
    case OP_ADD_F80: emit_x87_arithmetic(e, instr, "faddp"); break;
    case OP_SUB_F80: emit_x87_arithmetic(e, instr, "fsubrp"); break;
    case OP_MUL_F80: emit_x87_arithmetic(e, instr, "fmulp"); break;
    case OP_DIV_F80: emit_x87_arithmetic(e, instr, "fdivrp"); break;
    case OP_MIN_F80: emit_x87_extreme(e, instr, false); break;
    case OP_MAX_F80: emit_x87_extreme(e, instr, true); break;
    case OP_SELECT_F80: emit_x87_select(e, instr); break;
    default:
        if (op_info((Op)instr->op)->flags & OPF_COND)
            emit_set(e, instr);
        else
            emit_x87_conversion(e, instr);
        break;
    }
}
