// Builtins but for atomic accesses and variable arguments: copies, fills, alloca, volatile
// accesses.
#include "target/x64/code/emit.h"
#include "target/x64/model/sysv.h"

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
static PieceAt next_piece(const Emit *e, uint64_t size, uint64_t done) {
    uint64_t left = size - done;
    uint32_t largest = e->assembly->options->code.no_vectors ? 8 : 16, piece = largest;
    while (piece > left) piece /= 2;
    // A larger piece that ends where the whole does, if it does not start before it.
    uint32_t larger = piece;
    while (larger < left) larger *= 2;
    if (larger > left && larger <= largest && larger <= size)
        return (PieceAt){.size = larger, .offset = (uint32_t)(size - larger)};
    return (PieceAt){.size = piece, .offset = (uint32_t)done};
}

static void move_piece(Emit *e, uint32_t size, X64Operand from, X64Operand to) {
    static const Width widths[] = {[1] = W8, [2] = W16, [4] = W32, [8] = W64};
    if (size == 16)
        x64_mixed(e, "movups", W64, from, W64, to);
    else
        x64_two(e, "mov", widths[size], from, to);
}

static PieceAt next_word(uint64_t size, uint64_t done) {
    uint32_t piece = size % 8 == 4 ? 4 : 8;
    while (piece > size - done) piece /= 2;
    return (PieceAt){.size = piece, .offset = (uint32_t)done};
}

void x64_copy(Emit *e, uint64_t size, MachineReg from, MachineReg to) {
    for (uint64_t done = 0; done < size;) {
        PieceAt piece = size <= WORD_BYTES ? next_word(size, done) : next_piece(e, size, done);
        X64Operand through = x64_reg(piece.size == 16 ? M_XMM15 : M_R11);
        X64Operand source = x64_at(from, piece.offset), target = x64_at(to, piece.offset);
        if (piece.size < 4)
            x64_load(e, piece.size == 1 ? CHUNK_U8 : CHUNK_U16, source, through);
        else
            move_piece(e, piece.size, source, through);
        move_piece(e, piece.size, through, target);
        done = piece.offset + (uint64_t)piece.size;
    }
}

// A string instruction for all whole eightbytes, then the rest.
static void x64_string(Emit *e, uint64_t size, bool copies) {
    x64_constant(e, TYPE_I64, (int64_t)(size / 8), x64_reg(M_RCX));
    x64_plain(e, copies ? "rep movsq" : "rep stosq");
    if (size & 4) x64_plain(e, copies ? "movsl" : "stosl");
    if (size & 2) x64_plain(e, copies ? "movsw" : "stosw");
    if (size & 1) x64_plain(e, copies ? "movsb" : "stosb");
}

static void x64_memcpy(Emit *e, const MachInstr *instr) {
    uint64_t size = (uint64_t)instr->imm;
    if (size > INLINE_BYTES)
        x64_string(e, size, true);
    else
        x64_copy(e, size, source_reg(instr, 1), source_reg(instr, 0));
}

// Puts the byte that fills, eight times, into a register.
static void spread_byte(Emit *e, const MachInstr *instr, MachineReg to) {
    if (instr->immediate == 1) {
        uint64_t byte = instr->high & 0xff;
        x64_constant(e, TYPE_I64, (int64_t)(byte * 0x0101010101010101), x64_reg(to));
        return;
    }
    x64_mixed(e, "movzbl", W8, x64_place(e, instr->src[1]), W32, x64_reg(to));
    x64_constant(e, TYPE_I64, 0x0101010101010101, x64_reg(M_R10));
    x64_two(e, "imul", W64, x64_reg(M_R10), x64_reg(to));
}

static void fill_vector(Emit *e, const MachInstr *instr) {
    X64Operand vector = x64_reg(M_XMM15);
    if (instr->immediate == 1 && (instr->high & 0xff) == 0) {
        x64_mixed(e, "xorps", W64, vector, W64, vector);
        return;
    }
    x64_mixed(e, "movq", W64, x64_reg(M_R11), W64, vector);
    x64_mixed(e, "punpcklqdq", W64, vector, W64, vector);
}

// An immediate does for pieces of less than 16 bytes if it is zero.
static void x64_memset(Emit *e, const MachInstr *instr) {
    uint64_t size = (uint64_t)instr->imm;
    if (size > INLINE_BYTES) {
        spread_byte(e, instr, M_RAX);
        x64_string(e, size, false);
        return;
    }
    bool zero = instr->immediate == 1 && (instr->high & 0xff) == 0;
    X64Operand word = zero ? x64_imm(0) : x64_reg(M_R11);
    if (!zero && size) spread_byte(e, instr, M_R11);
    if (size >= 16 && !e->assembly->options->code.no_vectors) fill_vector(e, instr);
    for (uint64_t done = 0; done < size;) {
        PieceAt piece = next_piece(e, size, done);
        move_piece(e, piece.size, piece.size == 16 ? x64_reg(M_XMM15) : word,
                   x64_at(source_reg(instr, 0), piece.offset));
        done = piece.offset + (uint64_t)piece.size;
    }
}

// ---- The stack

static void x64_alloca(Emit *e, const MachInstr *instr) {
    const CodeOptions *code = &e->assembly->options->code;
    X64Alloca how = {.align = e->frame.kind == FRAME_ALIGNED ? e->frame.align : 0,
                     .outgoing = e->frame.outgoing,
                     .split = e->frame.split,
                     .probes = code->probe_stack};
    Out text = {0};
    x64_put_alloca(&text, instr, &how);
    x64_composed(e, instr, &text);
}

// Where a frame is, the address of its caller's is noted, and above that where the caller goes on.
static void x64_frame_address(Emit *e, const MachInstr *instr) {
    MachineReg to = (MachineReg)place_index(instr->dest), at = M_RBP;
    bool returns = instr->op == BI_RETURN_ADDRESS;
    if (returns && instr->imm == 0) {
        x64_two(e, "mov", W64, x64_at(e->frame.incoming_base, e->frame.incoming - 8), x64_reg(to));
        return;
    }
    if (!returns && instr->imm == 0) x64_two(e, "mov", W64, x64_reg(at), x64_reg(to));
    for (int64_t k = 0; k < instr->imm; k++, at = to)
        x64_two(e, "mov", W64, x64_at(at, 0), x64_reg(to));
    if (returns) x64_two(e, "mov", W64, x64_at(to, 8), x64_reg(to));
}

// ---- Variable arguments

static void x64_va_start(Emit *e, const MachInstr *instr) {
    const Frame *frame = &e->frame;
    VaStack stack = {.base = frame->incoming_base,
                     .at = frame->split ? frame->rest : frame->incoming,
                     .noted = frame->split};
    Out text = {0};
    x64_put_va_start(&text, convention_of(e->program, e->func->sig), &stack);
    x64_composed(e, instr, &text);
}

static void x64_va_arg(Emit *e, const MachInstr *instr) {
    Out text = {0};
    x64_put_va_arg(&text, program_ptype_info(e->program, (PType){instr->aux}));
    x64_composed(e, instr, &text);
}

static void x64_va_copy(Emit *e, const MachInstr *instr) {
    x64_copy(e, VA_LIST_SIZE, source_reg(instr, 1), source_reg(instr, 0));
}

void x64_builtin(Emit *e, const MachInstr *instr) {
    switch ((Builtin)instr->op) {
    case BI_MEMCPY: x64_memcpy(e, instr); break;
    case BI_MEMSET: x64_memset(e, instr); break;
    case BI_ALLOCA: x64_alloca(e, instr); break;
    case BI_FRAME_ADDRESS:
    case BI_RETURN_ADDRESS: x64_frame_address(e, instr); break;
    case BI_VA_START: x64_va_start(e, instr); break;
    case BI_VA_ARG: x64_va_arg(e, instr); break;
    case BI_VA_COPY: x64_va_copy(e, instr); break;
    case BI_ASM:
    case BI_ASM_ALONE: x64_inline_asm(e, instr); break;
#define BUILT(name, text) case BI_##name:
#include "target/x64/model/sequences.def"
        x64_row(e, instr, x64_text(instr));
        break;
    case BI_COUNT: break;
    }
}
