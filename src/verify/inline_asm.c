// The rules for asm statements.
#include "form/inline_asm.h"
#include "form/mach.h"
#include "target/model.h"
#include "verify/verify_rules.h"

// The registers of integers, but for that of the stack and that of frames.
static MachineRegSet general_registers(const Program *program) {
    const TargetModel *target = program->target;
    return target->classes[CLASS_GENERAL] & ~MACHINE_REG_BIT(target->stack) &
           ~MACHINE_REG_BIT(target->frame);
}

MachineRegSet asm_block_registers(const Program *program) {
    return general_registers(program) & ~program->reserved &
           ~MACHINE_REG_BIT(program->target->frame_base(program));
}

static MachineRegSet bit_of(const Program *program, const AsmOperandMove *move) {
    return move->reg < program->target->register_count ? MACHINE_REG_BIT(move->reg) : 0;
}

MachineRegSet asm_operand_registers(const Program *program, const AsmStatement *statement) {
    MachineRegSet set = 0;
    for (uint32_t i = 0; i < statement->inputs.count; i++)
        set |= bit_of(program, &statement->inputs.at[i]);
    for (uint32_t i = 0; i < statement->outputs.count; i++)
        set |= bit_of(program, &statement->outputs.at[i]);
    return set & program->target->classes[CLASS_GENERAL];
}

MachineReg asm_block_register(const Program *program, const AsmStatement *statement) {
    MachineRegSet general = asm_block_registers(program);
    MachineRegSet operands = asm_operand_registers(program, statement),
                  alone = general & ~statement->destroys;
    // An operand in the frame's register must not find the block's address there.
    if (alone && !(operands & MACHINE_REG_BIT(program->target->frame))) return MACHINE_REG_LIMIT;
    MachineRegSet free = alone ? alone : general & ~operands;
    uint32_t reg = 0;
    while (reg < MACHINE_REG_LIMIT && !(free & MACHINE_REG_BIT(reg))) reg++;
    return (MachineReg)reg;
}

// ---- Verifying

// The register can hold the chunk, and only this operand is in it. The frame's register, whose
// contents are restored before outputs are stored, can hold inputs.
static void rule_move(Verifier *v, const AsmStatement *statement, const AsmOperandMove *move,
                      MachineRegSet general, MachineRegSet *taken) {
    const TargetModel *target = v->program->target;
    MachineRegSet bit = move->reg < target->named_count ? MACHINE_REG_BIT(move->reg) : 0;
    if (!bit || move->chunk >= CHUNK_COUNT) {
        complain(v, "asm", "expected a register and a chunk; found %u and %u", move->reg,
                 move->chunk);
        return;
    }
    const char *name = target->register_names[move->reg];
    Type type = chunk_type(move->chunk);
    bool place = move->reg < target->register_count;
    MachClass reg_class = target->class_of(type);
    bool fits = !place              ? !type_is_int(type)
                : type_is_int(type) ? (general & bit) != 0
                                    : (target->classes[reg_class] & bit) != 0;
    if (!fits)
        complain(v, "asm", "expected a register that can hold %s; found %s",
                 chunk_name(move->chunk), name);
    if (*taken & bit)
        complain(v, "asm", "expected different registers for operands; found %s twice", name);
    if (place && !(statement->destroys & bit))
        complain(v, "asm", "expected %s, which holds an operand, among those destroyed", name);
    *taken |= bit;
}

static bool has_text(const Verifier *v, Str text) {
    return text.i && verify_str_in_range(v->program, text);
}

void verify_asm_statements(Verifier *v) {
    for (uint32_t i = 0; i < v->program->asms.count; i++) {
        const AsmStatement *statement = &v->program->asms.at[i];
        MachineRegSet in = 0, out = 0;
        for (uint32_t k = 0; k < statement->inputs.count; k++)
            rule_move(v, statement, &statement->inputs.at[k],
                      general_registers(v->program) | MACHINE_REG_BIT(v->program->target->frame),
                      &in);
        for (uint32_t k = 0; k < statement->outputs.count; k++)
            rule_move(v, statement, &statement->outputs.at[k], general_registers(v->program), &out);
        if (!has_text(v, statement->text))
            complain(v, "asm", "expected the text of a statement; found none");
        if (statement->destroys & MACHINE_REG_BIT(v->program->target->stack))
            complain(v, "asm", "expected the stack pointer to be left alone");
        if (statement->destroys & v->program->reserved)
            complain(v, "asm", "expected reserved registers not to be among those destroyed");
        if (!(asm_block_registers(v->program) & ~asm_operand_registers(v->program, statement)))
            complain(v, "asm",
                     "expected a general register without operand, but for those of frames");
    }
    for (uint32_t i = 0; i < v->program->file_asms.count; i++)
        if (!has_text(v, v->program->file_asms.at[i]))
            complain(v, "asm", "expected assembler text; found none");
}
