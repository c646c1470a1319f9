// Aliases and indirect functions: what they may stand for. An alias is another name for an object
// or a function of this unit; an indirect function has the address that its resolver, a function of
// this unit, returns when the program is loaded.
#include "c/parse/declare.h"
#include "c/parse/parser.h"
#include "c/tables/warnings.h"

#include <string.h>

static Decl *target_of(Parser *parser, const Decl *decl) {
    const char *name = decl->attributes->alias;
    return name ? find_entity(parser, pp_ident(parser->pp, name, strlen(name))) : NULL;
}

// ---- Declarations

void check_ifunc(Parser *parser, Declaration *declaration) {
    const Attributes *given = declaration->attributes;
    Pos pos = declaration->pos, end = pos + declaration->name->length;
    if (!given || !given->ifunc) return;
    if (declaration->kind == DECL_FUNC && parser->scope->depth == 0) {
        if (given->weak)
            parser_error(parser, pos, end, "the indirect function '%s' cannot be weak",
                         declaration->name->text);
        return;
    }
    parser_warn(parser, WARN_ATTRIBUTES, pos, end,
                declaration->kind == DECL_FUNC
                    ? "attribute 'ifunc' ignored: '%s' is declared in a block"
                    : "attribute 'ifunc' ignored: '%s' is no function",
                declaration->name->text);
    Attributes *without = ARENA_NEW(parser->arena, Attributes);
    *without = *given;
    without->ifunc = false;
    without->alias = NULL;
    declaration->attributes = without;
}

// A resolver is a definition, as a body or an alias's target is.
void check_ifunc_redefinition(Parser *parser, const Decl *before, const Declaration *declaration) {
    const Attributes *given = declaration->attributes;
    bool now = given && given->ifunc, was = before->attributes->ifunc;
    bool also = was && (declaration->definition || (given && given->alias));
    if (!also && !(now && (before->defined || before->attributes->alias))) return;
    parser_error(parser, declaration->pos, declaration->pos + declaration->name->length,
                 "redefinition of '%s'", declaration->name->text);
    parser_note(parser, before->pos, "previous definition is here");
}

// ---- Types

// Whether values of two types are alike to code that takes one for the other: the targets of
// pointers do not matter, except that functions are apart from objects.
static bool is_like(const CType *a, const CType *b) {
    a = a->unqualified;
    b = b->unqualified;
    if (a->kind == CT_POINTER && b->kind == CT_POINTER)
        return (a->base->kind == CT_FUNC) == (b->base->kind == CT_FUNC);
    if (a->kind == CT_ENUM && a->complete) a = a->base;
    if (b->kind == CT_ENUM && b->complete) b = b->base;
    if (!type_is_integer(a) || !type_is_integer(b)) return type_compatible_unqualified(a, b);
    return a->size == b->size && type_is_unsigned(a) == type_is_unsigned(b) &&
           (a->kind == CT_BOOL) == (b->kind == CT_BOOL);
}

// Functions without a prototype fit all.
static bool functions_are_alike(const CType *a, const CType *b) {
    if (b->kind != CT_FUNC) return false;
    if (!a->func.prototype || !b->func.prototype) return true;
    bool same = is_like(a->base, b->base) && a->func.param_count == b->func.param_count &&
                a->func.variadic == b->func.variadic;
    for (uint32_t i = 0; same && i < a->func.param_count; i++)
        same = is_like(a->func.params[i].type, b->func.params[i].type);
    return same;
}

static void check_resolver(Parser *parser, const Decl *decl, const Decl *resolver) {
    const CType *result = resolver->type->base;
    Pos pos = resolver->pos, end = pos + resolver->name->length;
    const char *wanted = type_text(parser, type_pointer(parser->types, decl->type));
    if (result->kind != CT_POINTER) {
        parser_error(parser, pos, end, "'ifunc' resolver for '%s' must return %s", decl->name->text,
                     wanted);
        parser_note(parser, decl->pos, "the indirect function is declared here");
        return;
    }
    if (functions_are_alike(decl->type, result->base)) return;
    if (result->base->kind == CT_VOID && pp_warning_level(parser->pp, WARN_ATTRIBUTE_ALIAS) < 2)
        return;
    parser_warn(parser, WARN_ATTRIBUTE_ALIAS, pos, end,
                "'ifunc' resolver for '%s' should return %s", decl->name->text, wanted);
    parser_note(parser, decl->pos, "the indirect function is declared here");
}

static void check_alias(Parser *parser, const Decl *decl, const Decl *target) {
    if (functions_are_alike(decl->type, target->type)) return;
    parser_warn(parser, WARN_ATTRIBUTE_ALIAS, decl->pos, decl->pos + decl->name->length,
                "'%s' is an alias of a function of another type: %s and %s", decl->name->text,
                type_text(parser, decl->type), type_text(parser, target->type));
    parser_note(parser, target->pos, "what it stands for is declared here");
}

// The target of an alias is used.
void finish_alias_targets(Parser *parser) {
    for (uint32_t i = 0; i < parser->objects.count; i++) {
        const Decl *decl = parser->objects.at[i];
        Decl *target = target_of(parser, decl);
        if (!target) continue;
        target->used = true;
        if (decl->kind != DECL_FUNC || target->kind != DECL_FUNC || decl->attributes->weakref ||
            target == decl)
            continue;
        if (decl->attributes->ifunc && target->defined)
            check_resolver(parser, decl, target);
        else if (!decl->attributes->ifunc)
            check_alias(parser, decl, target);
    }
}
