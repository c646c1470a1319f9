// Constants and moves between registers and memory.
#include "target/x64/code/emit.h"

void x64_note_flags(Emit *e, X64Operand result, Width width, bool logic) {
    if (!x64_is_general(result)) return;
    e->flags_at = e->out->length;
    e->flags_reg = (MachineReg)result.reg;
    e->flags_width = width;
    e->flags_logic = logic;
}

static void integer_constant(Emit *e, Type type, int64_t bits, X64Operand to) {
    if (!x64_is_reg(to)) {
        // The whole spill, so that it can be read back in one piece.
        x64_two(e, "mov", W64, x64_imm(bits), to);
    } else if (bits == 0) {
        x64_two(e, "xor", W32, to, to);
    } else if (type == TYPE_I32 || (bits > 0 && bits <= UINT32_MAX)) {
        x64_two(e, "mov", W32, x64_imm(type == TYPE_I32 ? (int32_t)bits : bits), to);
    } else if (bits >= INT32_MIN && bits <= INT32_MAX) {
        x64_two(e, "mov", W64, x64_imm(bits), to);
    } else {
        x64_mixed(e, "movabsq", W64, x64_imm(bits), W64, to);
    }
}

void x64_constant(Emit *e, Type type, int64_t bits, X64Operand to) {
    if (type_is_int(type)) {
        integer_constant(e, type, bits, to);
    } else if (bits == 0) {
        x64_mixed(e, "xorps", W64, to, W64, to);
    } else {
        uint32_t size = type == TYPE_F32 ? 4 : 8;
        uint64_t low = type == TYPE_F32 ? (uint32_t)bits : (uint64_t)bits;
        x64_mixed(e, size == 4 ? "movss" : "movsd", W64, x64_pool(e, size, low, 0), W64, to);
    }
}

void x64_x87_load(Emit *e, X64Operand from) {
    x64_full(e, "fldt", W64, from);
}

void x64_x87_store(Emit *e, X64Operand to) {
    x64_full(e, "fstpt", W64, to);
}

static void vector_move(Emit *e, bool wide, X64Operand from, X64Operand to) {
    Width width = wide ? W64 : W32;
    if (x64_is_vector(from) && x64_is_vector(to))
        x64_mixed(e, "movaps", W64, from, W64, to);
    else if (x64_is_general(from) || x64_is_general(to))
        x64_mixed(e, wide ? "movq" : "movd", width, from, width, to);
    else
        x64_mixed(e, wide ? "movsd" : "movss", W64, from, W64, to);
}

void x64_move(Emit *e, Type type, X64Operand from, X64Operand to) {
    if (x64_same(from, to)) return;
    // A move leaves the flags alone.
    bool keeps = e->flags_at == e->out->length && !x64_same(to, x64_reg(e->flags_reg));
    bool wide = type == TYPE_I64 || type == TYPE_F64;
    if (type == TYPE_F80) {
        x64_x87_load(e, from);
        x64_x87_store(e, to);
    } else if (x64_is_vector(from) || x64_is_vector(to)) {
        vector_move(e, wide, from, to);
    } else {
        x64_two(e, "mov", wide ? W64 : W32, from, to);
    }
    if (keeps) e->flags_at = e->out->length;
}

void x64_load(Emit *e, Chunk chunk, X64Operand from, X64Operand to) {
    switch (chunk) {
    case CHUNK_I8: x64_mixed(e, "movsbl", W8, from, W32, to); break;
    case CHUNK_U8: x64_mixed(e, "movzbl", W8, from, W32, to); break;
    case CHUNK_I16: x64_mixed(e, "movswl", W16, from, W32, to); break;
    case CHUNK_U16: x64_mixed(e, "movzwl", W16, from, W32, to); break;
    default: x64_move(e, chunk_type(chunk), from, to); break;
    }
}

static Width chunk_width(Chunk chunk) {
    switch (chunk_size(chunk)) {
    case 1: return W8;
    case 2: return W16;
    case 4: return W32;
    default: return W64;
    }
}

void x64_store(Emit *e, Chunk chunk, X64Operand from, X64Operand to) {
    if (x64_is_general(from) || x64_is_imm(from)) {
        Width width = chunk_width(chunk);
        if (x64_is_imm(from) && width == W8) from.number = (int8_t)from.number;
        if (x64_is_imm(from) && width == W16) from.number = (int16_t)from.number;
        x64_two(e, "mov", width, from, to);
    } else {
        x64_move(e, chunk_type(chunk), from, to);
    }
}

void x64_fetch(Emit *e, const MachInstr *instr, uint32_t k, Type type, X64Operand to) {
    if (instr->immediate == k)
        x64_constant(e, type, instr->imm, to);
    else if (instr->memory == k)
        x64_load(e, (Chunk)instr->chunk, x64_source(e, instr, k), to);
    else
        x64_move(e, type, x64_source(e, instr, k), to);
}
