// Variables, types and functions that nothing uses: those of a scope at its end, those of the unit
// when all is parsed.
#include "c/parse/warn.h"

void warn_unused_typedef(Parser *parser, const Decl *decl) {
    if (!parser->function || parser->mistakes != parser->function->mistakes_before) return;
    if (parser->scope->prototype || decl->attributes->unused || !decl->name) return;
    parser_warn(parser, WARN_UNUSED_TYPEDEF, decl->pos, decl->pos + decl->name->length,
                "typedef '%s' locally defined but not used", decl->name->text);
}

void warn_unused_variable(Parser *parser, const Decl *decl) {
    // Its uses may be missing.
    if (parser->function && parser->mistakes != parser->function->mistakes_before) return;
    if (decl->kind != DECL_VAR || decl->used || decl->attributes->unused || !decl->name) return;
    if (decl->external || decl->type->kind == CT_ERROR || decl->attributes->cleanup) return;
    if (decl->storage == STORAGE_STATIC && decl->attributes->used) return;
    const char *name = decl->name->text;
    Pos end = decl->pos + decl->name->length;
    if (decl->parameter && decl->assigned)
        parser_warn(parser, WARN_UNUSED_SET_PARAMETER, decl->pos, end,
                    "parameter '%s' set but not used", name);
    else if (decl->parameter)
        parser_warn(parser, WARN_UNUSED_PARAMETER, decl->pos, end, "unused parameter '%s'", name);
    else if (decl->assigned)
        parser_warn(parser, WARN_UNUSED_BUT_SET, decl->pos, end, "variable '%s' set but not used",
                    name);
    else
        parser_warn(parser, WARN_UNUSED_VARIABLE, decl->pos, end, "unused variable '%s'", name);
}

// ---- The end of the unit

// In headers constants are there for every includer.
static bool is_shared_constant(Parser *parser, const Decl *decl) {
    const Inclusion *inclusion = pp_inclusion(parser->pp, decl->pos);
    return inclusion && inclusion->included_at != 0 &&
           pp_warning_level(parser->pp, WARN_UNUSED_CONST_VARIABLE) < 2;
}

void warn_unused_object(Parser *parser, const Decl *decl) {
    if (parser->mistakes || !decl->internal || !decl->file_scope || !decl->name) return;
    if (decl->used || decl->assigned || decl->attributes->unused || decl->attributes->used) return;
    if (decl->type->quals & Q_VOLATILE) return;
    bool constant = decl->type->quals & Q_CONST || type_is_const(decl->type);
    if (constant && is_shared_constant(parser, decl)) return;
    parser_warn(parser, constant ? WARN_UNUSED_CONST_VARIABLE : WARN_UNUSED_VARIABLE, decl->pos,
                decl->pos + decl->name->length, "'%s' defined but not used", decl->name->text);
}

void warn_unused_function(Parser *parser, const Decl *decl) {
    if (!decl->internal || decl->is_inline || decl->attributes->alias) return;
    if (parser->mistakes) return; // its use or definition may be missing
    Pos end = decl->pos + decl->name->length;
    const Attributes *attributes = decl->attributes;
    if (!decl->defined && decl->used)
        parser_warn(parser, WARN_UNUSED_FUNCTION, decl->pos, end, "'%s' is used but never defined",
                    decl->name->text);
    else if (!decl->used && !attributes->unused && !attributes->used && !attributes->constructor &&
             !attributes->destructor)
        parser_warn(parser, WARN_UNUSED_FUNCTION, decl->pos, end,
                    decl->defined ? "'%s' defined but not used"
                                  : "'%s' declared 'static' but never defined",
                    decl->name->text);
}
