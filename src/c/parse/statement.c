// Statements and function bodies.
//
// While parsing, FunctionState.live says whether the present point can be reached: structured
// statements combine the flag, jumps clear it, labels set it. The flag is enough to see that
// control reaches the end of a function without a return.
//
// A label is a statement of its own: its body is empty, and the labelled statement comes next.
#include "base/spelling.h"
#include "c/parse/recover.h"
#include "c/parse/units_parse.h"
#include "c/parse/warn.h"

#include <string.h>

Stmt *stmt_new(Parser *parser, StmtKind kind, Pos pos) {
    Stmt *stmt = ARENA_NEW(parser->body_arena, Stmt);
    stmt->kind = (uint8_t)kind;
    stmt->pos = pos;
    stmt->end = pos;
    if (parser->scope) stmt->variables = parser->scope->variables;
    return stmt;
}

static void append(Stmt *block, Stmt *item) {
    if (block->last)
        block->last->next = item;
    else
        block->first = item;
    while (item->next) item = item->next;
    block->last = item;
}

// The semicolon at the end of a statement; after a mistake in it, all tokens before the semicolon.
// If the next token starts a line it was forgotten, and nothing needs to be skipped.
static void end_statement(Parser *parser, const char *what) {
    if (parser->panic) {
        parser_recover(parser);
        return;
    }
    bool fresh = parser->token.flags & TOKF_LINE || parser_at(parser, TOK_RBRACE);
    if (!parser_expect(parser, TOK_SEMI, what) && fresh) parser->panic = false;
}

// ---- Labels

LabelDecl *find_label(Parser *parser, Ident *name, Pos pos) {
    LabelDecl *label = name->label;
    if (!label) {
        label = ARENA_NEW(parser->body_arena, LabelDecl);
        label->name = name;
        label->pos = pos;
        name->label = label;
        vec_push(parser->body_arena, &parser->function->labels, label);
    }
    unit_uses_label(parser, label);
    return label;
}

static Stmt *parse_label(Parser *parser) {
    Token name = parser->token;
    LabelDecl *label = find_label(parser, name.ident, name.pos);
    Stmt *stmt = stmt_new(parser, ST_LABEL, name.pos);
    if (label->defined) {
        error_at_token(parser, "the label '%s' is defined twice", name.ident->text);
        parser_note(parser, label->pos, "it is first defined here");
    }
    label->defined = true;
    label->pos = name.pos;
    label->unit = parser->unit;
    label->variables = stmt->variables;
    stmt->label = label;
    parser_next(parser);
    parser_next(parser);
    if (parser_at_keyword(parser, KW_ATTRIBUTE)) {
        Attributes attributes = *parser->plain;
        parse_attributes(parser, &attributes);
        label->used |= attributes.unused;
    }
    parser->function->live = true;
    return stmt;
}

// __label__ a, b;
static void parse_local_labels(Parser *parser, Scope *scope) {
    while (parser_at_keyword(parser, KW_LABEL)) {
        do {
            parser_next(parser);
            if (!parser_at(parser, TOK_IDENT)) {
                syntax_error(parser, "expected the name of a label after '__label__'");
                break;
            }
            Ident *name = parser->token.ident;
            LabelDecl *outer = name->label;
            name->label = NULL;
            LabelDecl *label = find_label(parser, name, parser->token.pos);
            label->outer = outer;
            label->next_local = scope->labels;
            scope->labels = label;
            parser_next(parser);
        } while (parser_at(parser, TOK_COMMA));
        parser_expect(parser, TOK_SEMI, "the declaration of labels");
        if (parser->panic) parser_recover(parser);
    }
}

static void drop_local_labels(Scope *scope) {
    for (LabelDecl *label = scope->labels; label; label = label->next_local)
        label->name->label = label->outer;
    scope->labels = NULL;
}

// A label of any kind, if one stands here; else NULL.
static Stmt *parse_any_label(Parser *parser) {
    if (!parser_at(parser, TOK_IDENT)) return NULL;
    Stmt *stmt;
    unsigned keyword = parser->token.ident->keyword;
    if (keyword == KW_CASE)
        stmt = parse_case(parser);
    else if (keyword == KW_DEFAULT)
        stmt = parse_default(parser);
    else if (!keyword && parser_peek(parser, 1)->kind == TOK_COLON)
        stmt = parse_label(parser);
    else
        return NULL;
    stmt->body = stmt_new(parser, ST_EMPTY, stmt->pos);
    parser->function->after_label = true;
    warn_fallthrough(parser);
    return stmt;
}

// ---- Blocks

// __attribute__((fallthrough)); or [[fallthrough]]; or [[gnu::fallthrough]];
static bool at_fallthrough(Parser *parser) {
    bool standard = at_standard_attribute(parser);
    if (!standard && !parser_at_keyword(parser, KW_ATTRIBUTE)) return false;
    if (standard && after_standard_attributes(parser)->kind != TOK_SEMI) return false;
    const Token *name = parser_peek(parser, standard ? 2 : 3);
    if (standard && parser_peek(parser, 3)->kind == TOK_COLON) name = parser_peek(parser, 5);
    if (name->kind != TOK_IDENT) return false;
    const char *text = name->ident->text;
    return strcmp(text, "fallthrough") == 0 || strcmp(text, "__fallthrough__") == 0;
}

static Stmt *parse_fallthrough(Parser *parser) {
    Stmt *stmt = stmt_new(parser, ST_EMPTY, parser->token.pos);
    Attributes attributes = *parser->plain;
    parse_attributes(parser, &attributes);
    parser_expect(parser, TOK_SEMI, "the attribute");
    parser->function->after_label = true;
    return stmt;
}

static bool at_declaration(Parser *parser) {
    const Token *token = &parser->token;
    if (at_standard_attribute(parser)) token = after_standard_attributes(parser);
    if (token != &parser->token) return token->kind == TOK_IDENT && starts_type(parser, token);
    if (token->kind != TOK_IDENT) return false;
    for (uint32_t i = 1; token->kind == TOK_IDENT && token->ident->keyword == KW_EXTENSION; i++)
        token = parser_peek(parser, i);
    return starts_type(parser, token);
}

static Stmt *parse_local_declaration(Parser *parser) {
    Pos pos = parser->token.pos;
    Stmt *stmt = parse_block_declaration(parser);
    if (!stmt) stmt = stmt_new(parser, ST_EMPTY, pos);
    return stmt;
}

static void warn_unreachable(Parser *parser) {
    FunctionState *function = parser->function;
    if (function->live || function->unreachable_noted || !function->scope) return;
    function->unreachable_noted = true;
    const Token *token = &parser->token;
    parser_warn(parser, WARN_UNREACHABLE, token->pos, token->pos + token->length,
                "this code is never reached");
}

// An empty statement, or ((void)0), as which assert may be defined.
static bool does_nothing(const Stmt *stmt) {
    if (stmt->kind == ST_EMPTY) return true;
    return stmt->kind == ST_EXPR && stmt->expr->kind == EX_CAST && stmt->expr->cast == CAST_VOID &&
           expr_is_number(stmt->expr->left);
}

// [[...]] in front of a label or statement; a label can be marked as unused.
static Stmt *parse_attributed_label(Parser *parser) {
    if (!at_standard_attribute(parser) || at_fallthrough(parser) || at_declaration(parser))
        return parse_any_label(parser);
    Attributes attributes = *parser->plain;
    parse_attributes(parser, &attributes);
    Stmt *label = parser->panic ? NULL : parse_any_label(parser);
    if (label && label->kind == ST_LABEL) label->label->used |= attributes.unused;
    return label;
}

static Stmt *parse_block_item(Parser *parser) {
    uint32_t unit = unit_open(parser, UNIT_EMPTY, ROLE_ITEM);
    mend_keyword(parser);
    Stmt *stmt = parse_attributed_label(parser);
    if (stmt) {
        parser->function->unreachable_noted = false;
        return unit_close_statement(parser, unit, stmt);
    }
    if (at_fallthrough(parser))
        return unit_close_statement(parser, unit, parse_fallthrough(parser));
    if (at_declaration(parser)) {
        unit_is_declaration(parser, unit);
        stmt = parse_local_declaration(parser);
    } else {
        if (!parser_at(parser, TOK_SEMI)) warn_unreachable(parser);
        stmt = parse_statement(parser);
    }
    // A block leaves what its last statement did.
    if (stmt->kind != ST_COMPOUND && !does_nothing(stmt)) parser->function->after_label = false;
    return unit_close_statement(parser, unit, stmt);
}

static void check_unused(Parser *parser, const Stmt *stmt) {
    if (stmt && stmt->kind == ST_EXPR && !is_error(stmt->expr))
        warn_unused_value(parser, stmt->expr);
}

static bool is_label(const Stmt *stmt) {
    return stmt->kind == ST_LABEL || stmt->kind == ST_CASE || stmt->kind == ST_DEFAULT;
}

// The next tokens are outside of the function: a '}' is missing.
static void end_function(Parser *parser, const Stmt *block) {
    const FunctionState *function = parser->function;
    const char *what =
        arena_printf(parser->body_arena, "the function '%s'", function->decl->name->text);
    report_lost_end(parser, what, function->lost_brace ? function->lost_brace : block->pos);
}

// The items up to '}'. The value of the last one is used if the block is a statement expression.
static void parse_block_items(Parser *parser, Stmt *block, bool value) {
    bool statements = false;
    bool ordered = pp_might_warn(parser->pp, WARN_DECLARATION_AFTER_STATEMENT);
    while (!parser_at(parser, TOK_RBRACE) && !parser_at(parser, TOK_EOF)) {
        if (at_lost_end(parser)) end_function(parser, block);
        if (parser->closed) return;
        bool declares = ordered && at_declaration(parser) && !at_fallthrough(parser);
        if (declares && statements)
            parser_warn(parser, WARN_DECLARATION_AFTER_STATEMENT, parser->token.pos,
                        parser->token.pos + parser->token.length,
                        "ISO C90 forbids mixed declarations and code");
        Stmt *item = parse_block_item(parser);
        statements = !declares && !is_label(item);
        append(block, item);
        if (parser->panic && !parser_at(parser, TOK_EOF)) parser_recover(parser);
        if (!value || !parser_at(parser, TOK_RBRACE))
            check_unused(parser, item);
        else if (item->kind == ST_EXPR)
            mark_value_used(item->expr);
    }
    if (parser_at(parser, TOK_EOF)) parser->mistakes++;
}

// ---- Braces

// A '}' that starts a line farther left than the line of its '{' was probably meant for another.
static void check_indentation(Parser *parser, Pos open, Pos head) {
    FunctionState *function = parser->function;
    const Token *close = &parser->token;
    if (!function || function->lost_brace || !(close->flags & TOKF_LINE) || is_expanded(close->pos))
        return;
    uint32_t column = line_indentation(parser, head ? head : open);
    if (column != UINT32_MAX && line_indentation(parser, close->pos) < column)
        function->lost_brace = open;
}

bool note_lost_brace(Parser *parser) {
    const FunctionState *function = parser->function;
    if (!function || !function->lost_brace) return false;
    parser_note(parser, function->lost_brace, "to match this '{'");
    return true;
}

static Stmt *parse_block(Parser *parser, Scope *scope, bool value) {
    Stmt *block = stmt_new(parser, ST_COMPOUND, parser->token.pos);
    Pos head = parser->function->head;
    parser->function->head = 0;
    parser_expect(parser, TOK_LBRACE, "this");
    if (parser->panic) return block;
    scope_push(parser, scope);
    parse_local_labels(parser, scope);
    parse_block_items(parser, block, value);
    drop_local_labels(scope);
    scope_pop(parser);
    block->end = parser->token.pos;
    if (parser->closed) return block;
    if (parser_at(parser, TOK_EOF)) {
        if (pp_cut_short(parser->pp)) parser->panic = true;
        syntax_error(parser, "expected '}' at the end of the block");
        if (!note_lost_brace(parser)) parser_note(parser, block->pos, "the block starts here");
    } else {
        check_indentation(parser, block->pos, head);
        parser_next(parser);
    }
    return block;
}

Stmt *parse_statement_expression_body(Parser *parser, Scope *scope) {
    if (!parser_enter(parser)) {
        return stmt_new(parser, ST_COMPOUND, parser->token.pos);
    }
    bool after_label = parser->function->after_label, whole = parser->unit_whole;
    parser->unit_whole = true;
    Stmt *block = parse_block(parser, scope, true);
    parser->unit_whole = whole;
    parser->function->after_label = after_label;
    return block;
}

// ---- Conditions

static Expr *parse_controlling(Parser *parser, const char *keyword) {
    Expr at = expr_at_token(&parser->token);
    if (!parser_expect(parser, TOK_LPAREN, keyword)) return expr_error(parser, &at);
    Expr *expr = expr_condition(parser, parse_expression(parser));
    parser_expect(parser, TOK_RPAREN, "the condition");
    return expr;
}

static bool always(const Expr *condition, bool value) {
    bool truth;
    return condition && constant_truth(condition, &truth) && truth == value;
}

// The statement that if, else, while or for controls; the keyword has been read.
static Stmt *parse_guarded(Parser *parser, const Token *keyword) {
    GuardedStatement guard = {.keyword = *keyword, .body = parser->token};
    Stmt *stmt = parse_controlled(parser);
    warn_indentation(parser, &guard);
    return stmt;
}

static void warn_empty_body(Parser *parser, const Stmt *body, const char *keyword) {
    if (body->kind != ST_EMPTY || is_expanded(body->pos)) return;
    parser_warn(parser, WARN_EMPTY_BODY, body->pos, body->pos + 1,
                "suggest braces around the empty body of '%s'", keyword);
}

// An if statement with all its else ifs, which may be many.
static Stmt *parse_if(Parser *parser) {
    FunctionState *function = parser->function;
    Stmt *first = NULL, **link = &first;
    bool live_after = false;
    uint32_t unit = 0, outer = parser->unit;
    Pos word = 0, before = 0; // else, and the end of the text in front of it
    while (parser_at_keyword(parser, KW_IF)) {
        Stmt *stmt = stmt_new(parser, ST_IF, parser->token.pos);
        if (first) unit = stmt->unit = unit_open(parser, UNIT_IF, ROLE_ELSE);
        unit_is_else(parser, unit, word, before);
        *link = stmt;
        link = &stmt->otherwise;
        Token keyword = parser->token;
        parser_next(parser);
        stmt->expr = parse_controlling(parser, "'if'");
        bool live = function->live;
        stmt->body = parse_guarded(parser, &keyword);
        live_after |= function->live && !always(stmt->expr, false);
        function->live = live && !always(stmt->expr, true);
        mend_keyword(parser);
        if (!parser_at_keyword(parser, KW_ELSE)) {
            if (stmt->body->kind == ST_IF && stmt->body->otherwise)
                parser_warn(parser, WARN_DANGLING_ELSE, stmt->pos, stmt->pos + 2,
                            "suggest explicit braces to avoid ambiguous 'else'");
            warn_empty_body(parser, stmt->body, "if");
            break;
        }
        word = parser->token.pos;
        before = parser->last_end;
        keyword = parser->token;
        parser_next(parser);
        if (parser_at_keyword(parser, KW_IF)) continue;
        // After `if (1) ... else` the else part is dead but no surprise.
        bool reached = function->live;
        function->live = live;
        stmt->otherwise = parse_guarded(parser, &keyword);
        unit_is_else(parser, stmt->otherwise->unit, word, before);
        warn_empty_body(parser, stmt->otherwise, "else");
        function->live &= reached;
        break;
    }
    while (parser->unit != outer) unit_close(parser, parser->unit, UNIT_IF);
    function->live |= live_after;
    return first;
}

// ---- Loops

void enter_breakable(Parser *parser, JumpTarget *target, Stmt *stmt) {
    FunctionState *function = parser->function;
    *target = (JumpTarget){.outer = function->breakable, .stmt = stmt};
    function->breakable = target;
}

// Parses the body of a loop, inside of which break and continue mean this loop.
static void parse_loop_body(Parser *parser, JumpTarget *target, Stmt *stmt, const Token *keyword) {
    FunctionState *function = parser->function;
    JumpTarget *outer = function->loop;
    enter_breakable(parser, target, stmt);
    function->loop = target;
    stmt->body = keyword ? parse_guarded(parser, keyword) : parse_controlled(parser);
    function->loop = outer;
    function->breakable = target->outer;
}

static Stmt *parse_while(Parser *parser) {
    FunctionState *function = parser->function;
    Stmt *stmt = stmt_new(parser, ST_WHILE, parser->token.pos);
    Token keyword = parser->token;
    parser_next(parser);
    stmt->expr = parse_controlling(parser, "'while'");
    bool live = function->live;
    JumpTarget target;
    parse_loop_body(parser, &target, stmt, &keyword);
    function->live = (live && !always(stmt->expr, true)) || target.broken;
    return stmt;
}

static Stmt *parse_do(Parser *parser) {
    FunctionState *function = parser->function;
    Stmt *stmt = stmt_new(parser, ST_DO, parser->token.pos);
    Expr at = expr_at_token(&parser->token);
    parser_next(parser);
    JumpTarget target;
    parse_loop_body(parser, &target, stmt, NULL);
    if (parser->panic) parser_recover(parser);
    if (!parser_at_keyword(parser, KW_WHILE)) {
        syntax_error(parser, "expected 'while' after the body of 'do'");
        stmt->expr = expr_error(parser, &at);
        return stmt;
    }
    parser_next(parser);
    stmt->expr = parse_controlling(parser, "'while'");
    end_statement(parser, "a do statement");
    function->live =
        ((function->live || target.continued) && !always(stmt->expr, true)) || target.broken;
    return stmt;
}

static Expr *effect(Parser *parser, Expr *expr) {
    expr = expr_unused_value(parser, expr);
    if (!is_error(expr)) warn_unused_value(parser, expr);
    return expr;
}

// After a mistake in the head of a loop: past its ')', if that stands in this line.
static void skip_head(Parser *parser) {
    uint32_t depth = 0;
    for (;; parser_next(parser)) {
        if (parser->token.flags & TOKF_LINE || parser_at(parser, TOK_EOF)) return;
        if (parser_at(parser, TOK_LBRACE)) return;
        if (parser_at(parser, TOK_RBRACE) && !is_amid_expression(parser)) return;
        if (parser_at(parser, TOK_LPAREN)) depth++;
        if (parser_at(parser, TOK_RPAREN) && depth-- == 0) break;
    }
    parser_next(parser);
    parser->panic = false;
}

static void parse_for_head(Parser *parser, Stmt *stmt) {
    if (at_declaration(parser)) {
        parser->for_head = true;
        stmt->init = parse_local_declaration(parser);
        parser->for_head = false;
        if (stmt->init->next) { // sizes of variable types come first, in statements of their own
            Stmt *block = stmt_new(parser, ST_COMPOUND, stmt->pos);
            append(block, stmt->init);
            stmt->init = block;
        }
    } else if (!parser_accept(parser, TOK_SEMI)) {
        stmt->init = stmt_new(parser, ST_EXPR, parser->token.pos);
        stmt->init->expr = effect(parser, parse_expression(parser));
        parser_expect(parser, TOK_SEMI, "the first part of 'for'");
    }
    if (!parser_at(parser, TOK_SEMI) && !parser->panic)
        stmt->expr = expr_condition(parser, parse_expression(parser));
    if (!parser_expect(parser, TOK_SEMI, "the condition of 'for'")) return;
    if (!parser_at(parser, TOK_RPAREN) && !parser->panic)
        stmt->step = effect(parser, parse_expression(parser));
    parser_expect(parser, TOK_RPAREN, "the head of 'for'");
}

static Stmt *parse_for(Parser *parser) {
    FunctionState *function = parser->function;
    Stmt *stmt = stmt_new(parser, ST_FOR, parser->token.pos);
    Token keyword = parser->token;
    parser_next(parser);
    Scope scope;
    scope_push(parser, &scope);
    JumpTarget target = {0};
    if (parser_expect(parser, TOK_LPAREN, "'for'")) parse_for_head(parser, stmt);
    if (parser->panic) skip_head(parser);
    bool live = function->live && stmt->expr && !always(stmt->expr, true);
    if (parser->panic)
        stmt->body = stmt_new(parser, ST_EMPTY, stmt->pos);
    else
        parse_loop_body(parser, &target, stmt, &keyword);
    scope_pop(parser);
    function->live = live || target.broken;
    return stmt;
}

// ---- Jumps

static Stmt *parse_goto(Parser *parser) {
    FunctionState *function = parser->function;
    Stmt *stmt = stmt_new(parser, ST_GOTO, parser->token.pos);
    parser_next(parser);
    if (parser_accept(parser, TOK_STAR)) {
        stmt->kind = ST_GOTO_COMPUTED;
        Types *types = parser->types;
        CType *label = type_pointer(types, type_qualify(types, types->basic[CT_VOID], Q_CONST));
        stmt->expr = expr_assign_convert(parser, parse_expression(parser), label, "goto");
        function->decl->has_computed_goto = true;
    } else if (parser_at(parser, TOK_IDENT) && !parser->token.ident->keyword) {
        stmt->label = find_label(parser, parser->token.ident, parser->token.pos);
        stmt->label->used = true;
        vec_push(parser->body_arena, &function->gotos, stmt);
        parser_next(parser);
    } else {
        syntax_error(parser, "expected a label after 'goto'");
        stmt->kind = ST_EMPTY;
    }
    end_statement(parser, "the goto statement");
    function->live = false;
    return stmt;
}

static Stmt *parse_break(Parser *parser, bool is_break) {
    FunctionState *function = parser->function;
    JumpTarget *target = is_break ? function->breakable : function->loop;
    Stmt *stmt = stmt_new(parser, is_break ? ST_BREAK : ST_CONTINUE, parser->token.pos);
    if (target) {
        stmt->enclosing = target->stmt;
        if (is_break)
            target->broken |= function->live;
        else
            target->continued |= function->live;
    } else {
        error_at_token(parser, is_break ? "break can stand only inside of a loop or switch"
                                        : "continue can stand only inside of a loop");
        stmt->kind = ST_EMPTY;
    }
    parser_next(parser);
    end_statement(parser, is_break ? "'break'" : "'continue'");
    function->live = false;
    return stmt;
}

// A value returned from a function that returns void: evaluated, then dropped.
static Stmt *return_void(Parser *parser, Stmt *stmt, Expr *expr) {
    expr = expr_value(parser, expr);
    if (!is_error(expr) && expr->type->kind != CT_VOID)
        warn_at_value(parser, WARN_RETURN_MISMATCH, expr,
                      "a value is returned from the function '%s', which returns void",
                      parser->function->decl->name->text);
    Stmt *block = stmt_new(parser, ST_COMPOUND, stmt->pos);
    Stmt *first = stmt_new(parser, ST_EXPR, stmt->pos);
    first->expr = is_error(expr) ? expr : expr_cast(parser, expr, parser->types->basic[CT_VOID]);
    append(block, first);
    append(block, stmt);
    return block;
}

static Stmt *parse_return(Parser *parser) {
    FunctionState *function = parser->function;
    Stmt *stmt = stmt_new(parser, ST_RETURN, parser->token.pos), *made = stmt;
    Token at = parser->token;
    parser_next(parser);
    const char *name = function->decl->name->text;
    bool is_void = function->result->kind == CT_VOID;
    if (!parser_at(parser, TOK_SEMI)) {
        Expr *expr = parse_expression(parser);
        if (is_void)
            made = return_void(parser, stmt, expr);
        else
            stmt->expr = expr_assign_convert(parser, expr, function->result, "returning a value");
        if (stmt->expr && !is_error(stmt->expr))
            warn_returned_address(parser, stmt->expr, at.pos, at.pos + at.length);
    } else if (!is_void) {
        parser_warn(parser, WARN_RETURN_MISMATCH, at.pos, at.pos + at.length,
                    "no value is returned from the function '%s', which returns %s", name,
                    type_text(parser, function->result));
    }
    if (function->decl->is_noreturn || function->decl->attributes->noreturn)
        parser_warn(parser, WARN_RETURN_MISMATCH, at.pos, at.pos + at.length,
                    "the function '%s' is declared never to return", name);
    end_statement(parser, "the return statement");
    function->live = false;
    return made;
}

// ---- Expression statements

static bool never_returns(const Expr *expr) {
    while (expr->kind == EX_COMMA || (expr->kind == EX_CAST && expr->cast == CAST_VOID)) {
        if (expr->kind == EX_COMMA && never_returns(expr->right)) return true;
        expr = expr->left;
    }
    if (expr->kind == EX_BUILTIN)
        return expr->builtin == CB_TRAP || expr->builtin == CB_UNREACHABLE;
    if (expr->kind != EX_CALL) return false;
    const Expr *callee = expr->left;
    if (callee->type->base->func.noreturn) return true;
    if (callee->kind != EX_CAST || callee->left->kind != EX_FUNC) return false;
    const Decl *func = callee->left->decl;
    return func->is_noreturn || func->attributes->noreturn;
}

static Stmt *parse_expression_statement(Parser *parser) {
    Stmt *stmt = stmt_new(parser, ST_EXPR, parser->token.pos);
    stmt->expr = expr_unused_value(parser, parse_expression(parser));
    stmt->end = stmt->expr->end;
    // The rest of the line behind a mistake is part of it.
    if (is_error(stmt->expr) && !parser_at(parser, TOK_SEMI) && !parser_at(parser, TOK_RBRACE) &&
        !(parser->token.flags & TOKF_LINE))
        parser->panic = true;
    end_statement(parser, "the expression");
    if (!is_error(stmt->expr) && never_returns(stmt->expr)) parser->function->live = false;
    return stmt;
}

// A statement that is a block of its own: a tag that its condition declares ends with it. In C90 it
// is not.
static Stmt *parse_as_block(Parser *parser, Stmt *(*parse)(Parser *)) {
    if (parser->c90) return parse(parser);
    Scope scope;
    scope_push(parser, &scope);
    Stmt *stmt = parse(parser);
    scope_pop(parser);
    return stmt;
}

static Stmt *parse_keyword_statement(Parser *parser, unsigned keyword) {
    parser->function->head = parser->token.pos;
    switch (keyword) {
    case KW_IF: return parse_as_block(parser, parse_if);
    case KW_WHILE: return parse_as_block(parser, parse_while);
    case KW_DO: return parse_as_block(parser, parse_do);
    case KW_FOR: return parse_for(parser);
    case KW_SWITCH: return parse_as_block(parser, parse_switch);
    case KW_GOTO: return parse_goto(parser);
    case KW_BREAK: return parse_break(parser, true);
    case KW_CONTINUE: return parse_break(parser, false);
    case KW_RETURN: return parse_return(parser);
    case KW_ASM: return parse_asm_statement(parser);
    case KW_ELSE: {
        Stmt *stmt = stmt_new(parser, ST_EMPTY, parser->token.pos);
        error_at_token(parser, "'else' without an 'if' before it");
        parser_next(parser);
        return stmt;
    }
    default: return parse_expression_statement(parser);
    }
}

// From where control goes on behind a statement: of an if whose last branch does, that is the last
// statement there.
static void note_statement(Parser *parser, const Stmt *stmt) {
    FunctionState *function = parser->function;
    if (!function->live) {
        function->last_statement = 0;
        return;
    }
    while (stmt->kind == ST_IF && stmt->otherwise && stmt->otherwise->kind == ST_IF)
        stmt = stmt->otherwise;
    bool inside = stmt->kind == ST_IF && stmt->otherwise && function->last_statement;
    if (!inside) function->last_statement = stmt->pos;
}

Stmt *parse_statement(Parser *parser) {
    if (!parser_enter(parser)) {
        return stmt_new(parser, ST_EMPTY, parser->token.pos);
    }
    Stmt *stmt;
    Scope scope;
    if (parser_at(parser, TOK_LBRACE)) {
        stmt = parse_block(parser, &scope, false);
    } else if (parser_at(parser, TOK_SEMI)) {
        stmt = stmt_new(parser, ST_EMPTY, parser->token.pos);
        parser_next(parser);
    } else {
        unsigned keyword = parser_at(parser, TOK_IDENT) ? parser->token.ident->keyword : KW_NONE;
        stmt =
            keyword ? parse_keyword_statement(parser, keyword) : parse_expression_statement(parser);
        note_statement(parser, stmt);
    }
    return stmt;
}

// The labels in front of a controlled statement, as items of a block; NULL if there are none.
static Stmt *parse_controlled_labels(Parser *parser) {
    Stmt *block = NULL;
    while (!parser->panic) {
        uint32_t unit = unit_open(parser, UNIT_LABEL, ROLE_ITEM);
        Stmt *label = parse_attributed_label(parser);
        if (!label) {
            unit_cancel(parser, unit);
            break;
        }
        unit_close_statement(parser, unit, label);
        if (!block) block = stmt_new(parser, ST_COMPOUND, label->pos);
        append(block, label);
    }
    return block;
}

static Stmt *parse_after_labels(Parser *parser, bool labelled) {
    mend_keyword(parser);
    if (labelled && parser_at(parser, TOK_RBRACE))
        return stmt_new(parser, ST_EMPTY, parser->token.pos);
    if (at_fallthrough(parser)) return parse_fallthrough(parser);
    if (at_declaration(parser)) {
        error_at_token(parser, "a declaration cannot stand here; put it into a block");
        return parse_local_declaration(parser);
    }
    bool braces = parser_at(parser, TOK_LBRACE);
    Stmt *stmt = braces ? parse_statement(parser) : parse_as_block(parser, parse_statement);
    check_unused(parser, stmt);
    return stmt;
}

// The statement that a condition, loop or switch controls, with its labels.
Stmt *parse_controlled(Parser *parser) {
    if (parser->panic) {
        // The head was wrong: go on after it if its body is still there.
        if (!parser_at(parser, TOK_LBRACE)) return stmt_new(parser, ST_EMPTY, parser->token.pos);
        parser->panic = false;
    }
    if (!parser_enter(parser)) {
        return stmt_new(parser, ST_EMPTY, parser->token.pos);
    }
    uint32_t unit = unit_open(parser, UNIT_EMPTY, ROLE_BODY);
    Stmt *block = parse_controlled_labels(parser);
    if (!block) {
        Stmt *stmt = parse_after_labels(parser, false);
        parser->function->after_label = false;
        return unit_close_statement(parser, unit, stmt);
    }
    uint32_t inner = unit_open(parser, UNIT_EMPTY, ROLE_BODY);
    append(block, unit_close_statement(parser, inner, parse_after_labels(parser, true)));
    parser->function->after_label = false;
    unit_is_labelled(parser, unit);
    return unit_close_statement(parser, unit, block);
}

// ---- Functions

static void report_no_label(Parser *parser, const FunctionState *function, const LabelDecl *label) {
    enum { MOST_LABELS = 1000 };
    Pos end = label->pos + label->name->length;
    Spelling spelling;
    spelling_start(&spelling, label->name->text);
    for (uint32_t i = 0; i < function->labels.count && i < MOST_LABELS; i++)
        if (function->labels.at[i]->defined)
            spelling_try(&spelling, function->labels.at[i]->name->text);
    if (spelling.nearest) parser_fix_replace(parser, label->pos, end, spelling.nearest);
    parser_error(parser, label->pos, end, "the label '%s' is used but not defined%s%s%s",
                 label->name->text, spelling.nearest ? "; did you mean '" : "",
                 spelling.nearest ? spelling.nearest : "", spelling.nearest ? "'?" : "");
}

static void check_labels(Parser *parser, FunctionState *function) {
    for (uint32_t i = 0; i < function->labels.count; i++) {
        LabelDecl *label = function->labels.at[i];
        Pos end = label->pos + label->name->length;
        if (!label->defined)
            report_no_label(parser, function, label);
        else if (!label->used)
            parser_warn(parser, WARN_UNUSED_LABEL, label->pos, end, "unused label '%s'",
                        label->name->text);
        label->name->label = NULL;
    }
    if (!function->has_variable_types) return;
    for (uint32_t i = 0; i < function->gotos.count; i++) {
        const Stmt *jump = function->gotos.at[i];
        if (jump->label->defined)
            check_jump_into(parser, jump, jump->label->variables, jump->pos, "this goto");
    }
}

// The end of the body: a missing return, or the one that main is given.
static void finish_body(Parser *parser, Decl *func, Stmt *body) {
    FunctionState *function = parser->function;
    bool noreturn = func->is_noreturn || func->attributes->noreturn;
    if (function->live && noreturn && parser->mistakes == function->mistakes_before)
        parser_warn(parser, WARN_RETURN_MISMATCH, body->end, body->end + 1,
                    "the function '%s' is declared never to return", func->name->text);
    bool naked = func->attributes->emission & SYMF_NAKED;
    if (!function->live || function->result->kind == CT_VOID || noreturn || naked) return;
    if (strcmp(func->name->text, "main") == 0 && type_is_integer(function->result)) {
        Stmt *stmt = stmt_new(parser, ST_RETURN, body->end);
        Expr at = {.pos = body->end, .end = body->end + 1};
        stmt->expr = expr_int(parser, value_type(parser, function->result), 0, &at);
        append(body, stmt);
        return;
    }
    if (function->result->kind == CT_ERROR) return;
    if (parser->mistakes != function->mistakes_before) return; // statements may be missing
    parser_warn(parser, WARN_RETURN_TYPE, body->end, body->end + 1,
                "the function '%s' may end without returning a value", func->name->text);
}

void parse_function_body(Parser *parser, Decl *func) {
    FunctionState *outer = parser->function;
    Scope scope;
    FunctionState function = {
        .decl = func, .result = func->type->base->unqualified, .scope = &scope, .live = true};
    function.number = ++parser->function_count;
    func->loose_aliasing = parser->loose_aliasing;
    function.mistakes_before = parser->mistakes;
    pp_set_function(parser->pp, func->name->text);
    Stmt *body = stmt_new(parser, ST_COMPOUND, parser->token.pos);
    scope_push(parser, &scope);
    scope.function = true;
    parser->function = &function;
    unit_open_function(parser, func);
    for (uint32_t i = 0; i < func->params.count; i++) {
        if (func->params.at[i]->name) scope_declare(parser, func->params.at[i]);
    }
    if (!parser->body_open) parser_next(parser);
    parser->body_open = false;
    parse_local_labels(parser, &scope);
    parse_block_items(parser, body, false);
    while (parser_at(parser, TOK_RBRACE) && closes_too_early(parser)) {
        error_at_token(parser, "this '}' is one too many, or a '{' before it is missing");
        parser_next(parser);
        parse_block_items(parser, body, false);
    }
    body->end = parser->token.pos;
    drop_local_labels(&scope);
    check_labels(parser, &function);
    finish_body(parser, func, body);
    if (parser->mistakes == function.mistakes_before) warn_body(parser, func, body);
    scope_pop(parser);
    func->body = body;
    pp_set_function(parser->pp, NULL);
    if (parser->closed) {
        parser->closed = parser->panic = false;
    } else if (!parser_at(parser, TOK_EOF)) {
        parser_next(parser);
        unit_close_function(parser, body);
    } else if (!function.brace_reported && !pp_cut_short(parser->pp)) {
        error_at_token(parser, "expected '}' at the end of the function '%s'", func->name->text);
        if (!note_lost_brace(parser))
            parser_note(parser, body->pos, "the function's body starts here");
    }
    parser->function = outer;
}
