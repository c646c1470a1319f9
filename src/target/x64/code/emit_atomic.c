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
static void extend_result(Emit *e, const MachInstr *instr, Operand d) {
    if (chunk_size((Chunk)instr->chunk) < 4) asm_load(e, (Chunk)instr->chunk, d, d);
}

static void asm_atomic_store(Emit *e, const MachInstr *instr) {
    Operand value = asm_source(e, instr, 0), to = asm_address(instr, 0);
    if (aux_order(instr->aux) != ORDER_SEQ_CST) {
        asm_store(e, (Chunk)instr->chunk, value, to);
        return;
    }
    Type type = chunk_type((Chunk)instr->chunk);
    asm_fetch(e, instr, 0, type, asm_reg(M_R11));
    asm_two(e, "xchg", access_width(instr), asm_reg(M_R11), to);
}

static void asm_exchange(Emit *e, const MachInstr *instr) {
    Operand d = asm_place(e, instr->dest);
    asm_fetch(e, instr, 0, chunk_type((Chunk)instr->chunk), d);
    asm_two(e, "xchg", access_width(instr), d, asm_address(instr, 0));
    extend_result(e, instr, d);
}

static void asm_fetch_add(Emit *e, const MachInstr *instr) {
    Operand d = asm_place(e, instr->dest);
    Width width = access_width(instr);
    asm_fetch(e, instr, 0, chunk_type((Chunk)instr->chunk), d);
    if (instr->op == BI_ATOMIC_SUB) asm_one(e, "neg", width == W64 ? W64 : W32, d);
    asm_two(e, "lock xadd", width, d, asm_address(instr, 0));
    extend_result(e, instr, d);
}

static void asm_compare_exchange(Emit *e, const MachInstr *instr) {
    asm_two(e, "lock cmpxchg", access_width(instr), asm_place(e, instr->src[1]),
            asm_address(instr, 0));
    extend_result(e, instr, asm_reg(M_RAX));
}

// Computes the new value from what is there until nobody changed that in between.
static void asm_loop(Emit *e, const MachInstr *instr, const char *mnemonic) {
    Width width = access_width(instr), wide = width == W64 ? W64 : W32;
    Operand old = asm_reg(M_RAX), new = asm_reg(M_R11), to = asm_address(instr, 0);
    Operand value = asm_source(e, instr, 0);
    if (asm_is_imm(value) && wide == W32) value.number = (int32_t)value.number;
    uint32_t again = assembly_label(e->assembly);
    asm_load(e, (Chunk)instr->chunk, to, old);
    asm_label(e, again);
    asm_two(e, "mov", wide, old, new);
    asm_two(e, mnemonic, wide, value, new);
    if (instr->op == BI_ATOMIC_NAND) asm_one(e, "not", wide, new);
    asm_two(e, "lock cmpxchg", width, new, to);
    asm_jump(e, "jne", again);
    extend_result(e, instr, old);
}

void asm_atomic(Emit *e, const MachInstr *instr) {
    switch ((Builtin)instr->op) {
    case BI_ATOMIC_LOAD:
        asm_load(e, (Chunk)instr->chunk, asm_address(instr, 0), asm_place(e, instr->dest));
        break;
    case BI_ATOMIC_STORE: asm_atomic_store(e, instr); break;
    case BI_ATOMIC_EXCHANGE: asm_exchange(e, instr); break;
    case BI_ATOMIC_COMPARE: asm_compare_exchange(e, instr); break;
    case BI_ATOMIC_ADD:
    case BI_ATOMIC_SUB: asm_fetch_add(e, instr); break;
    case BI_ATOMIC_AND:
    case BI_ATOMIC_NAND: asm_loop(e, instr, "and"); break;
    case BI_ATOMIC_OR: asm_loop(e, instr, "or"); break;
    case BI_ATOMIC_XOR: asm_loop(e, instr, "xor"); break;
    default:
        if (aux_order(instr->aux) == ORDER_SEQ_CST) asm_plain(e, "mfence");
        break;
    }
}
