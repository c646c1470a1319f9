// Integer operators, one function per shape of x64.def.
//
// Most x86 instructions write their result over their first operand. Where the result is elsewhere,
// the operand is copied first, or lea is used, which does not mind.
#include "target/x64/code/emit.h"

typedef struct {
    Op op;
    Width width;
    const char *mnemonic;
    Operand d, a, b; // result and sources; b only if there is one
} Parts;

static Parts parts_of(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    Parts p = {.op = op,
               .width = asm_width(op_info(op)->result),
               .mnemonic = x64_table[op].mnemonic,
               .d = asm_place(e, instr->dest),
               .a = asm_source(e, instr, 0)};
    if (op_info(op)->arity > 1) p.b = asm_source(e, instr, 1);
    if (asm_is_imm(p.b) && p.width == W32) p.b.number = (int32_t)p.b.number;
    return p;
}

static Type integer_type(Width width) {
    return width == W64 ? TYPE_I64 : TYPE_I32;
}

// A spill holds eight bytes. Where the low half of a result does not depend on the upper halves of
// the operands, all of it is written, so that it can be read back in one piece.
static Width spill_width(const Parts *p) {
    switch (p->op) {
    case OP_ADD_I32:
    case OP_SUB_I32:
    case OP_AND_I32:
    case OP_OR_I32:
    case OP_XOR_I32:
    case OP_SHL_I32:
    case OP_NEG_I32:
    case OP_NOT_I32: return asm_is_memory(p->b) ? p->width : W64;
    default: return p->width;
    }
}

// ---- Sums, bits

static bool is_add(Op op) {
    return op_family(op) == FAM_ADD;
}
static bool is_sub(Op op) {
    return op_family(op) == FAM_SUB;
}
static bool is_and(Op op) {
    return op_family(op) == FAM_AND;
}
static bool is_logic(Op op) {
    OpFamily family = op_family(op);
    return family == FAM_AND || family == FAM_OR || family == FAM_XOR;
}

// Sums with a result of their own by lea.
static bool binary_as_lea(Emit *e, const Parts *p) {
    if (!asm_is_reg(p->d) || !asm_is_reg(p->a) || asm_same(p->d, p->a)) return false;
    if (asm_is_imm(p->b) && (is_add(p->op) || (is_sub(p->op) && p->b.number != INT32_MIN))) {
        int64_t displacement = is_add(p->op) ? p->b.number : -p->b.number;
        asm_lea(e, p->width, displacement, p->a.reg, 0, 0, p->d.reg);
        return true;
    }
    if (!is_add(p->op) || !asm_is_reg(p->b) || asm_same(p->d, p->b)) return false;
    asm_lea(e, p->width, 0, p->a.reg, p->b.reg, 1, p->d.reg);
    return true;
}

// A mask of the low byte or half-word is an extension.
static bool binary_as_extension(Emit *e, const Parts *p) {
    if (!is_and(p->op) || !asm_is_imm(p->b) || !asm_is_general(p->d)) return false;
    if (p->b.number == UINT8_MAX)
        asm_mixed(e, "movzbl", W8, p->a, W32, p->d);
    else if (p->b.number == UINT16_MAX)
        asm_mixed(e, "movzwl", W16, p->a, W32, p->d);
    else
        return false;
    return true;
}

static void asm_binary(Emit *e, const MachInstr *instr) {
    Parts p = parts_of(e, instr);
    if (binary_as_lea(e, &p) || binary_as_extension(e, &p)) return;
    if (asm_same(p.d, p.b) && !asm_same(p.d, p.a)) {
        assert(op_info(p.op)->flags & OPF_COMM);
        p.b = p.a;
    } else {
        asm_move(e, integer_type(p.width), p.a, p.d);
    }
    const char *mnemonic = p.mnemonic;
    // 128 is one more than a byte holds, -128 is not.
    if (asm_is_imm(p.b) && p.b.number == 128 && (is_add(p.op) || is_sub(p.op))) {
        p.b.number = -128;
        mnemonic = is_add(p.op) ? "sub" : "add";
    }
    Width width = asm_is_memory(p.d) ? spill_width(&p) : p.width;
    bool mask = is_and(p.op) && asm_is_imm(p.b) && p.b.number >= 0 && asm_is_reg(p.d);
    asm_two(e, mnemonic, mask ? W32 : width, p.b, p.d);
    asm_note_flags(e, p.d, p.width, is_logic(p.op));
}

static void asm_reverse(Emit *e, const MachInstr *instr) {
    Parts p = parts_of(e, instr);
    asm_move(e, integer_type(p.width), p.a, p.d);
    if (p.op == OP_BSWAP_I16) {
        asm_two(e, p.mnemonic, W16, asm_imm(8), p.d);
        asm_mixed(e, "movzwl", W16, p.d, W32, p.d);
    } else {
        asm_one(e, p.mnemonic, p.width, p.d);
    }
}

static void asm_unary(Emit *e, const MachInstr *instr) {
    Parts p = parts_of(e, instr);
    asm_move(e, integer_type(p.width), p.a, p.d);
    asm_one(e, p.mnemonic, asm_is_memory(p.d) ? spill_width(&p) : p.width, p.d);
    if (op_family(p.op) == FAM_NEG) asm_note_flags(e, p.d, p.width, false);
}

// ---- Shifts

static void asm_shift(Emit *e, const MachInstr *instr) {
    Parts p = parts_of(e, instr);
    if (!asm_is_imm(p.b)) {
        asm_move(e, integer_type(p.width), p.a, p.d);
        asm_shift_by(e, p.mnemonic, p.width, p.b, p.d);
        return;
    }
    int64_t count = p.b.number & (p.width == W64 ? 63 : 31);
    bool left = op_family(p.op) == FAM_SHL;
    if (left && count >= 1 && count <= 3 && asm_is_reg(p.a) && asm_is_reg(p.d) &&
        !asm_same(p.a, p.d)) {
        // With a base the encoding is shorter than with an index alone.
        if (count == 1)
            asm_lea(e, p.width, 0, p.a.reg, p.a.reg, 1, p.d.reg);
        else
            asm_lea(e, p.width, 0, MACHINE_COUNT, p.a.reg, 1u << count, p.d.reg);
        return;
    }
    asm_move(e, integer_type(p.width), p.a, p.d);
    if (count == 0) return;
    if (left && count == 1 && asm_is_reg(p.d))
        asm_two(e, "add", p.width, p.d, p.d);
    else
        asm_two(e, p.mnemonic, asm_is_memory(p.d) ? spill_width(&p) : p.width, asm_imm(count), p.d);
    bool rotates = op_family(p.op) == FAM_ROTL || op_family(p.op) == FAM_ROTR;
    if (!rotates) asm_note_flags(e, p.d, p.width, false);
}

// ---- Products and quotients

static bool multiply_as_lea(Emit *e, const Parts *p) {
    int64_t factor = p->b.number;
    if (!asm_is_reg(p->a) || (factor != 3 && factor != 5 && factor != 9)) return false;
    asm_lea(e, p->width, 0, p->a.reg, p->a.reg, (uint32_t)factor - 1, p->d.reg);
    return true;
}

static void asm_multiply(Emit *e, const MachInstr *instr) {
    Parts p = parts_of(e, instr);
    if (asm_is_imm(p.b)) {
        if (!multiply_as_lea(e, &p)) asm_three(e, "imul", p.width, p.b.number, p.a, p.d);
        return;
    }
    if (asm_same(p.d, p.b) && !asm_same(p.d, p.a))
        p.b = p.a;
    else
        asm_move(e, integer_type(p.width), p.a, p.d);
    asm_two(e, "imul", p.width, p.b, p.d);
}

static void asm_divide(Emit *e, const MachInstr *instr) {
    Parts p = parts_of(e, instr);
    bool is_signed = p.mnemonic[0] == 'i';
    if (!is_signed)
        asm_two(e, "xor", W32, asm_reg(M_RDX), asm_reg(M_RDX));
    else
        asm_plain(e, p.width == W64 ? "cqto" : "cltd");
    asm_one(e, p.mnemonic, p.width, p.b);
}

// ---- Counting bits

// The usual sums of ever wider fields, the last of them by a product.
static void asm_popcount(Emit *e, const MachInstr *instr) {
    static const int64_t masks[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                    0x0101010101010101};
    Parts p = parts_of(e, instr);
    Operand d = p.d, r10 = asm_reg(M_R10), r11 = asm_reg(M_R11);
    Type type = integer_type(p.width);
    Width w = p.width;
    int64_t keep = w == W64 ? -1 : 0x7fffffff;
    asm_move(e, type, p.a, d);
    asm_constant(e, type, masks[0] & keep, r10);
    asm_move(e, type, d, r11);
    asm_two(e, "shr", w, asm_imm(1), r11);
    asm_two(e, "and", w, r10, r11);
    asm_two(e, "sub", w, r11, d);
    asm_constant(e, type, masks[1] & keep, r10);
    asm_move(e, type, d, r11);
    asm_two(e, "shr", w, asm_imm(2), r11);
    asm_two(e, "and", w, r10, r11);
    asm_two(e, "and", w, r10, d);
    asm_two(e, "add", w, r11, d);
    asm_move(e, type, d, r11);
    asm_two(e, "shr", w, asm_imm(4), r11);
    asm_two(e, "add", w, r11, d);
    asm_constant(e, type, masks[2] & keep, r10);
    asm_two(e, "and", w, r10, d);
    asm_constant(e, type, masks[3] & keep, r10);
    asm_two(e, "imul", w, r10, d);
    asm_two(e, "shr", w, asm_imm(w == W64 ? 56 : 24), d);
}

// bsf and bsr leave their result alone if the operand is zero: what stands there before is the
// answer for zero.
static void asm_count(Emit *e, const MachInstr *instr) {
    Parts p = parts_of(e, instr);
    bool leading = op_family(p.op) == FAM_CLZ;
    int64_t bits = p.width == W64 ? 64 : 32;
    asm_constant(e, TYPE_I32, leading ? 2 * bits - 1 : bits, p.d);
    asm_two(e, p.mnemonic, p.width, p.a, p.d);
    if (leading) asm_two(e, "xor", W32, asm_imm(bits - 1), p.d);
}

// ---- Widths

static bool chunk_is_unsigned(Chunk chunk) {
    return chunk == CHUNK_U8 || chunk == CHUNK_U16;
}

// From memory the chunk is extended first, to 32 bits: often both are one instruction.
static void asm_extend_memory(Emit *e, const MachInstr *instr, Operand from, Operand d) {
    Chunk chunk = (Chunk)instr->chunk;
    uint32_t size = chunk_size(chunk);
    bool zero = chunk_is_unsigned(chunk);
    switch (instr->op) {
    case OP_SEXT8_I32: asm_load(e, CHUNK_I8, from, d); break;
    case OP_ZEXT8_I32: asm_load(e, CHUNK_U8, from, d); break;
    case OP_SEXT16_I32: asm_load(e, size == 1 ? chunk : CHUNK_I16, from, d); break;
    case OP_ZEXT16_I32:
        asm_load(e, size == 1 ? chunk : CHUNK_U16, from, d);
        if (chunk == CHUNK_I8) asm_mixed(e, "movzwl", W16, d, W32, d);
        break;
    case OP_SEXT_I64:
        if (zero)
            asm_load(e, chunk, from, d);
        else if (size == 4)
            asm_mixed(e, "movslq", W32, from, W64, d);
        else
            asm_mixed(e, size == 1 ? "movsbq" : "movswq", size == 1 ? W8 : W16, from, W64, d);
        break;
    case OP_ZEXT_I64: asm_load(e, chunk, from, d); break;
    case OP_TRUNC_I32: asm_load(e, CHUNK_I32, from, d); break;
    default: assert(!"no extension"); break;
    }
}

static void asm_extend(Emit *e, const MachInstr *instr) {
    Operand d = asm_place(e, instr->dest), a = asm_source(e, instr, 0);
    if (instr->memory == 0) {
        asm_extend_memory(e, instr, a, d);
        return;
    }
    switch (instr->op) {
    case OP_SEXT8_I32: asm_mixed(e, "movsbl", W8, a, W32, d); break;
    case OP_SEXT16_I32: asm_mixed(e, "movswl", W16, a, W32, d); break;
    case OP_ZEXT8_I32: asm_mixed(e, "movzbl", W8, a, W32, d); break;
    case OP_ZEXT16_I32: asm_mixed(e, "movzwl", W16, a, W32, d); break;
    case OP_SEXT_I64:
        if (asm_same(a, asm_reg(M_RAX)) && asm_same(d, a))
            asm_plain(e, "cltq");
        else
            asm_mixed(e, "movslq", W32, a, W64, d);
        break;
    case OP_ZEXT_I64:
        if (!asm_same(a, d) || !(e->short_regs & MACHINE_BIT(a.reg))) asm_two(e, "mov", W32, a, d);
        break;
    case OP_TRUNC_I32: asm_move(e, asm_is_memory(d) ? TYPE_I64 : TYPE_I32, a, d); break;
    default: assert(!"no extension"); break;
    }
}

// ---- Constants, addresses, copies

static void add_displacement(Emit *e, int64_t displacement, Operand d) {
    if (displacement == 0) return;
    bool fits = displacement >= INT32_MIN && displacement <= INT32_MAX;
    // There is no scratch register for a large one: it comes from memory.
    asm_two(e, "add", W64, fits ? asm_imm(displacement) : asm_pool(e, 8, (uint64_t)displacement, 0),
            d);
}

// The offset is a part of the symbolic address as long as that surely fits 32 bits.
static void asm_symbol_address(Emit *e, Sym symbol, int64_t displacement, MachineReg to) {
    Operand d = asm_reg(to);
    if (mach_symbol_is_near(e->program, symbol)) {
        bool fits = displacement >= -(1 << 20) && displacement < 1 << 20;
        int64_t offset = fits ? displacement : 0;
        if (e->program->pic == PIC_NONE)
            asm_symbol(e, "movl $", symbol, offset, "", W32, d);
        else
            asm_symbol(e, "leaq ", symbol, offset, "(%rip)", W64, d);
        if (!fits) add_displacement(e, displacement, d);
        return;
    }
    bool thread = program_at(e->program, symbol)->flags & SYMF_THREAD;
    asm_symbol(e, "movq ", symbol, 0, thread ? "@GOTTPOFF(%rip)" : "@GOTPCREL(%rip)", W64, d);
    if (thread) asm_full(e, "addq %fs:0,", W64, d);
    add_displacement(e, displacement, d);
}

static void asm_address_op(Emit *e, const MachInstr *instr) {
    Operand d = asm_place(e, instr->dest);
    if (instr->op == OP_ADDR_SYMBOL) {
        asm_symbol_address(e, (Sym){instr->ref}, instr->imm, d.reg);
        return;
    }
    asm_lea(e, W64, e->frame.slots[instr->ref], e->frame.base, 0, 0, d.reg);
    add_displacement(e, instr->imm, d);
}

static void asm_copy_op(Emit *e, const MachInstr *instr) {
    Operand d = asm_place(e, instr->dest), a = asm_source(e, instr, 0);
    Type type = op_info((Op)instr->op)->result;
    // A spill is written whole, so that it can be read back in one piece.
    if (asm_is_memory(d) && type == TYPE_I32) type = TYPE_I64;
    if (asm_is_memory(d) && type == TYPE_F32) type = TYPE_F64;
    asm_move(e, type, a, d);
}

// Between the two kinds of registers; a spill is the same to both.
static void asm_bits(Emit *e, const MachInstr *instr) {
    const OpInfo *op = op_info((Op)instr->op);
    Operand d = asm_place(e, instr->dest), a = asm_source(e, instr, 0);
    bool narrow = op->result == TYPE_I32 || op->result == TYPE_F32;
    bool vector = asm_is_vector(a) || asm_is_vector(d);
    if (asm_is_memory(d)) narrow = false;
    if (vector)
        asm_move(e, narrow ? TYPE_F32 : TYPE_F64, a, d);
    else
        asm_move(e, narrow ? TYPE_I32 : TYPE_I64, a, d);
}

void asm_op(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    switch (x64_shape(op)) {
    case X64_NO_SHAPE: assert(!"an operator without a shape"); break;
    case X64_CONSTANT:
        asm_constant(e, op_info(op)->result, instr->imm, asm_place(e, instr->dest));
        break;
    case X64_ADDRESS: asm_address_op(e, instr); break;
    case X64_COPY: asm_copy_op(e, instr); break;
    case X64_BINARY: asm_binary(e, instr); break;
    case X64_MULTIPLY: asm_multiply(e, instr); break;
    case X64_SHIFT: asm_shift(e, instr); break;
    case X64_HIGH:
        asm_one(e, x64_table[op].mnemonic, asm_width(op_info(op)->result), asm_source(e, instr, 1));
        break;
    case X64_DIVIDE:
    case X64_REMAINDER: asm_divide(e, instr); break;
    case X64_UNARY: asm_unary(e, instr); break;
    case X64_REVERSE: asm_reverse(e, instr); break;
    case X64_EXTEND:
    case X64_TRUNCATE: asm_extend(e, instr); break;
    case X64_COUNT: asm_count(e, instr); break;
    case X64_POPCOUNT: asm_popcount(e, instr); break;
    case X64_COMPARE:
    case X64_FCOMPARE: asm_set(e, instr); break;
    case X64_BITS: asm_bits(e, instr); break;
    case X64_X87: asm_x87(e, instr); break;
    case X64_CHOOSE: asm_choose(e, instr); break;
    case X64_FLOAT:
    case X64_SIGN:
    case X64_ROOT:
    case X64_CONVERT:
    case X64_FROM_INT:
    case X64_FROM_WIDE:
    case X64_TO_INT:
    case X64_TO_WIDE: asm_float(e, instr); break;
    }
}

// Only the low bits of a narrow chunk matter, so the operation is done in its width.
void asm_update(Emit *e, const MachInstr *instr) {
    static const Width widths[] = {[1] = W8, [2] = W16, [4] = W32, [8] = W64};
    Op op = (Op)instr->op;
    Width width = widths[chunk_size((Chunk)instr->chunk)];
    Operand to = asm_address(instr, 0);
    if (op_info(op)->arity == 1) {
        asm_one(e, x64_table[op].mnemonic, width, to);
        return;
    }
    Operand from = asm_source(e, instr, 1);
    if (x64_shape(op) == X64_SHIFT) {
        if (asm_is_imm(from)) from.number &= width == W64 ? 63 : 31;
        asm_shift_by(e, x64_table[op].mnemonic, width, from, to);
        return;
    }
    if (asm_is_imm(from) && width == W8) from.number = (int8_t)from.number;
    if (asm_is_imm(from) && width == W16) from.number = (int16_t)from.number;
    if (asm_is_imm(from) && width == W32) from.number = (int32_t)from.number;
    asm_two(e, x64_table[op].mnemonic, width, from, to);
}
