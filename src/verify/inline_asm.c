// The rules for asm statements.
#include "form/inline_asm.h"
#include "form/mach.h"
#include "target/model.h"
#include "verify/verify_rules.h"

// The registers of integers, but for that of the stack and that of frames.
static MachineRegSet general_registers(const Program *program) {
    const TargetModel *target = program->target;
    MachineRegSet set = target->classes[CLASS_GENERAL];
    regs_remove(&set, target->stack);
    regs_remove(&set, target->frame);
    return set;
}

MachineRegSet asm_block_registers(const Program *program) {
    MachineRegSet set = regs_without(general_registers(program), program->reserved);
    regs_remove(&set, program->target->frame_base(program));
    return set;
}

MachineRegSet asm_operand_registers(const Program *program, const AsmStatement *statement) {
    MachineRegSet set = NO_REGS;
    uint32_t count = program->target->register_count;
    for (uint32_t i = 0; i < statement->inputs.count; i++)
        if (statement->inputs.at[i].reg < count) regs_add(&set, statement->inputs.at[i].reg);
    for (uint32_t i = 0; i < statement->outputs.count; i++)
        if (statement->outputs.at[i].reg < count) regs_add(&set, statement->outputs.at[i].reg);
    return regs_and(set, program->target->classes[CLASS_GENERAL]);
}

MachineReg asm_block_register(const Program *program, const AsmStatement *statement) {
    MachineRegSet general = asm_block_registers(program);
    MachineRegSet operands = asm_operand_registers(program, statement),
                  alone = regs_without(general, statement->destroys);
    // An operand in the frame's register must not find the block's address there.
    if (!regs_any(alone)) return regs_next(regs_without(general, operands), 0);
    return regs_has(operands, program->target->frame) ? regs_next(alone, 0) : MACHINE_REG_LIMIT;
}

// ---- Verifying

// The register can hold the chunk, and only this operand is in it. The frame's register, whose
// contents are restored before outputs are stored, can hold inputs.
static void rule_move(Verifier *v, const AsmStatement *statement, const AsmOperandMove *move,
                      MachineRegSet general, MachineRegSet *taken) {
    const TargetModel *target = v->program->target;
    if (move->reg >= target->named_count || move->chunk >= CHUNK_COUNT) {
        complain(v, "asm", "expected a register and a chunk; found %u and %u", move->reg,
                 move->chunk);
        return;
    }
    const char *name = target->register_names[move->reg];
    Type type = chunk_type(move->chunk);
    bool place = move->reg < target->register_count;
    MachClass reg_class = target->class_of(type);
    bool fits = !place              ? !type_is_int(type)
                : type_is_int(type) ? regs_has(general, move->reg)
                                    : regs_has(target->classes[reg_class], move->reg);
    if (!fits)
        complain(v, "asm", "expected a register that can hold %s; found %s",
                 chunk_name(move->chunk), name);
    if (regs_has(*taken, move->reg))
        complain(v, "asm", "expected different registers for operands; found %s twice", name);
    if (place && !regs_has(statement->destroys, move->reg))
        complain(v, "asm", "expected %s, which holds an operand, among those destroyed", name);
    regs_add(taken, move->reg);
}

static bool has_text(const Verifier *v, Str text) {
    return text.i && verify_str_in_range(v->program, text);
}

void verify_asm_statements(Verifier *v) {
    for (uint32_t i = 0; i < v->program->asms.count; i++) {
        const AsmStatement *statement = &v->program->asms.at[i];
        MachineRegSet in = NO_REGS, out = NO_REGS, general = general_registers(v->program),
                      readable = regs_or(general, regs_of(v->program->target->frame));
        for (uint32_t k = 0; k < statement->inputs.count; k++)
            rule_move(v, statement, &statement->inputs.at[k], readable, &in);
        for (uint32_t k = 0; k < statement->outputs.count; k++)
            rule_move(v, statement, &statement->outputs.at[k], general, &out);
        if (!has_text(v, statement->text))
            complain(v, "asm", "expected the text of a statement; found none");
        if (regs_has(statement->destroys, v->program->target->stack))
            complain(v, "asm", "expected the stack pointer to be left alone");
        if (regs_meet(statement->destroys, v->program->reserved))
            complain(v, "asm", "expected reserved registers not to be among those destroyed");
        if (!regs_any(regs_without(asm_block_registers(v->program),
                                   asm_operand_registers(v->program, statement))))
            complain(v, "asm",
                     "expected a general register without operand, but for those of frames");
    }
    for (uint32_t i = 0; i < v->program->file_asms.count; i++)
        if (!has_text(v, v->program->file_asms.at[i]))
            complain(v, "asm", "expected assembler text; found none");
}
