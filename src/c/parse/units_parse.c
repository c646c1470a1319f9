// Units while a file is parsed: where they begin and end in its text. See units.h.
#include "c/parse/units_parse.h"

#include "c/preprocess/raw_text.h"

#include <string.h>

void units_start(Units *units, Pp *pp) {
    if (!units) return;
    const CFile *file = pp_main_file(pp);
    units->pp = pp;
    units->text = file->text;
    units->length = file->length;
}

// ---- Places

uint32_t units_offset(const Units *units, Pos pos) {
    const Inclusion *in = pp_inclusion(units->pp, pos);
    if (!in || in->included_at || in->file->text != units->text) return NO_ID;
    return pp_file_pos(units->pp, &(Token){.pos = pos}) - in->start;
}

// Whether both positions belong to tokens of the same invocation of a macro in the main file.
static bool share_invocation(const Units *units, Pos a, Pos b) {
    const Invocation *of = pp_invocation(units->pp, a);
    return of && of == pp_invocation(units->pp, b);
}

// Where the text begins or ends that the token at a position came out of; NO_ID if it is not in the
// main file.
static uint32_t text_begin(const Units *units, Pos pos) {
    uint32_t offset = units_offset(units, pos);
    const Invocation *of = offset == NO_ID ? NULL : pp_invocation(units->pp, pos);
    return of ? units_offset(units, of->at) : offset;
}

static uint32_t text_end(const Units *units, Pos last) {
    uint32_t offset = units_offset(units, last);
    const Invocation *of = offset == NO_ID ? NULL : pp_invocation(units->pp, last);
    return of                ? units_offset(units, of->at) + (of->end - of->at)
           : offset == NO_ID ? NO_ID
                             : offset + 1;
}

// Names of macros with empty expansions may stand in front of the first token; they belong to it.
static uint32_t with_empty_macros(const Units *units, uint32_t from, uint32_t begin) {
    uint32_t found = begin;
    RawText raw = {.text = units->text, .at = from, .end = begin};
    for (RawPiece piece; (piece = raw_next(&raw)).kind != RAW_END;) {
        if (piece.kind == RAW_DIRECTIVE) found = begin;
        if (piece.kind == RAW_TOKEN && found == begin) found = piece.begin;
    }
    return found;
}

// ---- Opening and closing

static bool records(const Parser *parser) {
    return parser->unit && !parser->unit_whole;
}

static uint32_t add(Parser *parser, UnitKind kind, UnitRole role) {
    Units *units = parser->options->units;
    const Token *token = &parser->token;
    Unit unit = {.kind = (uint8_t)kind,
                 .role = (uint8_t)role,
                 .braces = token->kind == TOK_LBRACE,
                 .parent = parser->unit,
                 .function = units->functions.count - 1,
                 .else_begin = NO_ID,
                 .begin = text_begin(units, token->pos),
                 .end = NO_ID};
    unit.left = !share_invocation(units, parser->last_end - 1, token->pos);
    uint32_t before = text_end(units, parser->last_end - 1);
    if (unit.begin != NO_ID && before != NO_ID && before < unit.begin)
        unit.begin = with_empty_macros(units, before, unit.begin);
    unit.first = units->uses.lines; // until it is closed
    unit.behind = units->uses.counters;
    parser->unit = units->all.count;
    vec_push(units->arena, &units->all, unit);
    return parser->unit;
}

uint32_t unit_open(Parser *parser, UnitKind kind, UnitRole role) {
    return records(parser) ? add(parser, kind, role) : 0;
}

void unit_cancel(Parser *parser, uint32_t unit) {
    if (!unit) return;
    Units *units = parser->options->units;
    parser->unit = unit_at(units, unit)->parent;
    units->all.count = unit;
}

void unit_close(Parser *parser, uint32_t unit, UnitKind kind) {
    if (!unit) return;
    Units *units = parser->options->units;
    Unit *at = unit_at(units, unit);
    Pos last = parser->last_end - 1, next = parser->token.pos;
    at->kind = (uint8_t)kind;
    at->last = units->all.count - 1;
    at->right = !share_invocation(units, last, next);
    at->end = text_end(units, last);
    PpUses uses = pp_uses(units->pp);
    uint32_t lines = uses.lines - at->first;
    at->uses_line = lines > at->lines_inside;
    unit_at(units, at->parent)->lines_inside += lines;
    at->always |= uses.counters != at->behind;
    at->first = at->behind = 0;
    parser->unit = at->parent;
}

static UnitKind kind_of(const Unit *unit, const Stmt *stmt) {
    static const uint8_t kinds[] = {[ST_EMPTY] = UNIT_EMPTY,
                                    [ST_EXPR] = UNIT_EXPRESSION,
                                    [ST_DECL] = UNIT_DECLARATION,
                                    [ST_COMPOUND] = UNIT_BLOCK,
                                    [ST_IF] = UNIT_IF,
                                    [ST_WHILE] = UNIT_WHILE,
                                    [ST_DO] = UNIT_DO,
                                    [ST_FOR] = UNIT_FOR,
                                    [ST_SWITCH] = UNIT_SWITCH,
                                    [ST_CASE] = UNIT_CASE,
                                    [ST_DEFAULT] = UNIT_CASE,
                                    [ST_LABEL] = UNIT_LABEL,
                                    [ST_GOTO] = UNIT_GOTO,
                                    [ST_GOTO_COMPUTED] = UNIT_GOTO,
                                    [ST_BREAK] = UNIT_BREAK,
                                    [ST_CONTINUE] = UNIT_CONTINUE,
                                    [ST_RETURN] = UNIT_RETURN,
                                    [ST_ASM] = UNIT_ASM};
    if (unit->kind == UNIT_DECLARATION || unit->kind == UNIT_LABELLED) return unit->kind;
    // A value that is returned where there is none to return is a block of two statements.
    if (stmt->kind == ST_COMPOUND && !unit->braces) return UNIT_RETURN;
    return kinds[stmt->kind];
}

Stmt *unit_close_statement(Parser *parser, uint32_t unit, Stmt *stmt) {
    if (!unit) return stmt;
    const Units *units = parser->options->units;
    unit_close(parser, unit, kind_of(unit_at(units, unit), stmt));
    if (stmt->kind == ST_GOTO_COMPUTED) unit_at(units, unit)->always = true;
    // The sizes of variable types come first, in statements of their own.
    for (Stmt *at = stmt; at; at = at->next) at->unit = unit;
    return stmt;
}

void unit_is_declaration(Parser *parser, uint32_t unit) {
    if (unit) unit_at(parser->options->units, unit)->kind = UNIT_DECLARATION;
}

void unit_is_labelled(Parser *parser, uint32_t unit) {
    if (unit) unit_at(parser->options->units, unit)->kind = UNIT_LABELLED;
}

void unit_is_else(Parser *parser, uint32_t unit, Pos word, Pos before) {
    if (!unit) return;
    const Units *units = parser->options->units;
    Unit *at = unit_at(units, unit);
    at->role = ROLE_ELSE;
    bool alone = !share_invocation(units, before - 1, word) && at->left;
    at->else_begin = alone ? text_begin(units, word) : NO_ID;
}

void unit_pin(Parser *parser, uint32_t unit) {
    if (!unit) return;
    Unit *at = unit_at(parser->options->units, unit);
    at->pinned = true;
    if (at->kind == UNIT_DECLARATOR) unit_pin(parser, at->parent);
}

// ---- Declarators and initializers

uint32_t unit_open_declarator(Parser *parser) {
    if (!records(parser) || parser->for_head) return 0;
    const Unit *around = unit_at(parser->options->units, parser->unit);
    if (around->kind != UNIT_DECLARATION) return 0;
    return unit_open(parser, UNIT_DECLARATOR, ROLE_DECLARATOR);
}

void unit_close_declarator(Parser *parser, uint32_t unit) {
    if (unit && parser->unit == unit) unit_close(parser, unit, UNIT_DECLARATOR);
}

// Whether a variable is declared in the same way with and without its initializer.
static bool does_without(const Decl *decl) {
    const CType *type = decl->type;
    while (type->kind == CT_ARRAY && type->complete) type = type->base;
    return decl->storage != STORAGE_STATIC && type->kind != CT_ARRAY && !(type->quals & Q_CONST) &&
           !decl->asm_name && !decl->attributes->cleanup;
}

uint32_t unit_open_initializer(Parser *parser, const Decl *decl) {
    if (!records(parser) || parser->for_head || !does_without(decl)) return 0;
    const Unit *around = unit_at(parser->options->units, parser->unit);
    if (around->kind != UNIT_DECLARATOR) return 0;
    return unit_open(parser, UNIT_INITIALIZER, ROLE_INITIALIZER);
}

void unit_close_initializer(Parser *parser, uint32_t unit, Decl *decl) {
    if (unit) decl->unit = unit;
    unit_close(parser, unit, UNIT_INITIALIZER);
}

// ---- Names

void unit_token(Parser *parser) {
    Units *units = parser->options->units;
    const Token *token = &parser->token;
    units->uses = pp_uses(units->pp);
    bool name = token->kind == TOK_IDENT && !token->ident->keyword && !units->after_member;
    units->after_member = token->kind == TOK_DOT || token->kind == TOK_ARROW;
    if (name)
        vec_push(units->arena, &units->mentions,
                 (UnitName){.unit = parser->unit, .name = token->ident});
}

void unit_declares(Parser *parser, Ident *name) {
    if (!parser->unit || !name) return;
    Units *units = parser->options->units;
    vec_push(units->arena, &units->declares, (UnitName){.unit = parser->unit, .name = name});
}

void unit_global(Parser *parser, Ident *name) {
    Units *units = parser->options->units;
    if (units) vec_push(units->arena, &units->globals, name);
}

void unit_uses_label(Parser *parser, LabelDecl *label) {
    if (!parser->unit) return;
    Units *units = parser->options->units;
    vec_push(units->arena, &units->label_uses,
             (UnitLabelUse){.unit = parser->unit, .label = label});
}

void unit_case_of(Parser *parser, uint32_t of_switch) {
    if (!parser->unit || !of_switch) return;
    Units *units = parser->options->units;
    vec_push(units->arena, &units->cases, (UnitLink){.unit = of_switch, .to = parser->unit});
}

// ---- Functions

void unit_open_function(Parser *parser, const Decl *func) {
    Units *units = parser->options->units;
    if (!units) return;
    vec_push(units->arena, &units->functions,
             (UnitFunction){.name = func->name->text, .symbol = NO_SYM});
    vec_clear(&units->label_uses);
    parser->unit = 0;
    parser->unit_whole = false;
    uint32_t root = add(parser, UNIT_FUNCTION, ROLE_FUNCTION);
    UnitFunction *function = &units->functions.at[units->functions.count - 1];
    function->root = root;
    function->definition = text_begin(units, parser->external);
    for (uint32_t i = 0; i < func->params.count; i++)
        unit_declares(parser, func->params.at[i]->name);
}

void unit_close_function(Parser *parser, Stmt *body) {
    uint32_t root = parser->unit;
    if (!root) return;
    Units *units = parser->options->units;
    body->unit = root;
    for (uint32_t i = 0; i < units->label_uses.count; i++) {
        UnitLabelUse use = units->label_uses.at[i];
        if (!use.label->unit) continue;
        vec_push(units->arena, &units->labels, (UnitLink){.unit = use.unit, .to = use.label->unit});
        if (use.label->address_taken) unit_at(units, use.unit)->always = true;
    }
    unit_close(parser, root, UNIT_FUNCTION);
}
