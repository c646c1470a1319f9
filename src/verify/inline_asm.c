// The rules for asm statements.
#include "form/inline_asm.h"
#include "form/mach.h"
#include "target/x64/model/mach_frame.h"
#include "verify/verify_rules.h"

#define GENERAL_REGISTERS                                                                          \
    ((MachineRegSet)0xffff & ~MACHINE_REG_BIT(M_STACK) & ~MACHINE_REG_BIT(M_FRAME))

MachineRegSet asm_block_registers(const Program *program) {
    return GENERAL_REGISTERS & ~program->reserved & ~MACHINE_REG_BIT(mach_frame_base(program));
}

const char *asm_register_name(uint32_t reg) {
    if (reg < MACHINE_REG_COUNT) return machine_reg_name((MachineReg)reg);
    return reg == ASM_ST0 ? "st0" : reg == ASM_ST1 ? "st1" : "?";
}

static MachineRegSet bit_of(const AsmOperandMove *move) {
    return move->reg < MACHINE_REG_COUNT ? MACHINE_REG_BIT(move->reg) : 0;
}

MachineRegSet asm_operand_registers(const AsmStatement *statement) {
    MachineRegSet set = 0;
    for (uint32_t i = 0; i < statement->inputs.count; i++) set |= bit_of(&statement->inputs.at[i]);
    for (uint32_t i = 0; i < statement->outputs.count; i++)
        set |= bit_of(&statement->outputs.at[i]);
    return set & 0xffff;
}

MachineReg asm_block_register(const Program *program, const AsmStatement *statement) {
    MachineRegSet general = asm_block_registers(program);
    MachineRegSet operands = asm_operand_registers(statement),
                  alone = general & ~statement->destroys;
    // An operand in the frame's register must not find the block's address there.
    if (alone && !(operands & MACHINE_REG_BIT(M_FRAME))) return MACHINE_REG_COUNT;
    MachineRegSet free = alone ? alone : general & ~operands;
    uint32_t reg = 0;
    while (reg < MACHINE_REG_COUNT && !(free & MACHINE_REG_BIT(reg))) reg++;
    return (MachineReg)reg;
}

// ---- Verifying

// The register can hold the chunk, and only this operand is in it. The frame's register, whose
// contents are restored before outputs are stored, can hold inputs.
static void rule_move(Verifier *v, const AsmStatement *statement, const AsmOperandMove *move,
                      MachineRegSet general, uint64_t *taken) {
    uint64_t bit = move->reg < ASM_REGISTER_COUNT ? (uint64_t)1 << move->reg : 0;
    if (!bit || move->chunk >= CHUNK_COUNT) {
        complain(v, "asm", "expected a register and a chunk; found %u and %u", move->reg,
                 move->chunk);
        return;
    }
    bool integer = type_is_int(chunk_type(move->chunk));
    bool fits = move->reg >= ASM_ST0 ? !integer
                : integer            ? (general & bit) != 0
                                     : machine_is_vector(move->reg) && move->chunk != CHUNK_F80;
    if (!fits)
        complain(v, "asm", "expected a register that can hold %s; found %s",
                 chunk_name(move->chunk), asm_register_name(move->reg));
    if (*taken & bit)
        complain(v, "asm", "expected different registers for operands; found %s twice",
                 asm_register_name(move->reg));
    if (move->reg < MACHINE_REG_COUNT && !(statement->destroys & bit))
        complain(v, "asm", "expected %s, which holds an operand, among those destroyed",
                 asm_register_name(move->reg));
    *taken |= bit;
}

static bool has_text(const Verifier *v, Str text) {
    return text.i && verify_str_in_range(v->program, text);
}

void verify_asm_statements(Verifier *v) {
    for (uint32_t i = 0; i < v->program->asms.count; i++) {
        const AsmStatement *statement = &v->program->asms.at[i];
        uint64_t in = 0, out = 0;
        for (uint32_t k = 0; k < statement->inputs.count; k++)
            rule_move(v, statement, &statement->inputs.at[k],
                      GENERAL_REGISTERS | MACHINE_REG_BIT(M_FRAME), &in);
        for (uint32_t k = 0; k < statement->outputs.count; k++)
            rule_move(v, statement, &statement->outputs.at[k], GENERAL_REGISTERS, &out);
        if (!has_text(v, statement->text))
            complain(v, "asm", "expected the text of a statement; found none");
        if (statement->destroys & MACHINE_REG_BIT(M_STACK))
            complain(v, "asm", "expected the stack pointer to be left alone");
        if (statement->destroys & v->program->reserved)
            complain(v, "asm", "expected reserved registers not to be among those destroyed");
        if (!(asm_block_registers(v->program) & ~asm_operand_registers(statement)))
            complain(v, "asm",
                     "expected a general register without operand, but for those of frames");
    }
    for (uint32_t i = 0; i < v->program->file_asms.count; i++)
        if (!has_text(v, v->program->file_asms.at[i]))
            complain(v, "asm", "expected assembler text; found none");
}
