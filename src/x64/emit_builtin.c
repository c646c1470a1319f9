// Builtins but for atomic accesses and variable arguments: copies, fills, alloca, volatile accesses.
#include "x64/emit.h"

enum { INLINE_BYTES = 128 }; // as mach_constraints.c has it

static MachineReg source_reg(const MachInstr *instr, uint32_t k) {
    assert(place_is_machine(instr->src[k]));
    return (MachineReg)place_index(instr->src[k]);
}

// ---- Copies and fills
//
// Up to INLINE_BYTES in pieces of 16, 8, 4, 2 and 1; a rest is done by a last piece that overlaps
// the one before, where there is one of that size. Longer ones by string instructions.

typedef struct {
    uint32_t size, offset;
} PieceAt;

// The next piece of what is left from `done` on.
static PieceAt next_piece(uint64_t size, uint64_t done) {
    uint64_t left = size - done;
    uint32_t piece = left >= 16 ? 16 : left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
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
        emit_mixed(e, "movups", W64, from, W64, to);
    else
        emit_two(e, "mov", widths[size], from, to);
}

void emit_copy(Emit *e, uint64_t size, MachineReg from, MachineReg to) {
    for (uint64_t done = 0; done < size;) {
        PieceAt piece = next_piece(size, done);
        Operand through = emit_reg(piece.size == 16 ? M_XMM15 : M_R11);
        Operand source = emit_at(from, piece.offset), target = emit_at(to, piece.offset);
        if (piece.size < 4)
            emit_load(e, piece.size == 1 ? CHUNK_U8 : CHUNK_U16, source, through);
        else
            move_piece(e, piece.size, source, through);
        move_piece(e, piece.size, through, target);
        done = piece.offset + (uint64_t)piece.size;
    }
}

// A string instruction for all whole eightbytes, then the rest.
static void emit_string(Emit *e, uint64_t size, bool copies) {
    emit_constant(e, TYPE_I64, (int64_t)(size / 8), emit_reg(M_RCX));
    emit_plain(e, copies ? "rep movsq" : "rep stosq");
    if (size & 4) emit_plain(e, copies ? "movsl" : "stosl");
    if (size & 2) emit_plain(e, copies ? "movsw" : "stosw");
    if (size & 1) emit_plain(e, copies ? "movsb" : "stosb");
}

static void emit_memcpy(Emit *e, const MachInstr *instr) {
    uint64_t size = (uint64_t)instr->imm;
    if (size > INLINE_BYTES)
        emit_string(e, size, true);
    else
        emit_copy(e, size, source_reg(instr, 1), source_reg(instr, 0));
}

// Puts the byte that fills, eight times, into a register.
static void spread_byte(Emit *e, const MachInstr *instr, MachineReg to) {
    if (instr->immediate == 1) {
        uint64_t byte = instr->high & 0xff;
        emit_constant(e, TYPE_I64, (int64_t)(byte * 0x0101010101010101), emit_reg(to));
        return;
    }
    emit_mixed(e, "movzbl", W8, emit_place(e, instr->src[1]), W32, emit_reg(to));
    emit_constant(e, TYPE_I64, 0x0101010101010101, emit_reg(M_R10));
    emit_two(e, "imul", W64, emit_reg(M_R10), emit_reg(to));
}

static void fill_vector(Emit *e, const MachInstr *instr) {
    Operand vector = emit_reg(M_XMM15);
    if (instr->immediate == 1 && (instr->high & 0xff) == 0) {
        emit_mixed(e, "xorps", W64, vector, W64, vector);
        return;
    }
    emit_mixed(e, "movq", W64, emit_reg(M_R11), W64, vector);
    emit_mixed(e, "punpcklqdq", W64, vector, W64, vector);
}

// An immediate does for pieces of less than 16 bytes if it is zero.
static void emit_memset(Emit *e, const MachInstr *instr) {
    uint64_t size = (uint64_t)instr->imm;
    if (size > INLINE_BYTES) {
        spread_byte(e, instr, M_RAX);
        emit_string(e, size, false);
        return;
    }
    bool zero = instr->immediate == 1 && (instr->high & 0xff) == 0;
    Operand word = zero ? emit_imm(0) : emit_reg(M_R11);
    if (!zero && size) spread_byte(e, instr, M_R11);
    if (size >= 16) fill_vector(e, instr);
    for (uint64_t done = 0; done < size;) {
        PieceAt piece = next_piece(size, done);
        move_piece(e, piece.size, piece.size == 16 ? emit_reg(M_XMM15) : word,
                   emit_at(source_reg(instr, 0), piece.offset));
        done = piece.offset + (uint64_t)piece.size;
    }
}

// ---- The stack

// The block lies above the arguments of calls. Its size is rounded up to 16, which keeps rsp
// aligned; a stricter alignment takes that much more.
static void emit_alloca(Emit *e, const MachInstr *instr) {
    Operand d = emit_place(e, instr->dest), size = emit_reg(M_R11), rsp = emit_reg(M_RSP);
    int64_t align = instr->imm > 16 ? instr->imm : 16;
    emit_lea(e, W64, 15 + (align > 16 ? align : 0), source_reg(instr, 0), 0, 0, M_R11);
    emit_two(e, "and", W64, emit_imm(-16), size);
    emit_two(e, "sub", W64, size, rsp);
    int64_t extra = align > 16 ? align - 1 : 0;
    emit_lea(e, W64, (int64_t)e->frame.outgoing + extra, M_RSP, 0, 0, d.reg);
    if (align > 16) emit_two(e, "and", W64, emit_imm(-align), d);
}

static void emit_va_copy(Emit *e, const MachInstr *instr) {
    emit_copy(e, 24, source_reg(instr, 1), source_reg(instr, 0));
}

void emit_builtin(Emit *e, const MachInstr *instr) {
    switch ((Builtin)instr->op) {
    case BI_MEMCPY: emit_memcpy(e, instr); break;
    case BI_MEMSET: emit_memset(e, instr); break;
    case BI_ALLOCA: emit_alloca(e, instr); break;
    case BI_STACK_SAVE: emit_two(e, "mov", W64, emit_reg(M_RSP), emit_place(e, instr->dest)); break;
    case BI_STACK_RESTORE:
        emit_two(e, "mov", W64, emit_place(e, instr->src[0]), emit_reg(M_RSP));
        break;
    case BI_VA_START: emit_va_start(e, instr); break;
    case BI_VA_ARG: emit_va_arg(e, instr); break;
    case BI_VA_COPY: emit_va_copy(e, instr); break;
    case BI_VA_END:
    case BI_SIGNAL_FENCE: break;
    case BI_VOLATILE_LOAD:
        emit_load(e, (Chunk)instr->chunk, emit_address(instr, 0), emit_place(e, instr->dest));
        break;
    case BI_VOLATILE_STORE:
        emit_store(e, (Chunk)instr->chunk, emit_source(e, instr, 0), emit_address(instr, 0));
        break;
    case BI_TRAP:
    case BI_UNREACHABLE: emit_plain(e, "ud2"); break;
    default: emit_atomic(e, instr); break;
    }
}
