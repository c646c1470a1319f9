// Constants and moves between registers and memory.
#include "target/x64/code/emit.h"

void asm_note_flags(Emit *e, Operand result, Width width, bool logic) {
    if (!asm_is_general(result)) return;
    e->flags_at = e->out->length;
    e->flags_reg = (MachineReg)result.reg;
    e->flags_width = width;
    e->flags_logic = logic;
}

static void integer_constant(Emit *e, Type type, int64_t bits, Operand to) {
    if (!asm_is_reg(to)) {
        // The whole spill, so that it can be read back in one piece.
        asm_two(e, "mov", W64, asm_imm(bits), to);
    } else if (bits == 0) {
        asm_two(e, "xor", W32, to, to);
    } else if (type == TYPE_I32 || (bits > 0 && bits <= UINT32_MAX)) {
        asm_two(e, "mov", W32, asm_imm(type == TYPE_I32 ? (int32_t)bits : bits), to);
    } else if (bits >= INT32_MIN && bits <= INT32_MAX) {
        asm_two(e, "mov", W64, asm_imm(bits), to);
    } else {
        asm_mixed(e, "movabsq", W64, asm_imm(bits), W64, to);
    }
}

void asm_constant(Emit *e, Type type, int64_t bits, Operand to) {
    if (type_is_int(type)) {
        integer_constant(e, type, bits, to);
    } else if (bits == 0) {
        asm_mixed(e, "xorps", W64, to, W64, to);
    } else {
        uint32_t size = type == TYPE_F32 ? 4 : 8;
        uint64_t low = type == TYPE_F32 ? (uint32_t)bits : (uint64_t)bits;
        asm_scalar(e, "mov", type, asm_pool(e, size, low, 0), to);
    }
}

static void vector_move(Emit *e, Type type, Operand from, Operand to) {
    if (asm_is_vector(from) && asm_is_vector(to))
        asm_mixed(e, "movaps", W64, from, W64, to);
    else if (asm_is_general(from) || asm_is_general(to))
        asm_mixed(e, type == TYPE_F32 ? "movd" : "movq",
                  asm_width(type == TYPE_F32 ? TYPE_I32 : TYPE_I64), from,
                  type == TYPE_F32 ? W32 : W64, to);
    else
        asm_scalar(e, "mov", type, from, to);
}

void asm_move(Emit *e, Type type, Operand from, Operand to) {
    if (asm_same(from, to)) return;
    // A move leaves the flags alone.
    bool keeps = e->flags_at == e->out->length && !asm_same(to, asm_reg(e->flags_reg));
    if (type == TYPE_F80) {
        asm_x87_load(e, from);
        asm_x87_store(e, to);
    } else if (asm_is_vector(from) || asm_is_vector(to)) {
        vector_move(e, type, from, to);
    } else {
        asm_two(e, "mov", asm_width(type), from, to);
    }
    if (keeps) e->flags_at = e->out->length;
}

void asm_load(Emit *e, Chunk chunk, Operand from, Operand to) {
    switch (chunk) {
    case CHUNK_I8: asm_mixed(e, "movsbl", W8, from, W32, to); break;
    case CHUNK_U8: asm_mixed(e, "movzbl", W8, from, W32, to); break;
    case CHUNK_I16: asm_mixed(e, "movswl", W16, from, W32, to); break;
    case CHUNK_U16: asm_mixed(e, "movzwl", W16, from, W32, to); break;
    default: asm_move(e, chunk_type(chunk), from, to); break;
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

void asm_store(Emit *e, Chunk chunk, Operand from, Operand to) {
    if (asm_is_general(from) || asm_is_imm(from)) {
        Width width = chunk_width(chunk);
        if (asm_is_imm(from) && width == W8) from.number = (int8_t)from.number;
        if (asm_is_imm(from) && width == W16) from.number = (int16_t)from.number;
        asm_two(e, "mov", width, from, to);
    } else {
        asm_move(e, chunk_type(chunk), from, to);
    }
}

void asm_fetch(Emit *e, const MachInstr *instr, uint32_t k, Type type, Operand to) {
    if (instr->immediate == k)
        asm_constant(e, type, instr->imm, to);
    else if (instr->memory == k)
        asm_load(e, (Chunk)instr->chunk, asm_source(e, instr, k), to);
    else
        asm_move(e, type, asm_source(e, instr, k), to);
}

// ---- Parts: sizes that no instruction moves are put together from smaller ones

void asm_load_part(Emit *e, uint32_t size, Operand from, MachineReg to) {
    Operand reg = asm_reg(to);
    switch (size) {
    case 1: asm_load(e, CHUNK_U8, from, reg); break;
    case 2: asm_load(e, CHUNK_U16, from, reg); break;
    case 4: asm_load(e, CHUNK_I32, from, reg); break;
    case 8: asm_load(e, CHUNK_I64, from, reg); break;
    default: {
        // The bytes above the first or first two, shifted up; then these are put below.
        uint32_t low = size == 6 ? 2 : 1;
        asm_load_part(e, size - low, asm_further(from, low), to);
        asm_two(e, "shl", W64, asm_imm(low * 8), reg);
        asm_two(e, "mov", low == 2 ? W16 : W8, from, reg);
        break;
    }
    }
}

void asm_store_part(Emit *e, uint32_t size, MachineReg from, Operand to) {
    Operand reg = asm_reg(from);
    uint32_t done = 0;
    for (Width width = W64;; width--) {
        uint32_t bytes = 1u << width;
        if (size - done < bytes) continue;
        asm_two(e, "mov", width, reg, asm_further(to, done));
        done += bytes;
        if (done == size) break;
        asm_two(e, "shr", W64, asm_imm(bytes * 8), reg);
    }
}
