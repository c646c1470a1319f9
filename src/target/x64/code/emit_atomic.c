// Atomic accesses. Loads and stores of aligned integers are atomic and ordered as they are, but for
// a sequentially consistent store, which xchg makes; the rest has lock or is xchg, which orders
// everything.
#include "target/x64/code/emit.h"

static Width access_width(const MachInstr *instr) {
    switch (chunk_size((Chunk)instr->chunk)) {
    case 1: return W8;
    case 2: return W16;
    case 4: return W32;
    default: return W64;
    }
}

// What was read is extended as its chunk says.
static void extend_result(Emit *e, const MachInstr *instr, X64Operand d) {
    if (chunk_size((Chunk)instr->chunk) < 4) x64_load(e, (Chunk)instr->chunk, d, d);
}

static void x64_atomic_store(Emit *e, const MachInstr *instr) {
    X64Operand value = x64_source(e, instr, 0), to = x64_address(instr, 0);
    if (aux_order(instr->aux) != ORDER_SEQ_CST) {
        x64_store(e, (Chunk)instr->chunk, value, to);
        return;
    }
    Type type = chunk_type((Chunk)instr->chunk);
    x64_fetch(e, instr, 0, type, x64_reg(M_R11));
    x64_two(e, "xchg", access_width(instr), x64_reg(M_R11), to);
}

static void x64_exchange(Emit *e, const MachInstr *instr) {
    X64Operand d = x64_place(e, instr->dest);
    x64_fetch(e, instr, 0, chunk_type((Chunk)instr->chunk), d);
    x64_two(e, "xchg", access_width(instr), d, x64_address(instr, 0));
    extend_result(e, instr, d);
}

static void x64_fetch_add(Emit *e, const MachInstr *instr) {
    X64Operand d = x64_place(e, instr->dest);
    Width width = access_width(instr);
    x64_fetch(e, instr, 0, chunk_type((Chunk)instr->chunk), d);
    if (instr->op == BI_ATOMIC_SUB) x64_one(e, "neg", width == W64 ? W64 : W32, d);
    x64_two(e, "lock xadd", width, d, x64_address(instr, 0));
    extend_result(e, instr, d);
}

static void x64_compare_exchange(Emit *e, const MachInstr *instr) {
    x64_two(e, "lock cmpxchg", access_width(instr), x64_place(e, instr->src[1]),
            x64_address(instr, 0));
    extend_result(e, instr, x64_reg(M_RAX));
}

// Computes the new value from what is there until nobody changed that in between.
static void x64_loop(Emit *e, const MachInstr *instr, const char *mnemonic) {
    Width width = access_width(instr), wide = width == W64 ? W64 : W32;
    X64Operand old = x64_reg(M_RAX), updated = x64_reg(M_R11), to = x64_address(instr, 0);
    X64Operand value = x64_source(e, instr, 0);
    if (x64_is_imm(value) && wide == W32) value.number = (int32_t)value.number;
    uint32_t again = assembly_label(e->assembly);
    x64_load(e, (Chunk)instr->chunk, to, old);
    x64_label(e, again);
    x64_two(e, "mov", wide, old, updated);
    x64_two(e, mnemonic, wide, value, updated);
    if (instr->op == BI_ATOMIC_NAND) x64_one(e, "not", wide, updated);
    x64_two(e, "lock cmpxchg", width, updated, to);
    x64_jump(e, "jne", again);
    extend_result(e, instr, old);
}

void x64_atomic(Emit *e, const MachInstr *instr) {
    switch ((Builtin)instr->op) {
    case BI_ATOMIC_LOAD:
        x64_load(e, (Chunk)instr->chunk, x64_address(instr, 0), x64_place(e, instr->dest));
        break;
    case BI_ATOMIC_STORE: x64_atomic_store(e, instr); break;
    case BI_ATOMIC_EXCHANGE: x64_exchange(e, instr); break;
    case BI_ATOMIC_COMPARE: x64_compare_exchange(e, instr); break;
    case BI_ATOMIC_ADD:
    case BI_ATOMIC_SUB: x64_fetch_add(e, instr); break;
    case BI_ATOMIC_AND:
    case BI_ATOMIC_NAND: x64_loop(e, instr, "and"); break;
    case BI_ATOMIC_OR: x64_loop(e, instr, "or"); break;
    case BI_ATOMIC_XOR: x64_loop(e, instr, "xor"); break;
    default:
        if (aux_order(instr->aux) == ORDER_SEQ_CST) x64_plain(e, "mfence");
        break;
    }
}
