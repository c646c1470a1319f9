// The text of asm statements and of reserved registers. See parse.h.
#include "form/inline_asm.h"
#include "target/model.h"
#include "text/parse/parse.h"

// ---- asm statements

static bool asm_register(TextParser *p, uint32_t count, StoredReg *found) {
    for (uint32_t reg = 0; reg < count; reg++)
        if (parse_accept_word(p, target_register_name(p->program->target, reg))) {
            *found = (StoredReg)reg;
            return true;
        }
    return parse_expected(p, "a machine register");
}

static bool asm_move(TextParser *p, AsmOperandMove *move) {
    Chunk chunk = CHUNK_COUNT;
    if (parse_at(p, T_WORD))
        chunk = chunk_named(p->lexer.text + p->token.start, p->token.end - p->token.start);
    if (chunk == CHUNK_COUNT) return parse_expected(p, "a chunk");
    parse_next(p);
    move->chunk = (StoredReg)chunk;
    return asm_register(p, p->program->target->named_count, &move->reg) &&
           parse_expect_word(p, "at") && parse_u32(p, INT32_MAX, "an offset", &move->offset);
}

static bool asm_parts(TextParser *p, AsmStatement *statement) {
    Arena *arena = p->program->arena;
    for (uint32_t out = 0; out < 2; out++) {
        if (!parse_accept_word(p, out ? "out" : "in")) continue;
        if (!parse_expect(p, '(', "'('")) return false;
        do {
            AsmOperandMove move = {0};
            if (!asm_move(p, &move)) return false;
            if (out)
                vec_push(arena, &statement->outputs, move);
            else
                vec_push(arena, &statement->inputs, move);
        } while (parse_accept(p, ','));
        if (!parse_expect(p, ')', "')'")) return false;
    }
    if (!parse_accept_word(p, "destroys")) return true;
    if (!parse_expect(p, '(', "'('")) return false;
    do {
        StoredReg reg = 0;
        if (!asm_register(p, p->program->target->register_count, &reg)) return false;
        regs_add(&statement->destroys, reg);
    } while (parse_accept(p, ','));
    return parse_expect(p, ')', "')'");
}

bool parse_asm_item(TextParser *p) {
    Program *program = p->program;
    uint32_t place = p->token.start, number;
    Str text;
    if (parse_at(p, T_STRING)) {
        if (!parse_text(p, &text)) return false;
        vec_push(program->arena, &program->file_asms, text);
        return parse_end_of_line(p);
    }
    if (!parse_u32(p, UINT32_MAX, "a string or the number of the statement", &number)) return false;
    if (number != program->asms.count) {
        parse_error(p, place, "asm statements are numbered from 0 in order: this is number %u",
                    program->asms.count);
        return false;
    }
    AsmStatement statement = {0};
    if (!parse_text(p, &statement.text) || !asm_parts(p, &statement)) return false;
    vec_push(program->arena, &program->asms, statement);
    return parse_end_of_line(p);
}

// ---- Reserved registers

bool parse_machine_register(TextParser *p, int64_t *number) {
    MachineReg reg = MACHINE_REG_LIMIT;
    if (parse_at(p, T_WORD))
        reg = target_register_named(p->program->target, p->lexer.text + p->token.start,
                                    p->token.end - p->token.start);
    if (reg == MACHINE_REG_LIMIT) return parse_expected(p, "a machine register");
    parse_next(p);
    *number = reg;
    return true;
}

bool parse_reserve_item(TextParser *p) {
    do {
        int64_t reg = 0;
        if (!parse_machine_register(p, &reg)) return false;
        regs_add(&p->program->reserved, (MachineReg)reg);
    } while (parse_accept(p, ','));
    return parse_end_of_line(p);
}
