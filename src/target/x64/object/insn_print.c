// Prints instructions as objdump -d does, so that the two can be compared letter by letter. An
// instruction has the letter of its width only where no register tells it.
#include "target/x64/object/insn_print.h"

#include "target/x64/model/x64_registers.h"

static const char *const conditions[] = {"o", "no", "b", "ae", "e", "ne", "be", "a",
                                         "s", "ns", "p", "np", "l", "ge", "le", "g"};

// ---- Operands

static void print_register(Out *out, uint32_t reg, uint32_t width) {
    static const char *const low[][3] = {
        {"al", "ax", "eax"},  {"cl", "cx", "ecx"},  {"dl", "dx", "edx"},  {"bl", "bx", "ebx"},
        {"spl", "sp", "esp"}, {"bpl", "bp", "ebp"}, {"sil", "si", "esi"}, {"dil", "di", "edi"}};
    static const char suffixes[] = {[1] = 'b', [2] = 'w', [4] = 'd'};
    out_char(out, '%');
    if (reg == INSN_REG_RIP) {
        out_text(out, "rip");
    } else if (reg >= M_XMM0 || width == 8) {
        out_text(out, machine_reg_name((MachineReg)reg));
    } else if (reg >= M_R8) {
        out_printf(out, "r%u%c", (unsigned)reg, suffixes[width]);
    } else {
        out_text(out, low[reg][width == 1 ? 0 : width == 2 ? 1 : 2]);
    }
}

static void print_signed(Out *out, int64_t number) {
    uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    out_printf(out, "%s0x%llx", number < 0 ? "-" : "", (unsigned long long)size);
}

static void print_memory(Out *out, const Insn *insn, const InsnOperand *operand) {
    static const char *const segments[] = {"", "%fs:", "%gs:"};
    out_text(out, segments[operand->segment]);
    if (operand->base == INSN_REG_NONE && operand->index == INSN_REG_NONE) {
        out_printf(out, "0x%llx", (unsigned long long)operand->value);
        return;
    }
    if (insn->displacement_size) print_signed(out, operand->value);
    out_char(out, '(');
    if (operand->base != INSN_REG_NONE) print_register(out, operand->base, 8);
    if (operand->index != INSN_REG_NONE) {
        out_char(out, ',');
        print_register(out, operand->index, 8);
        out_printf(out, ",%u", operand->scale);
    }
    out_char(out, ')');
}

static void print_immediate(Out *out, const InsnOperand *operand) {
    uint64_t bits = (uint64_t)operand->value;
    if (operand->width < 8) bits &= ((uint64_t)1 << (8 * operand->width)) - 1;
    out_printf(out, "$0x%llx", (unsigned long long)bits);
}

static void print_operand(Out *out, const Insn *insn, const InsnOperand *operand,
                          uint64_t address) {
    switch ((InsnOperandKind)operand->kind) {
    case INSN_OPERAND_NONE: break;
    case INSN_OPERAND_REG: print_register(out, operand->reg, operand->width); break;
    case INSN_OPERAND_MEMORY: print_memory(out, insn, operand); break;
    case INSN_OPERAND_IMM: print_immediate(out, operand); break;
    case INSN_OPERAND_TARGET:
        out_printf(out, "0x%llx",
                   (unsigned long long)(address + insn->length + (uint64_t)operand->value));
        break;
    }
}

// ---- Mnemonics

static char width_letter(uint32_t width) {
    return width == 1 ? 'b' : width == 2 ? 'w' : width == 4 ? 'l' : 'q';
}

static bool is_shift(const Insn *insn) {
    return insn->mnemonic >= INSN_ROL && insn->mnemonic <= INSN_SAR;
}

// Whether a general register among the operands tells the width; the count of a shift does not.
static bool register_tells_width(const Insn *insn) {
    for (uint32_t i = is_shift(insn); i < insn->operands; i++)
        if (insn->operand[i].kind == INSN_OPERAND_REG && insn->operand[i].reg < M_XMM0) return true;
    return false;
}

static const char *x87_suffix(const Insn *insn) {
    bool integer = insn->mnemonic == INSN_FILD || insn->mnemonic == INSN_FISTP;
    switch (insn->operand[0].width) {
    case 4: return integer ? "l" : "s";
    case 8: return integer ? "ll" : "l";
    default: return "t";
    }
}

static void print_suffix(Out *out, const Insn *insn) {
    switch (insn->mnemonic) {
    case INSN_MOVZX:
    case INSN_MOVSX:
        out_char(out, width_letter(insn->operand[0].width));
        out_char(out, width_letter(insn->width));
        break;
    case INSN_MOVD: out_char(out, insn->width == 8 ? 'q' : 'd'); break;
    case INSN_MOVS:
    case INSN_RDSSP:
    case INSN_INCSSP: out_char(out, width_letter(insn->width)); break;
    case INSN_JCC:
    case INSN_SETCC:
    case INSN_CMOVCC: out_text(out, conditions[insn->condition]); break;
    case INSN_FLD:
    case INSN_FSTP:
    case INSN_FILD:
    case INSN_FISTP:
    case INSN_FADD: out_text(out, x87_suffix(insn)); break;
    case INSN_JMP:
    case INSN_CALL: break;
    default:
        if (insn->mnemonic == INSN_MOV && insn->number_size == 8) out_text(out, "abs");
        if (insn->width && insn->operands && !register_tells_width(insn))
            out_char(out, width_letter(insn->width));
        break;
    }
}

static void print_string_operands(Out *out, const Insn *insn) {
    if (insn->mnemonic == INSN_MOVS) out_text(out, " %ds:(%rsi),%es:(%rdi)");
    if (insn->mnemonic != INSN_STOS) return;
    out_char(out, ' ');
    print_register(out, M_RAX, insn->width);
    out_text(out, ",%es:(%rdi)");
}

void insn_print(Out *out, const Insn *insn, uint64_t address) {
    if (insn->lock) out_text(out, "lock ");
    if (insn->rep) out_text(out, "rep ");
    if (insn->notrack) out_text(out, "notrack ");
    if (insn->cs_prefix) out_text(out, "cs ");
    if (insn->padded)
        out_text(out, insn->mnemonic == INSN_CALL ? "data16 data16 rex.W " : "data16 ");
    out_text(out, insn_name((InsnName)insn->mnemonic));
    print_suffix(out, insn);
    print_string_operands(out, insn);
    bool branch = insn->mnemonic == INSN_JMP || insn->mnemonic == INSN_CALL;
    uint32_t first =
        is_shift(insn) && insn->operand[0].kind == INSN_OPERAND_IMM && !insn->number_size;
    for (uint32_t i = first; i < insn->operands; i++) {
        out_char(out, i == first ? ' ' : ',');
        if (branch && insn->operand[i].kind != INSN_OPERAND_TARGET) out_char(out, '*');
        print_operand(out, insn, &insn->operand[i], address);
    }
}

// ---- Comparing

static bool operand_same(const InsnOperand *a, const InsnOperand *b) {
    return a->kind == b->kind && a->width == b->width && a->reg == b->reg &&
           a->segment == b->segment && a->base == b->base && a->index == b->index &&
           a->scale == b->scale && a->value == b->value;
}

bool insn_same(const Insn *a, const Insn *b) {
    if (a->mnemonic != b->mnemonic || a->condition != b->condition || a->width != b->width)
        return false;
    if (a->lock != b->lock || a->rep != b->rep || a->notrack != b->notrack ||
        a->cs_prefix != b->cs_prefix || a->padded != b->padded || a->operands != b->operands)
        return false;
    for (uint32_t i = 0; i < a->operands; i++)
        if (!operand_same(&a->operand[i], &b->operand[i])) return false;
    return true;
}
