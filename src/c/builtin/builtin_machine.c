// Builtin functions that are instructions of the machine: ({ type result; asm(...); result; }).
#include "c/parse/builtin.h"
#include "c/parse/declare.h"
#include "c/parse/statement.h"

#include <string.h>

// The words of a text, each in the arena; their number.
static uint32_t split(Parser *parser, const char *text, const char ***words) {
    VEC(const char *) list = {0};
    for (size_t length; *text; text += length + (text[length] == ' ')) {
        length = strcspn(text, " ");
        vec_push(parser->body_arena, &list, arena_text(parser->body_arena, text, length));
    }
    *words = list.at;
    return list.count;
}

static Asm *instruction(BuiltinUse *use, const TargetBuiltin *row, Decl *result) {
    Parser *parser = use->parser;
    Asm *assembler = ARENA_NEW(parser->body_arena, Asm);
    const char **constraints;
    *assembler = (Asm){.text = row->text,
                       .length = (uint32_t)strlen(row->text),
                       .is_volatile = true,
                       .is_extended = true};
    assembler->input_count = split(parser, row->inputs, &constraints);
    assembler->inputs = ARENA_ARRAY(parser->body_arena, AsmOperand, assembler->input_count + 1);
    for (uint32_t i = 0; i < assembler->input_count; i++)
        assembler->inputs[i] = (AsmOperand){.constraint = constraints[i], .value = use->args[i]};
    assembler->clobber_count = split(parser, row->clobbers, &assembler->clobbers);
    if (!result) return assembler;
    assembler->output_count = 1;
    assembler->outputs = ARENA_NEW(parser->body_arena, AsmOperand);
    assembler->outputs[0] = (AsmOperand){.constraint = row->output,
                                         .value = expr_var(parser, result, use->from.pos),
                                         .in_memory = strcmp(row->output, "=m") == 0};
    result->address_taken = assembler->outputs[0].in_memory;
    return assembler;
}

static void add_statement(Stmt *block, Stmt *stmt) {
    if (block->last)
        block->last->next = stmt;
    else
        block->first = stmt;
    block->last = stmt;
}

Expr *builtin_machine(BuiltinUse *use) {
    Parser *parser = use->parser;
    const TargetBuiltin *row = &parser->types->language->builtins[use->operation];
    if (!parser->function) {
        error_at_expr(parser, &use->from, "'%s' can be used only inside of a function", use->name);
        return expr_error(parser, &use->from);
    }
    Stmt *block = stmt_new(parser, ST_COMPOUND, use->from.pos);
    Decl *result = *row->output ? hidden_variable(parser, use->result, false) : NULL;
    if (result) {
        Stmt *declares = stmt_new(parser, ST_DECL, use->from.pos);
        vec_push(parser->body_arena, &declares->decls, result);
        add_statement(block, declares);
    }
    Stmt *code = stmt_new(parser, ST_ASM, use->from.pos);
    code->assembler = instruction(use, row, result);
    add_statement(block, code);
    if (result) {
        Stmt *value = stmt_new(parser, ST_EXPR, use->from.pos);
        value->expr = expr_value(parser, expr_var(parser, result, use->from.pos));
        add_statement(block, value);
    }
    block->end = parser->last_end;
    Expr *expr = expr_new(parser, EX_STATEMENT, use->result, &use->from);
    expr->body = block;
    parser->function->has_statement_exprs = true;
    return expr;
}
