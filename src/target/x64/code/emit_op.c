// Integer operators, one function per shape of x64.def.
//
// Most x86 instructions write their result over their first operand. Where the result is elsewhere,
// the operand is copied first, or lea is used, which does not mind.
#include "target/x64/code/emit.h"

typedef struct {
    Op op;
    Width width;
    const char *mnemonic;
    X64Operand d, a, b; // result and sources; b only if there is one
} OpParts;

static OpParts parts_of(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    OpParts p = {.op = op,
                 .width = x64_width(op_info(op)->result),
                 .mnemonic = x64_table[op].mnemonic,
                 .d = x64_place(e, instr->dest),
                 .a = x64_source(e, instr, 0)};
    if (op_info(op)->arity > 1) p.b = x64_source(e, instr, 1);
    if (x64_is_imm(p.b) && p.width == W32) p.b.number = (int32_t)p.b.number;
    return p;
}

static Type integer_type(Width width) {
    return width == W64 ? TYPE_I64 : TYPE_I32;
}

// A spill holds eight bytes. Where the low half of a result does not depend on the upper halves of
// the operands, all of it is written, so that it can be read back in one piece.
static Width spill_width(const OpParts *p) {
    switch (p->op) {
    case OP_ADD_I32:
    case OP_SUB_I32:
    case OP_AND_I32:
    case OP_OR_I32:
    case OP_XOR_I32:
    case OP_SHL_I32:
    case OP_NEG_I32:
    case OP_NOT_I32: return x64_is_memory(p->b) ? p->width : W64;
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
static bool binary_as_lea(Emit *e, const OpParts *p) {
    if (!x64_is_reg(p->d) || !x64_is_reg(p->a) || x64_same(p->d, p->a)) return false;
    if (x64_is_imm(p->b) && (is_add(p->op) || (is_sub(p->op) && p->b.number != INT32_MIN))) {
        int64_t displacement = is_add(p->op) ? p->b.number : -p->b.number;
        x64_lea(e, p->width, displacement, p->a.reg, 0, 0, p->d.reg);
        return true;
    }
    if (!is_add(p->op) || !x64_is_reg(p->b) || x64_same(p->d, p->b)) return false;
    x64_lea(e, p->width, 0, p->a.reg, p->b.reg, 1, p->d.reg);
    return true;
}

// A mask of the low byte or half-word is an extension.
static bool binary_as_extension(Emit *e, const OpParts *p) {
    if (!is_and(p->op) || !x64_is_imm(p->b) || !x64_is_general(p->d)) return false;
    if (p->b.number == UINT8_MAX)
        x64_mixed(e, "movzbl", W8, p->a, W32, p->d);
    else if (p->b.number == UINT16_MAX)
        x64_mixed(e, "movzwl", W16, p->a, W32, p->d);
    else
        return false;
    return true;
}

static void x64_binary(Emit *e, const MachInstr *instr) {
    OpParts p = parts_of(e, instr);
    if (!instr->checked && (binary_as_lea(e, &p) || binary_as_extension(e, &p))) return;
    if (x64_same(p.d, p.b) && !x64_same(p.d, p.a)) {
        assert(op_info(p.op)->flags & OPF_COMM);
        p.b = p.a;
    } else {
        x64_move(e, integer_type(p.width), p.a, p.d);
    }
    const char *mnemonic = p.mnemonic;
    // 128 is one more than a byte holds, -128 is not.
    if (x64_is_imm(p.b) && p.b.number == 128 && (is_add(p.op) || is_sub(p.op))) {
        p.b.number = -128;
        mnemonic = is_add(p.op) ? "sub" : "add";
    }
    Width width = x64_is_memory(p.d) && !instr->checked ? spill_width(&p) : p.width;
    bool mask = is_and(p.op) && x64_is_imm(p.b) && p.b.number >= 0 && x64_is_reg(p.d);
    x64_two(e, mnemonic, mask ? W32 : width, p.b, p.d);
    x64_note_flags(e, p.d, p.width, is_logic(p.op));
}

static void x64_reverse(Emit *e, const MachInstr *instr) {
    OpParts p = parts_of(e, instr);
    x64_move(e, integer_type(p.width), p.a, p.d);
    if (p.op == OP_BSWAP_I16) {
        x64_two(e, p.mnemonic, W16, x64_imm(8), p.d);
        x64_mixed(e, "movzwl", W16, p.d, W32, p.d);
    } else {
        x64_one(e, p.mnemonic, p.width, p.d);
    }
}

static void x64_unary(Emit *e, const MachInstr *instr) {
    OpParts p = parts_of(e, instr);
    x64_move(e, integer_type(p.width), p.a, p.d);
    x64_one(e, p.mnemonic, x64_is_memory(p.d) ? spill_width(&p) : p.width, p.d);
    if (op_family(p.op) == FAM_NEG) x64_note_flags(e, p.d, p.width, false);
}

// ---- Shifts

static void x64_shift(Emit *e, const MachInstr *instr) {
    OpParts p = parts_of(e, instr);
    if (!x64_is_imm(p.b)) {
        x64_move(e, integer_type(p.width), p.a, p.d);
        x64_shift_by(e, p.mnemonic, p.width, p.b, p.d);
        return;
    }
    int64_t count = p.b.number & (p.width == W64 ? 63 : 31);
    bool left = op_family(p.op) == FAM_SHL;
    if (left && count >= 1 && count <= 3 && x64_is_reg(p.a) && x64_is_reg(p.d) &&
        !x64_same(p.a, p.d)) {
        // With a base the encoding is shorter than with an index alone.
        if (count == 1)
            x64_lea(e, p.width, 0, p.a.reg, p.a.reg, 1, p.d.reg);
        else
            x64_lea(e, p.width, 0, MACHINE_REG_COUNT, p.a.reg, 1u << count, p.d.reg);
        return;
    }
    x64_move(e, integer_type(p.width), p.a, p.d);
    if (count == 0) return;
    if (left && count == 1 && x64_is_reg(p.d))
        x64_two(e, "add", p.width, p.d, p.d);
    else
        x64_two(e, p.mnemonic, x64_is_memory(p.d) ? spill_width(&p) : p.width, x64_imm(count), p.d);
    bool rotates = op_family(p.op) == FAM_ROTL || op_family(p.op) == FAM_ROTR;
    if (!rotates) x64_note_flags(e, p.d, p.width, false);
}

// ---- Products and quotients

static bool multiply_as_lea(Emit *e, const OpParts *p) {
    int64_t factor = p->b.number;
    if (!x64_is_reg(p->a) || (factor != 3 && factor != 5 && factor != 9)) return false;
    x64_lea(e, p->width, 0, p->a.reg, p->a.reg, (uint32_t)factor - 1, p->d.reg);
    return true;
}

static void x64_multiply(Emit *e, const MachInstr *instr) {
    OpParts p = parts_of(e, instr);
    if (x64_is_imm(p.b)) {
        if (instr->checked || !multiply_as_lea(e, &p))
            x64_three(e, "imul", p.width, p.b.number, p.a, p.d);
        return;
    }
    if (x64_same(p.d, p.b) && !x64_same(p.d, p.a))
        p.b = p.a;
    else
        x64_move(e, integer_type(p.width), p.a, p.d);
    x64_two(e, "imul", p.width, p.b, p.d);
}

static void x64_divide(Emit *e, const MachInstr *instr) {
    OpParts p = parts_of(e, instr);
    bool is_signed = p.mnemonic[0] == 'i';
    if (!is_signed)
        x64_two(e, "xor", W32, x64_reg(M_RDX), x64_reg(M_RDX));
    else
        x64_plain(e, p.width == W64 ? "cqto" : "cltd");
    x64_one(e, p.mnemonic, p.width, p.b);
}

// ---- Counting bits

// The usual sums of ever wider fields, the last of them by a product.
static void x64_popcount(Emit *e, const MachInstr *instr) {
    static const int64_t masks[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                    0x0101010101010101};
    OpParts p = parts_of(e, instr);
    X64Operand d = p.d, r10 = x64_reg(M_R10), r11 = x64_reg(M_R11);
    Type type = integer_type(p.width);
    Width w = p.width;
    int64_t keep = w == W64 ? -1 : 0x7fffffff;
    x64_move(e, type, p.a, d);
    x64_constant(e, type, masks[0] & keep, r10);
    x64_move(e, type, d, r11);
    x64_two(e, "shr", w, x64_imm(1), r11);
    x64_two(e, "and", w, r10, r11);
    x64_two(e, "sub", w, r11, d);
    x64_constant(e, type, masks[1] & keep, r10);
    x64_move(e, type, d, r11);
    x64_two(e, "shr", w, x64_imm(2), r11);
    x64_two(e, "and", w, r10, r11);
    x64_two(e, "and", w, r10, d);
    x64_two(e, "add", w, r11, d);
    x64_move(e, type, d, r11);
    x64_two(e, "shr", w, x64_imm(4), r11);
    x64_two(e, "add", w, r11, d);
    x64_constant(e, type, masks[2] & keep, r10);
    x64_two(e, "and", w, r10, d);
    x64_constant(e, type, masks[3] & keep, r10);
    x64_two(e, "imul", w, r10, d);
    x64_two(e, "shr", w, x64_imm(w == W64 ? 56 : 24), d);
}

// bsf and bsr leave their result alone if the operand is zero: what stands there before is the
// answer for zero.
static void x64_count(Emit *e, const MachInstr *instr) {
    OpParts p = parts_of(e, instr);
    bool leading = op_family(p.op) == FAM_CLZ;
    int64_t bits = p.width == W64 ? 64 : 32;
    x64_constant(e, TYPE_I32, leading ? 2 * bits - 1 : bits, p.d);
    x64_two(e, p.mnemonic, p.width, p.a, p.d);
    if (leading) x64_two(e, "xor", W32, x64_imm(bits - 1), p.d);
}

// ---- Widths

static bool chunk_is_unsigned(Chunk chunk) {
    return chunk == CHUNK_U8 || chunk == CHUNK_U16;
}

// From memory the chunk is extended first, to 32 bits: often both are one instruction.
static void x64_extend_memory(Emit *e, const MachInstr *instr, X64Operand from, X64Operand d) {
    Chunk chunk = (Chunk)instr->chunk;
    uint32_t size = chunk_size(chunk);
    bool zero = chunk_is_unsigned(chunk);
    switch (instr->op) {
    case OP_SEXT8_I32: x64_load(e, CHUNK_I8, from, d); break;
    case OP_ZEXT8_I32: x64_load(e, CHUNK_U8, from, d); break;
    case OP_SEXT16_I32: x64_load(e, size == 1 ? chunk : CHUNK_I16, from, d); break;
    case OP_ZEXT16_I32:
        x64_load(e, size == 1 ? chunk : CHUNK_U16, from, d);
        if (chunk == CHUNK_I8) x64_mixed(e, "movzwl", W16, d, W32, d);
        break;
    case OP_SEXT_I64:
        if (zero)
            x64_load(e, chunk, from, d);
        else if (size == 4)
            x64_mixed(e, "movslq", W32, from, W64, d);
        else
            x64_mixed(e, size == 1 ? "movsbq" : "movswq", size == 1 ? W8 : W16, from, W64, d);
        break;
    case OP_ZEXT_I64: x64_load(e, chunk, from, d); break;
    case OP_TRUNC_I32: x64_load(e, CHUNK_I32, from, d); break;
    default: assert(false && "no extension"); break;
    }
}

static void x64_extend(Emit *e, const MachInstr *instr) {
    X64Operand d = x64_place(e, instr->dest), a = x64_source(e, instr, 0);
    if (instr->memory == 0) {
        x64_extend_memory(e, instr, a, d);
        return;
    }
    switch (instr->op) {
    case OP_SEXT8_I32: x64_mixed(e, "movsbl", W8, a, W32, d); break;
    case OP_SEXT16_I32: x64_mixed(e, "movswl", W16, a, W32, d); break;
    case OP_ZEXT8_I32: x64_mixed(e, "movzbl", W8, a, W32, d); break;
    case OP_ZEXT16_I32: x64_mixed(e, "movzwl", W16, a, W32, d); break;
    case OP_SEXT_I64:
        if (x64_same(a, x64_reg(M_RAX)) && x64_same(d, a))
            x64_plain(e, "cltq");
        else
            x64_mixed(e, "movslq", W32, a, W64, d);
        break;
    case OP_ZEXT_I64:
        if (!x64_same(a, d) || !(e->short_regs & MACHINE_REG_BIT(a.reg)))
            x64_two(e, "mov", W32, a, d);
        break;
    case OP_TRUNC_I32: x64_move(e, x64_is_memory(d) ? TYPE_I64 : TYPE_I32, a, d); break;
    default: assert(false && "no extension"); break;
    }
}

// ---- Constants, addresses, copies

static void add_displacement(Emit *e, int64_t displacement, X64Operand d) {
    if (displacement == 0) return;
    bool fits = displacement >= INT32_MIN && displacement <= INT32_MAX;
    // There is no scratch register for a large one: it comes from memory.
    x64_two(e, "add", W64, fits ? x64_imm(displacement) : x64_pool(e, 8, (uint64_t)displacement, 0),
            d);
}

// The offset is a part of the symbolic address as long as that surely fits 32 bits.
static void x64_symbol_address(Emit *e, Sym symbol, int64_t displacement, MachineReg to) {
    X64Operand d = x64_reg(to);
    if (mach_symbol_is_near(e->program, symbol)) {
        bool fits = displacement >= -(1 << 20) && displacement < 1 << 20;
        int64_t offset = fits ? displacement : 0;
        if (e->assembly->options->code.far_below)
            x64_symbol(e, "movq $", symbol, offset, "", W64, d);
        else if (e->program->pic == PIC_NONE)
            x64_symbol(e, "movl $", symbol, offset, "", W32, d);
        else
            x64_symbol(e, "leaq ", symbol, offset, "(%rip)", W64, d);
        if (!fits) add_displacement(e, displacement, d);
        return;
    }
    bool thread = program_at(e->program, symbol)->flags & SYMF_THREAD;
    x64_symbol(e, "movq ", symbol, 0, thread ? "@GOTTPOFF(%rip)" : "@GOTPCREL(%rip)", W64, d);
    if (thread) x64_full(e, "addq %fs:0,", W64, d);
    add_displacement(e, displacement, d);
}

// The bytes that do nothing make room for what the linker writes in place of the call if it makes a
// program of this.
static void x64_ask_for_address(Emit *e, Sym symbol) {
    x64_plain(e, ".byte 0x66");
    x64_symbol(e, "leaq ", symbol, 0, "@tlsgd(%rip)", W64, x64_reg(M_RDI));
    x64_plain(e, ".value 0x6666\n\trex64\n\tcall __tls_get_addr@PLT");
}

static void x64_address_op(Emit *e, const MachInstr *instr) {
    X64Operand d = x64_place(e, instr->dest);
    if (mach_asks_for_address(e->program, instr)) {
        x64_ask_for_address(e, (Sym){instr->ref});
        add_displacement(e, instr->imm, d);
        return;
    }
    if (instr->op == OP_ADDR_SYMBOL) {
        x64_symbol_address(e, (Sym){instr->ref}, instr->imm, d.reg);
        return;
    }
    x64_lea(e, W64, e->frame.slots[instr->ref], e->frame.base, 0, 0, d.reg);
    add_displacement(e, instr->imm, d);
}

static void x64_copy_op(Emit *e, const MachInstr *instr) {
    X64Operand d = x64_place(e, instr->dest), a = x64_source(e, instr, 0);
    Type type = op_info((Op)instr->op)->result;
    // A spill is written whole, so that it can be read back in one piece.
    if (x64_is_memory(d) && type == TYPE_I32) type = TYPE_I64;
    if (x64_is_memory(d) && type == TYPE_F32) type = TYPE_F64;
    x64_move(e, type, a, d);
}

// Between the two kinds of registers; a spill is the same to both.
static void x64_bits(Emit *e, const MachInstr *instr) {
    const OpInfo *op = op_info((Op)instr->op);
    X64Operand d = x64_place(e, instr->dest), a = x64_source(e, instr, 0);
    bool narrow = op->result == TYPE_I32 || op->result == TYPE_F32;
    bool vector = x64_is_vector(a) || x64_is_vector(d);
    if (x64_is_memory(d)) narrow = false;
    if (vector)
        x64_move(e, narrow ? TYPE_F32 : TYPE_F64, a, d);
    else
        x64_move(e, narrow ? TYPE_I32 : TYPE_I64, a, d);
}

static void trap_on_overflow(Emit *e, const MachInstr *instr) {
    if (instr->checked) x64_jump(e, "jo", x64_trap_label(e));
}

void x64_op(Emit *e, const MachInstr *instr) {
    Op op = (Op)instr->op;
    switch (x64_shape(op)) {
    case X64_NO_SHAPE: assert(false && "an operator without a shape"); break;
    case X64_CONSTANT:
        x64_constant(e, op_info(op)->result, instr->imm, x64_place(e, instr->dest));
        break;
    case X64_ADDRESS: x64_address_op(e, instr); break;
    case X64_COPY: x64_copy_op(e, instr); break;
    case X64_BINARY:
        x64_binary(e, instr);
        trap_on_overflow(e, instr);
        break;
    case X64_MULTIPLY:
        x64_multiply(e, instr);
        trap_on_overflow(e, instr);
        break;
    case X64_SHIFT: x64_shift(e, instr); break;
    case X64_HIGH:
        x64_one(e, x64_table[op].mnemonic, x64_width(op_info(op)->result), x64_source(e, instr, 1));
        break;
    case X64_DIVIDE:
    case X64_REMAINDER: x64_divide(e, instr); break;
    case X64_UNARY: x64_unary(e, instr); break;
    case X64_REVERSE: x64_reverse(e, instr); break;
    case X64_EXTEND:
    case X64_TRUNCATE: x64_extend(e, instr); break;
    case X64_COUNT: x64_count(e, instr); break;
    case X64_POPCOUNT: x64_popcount(e, instr); break;
    case X64_COMPARE:
    case X64_OVERFLOW:
    case X64_FCOMPARE: x64_set(e, instr); break;
    case X64_BITS: x64_bits(e, instr); break;
    case X64_X87: x64_x87(e, instr); break;
    case X64_CHOOSE: x64_choose(e, instr); break;
    case X64_FLOAT:
    case X64_SIGN:
    case X64_ROOT:
    case X64_CONVERT:
    case X64_FROM_INT:
    case X64_FROM_WIDE:
    case X64_TO_INT:
    case X64_TO_WIDE: x64_float(e, instr); break;
    }
}

// Only the low bits of a narrow chunk matter, so the operation is done in its width.
void x64_update(Emit *e, const MachInstr *instr) {
    static const Width widths[] = {[1] = W8, [2] = W16, [4] = W32, [8] = W64};
    Op op = (Op)instr->op;
    Width width = widths[chunk_size((Chunk)instr->chunk)];
    X64Operand to = x64_address(instr, 0);
    if (op_info(op)->arity == 1) {
        x64_one(e, x64_table[op].mnemonic, width, to);
        return;
    }
    X64Operand from = x64_source(e, instr, 1);
    if (x64_shape(op) == X64_SHIFT) {
        if (x64_is_imm(from)) from.number &= width == W64 ? 63 : 31;
        x64_shift_by(e, x64_table[op].mnemonic, width, from, to);
        return;
    }
    if (x64_is_imm(from) && width == W8) from.number = (int8_t)from.number;
    if (x64_is_imm(from) && width == W16) from.number = (int16_t)from.number;
    if (x64_is_imm(from) && width == W32) from.number = (int32_t)from.number;
    x64_two(e, x64_table[op].mnemonic, width, from, to);
}
