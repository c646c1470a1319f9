// Atomic accesses. Loads and stores of aligned integers are atomic and ordered as they are, but for
// a sequentially consistent store, which xchg makes; the rest has lock or is xchg, which orders
// everything.
#include "x64/emit.h"

static Width access_width(const MachInstr *instr) {
    switch (chunk_size((Chunk)instr->chunk)) {
    case 1: return W8;
    case 2: return W16;
    case 4: return W32;
    default: return W64;
    }
}

static bool is_sequential(const MachInstr *instr) {
    return (instr->aux & ~(uint32_t)ATOMIC_VOLATILE) == ORDER_SEQ_CST;
}

// What was read is extended as its chunk says.
static void extend_result(Emit *e, const MachInstr *instr, Operand d) {
    if (chunk_size((Chunk)instr->chunk) < 4) emit_load(e, (Chunk)instr->chunk, d, d);
}

static void emit_atomic_store(Emit *e, const MachInstr *instr) {
    Operand value = emit_source(e, instr, 0), to = emit_address(instr, 0);
    if (!is_sequential(instr)) {
        emit_store(e, (Chunk)instr->chunk, value, to);
        return;
    }
    Type type = chunk_type((Chunk)instr->chunk);
    emit_fetch(e, instr, 0, type, emit_reg(M_R11));
    emit_two(e, "xchg", access_width(instr), emit_reg(M_R11), to);
}

static void emit_exchange(Emit *e, const MachInstr *instr) {
    Operand d = emit_place(e, instr->dest);
    emit_fetch(e, instr, 0, chunk_type((Chunk)instr->chunk), d);
    emit_two(e, "xchg", access_width(instr), d, emit_address(instr, 0));
    extend_result(e, instr, d);
}

static void emit_fetch_add(Emit *e, const MachInstr *instr) {
    Operand d = emit_place(e, instr->dest);
    Width width = access_width(instr);
    emit_fetch(e, instr, 0, chunk_type((Chunk)instr->chunk), d);
    if (instr->op == BI_ATOMIC_SUB) emit_one(e, "neg", width == W64 ? W64 : W32, d);
    emit_two(e, "lock xadd", width, d, emit_address(instr, 0));
    extend_result(e, instr, d);
}

static void emit_compare_exchange(Emit *e, const MachInstr *instr) {
    emit_two(e, "lock cmpxchg", access_width(instr), emit_place(e, instr->src[1]),
             emit_address(instr, 0));
    extend_result(e, instr, emit_reg(M_RAX));
}

// Computes the new value from what is there until nobody changed that in between.
static void emit_loop(Emit *e, const MachInstr *instr, const char *mnemonic) {
    Width width = access_width(instr), wide = width == W64 ? W64 : W32;
    Operand old = emit_reg(M_RAX), new = emit_reg(M_R11), to = emit_address(instr, 0);
    Operand value = emit_source(e, instr, 0);
    if (emit_is_imm(value) && wide == W32) value.number = (int32_t)value.number;
    uint32_t again = assembly_label(e->assembly);
    emit_load(e, (Chunk)instr->chunk, to, old);
    emit_label(e, again);
    emit_two(e, "mov", wide, old, new);
    emit_two(e, mnemonic, wide, value, new);
    if (instr->op == BI_ATOMIC_NAND) emit_one(e, "not", wide, new);
    emit_two(e, "lock cmpxchg", width, new, to);
    emit_jump(e, "jne", again);
    extend_result(e, instr, old);
}

void emit_atomic(Emit *e, const MachInstr *instr) {
    switch ((Builtin)instr->op) {
    case BI_ATOMIC_LOAD:
        emit_load(e, (Chunk)instr->chunk, emit_address(instr, 0), emit_place(e, instr->dest));
        break;
    case BI_ATOMIC_STORE: emit_atomic_store(e, instr); break;
    case BI_ATOMIC_EXCHANGE: emit_exchange(e, instr); break;
    case BI_ATOMIC_COMPARE: emit_compare_exchange(e, instr); break;
    case BI_ATOMIC_ADD:
    case BI_ATOMIC_SUB: emit_fetch_add(e, instr); break;
    case BI_ATOMIC_AND:
    case BI_ATOMIC_NAND: emit_loop(e, instr, "and"); break;
    case BI_ATOMIC_OR: emit_loop(e, instr, "or"); break;
    case BI_ATOMIC_XOR: emit_loop(e, instr, "xor"); break;
    default:
        if (is_sequential(instr)) emit_plain(e, "mfence");
        break;
    }
}
