// asm statements: operands from their block into registers, the text, operands back.
#include "form/inline_asm.h"
#include "target/x64/code/emit.h"

// Mnemonics by the width of what is in memory.
static const char *x87_mnemonic(const AsmOperandMove *move, bool load) {
    switch (move->chunk) {
    case CHUNK_F32: return load ? "flds" : "fstps";
    case CHUNK_F64: return load ? "fldl" : "fstpl";
    default: return load ? "fldt" : "fstpt";
    }
}

static void move_x87(Emit *e, const AsmOperandMove *move, MachineReg block, bool load) {
    x64_full(e, x87_mnemonic(move, load), W64, x64_at(block, move->offset));
}

// What lies deeper in the x87 stack is pushed first and popped last.
static void load_x87(Emit *e, const AsmStatement *statement, MachineReg block) {
    for (uint32_t reg = ASM_ST1; reg >= ASM_ST0; reg--)
        for (uint32_t i = 0; i < statement->inputs.count; i++)
            if (statement->inputs.at[i].reg == reg)
                move_x87(e, &statement->inputs.at[i], block, true);
}

static void store_x87(Emit *e, const AsmStatement *statement, MachineReg block) {
    for (uint32_t reg = ASM_ST0; reg <= ASM_ST1; reg++)
        for (uint32_t i = 0; i < statement->outputs.count; i++)
            if (statement->outputs.at[i].reg == reg)
                move_x87(e, &statement->outputs.at[i], block, false);
}

// Who compares the object with the machine code has to know where the bytes of the text are.
static void tell_where(Emit *e, uint32_t start) {
    uint32_t end = assembly_label(e->assembly);
    x64_label(e, end);
    out_printf(e->out,
               "\t.pushsection .gatecc.asm,\"\",@progbits\n\t.quad .L%u, .L%u\n\t.popsection\n",
               start, end);
}

static void write_text(Emit *e, const AsmStatement *statement) {
    bool told = e->assembly->options->certificate != NULL;
    uint32_t start = told ? assembly_label(e->assembly) : NO_ID;
    const char *text = program_text(e->program, statement->text);
    uint32_t length = str_length(&e->program->strings, statement->text);
    uint32_t number = NO_ID;
    if (told) x64_label(e, start);
    out_text(e->out, "#APP\n\t");
    for (uint32_t i = 0; i < length; i++) {
        if (text[i] != '%' || i + 1 == length || text[i + 1] != '=') {
            out_char(e->out, text[i]);
            continue;
        }
        if (number == NO_ID) number = assembly_label(e->assembly);
        out_u64(e->out, number);
        i++;
    }
    out_text(e->out, "\n#NO_APP\n");
    if (told) tell_where(e, start);
}

// Without operands nothing goes before the text or after it but what the frame is found by.
void x64_lone_asm(Emit *e, const MachInstr *instr) {
    const AsmStatement *statement = &e->program->asms.at[instr->imm];
    MachineReg kept[] = {e->frame.base, M_RBP};
    uint32_t first = e->frame.base == M_RBP ? 1 : 0;
    for (uint32_t k = first; k < 2; k++)
        if (regs_has(statement->destroys, kept[k])) x64_one(e, "push", W64, x64_reg(kept[k]));
    write_text(e, statement);
    for (uint32_t k = 2; k-- > first;)
        if (regs_has(statement->destroys, kept[k])) x64_one(e, "pop", W64, x64_reg(kept[k]));
    e->short_regs = 0;
}

// If the code destroys the register that holds the address of the block, that waits on the stack;
// so do rbp and the base of slots.
void x64_inline_asm(Emit *e, const MachInstr *instr) {
    const AsmStatement *statement = &e->program->asms.at[instr->imm];
    MachineReg block = (MachineReg)place_index(instr->src[0]);
    bool keeps_block = !regs_has(statement->destroys, block) || block == M_RBP;
    bool keeps_rbp = !regs_has(statement->destroys, M_RBP);
    bool keeps_base = e->frame.base == M_RBP || !regs_has(statement->destroys, e->frame.base);
    load_x87(e, statement, block);
    if (!keeps_base) x64_one(e, "push", W64, x64_reg(e->frame.base));
    if (!keeps_block) x64_one(e, "push", W64, x64_reg(block));
    if (!keeps_rbp) x64_one(e, "push", W64, x64_reg(M_RBP));
    for (uint32_t i = 0; i < statement->inputs.count; i++) {
        const AsmOperandMove *move = &statement->inputs.at[i];
        if (move->reg < X64_REG_COUNT)
            x64_load(e, (Chunk)move->chunk, x64_at(block, move->offset),
                     x64_reg((MachineReg)move->reg));
    }
    write_text(e, statement);
    if (!keeps_rbp) x64_one(e, "pop", W64, x64_reg(M_RBP));
    if (!keeps_block) x64_one(e, "pop", W64, x64_reg(block));
    for (uint32_t i = 0; i < statement->outputs.count; i++) {
        const AsmOperandMove *move = &statement->outputs.at[i];
        if (move->reg < X64_REG_COUNT)
            x64_store(e, (Chunk)move->chunk, x64_reg((MachineReg)move->reg),
                      x64_at(block, move->offset));
    }
    if (!keeps_base) x64_one(e, "pop", W64, x64_reg(e->frame.base));
    store_x87(e, statement, block);
    e->short_regs = 0;
}
