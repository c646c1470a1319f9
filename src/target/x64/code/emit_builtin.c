// Builtins but for atomic accesses and variable arguments: copies, fills, alloca, volatile accesses.
#include "target/x64/code/emit.h"

enum { INLINE_BYTES = 128 }; // as constraints.c has it

static MachineReg source_reg(const MachInstr *instr, uint32_t k) {
    assert(place_is_machine(instr->src[k]));
    return (MachineReg)place_index(instr->src[k]);
}

// ---- Copies and fills
//
// Up to INLINE_BYTES in pieces of 16, 8, 4, 2 and 1; a rest is done by a last piece that overlaps
// the one before, where there is one of that size. Longer ones by string instructions.
//
// Copies of up to WORD_BYTES have no pieces of 16 and none that overlap: what they read was often
// written just before, member by member, and a load of what several stores wrote has to wait until
// they have all left for the cache. Where the size tells of members of four bytes there are no
// pieces of 8 either.
enum { WORD_BYTES = 64 };

typedef struct {
    uint32_t size, offset;
} PieceAt;

// The next piece of what is left from `done` on.
static PieceAt next_piece(uint64_t size, uint64_t done) {
    uint64_t left = size - done;
    uint32_t piece = 16;
    while (piece > left) piece /= 2;
    // A larger piece that ends where the whole does, if it does not start before it.
    uint32_t larger = piece;
    while (larger < left) larger *= 2;
    if (larger > left && larger <= 16 && larger <= size)
        return (PieceAt){.size = larger, .offset = (uint32_t)(size - larger)};
    return (PieceAt){.size = piece, .offset = (uint32_t)done};
}

static void move_piece(Emit *e, uint32_t size, Operand from, Operand to) {
    static const Width widths[] = {[1] = W8, [2] = W16, [4] = W32, [8] = W64};
    if (size == 16)
        asm_mixed(e, "movups", W64, from, W64, to);
    else
        asm_two(e, "mov", widths[size], from, to);
}

static PieceAt next_word(uint64_t size, uint64_t done) {
    uint32_t piece = size % 8 == 4 ? 4 : 8;
    while (piece > size - done) piece /= 2;
    return (PieceAt){.size = piece, .offset = (uint32_t)done};
}

void asm_copy(Emit *e, uint64_t size, MachineReg from, MachineReg to) {
    for (uint64_t done = 0; done < size;) {
        PieceAt piece = size <= WORD_BYTES ? next_word(size, done) : next_piece(size, done);
        Operand through = asm_reg(piece.size == 16 ? M_XMM15 : M_R11);
        Operand source = asm_at(from, piece.offset), target = asm_at(to, piece.offset);
        if (piece.size < 4)
            asm_load(e, piece.size == 1 ? CHUNK_U8 : CHUNK_U16, source, through);
        else
            move_piece(e, piece.size, source, through);
        move_piece(e, piece.size, through, target);
        done = piece.offset + (uint64_t)piece.size;
    }
}

// A string instruction for all whole eightbytes, then the rest.
static void asm_string(Emit *e, uint64_t size, bool copies) {
    asm_constant(e, TYPE_I64, (int64_t)(size / 8), asm_reg(M_RCX));
    asm_plain(e, copies ? "rep movsq" : "rep stosq");
    if (size & 4) asm_plain(e, copies ? "movsl" : "stosl");
    if (size & 2) asm_plain(e, copies ? "movsw" : "stosw");
    if (size & 1) asm_plain(e, copies ? "movsb" : "stosb");
}

static void asm_memcpy(Emit *e, const MachInstr *instr) {
    uint64_t size = (uint64_t)instr->imm;
    if (size > INLINE_BYTES)
        asm_string(e, size, true);
    else
        asm_copy(e, size, source_reg(instr, 1), source_reg(instr, 0));
}

// Puts the byte that fills, eight times, into a register.
static void spread_byte(Emit *e, const MachInstr *instr, MachineReg to) {
    if (instr->immediate == 1) {
        uint64_t byte = instr->high & 0xff;
        asm_constant(e, TYPE_I64, (int64_t)(byte * 0x0101010101010101), asm_reg(to));
        return;
    }
    asm_mixed(e, "movzbl", W8, asm_place(e, instr->src[1]), W32, asm_reg(to));
    asm_constant(e, TYPE_I64, 0x0101010101010101, asm_reg(M_R10));
    asm_two(e, "imul", W64, asm_reg(M_R10), asm_reg(to));
}

static void fill_vector(Emit *e, const MachInstr *instr) {
    Operand vector = asm_reg(M_XMM15);
    if (instr->immediate == 1 && (instr->high & 0xff) == 0) {
        asm_mixed(e, "xorps", W64, vector, W64, vector);
        return;
    }
    asm_mixed(e, "movq", W64, asm_reg(M_R11), W64, vector);
    asm_mixed(e, "punpcklqdq", W64, vector, W64, vector);
}

// An immediate does for pieces of less than 16 bytes if it is zero.
static void asm_memset(Emit *e, const MachInstr *instr) {
    uint64_t size = (uint64_t)instr->imm;
    if (size > INLINE_BYTES) {
        spread_byte(e, instr, M_RAX);
        asm_string(e, size, false);
        return;
    }
    bool zero = instr->immediate == 1 && (instr->high & 0xff) == 0;
    Operand word = zero ? asm_imm(0) : asm_reg(M_R11);
    if (!zero && size) spread_byte(e, instr, M_R11);
    if (size >= 16) fill_vector(e, instr);
    for (uint64_t done = 0; done < size;) {
        PieceAt piece = next_piece(size, done);
        move_piece(e, piece.size, piece.size == 16 ? asm_reg(M_XMM15) : word,
                   asm_at(source_reg(instr, 0), piece.offset));
        done = piece.offset + (uint64_t)piece.size;
    }
}

// ---- The stack

// The block lies above the arguments of calls. Its size is rounded up so that rsp stays aligned; a
// stricter alignment takes that much more.
static void asm_alloca(Emit *e, const MachInstr *instr) {
    Operand d = asm_place(e, instr->dest), size = asm_reg(M_R11), rsp = asm_reg(M_RSP);
    int64_t align = instr->imm > 16 ? instr->imm : 16;
    int64_t round = e->frame.kind == FRAME_ALIGNED ? e->frame.align : 16;
    asm_lea(e, W64, round - 1 + (align > 16 ? align : 0), source_reg(instr, 0), 0, 0, M_R11);
    asm_two(e, "and", W64, asm_imm(-round), size);
    asm_two(e, "sub", W64, size, rsp);
    int64_t extra = align > 16 ? align - 1 : 0;
    asm_lea(e, W64, (int64_t)e->frame.outgoing + extra, M_RSP, 0, 0, d.reg);
    if (align > 16) asm_two(e, "and", W64, asm_imm(-align), d);
}

static void asm_va_copy(Emit *e, const MachInstr *instr) {
    asm_copy(e, 24, source_reg(instr, 1), source_reg(instr, 0));
}

void asm_builtin(Emit *e, const MachInstr *instr) {
    switch ((Builtin)instr->op) {
    case BI_MEMCPY: asm_memcpy(e, instr); break;
    case BI_MEMSET: asm_memset(e, instr); break;
    case BI_ALLOCA: asm_alloca(e, instr); break;
    case BI_READ_REGISTER:
        asm_two(e, "mov", W64, asm_reg((MachineReg)instr->imm), asm_place(e, instr->dest));
        break;
    case BI_WRITE_REGISTER:
        asm_two(e, "mov", W64, asm_place(e, instr->src[0]), asm_reg((MachineReg)instr->imm));
        break;
    case BI_STACK_SAVE: asm_two(e, "mov", W64, asm_reg(M_RSP), asm_place(e, instr->dest)); break;
    case BI_STACK_RESTORE:
        asm_two(e, "mov", W64, asm_place(e, instr->src[0]), asm_reg(M_RSP));
        break;
    case BI_VA_START: asm_va_start(e, instr); break;
    case BI_VA_ARG: asm_va_arg(e, instr); break;
    case BI_VA_COPY: asm_va_copy(e, instr); break;
    case BI_VA_END:
    case BI_SIGNAL_FENCE: break;
    case BI_VOLATILE_LOAD:
        asm_load(e, (Chunk)instr->chunk, asm_address(instr, 0), asm_place(e, instr->dest));
        break;
    case BI_VOLATILE_STORE:
        asm_store(e, (Chunk)instr->chunk, asm_source(e, instr, 0), asm_address(instr, 0));
        break;
    case BI_ASM: asm_statement(e, instr); break;
    case BI_TRAP:
    case BI_UNREACHABLE: asm_plain(e, "ud2"); break;
    case BI_ATOMIC_LOAD:
    case BI_ATOMIC_STORE:
    case BI_ATOMIC_EXCHANGE:
    case BI_ATOMIC_COMPARE:
    case BI_ATOMIC_ADD:
    case BI_ATOMIC_SUB:
    case BI_ATOMIC_AND:
    case BI_ATOMIC_OR:
    case BI_ATOMIC_XOR:
    case BI_ATOMIC_NAND:
    case BI_FENCE: asm_atomic(e, instr); break;
    case BI_COUNT: break;
    }
}
