#include "c/parse/set_aside.h"

#include "base/out.h"

SetAside set_aside_begin(Parser *parser, const Declaration *declaration) {
    const Attributes *attributes = declaration->attributes;
    bool gnu = gnu_inline_mode(parser) || (attributes && attributes->gnu_inline);
    SetAside saved = {.mistakes = parser->mistakes};
    saved.active = gnu && declaration->is_inline && declaration->storage == STORAGE_EXTERN &&
                   !parser->panic && pp_presumed(parser->pp, declaration->pos).system;
    parser->sets_aside = saved.active;
    parser->set_aside_for = NULL;
    return saved;
}

bool set_aside_mistake(Parser *parser, const char *format, va_list args) {
    if (!parser->sets_aside) return false;
    if (parser->set_aside_for || parser->panic) return true; // the first one is the reason
    Out out = {0};
    out_vprintf(&out, format, args);
    parser->set_aside_for = arena_text(parser->arena, out.text, out.length);
    out_free(&out);
    return true;
}

bool set_aside_end(Parser *parser, const SetAside *saved, Decl *func) {
    if (!saved->active) return false;
    parser->sets_aside = false;
    parser->mistakes = saved->mistakes;
    func->set_aside_for = parser->set_aside_for;
    return func->set_aside_for;
}

bool set_aside_used(Parser *parser, const Decl *func, const Token *name) {
    if (!func->set_aside_for) return false;
    if (parser->sets_aside && !parser->set_aside_for)
        parser->set_aside_for = func->set_aside_for;
    else
        parser_error(parser, name->pos, name->pos + name->length, "'%s' is not supported: %s",
                     func->name->text, func->set_aside_for);
    return true;
}
