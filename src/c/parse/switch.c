// switch statements, their case and default labels, and the checks on them.
#include "c/parse/statement.h"

#include "c/parse/units_parse.h"

#include <stdlib.h>
#include <string.h>

// ---- case and default

static bool says_fall(const char *text, const char *end) {
    for (; text + 4 <= end; text++) {
        if (strncasecmp(text, "fall", 4) == 0) return true;
        if (strncasecmp(text, "lint", 4) == 0) return true;
    }
    return false;
}

// Whether the text ends with a comment that says that falling through is meant. Lines may be
// continued.
static bool ends_in_fall(const char *text, const char *end) {
    while (end > text && strchr(" \t\r\n\\", end[-1])) end--;
    if (end - text < 4 || end[-1] != '/' || end[-2] != '*') return false;
    const char *start = end - 4;
    while (start > text && (start[0] != '/' || start[1] != '*')) start--;
    return says_fall(start, end);
}

// Whether a comment in front of this token says that falling through is meant: after the last token
// in a file, or in the macro that the token is from.
static bool fallthrough_comment(Parser *parser) {
    Pos from = pp_spelling(parser->pp, parser->last_end);
    Pos to = pp_spelling(parser->pp, parser->token.pos);
    const Inclusion *inclusion = pp_inclusion(parser->pp, to);
    if (!inclusion) return false;
    const char *text = inclusion->file->text, *end = text + (to - inclusion->start);
    if (is_expanded(parser->token.pos)) return ends_in_fall(text, end);
    if (is_expanded(parser->last_end) || from >= to || from < inclusion->start) return false;
    return says_fall(text + (from - inclusion->start), end);
}

// At a label: notes that control may get here from the case before.
static void note_fallthrough(Parser *parser) {
    FunctionState *function = parser->function;
    JumpTarget *target = function->switch_target;
    if (!function->live || function->after_label || !target->last_case) return;
    if (!pp_might_warn(parser->pp, WARN_FALLTHROUGH) || fallthrough_comment(parser)) return;
    function->fallen_into = parser->token;
    function->fallen_from = function->last_statement;
}

// Whether the statements here only leave the switch, so that it makes no difference how control
// gets here.
static bool leaves_at_once(Parser *parser) {
    const Token *token = &parser->token;
    bool braced = token->kind == TOK_LBRACE;
    if (braced) token = parser_peek(parser, 1);
    if (token->kind == TOK_SEMI || token->kind == TOK_RBRACE) return true;
    if (token->kind != TOK_IDENT) return false;
    switch (token->ident->keyword) {
    case KW_BREAK:
    case KW_CONTINUE:
    case KW_GOTO: return true;
    case KW_RETURN: return parser_peek(parser, braced ? 2 : 1)->kind == TOK_SEMI;
    default: return false;
    }
}

static bool at_label(Parser *parser) {
    if (!parser_at(parser, TOK_IDENT)) return false;
    unsigned keyword = parser->token.ident->keyword;
    return keyword == KW_CASE || keyword == KW_DEFAULT ||
           (!keyword && parser_peek(parser, 1)->kind == TOK_COLON);
}

void warn_fallthrough(Parser *parser) {
    Token *label = &parser->function->fallen_into;
    if (!label->pos || at_label(parser)) return;
    Pos from = parser->function->fallen_from;
    if (!from) from = label->pos;
    if (!leaves_at_once(parser)) {
        parser_warn(parser, WARN_FALLTHROUGH, from, from + 1, "this statement may fall through");
        parser_note(parser, label->pos, "here");
    }
    label->pos = 0;
}

void check_jump_into(Parser *parser, const Stmt *jump, const VariableScope *to, Pos pos,
                     const char *what) {
    // Where the jump starts is in that scope if the innermost variable there was declared in it.
    const VariableScope *from = jump->variables;
    if (!to || (from && to->opened <= from->opened && from->opened < to->closed)) return;
    const Decl *entered = to->decl;
    const char *name = entered->name ? entered->name->text : "";
    parser_error(parser, pos, pos + 1, "%s jumps into the scope of '%s', whose size is variable",
                 what, name);
    parser_note(parser, entered->pos, "'%s' is declared here", name);
}

// The value of a case label, in the type of the switch.
static bool case_value(Parser *parser, const JumpTarget *target, Wide *value) {
    Expr *expr = expr_value(parser, parse_constant(parser));
    int64_t constant;
    if (!constant_integer(parser, expr, "case label", &constant)) return false;
    return constant_wide(expr_convert(parser, expr, target->type), value);
}

static bool value_less(const CType *type, Wide a, Wide b) {
    return type_is_unsigned(type) ? wide_less_unsigned(a, b) : wide_less_signed(a, b);
}

static void link_case(Parser *parser, JumpTarget *target, Stmt *stmt) {
    unit_case_of(parser, target->unit);
    stmt->enclosing = target->stmt;
    if (target->last_case)
        target->last_case->next_case = stmt;
    else
        target->stmt->next_case = stmt;
    target->last_case = stmt;
    target->case_count++;
}

Stmt *parse_case(Parser *parser) {
    FunctionState *function = parser->function;
    JumpTarget *target = function->switch_target;
    Token at = parser->token;
    if (!target)
        error_at_token(parser, "a case label can stand only inside of a switch");
    else
        note_fallthrough(parser);
    Stmt *stmt = stmt_new(parser, ST_CASE, at.pos);
    parser_next(parser);
    JumpTarget none = {.type = parser->types->basic[CT_INT]};
    const JumpTarget *type_from = target ? target : &none;
    bool right = case_value(parser, type_from, &stmt->low);
    stmt->high = stmt->low;
    if (parser_accept(parser, TOK_ELLIPSIS)) right &= case_value(parser, type_from, &stmt->high);
    stmt->end = parser->last_end;
    parser_expect(parser, TOK_COLON, "the case label");
    function->live = true;
    if (!target || !right) {
        stmt->kind = ST_EMPTY;
        return stmt;
    }
    check_jump_into(parser, target->stmt, stmt->variables, at.pos, "this case label");
    if (value_less(target->type, stmt->high, stmt->low)) {
        parser_warn(parser, WARN_OVERFLOW, at.pos, at.pos + at.length,
                    "the range of this case is empty");
        stmt->kind = ST_EMPTY;
        return stmt;
    }
    link_case(parser, target, stmt);
    return stmt;
}

Stmt *parse_default(Parser *parser) {
    FunctionState *function = parser->function;
    JumpTarget *target = function->switch_target;
    Stmt *stmt = stmt_new(parser, ST_DEFAULT, parser->token.pos);
    if (!target) {
        error_at_token(parser, "a default label can stand only inside of a switch");
        stmt->kind = ST_EMPTY;
    } else if (target->stmt->default_case) {
        error_at_token(parser, "a switch cannot have two default labels");
        parser_note(parser, target->stmt->default_case->pos, "the first one is here");
        stmt->kind = ST_EMPTY;
    } else {
        note_fallthrough(parser);
        unit_case_of(parser, target->unit);
        stmt->enclosing = target->stmt;
        target->stmt->default_case = stmt;
        check_jump_into(parser, target->stmt, stmt->variables, stmt->pos, "this default label");
    }
    parser_next(parser);
    parser_expect(parser, TOK_COLON, "'default'");
    function->live = true;
    return stmt;
}

// ---- switch

static int compare_signed(const void *left, const void *right) {
    const Stmt *a = *(Stmt *const *)left, *b = *(Stmt *const *)right;
    if (!wide_equal(a->low, b->low)) return wide_less_signed(a->low, b->low) ? -1 : 1;
    return a->pos < b->pos ? -1 : a->pos > b->pos;
}

static int compare_unsigned(const void *left, const void *right) {
    const Stmt *a = *(Stmt *const *)left, *b = *(Stmt *const *)right;
    if (!wide_equal(a->low, b->low)) return wide_less_unsigned(a->low, b->low) ? -1 : 1;
    return a->pos < b->pos ? -1 : a->pos > b->pos;
}

static void check_duplicates(Parser *parser, const JumpTarget *target) {
    uint32_t count = target->case_count;
    if (count < 2) return;
    Stmt **cases = ARENA_ARRAY(parser->body_arena, Stmt *, count);
    uint32_t i = 0;
    for (Stmt *at = target->stmt->next_case; at; at = at->next_case) cases[i++] = at;
    bool is_unsigned = type_is_unsigned(target->type);
    qsort(cases, count, sizeof *cases, is_unsigned ? compare_unsigned : compare_signed);
    const Stmt *widest = cases[0]; // reaches furthest so far
    for (i = 1; i < count; i++) {
        const Stmt *at = cases[i];
        if (!value_less(target->type, widest->high, at->low)) {
            const Stmt *second = at->pos > widest->pos ? at : widest;
            const Stmt *first = second == at ? widest : at;
            parser_error(parser, second->pos, second->end, "this case value is used twice");
            parser_note(parser, first->pos, "it is first used here");
        }
        if (value_less(target->type, widest->high, at->high)) widest = at;
    }
}

// `written` gets the type of the expression, which may be an enumeration.
static Expr *parse_switch_value(Parser *parser, const CType **written) {
    Expr at = expr_at_token(&parser->token);
    *written = parser->types->basic[CT_ERROR];
    if (!parser_expect(parser, TOK_LPAREN, "'switch'")) return expr_error(parser, &at);
    Expr *expr = parse_expression(parser);
    *written = expr->type->unqualified;
    expr = expr_value(parser, expr);
    parser_expect(parser, TOK_RPAREN, "the value of 'switch'");
    if (is_error(expr)) return expr;
    if (!type_is_integer(expr->type)) {
        error_at_expr(parser, expr, "switch needs an integer, not a value of type %s",
                      type_text(parser, expr->type));
        return expr_error(parser, expr);
    }
    return expr;
}

// A switch over an enumeration without default should name all its values.
static void check_enumeration(Parser *parser, const JumpTarget *target, const CType *type) {
    bool whole = !target->stmt->default_case;
    Warning warning =
        whole && pp_might_warn(parser->pp, WARN_SWITCH) ? WARN_SWITCH : WARN_SWITCH_ENUM;
    if (type->kind != CT_ENUM || !pp_might_warn(parser->pp, warning)) return;
    Map known = {0};
    VEC(const Stmt *) ranges = {0};
    for (const Stmt *at = target->stmt->next_case; at; at = at->next_case) {
        if (wide_equal(at->low, at->high))
            map_set(parser->body_arena, &known, at->low.low, 1);
        else
            vec_push(parser->body_arena, &ranges, at);
    }
    for (uint32_t e = 0; e < type->enumeration.enumerator_count; e++) {
        const Decl *decl = type->enumeration.enumerators[e];
        uint64_t wrapped = wrap_integer(target->type, decl->enumerator);
        Wide value = type_is_unsigned(target->type) ? wide_unsigned(wrapped) : wide_signed(wrapped);
        bool found = map_get(&known, wrapped) != HASH_NONE;
        for (uint32_t i = 0; i < ranges.count && !found; i++)
            found = !value_less(target->type, value, ranges.at[i]->low) &&
                    !value_less(target->type, ranges.at[i]->high, value);
        if (!found)
            parser_warn(parser, warning, target->stmt->pos, target->stmt->pos + 6,
                        "the enumeration value '%s' is not handled in this switch",
                        decl->name->text);
    }
}

// Statements before the first label are never executed.
static void warn_before_cases(Parser *parser, const Stmt *body) {
    if (body->kind != ST_COMPOUND || !body->first) return;
    const Stmt *first = body->first;
    if (first->kind == ST_EXPR || first->kind == ST_IF || first->kind == ST_WHILE ||
        first->kind == ST_RETURN)
        parser_warn(parser, WARN_SWITCH_UNREACHABLE, first->pos, first->pos + 1,
                    "statement will never be executed");
}

static void warn_switch_value(Parser *parser, const Expr *value, const Stmt *stmt) {
    Pos pos = stmt->pos;
    bool truth = value->type->kind == CT_BOOL || value->kind == EX_LOGICAL_NOT ||
                 value->kind == EX_AND || value->kind == EX_OR ||
                 (value->kind == EX_BINARY && value->op >= BIN_EQ && value->op <= BIN_GE);
    // Cases for both values, and for nothing else, are good.
    bool beyond = stmt->default_case != NULL;
    for (const Stmt *at = stmt->next_case; at; at = at->next_case)
        beyond |= !wide_less_unsigned(at->high, wide_unsigned(2));
    if (truth && beyond)
        parser_warn(parser, WARN_SWITCH_BOOL, pos, pos + 6, "switch condition has boolean value");
}

Stmt *parse_switch(Parser *parser) {
    FunctionState *function = parser->function;
    Stmt *stmt = stmt_new(parser, ST_SWITCH, parser->token.pos);
    uint32_t unit = parser->unit;
    parser_next(parser);
    const CType *type;
    Expr *value = parse_switch_value(parser, &type);
    stmt->expr = expr_promote(parser, value);
    JumpTarget target, *outer = function->switch_target;
    enter_breakable(parser, &target, stmt);
    target.unit = unit;
    target.type = is_error(value) ? parser->types->basic[CT_LONG] : stmt->expr->type;
    function->switch_target = &target;
    bool live = function->live;
    function->live = false;
    function->unreachable_noted = true; // code before the first label is not worth a warning
    stmt->body = parse_controlled(parser);
    function->unreachable_noted = false;
    function->switch_target = outer;
    function->breakable = target.outer;
    function->live |= target.broken || (live && !stmt->default_case);
    check_duplicates(parser, &target);
    check_enumeration(parser, &target, type);
    if (!stmt->default_case)
        parser_warn(parser, WARN_SWITCH_DEFAULT, stmt->pos, stmt->pos + 6,
                    "switch missing default case");
    warn_before_cases(parser, stmt->body);
    warn_switch_value(parser, value, stmt);
    return stmt;
}
