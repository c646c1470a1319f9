// asm statements, parsed in full: template, operands with symbolic names, clobbers, labels.
#include "c/parse/expression.h"

#include <string.h>

typedef VEC(AsmOperand) Operands;

// Whether a constraint can only be met by an object in memory.
static bool memory_only(const char *constraint) {
    bool memory = false;
    for (; *constraint; constraint++) {
        if (strchr("moV<>", *constraint))
            memory = true;
        else if (!strchr("=+&%,?!*", *constraint))
            return false;
    }
    return memory;
}

// A bit-field has no address.
static void check_place(Parser *parser, AsmOperand *operand) {
    if (!operand->in_memory) return;
    if (operand->value->kind == EX_MEMBER && operand->value->member->bitfield) {
        error_at_expr(parser, operand->value, "a bit-field cannot be an operand in memory");
        operand->value = expr_error(parser, operand->value);
        return;
    }
    const Decl *root = root_variable(operand->value);
    if (root && root->storage == STORAGE_REGISTER && root->file_scope) {
        error_at_expr(parser, operand->value,
                      "the address of the register variable '%s' is requested", root->name->text);
        operand->value = expr_error(parser, operand->value);
        return;
    }
    mark_address_taken(operand->value);
}

static void check_output(Parser *parser, AsmOperand *operand) {
    Expr *value = operand->value;
    if (is_error(value)) return;
    if (operand->constraint[0] != '=' && operand->constraint[0] != '+')
        error_at_expr(parser, value, "the constraint of an output must start with '=' or '+'");
    if (!value->lvalue || type_is_const(value->type)) {
        error_at_expr(parser, value,
                      value->lvalue ? "an output of asm cannot be read-only"
                                    : "an output of asm must be an lvalue");
        operand->value = expr_error(parser, value);
        return;
    }
    mark_assigned(value);
    mark_read(value); // some outputs are only there to be thrown away: no reason to warn
    operand->in_memory = memory_only(operand->constraint);
    check_place(parser, operand);
}

static void check_input(Parser *parser, AsmOperand *operand) {
    operand->in_memory = memory_only(operand->constraint) && operand->value->lvalue;
    check_place(parser, operand);
    if (operand->in_memory) return;
    operand->value = expr_as_meant(parser, expr_value(parser, operand->value));
    if (operand->value->type->kind == CT_VOID)
        error_at_expr(parser, operand->value, "an input of asm cannot be void");
}

// [name] "constraint" (expression), ...
static void parse_asm_operands(Parser *parser, Operands *operands, bool output) {
    while (parser_at(parser, TOK_LBRACKET) || parser_at(parser, TOK_STRING)) {
        AsmOperand operand = {0};
        if (parser_accept(parser, TOK_LBRACKET)) {
            if (parser_at(parser, TOK_IDENT)) operand.name = parser->token.ident;
            parser_next(parser);
            parser_expect(parser, TOK_RBRACKET, "the name of an operand");
        }
        const CString *text = parse_plain_string(parser, "the constraint of an operand");
        if (!text || !parser_expect(parser, TOK_LPAREN, "the constraint")) return;
        operand.constraint = (const char *)text->bytes;
        operand.value = parse_expression(parser);
        parser_expect(parser, TOK_RPAREN, "the operand");
        if (output)
            check_output(parser, &operand);
        else
            check_input(parser, &operand);
        vec_push(parser->body_arena, operands, operand);
        if (parser->panic || !parser_accept(parser, TOK_COMMA)) return;
    }
}

static void parse_clobbers(Parser *parser, Asm *assembler) {
    VEC(const char *) clobbers = {0};
    while (parser_at(parser, TOK_STRING)) {
        const CString *text = parse_plain_string(parser, "a clobber");
        if (!text) return;
        vec_push(parser->body_arena, &clobbers, (const char *)text->bytes);
        if (!parser_accept(parser, TOK_COMMA)) break;
    }
    assembler->clobbers = clobbers.at;
    assembler->clobber_count = clobbers.count;
}

static void parse_labels(Parser *parser, Asm *assembler) {
    VEC(LabelDecl *) labels = {0};
    while (parser_at(parser, TOK_IDENT)) {
        LabelDecl *label = find_label(parser, parser->token.ident, parser->token.pos);
        label->used = true;
        vec_push(parser->body_arena, &labels, label);
        parser_next(parser);
        if (!parser_accept(parser, TOK_COMMA)) break;
    }
    assembler->labels = labels.at;
    assembler->label_count = labels.count;
}

static bool next_part(Parser *parser) {
    return !parser->panic && parser_accept(parser, TOK_COLON);
}

static void parse_parts(Parser *parser, Asm *assembler) {
    Operands outputs = {0}, inputs = {0};
    assembler->is_extended = parser_at(parser, TOK_COLON);
    if (next_part(parser)) parse_asm_operands(parser, &outputs, true);
    if (next_part(parser)) parse_asm_operands(parser, &inputs, false);
    if (next_part(parser)) parse_clobbers(parser, assembler);
    if (next_part(parser)) parse_labels(parser, assembler);
    assembler->outputs = outputs.at;
    assembler->output_count = outputs.count;
    assembler->inputs = inputs.at;
    assembler->input_count = inputs.count;
}

Stmt *parse_asm_statement(Parser *parser) {
    Stmt *stmt = stmt_new(parser, ST_ASM, parser->token.pos);
    Asm *assembler = ARENA_NEW(parser->body_arena, Asm);
    stmt->assembler = assembler;
    parser_next(parser);
    for (; parser_at(parser, TOK_IDENT); parser_next(parser)) {
        unsigned keyword = parser->token.ident->keyword;
        if (keyword == KW_VOLATILE)
            assembler->is_volatile = true;
        else if (keyword == KW_GOTO)
            assembler->is_goto = true;
        else if (keyword != KW_INLINE && keyword != KW_CONST)
            break;
    }
    if (!parser_expect(parser, TOK_LPAREN, "'asm'")) return stmt;
    const CString *text = parse_plain_string(parser, "the template of asm");
    if (!text) return stmt;
    assembler->text = (const char *)text->bytes;
    assembler->length = (uint32_t)(text->size - 1);
    if (parser->function) parse_parts(parser, assembler);
    parser_expect(parser, TOK_RPAREN, "the parts of asm");
    parser_expect(parser, TOK_SEMI, "the asm statement");
    if (assembler->output_count == 0 || assembler->is_goto) assembler->is_volatile = true;
    return stmt;
}
