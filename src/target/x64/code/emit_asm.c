// asm statements: operands from their block into registers, the text, operands back.
#include "form/inline_asm.h"
#include "target/x64/code/emit.h"

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

static void write_part(Emit *e, const MachInstr *instr, X64AsmPart part) {
    Out text = {0};
    x64_put_asm(&text, &e->program->asms.at[instr->imm], instr, e->frame.base, part);
    x64_composed(e, instr, &text);
}

void x64_inline_asm(Emit *e, const MachInstr *instr) {
    write_part(e, instr, X64_ASM_BEFORE);
    write_text(e, &e->program->asms.at[instr->imm]);
    write_part(e, instr, X64_ASM_RESTORE);
    write_part(e, instr, X64_ASM_AFTER);
    e->short_regs = 0;
}
