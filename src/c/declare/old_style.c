// Function definitions whose declarator has names only, int f(a, b) int a; char b; { ... }: the
// declarations in front of the body.
#include "c/parse/declare.h"

// Gives the parameter with this name its type. `numbers` says where the names are in the list.
static void declare_old_style(Parser *parser, const Declarator *declarator, const Map *numbers,
                              const Declarator *param, const Attributes *attributes,
                              Decl *type_name) {
    uint32_t number = map_get(numbers, param->name->name.i);
    Decl *found = number == HASH_NONE ? NULL : declarator->params[number];
    if (!found || found->type) {
        parser_error(parser, param->pos, param->pos + param->name->length,
                     found ? "parameter '%s' is declared twice"
                           : "'%s' is declared but is not a parameter",
                     param->name->text);
        return;
    }
    found->pos = param->pos;
    found->type = param->type;
    found->type_name = type_name;
    add_attributes(parser, found, attributes);
    scope_declare(parser, found);
}

void parse_old_style_parameters(Parser *parser, const Declarator *declarator) {
    Scope scope; // so that the size of an array can name another parameter
    scope_push(parser, &scope);
    scope.prototype = true;
    Map numbers = {0};
    for (uint32_t i = 0; i < declarator->param_count; i++)
        map_set(parser->body_arena, &numbers, declarator->params[i]->name->name.i, i);
    while (!parser->panic && !parser_at(parser, TOK_LBRACE) && !parser_at(parser, TOK_EOF)) {
        Specifiers specifiers;
        parse_specifiers(parser, &specifiers);
        while (!parser->panic && !parser_at(parser, TOK_SEMI)) {
            Declarator param;
            Attributes attributes = specifiers.attributes;
            parse_declarator(parser, specifiers.type, ABSTRACT_NO, &attributes, &param);
            parse_attributes(parser, &attributes);
            if (parser->panic || !param.name) break;
            CType *type = apply_type_attributes(parser, param.type, &attributes, param.pos);
            param.type = adjust_parameter(parser, type, 0);
            declare_old_style(parser, declarator, &numbers, &param, &attributes,
                              specifiers.type_name);
            if (!parser_accept(parser, TOK_COMMA)) break;
        }
        if (!parser->panic) parser_expect(parser, TOK_SEMI, "the declaration of a parameter");
    }
    scope_pop(parser);
}

CType *finish_old_style(Parser *parser, const Declarator *declarator) {
    Types *types = parser->types;
    Param *params = ARENA_ARRAY(parser->arena, Param, declarator->param_count);
    for (uint32_t i = 0; i < declarator->param_count; i++) {
        Decl *decl = declarator->params[i];
        if (!decl->type) {
            parser_warn(parser, WARN_IMPLICIT_INT, decl->pos, decl->pos + decl->name->length,
                        "type of '%s' defaults to 'int'", decl->name->text);
            decl->type = types->basic[CT_INT];
        }
        CType *type = decl->type->unqualified;
        if (type_is_promoted_float(type)) type = types->basic[CT_DOUBLE];
        if (type_is_integer(type)) type = type_promote(types, type);
        params[i] = (Param){.name = decl->name, .type = type, .pos = decl->pos};
    }
    return type_function(types, declarator->type->base, params, declarator->param_count, false,
                         false);
}
