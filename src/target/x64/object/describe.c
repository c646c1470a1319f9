// Describes the present instruction in words, for the message about a function whose code differs.
#include "base/out.h"
#include "target/x64/object/walk.h"

static void put_register(Out *out, uint32_t reg) {
    out_text(out, reg == INSN_REG_RIP ? "rip" : machine_reg_name((MachineReg)reg));
}

static void put_operand(Out *out, const InsnOperand *operand) {
    switch ((InsnOperandKind)operand->kind) {
    case INSN_OPERAND_NONE: break;
    case INSN_OPERAND_REG: put_register(out, operand->reg); break;
    case INSN_OPERAND_IMM: out_printf(out, "$%lld", (long long)operand->value); break;
    case INSN_OPERAND_TARGET: out_printf(out, ".%+lld", (long long)operand->value); break;
    case INSN_OPERAND_MEMORY:
        out_printf(out, "%s%lld(", operand->segment ? "segment:" : "", (long long)operand->value);
        if (operand->base != INSN_REG_NONE) put_register(out, operand->base);
        if (operand->index != INSN_REG_NONE) {
            out_char(out, ',');
            put_register(out, operand->index);
            out_printf(out, ",%u", operand->scale);
        }
        out_char(out, ')');
        break;
    }
}

void describe_insn(Out *out, const Insn *insn) {
    char name[32];
    walk_insn_name(insn, name, sizeof name);
    out_text(out, name);
    if (insn->width) out_printf(out, ".%u", insn->width);
    for (uint32_t k = 0; k < insn->operands; k++) {
        out_text(out, k ? ", " : " ");
        put_operand(out, &insn->operand[k]);
    }
}

static void put_place(Out *out, Place place) {
    if (place_is_machine(place))
        put_register(out, place_index(place));
    else
        out_printf(out, "spill %u", place_index(place));
}

void describe_instr(Out *out, const Program *program, const MachInstr *instr) {
    bool wordless = mach_kind_is_wordless(instr->kind);
    if (instr->dest.i != NO_ID) {
        put_place(out, instr->dest);
        out_text(out, " = ");
    }
    if (!wordless) out_text(out, mach_kinds[instr->kind].word);
    if (mach_operates(instr))
        out_printf(out, "%s%s", wordless ? "" : " ", op_info((Op)instr->op)->name);
    if (mach_has(instr, MACH_BUILTIN)) out_text(out, builtin_info((Builtin)instr->op)->name);
    for (uint32_t k = 0; k < MACH_SOURCES; k++) {
        if (instr->immediate == k) out_printf(out, " %lld", (long long)instr->imm);
        if (instr->memory == k) out_text(out, " memory");
        if (instr->src[k].i == NO_ID) continue;
        out_char(out, ' ');
        put_place(out, instr->src[k]);
    }
    if (instr->kind == MK_OP && op_info((Op)instr->op)->arity == 0)
        out_printf(out, " %lld", (long long)instr->imm);
    Sym symbol = mach_symbol(instr);
    if (symbol.i != NO_ID)
        out_printf(out, " @%s", program_text(program, program_at(program, symbol)->name));
    if (instr->addressed) out_printf(out, " at displacement %d", instr->displacement);
}
