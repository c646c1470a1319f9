// Operands and lines as text.
#include "target/x64/code/emit.h"

#include <string.h>

// ---- Operands

X64Operand x64_pool(Emit *e, uint32_t size, uint64_t low, uint64_t high) {
    return (X64Operand){.kind = OPERAND_POOL,
                        .constant = assembly_constant(e->assembly, size, low, high)};
}

X64Operand x64_place(const Emit *e, Place place) {
    assert(place_is_machine(place) || place_is_spill(place));
    if (place_is_machine(place)) return x64_reg((MachineReg)place_index(place));
    return x64_frame_at(e, e->frame.spills[place_index(place)]);
}

X64Operand x64_source(const Emit *e, const MachInstr *instr, uint32_t k) {
    if (instr->memory == k) return x64_address(instr, 0);
    if (instr->immediate == k) return x64_imm(instr->imm);
    return x64_place(e, instr->src[k]);
}

static const char *const register_names[4][16] = {
    {"%al", "%cl", "%dl", "%bl", "%spl", "%bpl", "%sil", "%dil", "%r8b", "%r9b", "%r10b", "%r11b",
     "%r12b", "%r13b", "%r14b", "%r15b"},
    {"%ax", "%cx", "%dx", "%bx", "%sp", "%bp", "%si", "%di", "%r8w", "%r9w", "%r10w", "%r11w",
     "%r12w", "%r13w", "%r14w", "%r15w"},
    {"%eax", "%ecx", "%edx", "%ebx", "%esp", "%ebp", "%esi", "%edi", "%r8d", "%r9d", "%r10d",
     "%r11d", "%r12d", "%r13d", "%r14d", "%r15d"},
    {"%rax", "%rcx", "%rdx", "%rbx", "%rsp", "%rbp", "%rsi", "%rdi", "%r8", "%r9", "%r10", "%r11",
     "%r12", "%r13", "%r14", "%r15"}};

static void put_register(Out *out, Width width, MachineReg reg) {
    if (reg < M_XMM0) {
        out_text(out, register_names[width][reg]);
        return;
    }
    out_bytes(out, "%xmm", 4);
    out_u64(out, reg - M_XMM0);
}

// The part of an address in parentheses; NO_ID stands for no register.
static void put_registers(Out *out, uint32_t base, uint32_t index, uint32_t scale) {
    if (base == NO_ID && !scale) return;
    out_char(out, '(');
    if (base != NO_ID) put_register(out, W64, (MachineReg)base);
    if (scale) {
        out_char(out, ',');
        put_register(out, W64, (MachineReg)index);
        if (scale > 1) {
            out_char(out, ',');
            out_u64(out, scale);
        }
    }
    out_char(out, ')');
}

static uint32_t register_of(Place place) {
    if (place.i == NO_ID) return NO_ID;
    assert(place_is_machine(place));
    return place_index(place);
}

static void put_symbol(Emit *e, Sym symbol, int64_t offset) {
    assembly_symbol(e->out, e->program, symbol);
    if (offset > 0) out_char(e->out, '+');
    if (offset) out_i64(e->out, offset);
}

static void put_symbol_address(Emit *e, const MachInstr *instr, int64_t displacement) {
    Out *out = e->out;
    put_symbol(e, (Sym){instr->ref}, displacement);
    if (instr->base_place.i == NO_ID && !instr->scale)
        out_bytes(out, "(%rip)", 6);
    else
        put_registers(out, register_of(instr->base_place), register_of(instr->index), instr->scale);
}

static void put_address(Emit *e, const MachInstr *instr, int64_t displacement) {
    uint32_t base = NO_ID;
    displacement += instr->displacement;
    switch ((MachBase)instr->base) {
    case MB_NONE: break;
    case MB_PLACE: base = register_of(instr->base_place); break;
    case MB_SYMBOL: put_symbol_address(e, instr, displacement); return;
    case MB_SLOT:
        base = e->frame.base;
        displacement += e->frame.slots[instr->ref];
        break;
    case MB_INCOMING:
        base = e->frame.incoming_base;
        displacement += e->frame.incoming;
        break;
    case MB_OUTGOING: base = M_RSP; break;
    }
    bool absolute = base == NO_ID && !instr->scale;
    if (displacement || absolute) out_i64(e->out, displacement);
    put_registers(e->out, base, register_of(instr->index), instr->scale);
}

void x64_operand(Emit *e, Width width, X64Operand operand) {
    Out *out = e->out;
    switch ((X64OperandKind)operand.kind) {
    case OPERAND_REGISTER: put_register(out, width, (MachineReg)operand.reg); break;
    case OPERAND_IMMEDIATE:
        out_char(out, '$');
        out_i64(out, operand.number);
        break;
    case OPERAND_AT:
        if (operand.number) out_i64(out, operand.number);
        put_registers(out, operand.reg == MACHINE_REG_LIMIT ? NO_ID : operand.reg, operand.index,
                      operand.scale);
        break;
    case OPERAND_ADDRESS: put_address(e, operand.instr, operand.number); break;
    case OPERAND_POOL:
        out_bytes(out, ".LC", 3);
        out_u64(out, operand.constant);
        out_bytes(out, "(%rip)", 6);
        break;
    case OPERAND_SYMBOL:
        out_text(out, operand.before);
        put_symbol(e, (Sym){operand.constant}, operand.number);
        out_text(out, operand.after);
        break;
    case OPERAND_THREAD:
        out_bytes(out, "%fs:", 4);
        out_i64(out, operand.number);
        break;
    case OPERAND_LABEL:
        out_bytes(out, ".L", 2);
        out_u64(out, operand.constant);
        if (operand.after) out_text(out, operand.after);
        break;
    }
}

// ---- Lines

static void put_mnemonic(Emit *e, const char *mnemonic) {
    out_char(e->out, '\t');
    out_text(e->out, mnemonic);
}

static void put_operands(Emit *e, Width from_width, X64Operand from, Width to_width,
                         X64Operand to) {
    out_char(e->out, ' ');
    x64_operand(e, from_width, from);
    out_bytes(e->out, ", ", 2);
    x64_operand(e, to_width, to);
    out_char(e->out, '\n');
}

static const char suffixes[] = "bwlq";

void x64_plain(Emit *e, const char *text) {
    put_mnemonic(e, text);
    out_char(e->out, '\n');
}

void x64_full(Emit *e, const char *mnemonic, Width width, X64Operand operand) {
    put_mnemonic(e, mnemonic);
    out_char(e->out, ' ');
    x64_operand(e, width, operand);
    out_char(e->out, '\n');
}

void x64_one(Emit *e, const char *mnemonic, Width width, X64Operand operand) {
    put_mnemonic(e, mnemonic);
    out_char(e->out, suffixes[width]);
    out_char(e->out, ' ');
    x64_operand(e, width, operand);
    out_char(e->out, '\n');
}

void x64_two(Emit *e, const char *mnemonic, Width width, X64Operand from, X64Operand to) {
    put_mnemonic(e, mnemonic);
    out_char(e->out, suffixes[width]);
    put_operands(e, width, from, width, to);
}

void x64_mixed(Emit *e, const char *mnemonic, Width from_width, X64Operand from, Width to_width,
               X64Operand to) {
    put_mnemonic(e, mnemonic);
    put_operands(e, from_width, from, to_width, to);
}

void x64_lea(Emit *e, Width width, int64_t displacement, MachineReg base, MachineReg index,
             uint32_t scale, MachineReg to) {
    X64Operand address = x64_at(base, displacement);
    address.index = (uint8_t)index;
    address.scale = (uint8_t)scale;
    x64_two(e, "lea", width, address, x64_reg(to));
}

void x64_label(Emit *e, uint32_t label) {
    out_bytes(e->out, ".L", 2);
    out_u64(e->out, label);
    out_bytes(e->out, ":\n", 2);
}

void x64_jump(Emit *e, const char *mnemonic, uint32_t label) {
    put_mnemonic(e, mnemonic);
    out_bytes(e->out, " .L", 3);
    out_u64(e->out, label);
    out_char(e->out, '\n');
}
