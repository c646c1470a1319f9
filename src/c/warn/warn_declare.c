// Declarations that say too little, too much, or nothing new.
#include "c/parse/warn.h"

#include <string.h>

// ---- Functions

static bool is_main(const Ident *name) {
    return strcmp(name->text, "main") == 0;
}

static bool is_prototype(const CType *type) {
    return type->kind == CT_FUNC && type->func.prototype;
}

static void warn_no_prototype(Parser *parser, const Declaration *function, Pos end) {
    parser_warn(parser, WARN_STRICT_PROTOTYPES, function->pos, end,
                "function declaration isn't a prototype");
}

// One of the first three is said, of those that are asked for.
void warn_definition(Parser *parser, const Decl *before, const Declaration *function) {
    const Ident *name = function->name;
    Pos end = function->pos + name->length;
    bool hidden = function->storage == STORAGE_STATIC || function->is_inline || is_main(name);
    if (before && before->internal) hidden = true;
    bool declared = before && !before->implicit;
    bool foretold = declared && is_prototype(before->type);
    bool plain = function->old_style || !is_prototype(function->type);
    if (plain && !foretold && pp_might_warn(parser->pp, WARN_STRICT_PROTOTYPES))
        warn_no_prototype(parser, function, end);
    else if (!hidden && !foretold && pp_might_warn(parser->pp, WARN_MISSING_PROTOTYPES))
        parser_warn(parser, WARN_MISSING_PROTOTYPES, function->pos, end,
                    "no previous prototype for '%s'", name->text);
    else if (!hidden && !declared)
        parser_warn(parser, WARN_MISSING_DECLARATIONS, function->pos, end,
                    "no previous declaration for '%s'", name->text);
    if (plain)
        parser_warn(parser, WARN_OLD_STYLE_DEFINITION, function->pos, end,
                    "old-style function definition");
    if (type_is_record(function->type->base))
        parser_warn(parser, WARN_AGGREGATE_RETURN, function->pos, end,
                    "function returns an aggregate");
}

static void warn_redundant(Parser *parser, const Decl *before, const Ident *name, const CType *type,
                           Pos pos) {
    if (!before || before->implicit || !before->pos || parser->scope->depth > 0) return;
    if (!before->file_scope || before->type->kind == CT_ERROR) return;
    // What completes a type says something new.
    if (before->type->kind == CT_FUNC && type->kind == CT_FUNC &&
        before->type->func.prototype != type->func.prototype)
        return;
    if (before->type->complete != type->complete && type->kind != CT_FUNC) return;
    parser_warn(parser, WARN_REDUNDANT_DECLS, pos, pos + name->length,
                "redundant redeclaration of '%s'", name->text);
    parser_note(parser, before->pos, "previous declaration of '%s' with type %s", name->text,
                type_text(parser, before->type));
}

void warn_declaration(Parser *parser, const Decl *before, const Declaration *function) {
    const Ident *name = function->name;
    Pos end = function->pos + name->length;
    if (!function->type->func.prototype) warn_no_prototype(parser, function, end);
    if (parser->scope->depth > 0)
        parser_warn(parser, WARN_NESTED_EXTERNS, function->pos, end,
                    "nested extern declaration of '%s'", name->text);
    warn_redundant(parser, before, name, function->type, function->pos);
}

void warn_extern_variable(Parser *parser, const Decl *before, const Declaration *declaration) {
    const Ident *name = declaration->name;
    if (parser->scope->depth > 0)
        parser_warn(parser, WARN_NESTED_EXTERNS, declaration->pos, declaration->pos + name->length,
                    "nested extern declaration of '%s'", name->text);
    warn_redundant(parser, before, name, declaration->type, declaration->pos);
}

void warn_main(Parser *parser, const Decl *func) {
    if (!is_main(func->name) || !func->file_scope) return;
    Pos end = func->pos + func->name->length;
    const CType *type = func->type;
    uint32_t count = func->params.count;
    if (type->base->kind != CT_INT)
        parser_warn(parser, WARN_MAIN, func->pos, end, "return type of 'main' is not 'int'");
    if (func->internal)
        parser_warn(parser, WARN_MAIN, func->pos, end, "'main' is normally a non-static function");
    if (count == 1 || count > 3)
        parser_warn(parser, WARN_MAIN, func->pos, end, "'main' takes only zero or two arguments");
    if (count > 0 && func->params.at[0]->type->kind != CT_INT)
        parser_warn(parser, WARN_MAIN, func->pos, end, "first argument of 'main' should be 'int'");
    for (uint32_t i = 1; i < count && i < 3; i++) {
        const CType *at = func->params.at[i]->type;
        bool fits = at->kind == CT_POINTER && at->base->kind == CT_POINTER &&
                    type_is_character(at->base->base);
        if (!fits)
            parser_warn(parser, WARN_MAIN, func->pos, end,
                        i == 1 ? "second argument of 'main' should be 'char **'"
                               : "third argument of 'main' should probably be 'char **'");
    }
}

// ---- Structures

void warn_record(Parser *parser, const CType *type) {
    const Record *record = type->record;
    if (!pp_might_warn(parser->pp, WARN_PADDED) || type->kind != CT_STRUCT || type->variable)
        return;
    uint64_t end = 0;
    for (uint32_t i = 0; i < record->members.count; i++) {
        const Member *member = &record->members.at[i];
        if (member->bitfield) {
            end = member->offset + (member->bit + member->width + 7u) / 8;
            continue;
        }
        if (member->offset > end && member->name)
            parser_warn(parser, WARN_PADDED, member->pos, member->pos + member->name->length,
                        "padding struct to align '%s'", member->name->text);
        end = member->offset + member->type->size;
    }
    if (end < type->size && record->pos)
        parser_warn(parser, WARN_PADDED, record->pos, record->pos + 1,
                    "padding struct size to alignment boundary with %llu bytes",
                    (unsigned long long)(type->size - end));
}

// &s.member of a packed structure, as a pointer to something that should be aligned.
void warn_packed_address(Parser *parser, const Expr *expr, const CType *pointer) {
    while (expr->kind == EX_CAST && expr->cast == CAST_POINTER && !expr->parenthesized)
        expr = expr->left;
    bool decay = expr->kind == EX_CAST && expr->cast == CAST_DECAY;
    if ((expr->kind != EX_ADDR && !decay) || expr->left->kind != EX_MEMBER) return;
    const CType *base = pointer->base;
    if (!base->complete || base->align <= 1 || type_is_character(base)) return;
    const Expr *member = expr->left;
    for (; member->kind == EX_MEMBER; member = member->left) {
        const CType *record = member->left->type;
        bool packed = type_is_record(record) && (record->record->packed || member->member->packed);
        if (!packed) continue;
        uint32_t align = record->align ? record->align : 1;
        if (align >= base->align && member->member_offset % base->align == 0) continue;
        warn_at_expr(
            parser, WARN_ADDRESS_OF_PACKED_MEMBER, expr,
            "taking address of packed member of %s may result in an unaligned pointer value",
            type_text(parser, record));
        return;
    }
}

// With -Wwrite-strings a literal is constant: what is said then is what is said of others.
void warn_written_string(Parser *parser, const Expr *expr, const CType *pointer) {
    if (expr->kind != EX_CAST || expr->cast != CAST_DECAY || expr->left->kind != EX_STRING) return;
    if (expr->written == WRITTEN_CAST || !pp_might_warn(parser->pp, WARN_WRITE_STRINGS)) return;
    if (!(pointer->base->quals & Q_CONST))
        warn_at_value(parser, WARN_DISCARDED_QUALIFIERS, expr,
                      "a string literal loses the qualifier 'const': expected %s",
                      type_text(parser, pointer));
}

void warn_init_self(Parser *parser, const Decl *decl) {
    if (!decl->init || decl->init->count != 1 || decl->storage == STORAGE_STATIC) return;
    const Expr *value = expr_stripped(decl->init->pieces[0].value);
    if (value->kind == EX_VAR && value->decl == decl)
        warn_at_expr(parser, WARN_INIT_SELF, value, "'%s' is used uninitialized", decl->name->text);
}
