// Notes the written attributes with their arguments, for __builtin_has_attribute.
//
// The parser acts on an attribute where it reads the attribute, and keeps only its own data. But a
// program may ask for any attribute, also for an attribute on which the parser does nothing: so
// each attribute leaves a note beside.
#include "c/parse/builtin.h"
#include "c/parse/declare.h"

#include <string.h>

// ---- Notes

void note_number(Parser *parser, int64_t number) {
    vec_push(parser->arena, &parser->noted, ((AttributeArgument){.number = number}));
}

void note_text(Parser *parser, const char *text) {
    vec_push(parser->arena, &parser->noted, ((AttributeArgument){.text = text}));
}

void note_attribute(Parser *parser, const AttributeNote **notes, uint32_t row, uint32_t first) {
    AttributeNote *note = ARENA_NEW(parser->arena, AttributeNote);
    uint32_t count = parser->noted.count - first;
    AttributeArgument *arguments = NULL;
    if (count > 0) {
        arguments = ARENA_ARRAY(parser->arena, AttributeArgument, count);
        memcpy(arguments, parser->noted.at + first, count * sizeof *arguments);
    }
    *note = (AttributeNote){.row = row, .count = count, .arguments = arguments, .next = *notes};
    *notes = note;
    parser->noted.count = first;
}

void merge_notes(Parser *parser, const AttributeNote **to, const AttributeNote *from) {
    for (; from; from = from->next) {
        AttributeNote *copy = ARENA_NEW(parser->arena, AttributeNote);
        *copy = *from;
        copy->next = *to;
        *to = copy;
    }
}

const AttributeNote *notes_of_type(Parser *parser, const AttributeNote *notes) {
    static const char *const names[] = {
        "aligned",         "may_alias",         "warn_if_not_aligned", "nonnull",
        "returns_nonnull", "alloc_size",        "alloc_align",         "format",
        "format_arg",      "sentinel",          "warn_unused_result",  "access",
        "assume_aligned",  "noreturn",          "vector_size",         "gcc_struct",
        "ms_struct",       "transparent_union",
    };
    const AttributeNote *found = NULL;
    for (; notes; notes = notes->next)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (strcmp(attribute_row_name(notes->row), names[i]) == 0) {
                AttributeNote one = {
                    .row = notes->row, .count = notes->count, .arguments = notes->arguments};
                merge_notes(parser, &found, &one);
            }
    return found;
}

// ---- Arguments

// A name that stands for itself: the argument of cleanup, the archetype of format.
static bool at_plain_name(Parser *parser) {
    if (!parser_at(parser, TOK_IDENT)) return false;
    const Decl *decl = parser->token.ident->ordinary;
    TokenKind next = parser_peek(parser, 1)->kind;
    return (next == TOK_COMMA || next == TOK_RPAREN) && !(decl && decl->kind == DECL_ENUMERATOR);
}

static void parse_any_argument(Parser *parser) {
    if (at_plain_name(parser)) {
        note_text(parser, parser->token.ident->text);
        parser_next(parser);
        return;
    }
    parser->untranslated++;
    Expr *expr = parse_constant(parser);
    parser->untranslated--;
    int64_t number;
    if (expr->kind == EX_STRING && expr->string->element == 1)
        note_text(parser, arena_text(parser->arena, (const char *)expr->string->bytes,
                                     (size_t)(expr->string->size - 1)));
    else if (constant_integer(parser, expr_value(parser, expr), "argument of the attribute",
                              &number))
        note_number(parser, number);
}

void parse_any_arguments(Parser *parser) {
    parser_next(parser);
    while (!parser->panic && !parser_at(parser, TOK_RPAREN)) {
        parse_any_argument(parser);
        if (!parser_at(parser, TOK_RPAREN)) parser_expect(parser, TOK_COMMA, "the argument");
    }
    parser_expect(parser, TOK_RPAREN, "the attribute's arguments");
}

// ---- Questions

// The subject of a question: a declaration or a member if the expression names one, and its type.
typedef struct {
    const CType *type;
    const Decl *decl;
    const Member *member;
} Asked;

static bool same_argument(const AttributeArgument *a, const AttributeArgument *b) {
    if (!a->text || !b->text) return a->text == b->text && a->number == b->number;
    return strcmp(a->text, b->text) == 0;
}

// As in gcc: without arguments the name is enough, otherwise the first one is to be among those
// written. nonnull without arguments is about all of them.
static bool note_answers(const AttributeNote *note, const AttributeNote *wanted) {
    if (note->row != wanted->row) return false;
    bool nonnull = strcmp(attribute_row_name(note->row), "nonnull") == 0;
    if (nonnull && note->count == 0) return true;
    if (wanted->count == 0) return !nonnull;
    // gcc keeps the arguments of access in a form of its own, which equals nothing that is written.
    if (strcmp(attribute_row_name(note->row), "access") == 0) return false;
    for (uint32_t i = 0; i < note->count; i++)
        if (same_argument(&note->arguments[i], &wanted->arguments[0])) return true;
    return false;
}

static bool among(const AttributeNote *notes, const AttributeNote *wanted) {
    for (; notes; notes = notes->next)
        if (note_answers(notes, wanted)) return true;
    return false;
}

static bool type_notes(const CType *type, const AttributeNote *wanted) {
    if (among(type->unqualified->notes, wanted)) return true;
    if (type_is_record(type)) return among(type->record->notes, wanted);
    return type->kind == CT_ENUM && among(type->unqualified->enumeration.notes, wanted);
}

static bool type_is_given_align(const CType *type, const AttributeNote *aligned) {
    return type->realigned || type_notes(type, aligned) ||
           (type_is_record(type) && type->record->asked_align);
}

// Several alignments may be asked for: the resulting alignment counts.
static bool has_alignment(const Asked *asked, const AttributeNote *wanted) {
    const CType *type = asked->type;
    AttributeNote any = {.row = wanted->row};
    bool given = type_is_given_align(type, &any);
    for (const CType *part = type; part->kind == CT_ARRAY; part = part->base)
        given |= type_is_given_align(part->base, &any);
    uint32_t align = type->align;
    if (asked->decl &&
        (among(asked->decl->attributes->notes, &any) || asked->decl->attributes->align)) {
        given = true;
        if (asked->decl->attributes->align) align = asked->decl->attributes->align;
    }
    if (asked->member && among(asked->member->notes, &any)) {
        given = true;
        align = asked->member->align;
    }
    return given && (wanted->count == 0 ||
                     (!wanted->arguments[0].text && wanted->arguments[0].number == align));
}

// Attributes that the parser keeps in another way, since there are other ways to write them.
static bool holds_otherwise(const Asked *asked, const AttributeNote *wanted) {
    const char *name = attribute_row_name(wanted->row);
    const Decl *decl = asked->decl;
    if (strcmp(name, "packed") == 0 && !asked->member)
        return type_is_record(asked->type) && asked->type->record->packed;
    if (strcmp(name, "const") == 0 && decl && decl->kind == DECL_VAR)
        return (asked->type->quals & Q_CONST) != 0;
    if (strcmp(name, "noreturn") == 0)
        return (decl && decl->kind == DECL_FUNC && decl->is_noreturn) ||
               (asked->type->kind == CT_FUNC && asked->type->func.noreturn);
    if (strcmp(name, "weak") == 0) return decl && decl->attributes->weak;
    if (strcmp(name, "deprecated") == 0) {
        const Advice *advice = decl            ? decl->attributes->advice
                               : asked->member ? asked->member->advice
                                               : NULL;
        return advice && !advice->unavailable && !advice->message;
    }
    return false;
}

// A conversion that changes nothing but the type is looked through, as in gcc.
static Asked asked_of(const Expr *expr) {
    while (expr->kind == EX_CAST && expr->left->type->size == expr->type->size &&
           (expr->cast == CAST_READ || expr->cast == CAST_SAME || expr->cast == CAST_ARITHMETIC))
        expr = expr->left;
    Asked asked = {.type = expr->type};
    if (expr->kind == EX_VAR || expr->kind == EX_FUNC) asked.decl = expr->decl;
    if (expr->kind == EX_MEMBER && !type_is_complex(expr->left->type)) asked.member = expr->member;
    return asked;
}

static bool has_attribute_of(const Asked *asked, const AttributeNote *wanted) {
    const char *name = attribute_row_name(wanted->row);
    if (strcmp(name, "aligned") == 0) return has_alignment(asked, wanted);
    // An object is never packed, only its type or a member is.
    bool by_decl = asked->decl && strcmp(name, "packed") != 0;
    if (by_decl && among(asked->decl->attributes->notes, wanted)) return true;
    if (asked->member && among(asked->member->notes, wanted)) return true;
    return type_notes(asked->type, wanted) || holds_otherwise(asked, wanted);
}

// The attribute that is asked for; NULL after an error.
static const AttributeNote *parse_wanted(Parser *parser) {
    if (!parser_at(parser, TOK_IDENT)) {
        syntax_error(parser, "expected the name of an attribute");
        return NULL;
    }
    Token name = parser->token;
    uint32_t row = attribute_row(parser, name.ident), first = parser->noted.count;
    parser_next(parser);
    if (row == HASH_NONE)
        parser_error(parser, name.pos, name.pos + name.length, "unknown attribute '%s'",
                     name.ident->text);
    if (parser_at(parser, TOK_LPAREN)) parse_any_arguments(parser);
    if (row == HASH_NONE || parser->panic) return NULL;
    if (strcmp(attribute_row_name(row), "mode") == 0)
        parser_warn(parser, WARN_ATTRIBUTES, name.pos, name.pos + name.length,
                    "'mode' attribute not supported in '__builtin_has_attribute'");
    const AttributeNote *wanted = NULL;
    note_attribute(parser, &wanted, row, first);
    return wanted;
}

// __builtin_has_attribute(expression or type, attribute)
Expr *builtin_has_attribute(BuiltinUse *use) {
    Parser *parser = use->parser;
    Asked asked = {0};
    if (starts_type(parser, &parser->token)) {
        asked.type = parse_type_name(parser);
    } else {
        asked = asked_of(parse_unevaluated_argument(parser));
    }
    parser_expect(parser, TOK_COMMA, "the operand of '__builtin_has_attribute'");
    const AttributeNote *wanted = parser->panic ? NULL : parse_wanted(parser);
    if (parser_at(parser, TOK_COMMA)) syntax_error(parser, "expected ')' after the attribute");
    parser_expect(parser, TOK_RPAREN, "the attribute");
    if (!wanted || asked.type->kind == CT_ERROR) return expr_error(parser, &use->from);
    bool has = has_attribute_of(&asked, wanted);
    Expr *answer = expr_int(parser, parser->types->basic[CT_INT], has, &use->from);
    answer->constant_expression = true;
    return answer;
}
