// The printer of what a program says about machine code: asm statements and reserved registers.
#include "form/inline_asm.h"
#include "target/model.h"
#include "text/print/print_parts.h"

static void print_moves(Out *out, const Program *program, const char *word,
                        const AsmOperandMove *moves, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        out_text(out, i ? ", " : word);
        out_text(out, moves[i].chunk < CHUNK_COUNT ? chunk_name(moves[i].chunk) : "?");
        out_printf(out, " %s at %u", target_register_name(program->target, moves[i].reg),
                   moves[i].offset);
    }
    if (count) out_char(out, ')');
}

static void print_text(Out *out, const Program *program, Str text) {
    out_quoted(out, program_text(program, text), str_length(&program->strings, text));
}

static void print_statement(Out *out, const Program *program, uint32_t number) {
    const AsmStatement *statement = &program->asms.at[number];
    out_printf(out, "asm %u ", number);
    print_text(out, program, statement->text);
    print_moves(out, program, " in (", statement->inputs.at, statement->inputs.count);
    print_moves(out, program, " out (", statement->outputs.at, statement->outputs.count);
    const char *before = " destroys (";
    for (uint32_t reg = 0; reg < MACHINE_REG_LIMIT; reg++) {
        if (!regs_has(statement->destroys, reg)) continue;
        out_text(out, before);
        out_text(out, target_register_name(program->target, reg));
        before = ", ";
    }
    if (regs_any(statement->destroys)) out_char(out, ')');
    out_char(out, '\n');
}

void asm_statements_print(Out *out, const Program *program) {
    for (uint32_t i = 0; i < program->file_asms.count; i++) {
        out_text(out, "asm ");
        print_text(out, program, program->file_asms.at[i]);
        out_char(out, '\n');
    }
    for (uint32_t i = 0; i < program->asms.count; i++) print_statement(out, program, i);
}

void reserved_print(Out *out, const Program *program) {
    const char *before = "reserve ";
    for (uint32_t reg = 0; reg < MACHINE_REG_LIMIT; reg++) {
        if (!regs_has(program->reserved, reg)) continue;
        out_text(out, before);
        out_text(out, target_register_name(program->target, reg));
        before = ", ";
    }
    if (regs_any(program->reserved)) out_char(out, '\n');
}

void machine_reg_operand_print(Out *out, const Program *program, int64_t reg, bool first) {
    out_text(out, first ? " " : ", ");
    out_text(out, target_register_name(program->target, (uint64_t)reg));
}
