// Declarations: what specifiers and declarators together declare, in file scope and in blocks;
// function definitions.
#include "c/parse/declare.h"

#include "c/parse/recover.h"
#include "c/parse/set_aside.h"
#include "c/parse/units_parse.h"
#include "c/parse/warn.h"

#include <string.h>

Decl *decl_new(Parser *parser, Arena *arena, DeclKind kind, Ident *name, CType *type, Pos pos) {
    Decl *decl = ARENA_NEW(arena, Decl);
    decl->kind = (uint8_t)kind;
    decl->name = name;
    decl->type = type;
    decl->pos = pos;
    decl->attributes = parser->plain;
    return decl;
}

// One declarator with everything that belongs to it.
typedef struct {
    const Specifiers *specifiers;
    Declarator declarator;
    Attributes attributes; // attributes of the specifiers and after the declarator
    bool has_attributes;
    const char *asm_name;
    Stmt *stmt; // in a block: the declaration statement, to which variables are added
} InitDeclarator;

static Pos item_end(const InitDeclarator *item) {
    const Declarator *declarator = &item->declarator;
    return declarator->pos + (declarator->name ? declarator->name->length : 1);
}

#define error_at_item(parser, item, ...)                                                           \
    parser_error((parser), (item)->declarator.pos, item_end(item), __VA_ARGS__)

// ---- Variables without a name

Decl *hidden_variable(Parser *parser, CType *type, bool is_static) {
    Arena *arena = is_static ? parser->arena : parser->body_arena;
    Decl *decl = decl_new(parser, arena, DECL_VAR, NULL, type, parser->token.pos);
    decl->storage = is_static ? STORAGE_STATIC : STORAGE_AUTO;
    decl->file_scope = parser->scope->depth == 0;
    decl->used = true;
    decl->scope_depth = parser->scope->depth;
    decl->number = parser->hidden_count++;
    if (is_static) {
        decl->internal = true;
        vec_push(parser->arena, &parser->objects, decl);
    }
    return decl;
}

// Adds the computation of sizes to the declaration statement of an item.
static void add_sizes(Parser *parser, const InitDeclarator *item, CType *type) {
    if (!item->stmt) return;
    Stmt *sizes = variable_sizes(parser, type);
    for (uint32_t i = 0; sizes && i < sizes->decls.count; i++) {
        Decl *size = sizes->decls.at[i];
        Expr *value = size->init->pieces[0].value;
        if (value->kind == EX_BINARY && value->op == BIN_MUL) value->bound = true;
        vec_push(parser->body_arena, &item->stmt->decls, size);
    }
}

// ---- Typedef names

static void declare_typedef(Parser *parser, const InitDeclarator *item) {
    const Declarator *declarator = &item->declarator;
    CType *type = declarator->type;
    if (item->attributes.align) type = type_aligned(parser->types, type, item->attributes.align);
    type = type_noted(parser->types, type, notes_of_type(parser, item->attributes.notes));
    if (item->attributes.transparent_union && type->kind == CT_UNION)
        type->record->transparent = true;
    if (item->specifiers->align) error_at_item(parser, item, "a typedef cannot have '_Alignas'");
    if (type->variable && parser->scope->depth == 0) {
        error_at_item(parser, item, "variably modified type '%s' at file scope",
                      declarator->name->text);
        type = parser->types->basic[CT_ERROR];
    }
    Decl *other = declarator->name->ordinary;
    if (other && other->scope_depth == parser->scope->depth) {
        if (other->kind == DECL_TYPEDEF && other->type->kind == type->kind &&
            type_compatible(other->type, type)) {
            CType *kept = other->type->complete ? other->type : type;
            bool asked = type->realigned || item->attributes.align;
            bool stricter = asked && type->align > kept->align;
            other->type = stricter ? type_aligned(parser->types, kept, type->align) : kept;
            return;
        }
        error_at_item(parser, item,
                      other->kind == DECL_TYPEDEF
                          ? "redefinition of typedef '%s' with another type"
                          : "redefinition of '%s' as a different kind of symbol",
                      declarator->name->text);
        parser_note(parser, other->pos, "previous declaration is here");
        return;
    }
    Decl *decl =
        decl_new(parser, parser->body_arena, DECL_TYPEDEF, declarator->name, type, declarator->pos);
    decl->storage = STORAGE_TYPEDEF;
    decl->type_name = item->specifiers->type_name;
    decl->explicit_signed = item->specifiers->explicit_signed;
    if (item->has_attributes) add_attributes(parser, decl, &item->attributes);
    scope_declare(parser, decl);
    if (parser->scope->depth == 0) vec_push(parser->arena, &parser->objects, decl);
    add_sizes(parser, item, type);
}

// ---- Functions

static Declaration declaration_of(const InitDeclarator *item, DeclKind kind) {
    return (Declaration){
        .kind = kind,
        .name = item->declarator.name,
        .type = item->declarator.type,
        .type_name = item->specifiers->type_name,
        .storage = item->specifiers->storage,
        .pos = item->declarator.pos,
        .attributes = item->has_attributes ? &item->attributes : NULL,
        .asm_name = item->asm_name,
        .is_inline = item->specifiers->is_inline,
        .is_noreturn = item->specifiers->is_noreturn || (item->declarator.type->kind == CT_FUNC &&
                                                         item->declarator.type->func.noreturn),
        .is_thread = item->specifiers->is_thread,
    };
}

static void check_function_specifiers(Parser *parser, const InitDeclarator *item) {
    Storage storage = item->specifiers->storage;
    bool block = parser->scope->depth > 0;
    if (storage == STORAGE_REGISTER || storage == STORAGE_AUTO || item->specifiers->is_thread ||
        (storage == STORAGE_STATIC && block))
        error_at_item(parser, item, "invalid storage class for function '%s'",
                      item->declarator.name->text);
    if (item->specifiers->align) error_at_item(parser, item, "a function cannot have '_Alignas'");
    if (item->declarator.type->variable)
        error_at_item(parser, item, "function '%s' has a variably modified type",
                      item->declarator.name->text);
}

static Decl *declare_function(Parser *parser, const InitDeclarator *item) {
    check_function_specifiers(parser, item);
    Declaration seen = declaration_of(item, DECL_FUNC);
    warn_declaration(parser, find_entity(parser, item->declarator.name), &seen);
    if (item->declarator.identifiers)
        parser_warn(parser, WARN_IMPLICIT_INT, item->declarator.pos, item_end(item),
                    "names of parameters without types in the declaration of '%s'",
                    item->declarator.name->text);
    Declaration declaration = declaration_of(item, DECL_FUNC);
    check_ifunc(parser, &declaration);
    if (parser->scope->depth > 0) declaration.storage = STORAGE_EXTERN;
    return declare_entity(parser, &declaration);
}

Decl *declare_implicitly(Parser *parser, Ident *name, Pos pos) {
    bool builtin = is_builtin_function(parser, name);
    Decl *decl = builtin ? declare_library_function(parser, name) : NULL;
    if (!decl) {
        decl = find_entity(parser, name);
        if (!decl || decl->kind != DECL_FUNC) {
            CType *type =
                type_function(parser->types, parser->types->basic[CT_INT], NULL, 0, false, false);
            decl = decl_new(parser, parser->arena, DECL_FUNC, name, type, pos);
            decl->implicit = true;
            decl->external = true;
            decl->storage = STORAGE_EXTERN;
            add_entity(parser, decl);
        }
    }
    if (decl->pos == 0) decl->pos = pos;
    if (!name->ordinary) declare_in_file_scope(parser, decl);
    return decl;
}

// ---- Variables

static bool is_flexible_object(const CType *type) {
    return type_is_record(type) && type->record->flexible;
}

// Whether an object of this type can be defined; `initialized` if an initializer may complete it.
static bool check_object_type(Parser *parser, const InitDeclarator *item, const CType *type,
                              bool initialized) {
    const char *name = item->declarator.name->text;
    if (type->kind == CT_ERROR) return false;
    if (type->kind == CT_VOID) {
        error_at_item(parser, item, "variable '%s' declared void", name);
        return false;
    }
    const CType *element = type;
    while (element->kind == CT_ARRAY) element = element->base;
    if (element->kind == CT_UNSUPPORTED) {
        error_at_item(parser, item, "variable '%s' has type %s, which is not supported", name,
                      type_text(parser, element));
        return false;
    }
    if (type->complete || (type->kind == CT_ARRAY && initialized)) return true;
    if (type->kind == CT_ARRAY)
        error_at_item(parser, item, "size of array '%s' is missing", name);
    else
        error_at_item(parser, item, "variable '%s' has incomplete type %s", name,
                      type_text(parser, type));
    return false;
}

static void set_alignment(Parser *parser, Decl *decl, const InitDeclarator *item) {
    uint32_t align = item->specifiers->align;
    if (align == 0) return;
    if (align < decl->type->align && decl->type->complete)
        error_at_item(parser, item, "'_Alignas' asks for less than the alignment of type %s",
                      type_text(parser, decl->type));
    Attributes attributes = no_attributes;
    attributes.align = align;
    add_attributes(parser, decl, &attributes);
}

// Parses an initializer after '='. Objects to which static objects refer must outlive the function.
static void initialize(Parser *parser, Decl *decl, const InitDeclarator *item, bool is_static) {
    Arena *saved = parser->body_arena;
    if (is_static) parser->body_arena = parser->arena;
    CType *type = decl->type;
    if (type_has_variable_size(type)) {
        error_at_token(parser,
                       type->kind == CT_ARRAY
                           ? "variable-length array '%s' cannot be initialized"
                           : "'%s', whose size is variable, cannot be initialized",
                       item->declarator.name->text);
        type = parser->types->basic[CT_ERROR];
    }
    CType *completed = type;
    Init *init = parse_initializer(parser, &completed, is_static);
    if (type->kind != CT_ERROR) {
        decl->type = completed;
        decl->init = init;
    }
    parser->body_arena = saved;
}

static void check_redefinition(Parser *parser, const Decl *decl, const InitDeclarator *item) {
    if (!decl->defined) return;
    error_at_item(parser, item, "redefinition of '%s'", item->declarator.name->text);
    parser_note(parser, decl->pos, "previous definition is here");
}

// ---- Variables that are machine registers

// The reason why an object of a type cannot be a register, as asm("...") names it; NULL if it can.
static const char *register_mistake(Parser *parser, const InitDeclarator *item) {
    const CType *type = item->declarator.type;
    const TargetLanguage *language = parser->types->language;
    uint32_t reg = asm_register_named(language, parser->arena, item->asm_name);
    bool whole = type_is_integer(type) || type->kind == CT_POINTER;
    if (reg == ASM_NO_REGISTER) return "'%s' is not the name of a register";
    if (parser_at(parser, TOK_ASSIGN)) return "global register variable '%s' has an initial value";
    if (!whole || type->size > 8) return "global register variable '%s' is no integer or pointer";
    if (regs_has(language->assembly->variables, reg)) return NULL;
    return arena_printf(parser->arena,
                        "the register of '%%s' is one that calls need: only %s can be variables",
                        language->assembly->variable_names);
}

static void declare_register_variable(Parser *parser, const InitDeclarator *item) {
    const Ident *name = item->declarator.name;
    const char *mistake = register_mistake(parser, item);
    Declaration declaration = declaration_of(item, DECL_VAR);
    check_ifunc(parser, &declaration);
    const char *before = name->ordinary ? name->ordinary->asm_name : NULL;
    Decl *decl = declare_entity(parser, &declaration);
    if (mistake) {
        bool named = asm_register_named(parser->types->language, parser->arena, item->asm_name) !=
                     ASM_NO_REGISTER;
        error_at_item(parser, item, mistake, named ? name->text : item->asm_name);
    } else if (decl->storage != STORAGE_REGISTER ||
               (before && strcmp(before, item->asm_name) != 0)) {
        error_at_item(parser, item, "'%s' was declared before as something else than this register",
                      name->text);
    } else if (parser->options->reserve) {
        parser->options->reserve(parser->options->context, decl);
    }
    if (!parser_accept(parser, TOK_ASSIGN)) return;
    initialize(parser, decl, item, true);
}

// A variable in file scope, or extern in a block.
static void declare_linked_variable(Parser *parser, const InitDeclarator *item) {
    const Declarator *declarator = &item->declarator;
    bool block = parser->scope->depth > 0;
    bool initialized = parser_at(parser, TOK_ASSIGN);
    Storage storage = item->specifiers->storage;
    if (!block && storage == STORAGE_REGISTER && item->asm_name) {
        declare_register_variable(parser, item);
        return;
    }
    if (!block && (storage == STORAGE_AUTO || storage == STORAGE_REGISTER))
        error_at_item(parser, item, "invalid storage class for '%s' at file scope",
                      declarator->name->text);
    Declaration declaration = declaration_of(item, DECL_VAR);
    check_ifunc(parser, &declaration);
    if (declaration.type->variable) {
        error_at_item(parser, item,
                      block ? "'%s' has linkage and a variably modified type"
                            : "variably modified type of '%s' at file scope",
                      declarator->name->text);
        declaration.type = parser->types->basic[CT_ERROR];
    }
    bool defines = initialized || (!block && storage != STORAGE_EXTERN);
    if (storage == STORAGE_EXTERN && !initialized)
        warn_extern_variable(parser, find_entity(parser, declarator->name), &declaration);
    bool whole = declaration.type->complete || initialized;
    if (declaration.type->kind == CT_VOID && !(storage == STORAGE_EXTERN && !initialized)) {
        error_at_item(parser, item, "variable '%s' declared void", declarator->name->text);
        declaration.type = parser->types->basic[CT_ERROR];
    } else if (defines && whole &&
               !check_object_type(parser, item, declaration.type, initialized)) {
        declaration.type = parser->types->basic[CT_ERROR];
    }
    Decl *decl = declare_entity(parser, &declaration);
    if (decl->storage == STORAGE_REGISTER && decl->asm_name && storage != STORAGE_REGISTER)
        error_at_item(parser, item, "'%s' was declared before as a register",
                      declarator->name->text);
    set_alignment(parser, decl, item);
    // A static variable has no other way to declare that it is an alias.
    if (defines && storage != STORAGE_STATIC && declaration.attributes &&
        declaration.attributes->alias)
        error_at_item(parser, item, "'%s' is defined here, and is to be an alias",
                      declarator->name->text);
    if (!initialized) {
        if (defines) decl->tentative = true;
        if (defines && !decl->order) decl->order = ++parser->order_count;
        return;
    }
    if (block)
        error_at_item(parser, item, "'%s' is extern and has an initializer in a block",
                      declarator->name->text);
    else if (storage == STORAGE_EXTERN)
        parser_warn(parser, WARN_EXTERN_INIT, declarator->pos, item_end(item),
                    "'%s' is initialized and declared 'extern'", declarator->name->text);
    check_redefinition(parser, decl, item);
    decl->pos = declarator->pos;
    decl->defined = true;
    if (!decl->order) decl->order = ++parser->order_count;
    parser_next(parser);
    initialize(parser, decl, item, true);
}

static bool redeclared_in_block(Parser *parser, const InitDeclarator *item) {
    const Decl *other = item->declarator.name->ordinary;
    if (!other || other->scope_depth != parser->scope->depth) return false;
    if (other->type->kind == CT_ERROR) return false; // a name that was not declared before
    if (item->declarator.type->kind == CT_ERROR) return true;
    error_at_item(parser, item, "redefinition of '%s'", item->declarator.name->text);
    parser_note(parser, other->pos, "previous definition is here");
    return true;
}

// In a block only static objects can be thread-local (or extern ones, which are not declared here).
static void note_thread(Parser *parser, Decl *decl, const InitDeclarator *item) {
    bool is_static = decl->storage == STORAGE_STATIC;
    decl->is_thread = item->specifiers->is_thread && is_static;
    if (item->specifiers->is_thread && !is_static)
        error_at_item(parser, item, "'%s' is thread-local and must be 'static' or 'extern' here",
                      item->declarator.name->text);
}

// Only what has linkage can be an alias.
static void ignore_alias(Parser *parser, Decl *decl, const InitDeclarator *item) {
    if (!decl->attributes->alias) return;
    parser_warn(parser, WARN_ATTRIBUTES, item->declarator.pos, item_end(item),
                "'%s' cannot be an alias: it has no linkage", item->declarator.name->text);
    decl->attributes->alias = NULL;
}

// An object that is marked as used stays as long as the function does.
static void note_kept(Parser *parser, Decl *decl) {
    if (decl->storage != STORAGE_STATIC || !decl->attributes->used || !parser->function) return;
    decl->kept = parser->function->decl->kept;
    parser->function->decl->kept = decl;
}

// A variable of a block, with automatic or static storage.
static void declare_local_variable(Parser *parser, const InitDeclarator *item) {
    const Declarator *declarator = &item->declarator;
    bool is_static = item->specifiers->storage == STORAGE_STATIC;
    bool initialized = parser_at(parser, TOK_ASSIGN);
    CType *type = declarator->type;
    if (!check_object_type(parser, item, type, initialized)) type = parser->types->basic[CT_ERROR];
    if (is_static && type_has_variable_size(type)) {
        error_at_item(parser, item, "static variable '%s' has a variable size",
                      declarator->name->text);
        type = parser->types->basic[CT_ERROR];
    }
    add_sizes(parser, item, type);
    Decl *decl = decl_new(parser, is_static ? parser->arena : parser->body_arena, DECL_VAR,
                          declarator->name, type, declarator->pos);
    decl->type_name = item->specifiers->type_name;
    decl->storage = is_static                                       ? STORAGE_STATIC
                    : item->specifiers->storage == STORAGE_REGISTER ? STORAGE_REGISTER
                                                                    : STORAGE_AUTO;
    decl->asm_name = item->asm_name;
    if (is_static) decl->order = ++parser->order_count;
    check_asm_name(parser, decl);
    note_thread(parser, decl, item);
    if (item->has_attributes) add_attributes(parser, decl, &item->attributes);
    ignore_alias(parser, decl, item);
    note_kept(parser, decl);
    set_alignment(parser, decl, item);
    if (!redeclared_in_block(parser, item)) scope_declare(parser, decl);
    if (is_static) vec_push(parser->arena, &parser->objects, decl);
    uint32_t errors = parser->diag->errors;
    if (initialized) {
        decl->defined = true;
        uint32_t unit = unit_open_initializer(parser, decl);
        parser_next(parser);
        initialize(parser, decl, item, is_static);
        unit_close_initializer(parser, unit, decl);
        warn_init_self(parser, decl);
    }
    if (decl->attributes->cleanup || type_has_variable_size(type)) unit_pin(parser, parser->unit);
    decl->declarator = parser->unit;
    if (item->stmt) vec_push(parser->body_arena, &item->stmt->decls, decl);
    if (!is_static && is_flexible_object(type) && decl->init && parser->diag->errors == errors)
        for (uint32_t i = 0; i < decl->init->count; i++)
            if (decl->init->pieces[i].offset >= type->size) {
                error_at_item(parser, item,
                              "'%s' is not static: its flexible array member cannot "
                              "be initialized",
                              declarator->name->text);
                break;
            }
}

// __auto_type: the type is that of the initializer, which cannot see the variable.
static void declare_auto_type(Parser *parser, InitDeclarator *item) {
    if (item->declarator.type != item->specifiers->type || !parser_at(parser, TOK_ASSIGN)) {
        error_at_item(parser, item, "'__auto_type' needs a plain name and an initializer");
        return;
    }
    parser_next(parser);
    bool is_static = parser->scope->depth == 0 || item->specifiers->storage == STORAGE_STATIC;
    Arena *saved = parser->body_arena;
    if (is_static) parser->body_arena = parser->arena;
    Expr *value = expr_value(parser, parse_assignment(parser));
    value = expr_as_meant(parser, value);
    CType *type = value->type->unqualified;
    unsigned quals = item->specifiers->type->quals;
    Init *init = init_from_expression(parser, value, type, is_static);
    parser->body_arena = saved;
    item->declarator.type = type_qualify(parser->types, type, quals);
    Decl *decl;
    if (parser->scope->depth == 0) {
        Declaration declaration = declaration_of(item, DECL_VAR);
        decl = declare_entity(parser, &declaration);
        check_redefinition(parser, decl, item);
    } else {
        decl = decl_new(parser, is_static ? parser->arena : parser->body_arena, DECL_VAR,
                        item->declarator.name, item->declarator.type, item->declarator.pos);
        decl->storage = is_static ? STORAGE_STATIC : STORAGE_AUTO;
        note_thread(parser, decl, item);
        if (item->has_attributes) add_attributes(parser, decl, &item->attributes);
        note_kept(parser, decl);
        if (!redeclared_in_block(parser, item)) scope_declare(parser, decl);
        if (is_static) vec_push(parser->arena, &parser->objects, decl);
        if (item->stmt) vec_push(parser->body_arena, &item->stmt->decls, decl);
    }
    decl->defined = true;
    decl->init = init;
}

static void declare_item(Parser *parser, InitDeclarator *item) {
    CType *type = item->declarator.type;
    Storage storage = item->specifiers->storage;
    if (item->specifiers->is_inline && type->kind != CT_FUNC && type->kind != CT_ERROR)
        error_at_item(parser, item, "'%s' is declared inline but is not a function",
                      item->declarator.name->text);
    if (item->specifiers->auto_type)
        declare_auto_type(parser, item);
    else if (storage == STORAGE_TYPEDEF)
        declare_typedef(parser, item);
    else if (type->kind == CT_FUNC)
        declare_function(parser, item);
    else if (parser->scope->depth == 0 || storage == STORAGE_EXTERN)
        declare_linked_variable(parser, item);
    else
        declare_local_variable(parser, item);
    if (parser_at(parser, TOK_ASSIGN) && !parser->panic)
        syntax_error(parser,
                     storage == STORAGE_TYPEDEF
                         ? "typedef '%s' has an initializer (use typeof instead)"
                         : "function '%s' is initialized like a variable",
                     item->declarator.name->text);
}

// ---- Function definitions

static void check_definition(Parser *parser, const InitDeclarator *item, const CType *type) {
    const CType *result = type->base;
    if (result->kind == CT_UNSUPPORTED)
        error_at_item(parser, item, "function '%s' returns type %s, which is not supported",
                      item->declarator.name->text, type_text(parser, result));
    else if (!result->complete && result->kind != CT_VOID && result->kind != CT_ERROR)
        error_at_item(parser, item, "function '%s' returns incomplete type %s",
                      item->declarator.name->text, type_text(parser, result));
    for (uint32_t i = 0; i < item->declarator.param_count; i++) {
        Decl *decl = item->declarator.params[i];
        const CType *param = decl->type;
        if (param->kind == CT_ERROR || param->kind == CT_VOID) continue;
        if (param->complete && param->kind != CT_UNSUPPORTED) continue;
        parser_error(parser, decl->pos, decl->pos + (decl->name ? decl->name->length : 1),
                     param->complete ? "parameter '%s' has type %s, which is not supported"
                                     : "parameter '%s' has incomplete type %s",
                     decl->name ? decl->name->text : "<unnamed>", type_text(parser, param));
        decl->type = parser->types->basic[CT_ERROR];
    }
}

// A definition may replace one that was only for inlining.
static bool redefines(Parser *parser, const Decl *func, const InitDeclarator *item) {
    bool gnu_inline = func->attributes->gnu_inline || gnu_inline_mode(parser);
    if (!func->defined || (func->inline_definition && gnu_inline)) return false;
    check_redefinition(parser, func, item);
    return true;
}

// Puts the computation of the sizes of parameters in front of the body.
static void prepend_sizes(Parser *parser, Decl *func, const Declarator *declarator) {
    if (!func->body) return;
    uint32_t sized = declarator->sized_count;
    for (uint32_t i = func->params.count; i-- > 0;) {
        CType *type = func->params.at[i]->type;
        // The size of the array itself matters no more, but it may have side effects.
        if (sized > 0 && declarator->sized[sized - 1].param == i)
            type = declarator->sized[--sized].array;
        Stmt *sizes = variable_sizes(parser, type);
        if (!sizes) continue;
        sizes->next = func->body->first;
        func->body->first = sizes;
        if (!func->body->last) func->body->last = sizes;
    }
}

static void parse_definition_body(Parser *parser, Decl *func, const Declarator *declarator,
                                  const SetAside *aside, bool wanted) {
    parser->body_arena = parser->function_arena;
    Scope *scope = parser->scope;
    parse_function_body(parser, func);
    parser->scope = scope;
    prepend_sizes(parser, func, declarator);
    if (set_aside_end(parser, aside, func)) wanted = false;
    if (wanted && parser->diag->errors == 0)
        parser->options->function(parser->options->context, func);
    parser->body_arena = parser->arena;
    arena_reset(parser->function_arena);
}

// Declares again, for the body, the tags and enumerators that were declared among the parameters.
static void reopen_scope(Parser *parser, const Declarator *declarator) {
    for (TagDecl *tag = declarator->tags, *next; tag; tag = next) {
        next = tag->next_in_scope;
        scope_declare_tag(parser, tag);
    }
    for (Decl *decl = declarator->others, *next; decl; decl = next) {
        next = decl->next_in_scope;
        if (decl->kind == DECL_ENUMERATOR) scope_declare(parser, decl);
    }
}

static void define_function(Parser *parser, InitDeclarator *item) {
    Declarator *declarator = &item->declarator;
    Declaration declaration = declaration_of(item, DECL_FUNC);
    check_function_specifiers(parser, item);
    if (item->specifiers->storage == STORAGE_TYPEDEF)
        error_at_item(parser, item, "a typedef cannot define a function");
    if (declarator->identifiers) {
        parse_old_style_parameters(parser, declarator);
        if (parser->panic) return;
        declaration.type = finish_old_style(parser, declarator);
        declaration.old_style = true;
        declaration.param_count = declarator->param_count;
    }
    declaration.definition = true;
    const Decl *before = find_entity(parser, declarator->name);
    if (before && !item->specifiers->has_type && before->type->kind == CT_FUNC &&
        before->type->base->kind == CT_VOID) {
        // without a type it returns the type of an earlier declaration
        const CType *type = declaration.type;
        declaration.type =
            type_function(parser->types, before->type->base, type->func.params,
                          type->func.param_count, type->func.variadic, type->func.prototype);
    }
    SetAside aside = set_aside_begin(parser, &declaration);
    if (before) compare_with_prototype(parser, before, declarator);
    warn_definition(parser, before, &declaration);
    check_definition(parser, item, declaration.type);
    bool duplicate = before && before->kind == DECL_FUNC && redefines(parser, before, item);
    Decl *func = duplicate ? decl_new(parser, parser->arena, DECL_FUNC, declarator->name,
                                      declaration.type, declarator->pos)
                           : declare_entity(parser, &declaration);
    func->pos = declarator->pos;
    func->type_name = declaration.type_name;
    func->replaces = func->defined;
    func->order = ++parser->order_count;
    func->defined = true;
    // The list of names gives the parameters' types to the callee only.
    if (declarator->identifiers && !func->type->func.prototype) func->type = declaration.type;
    vec_clear(&func->params);
    for (uint32_t i = 0; i < declarator->param_count; i++)
        vec_push(parser->arena, &func->params, declarator->params[i]);
    warn_main(parser, func);
    check_interrupt(parser, func);
    Scope scope;
    if (declarator->tags) {
        scope_push(parser, &scope);
        reopen_scope(parser, declarator);
    }
    parse_definition_body(parser, func, declarator, &aside, !duplicate);
    if (declarator->tags) scope_pop(parser);
    func->body = NULL;
}

// ---- Lists of declarators

// A semicolon at the end of a declaration. If the next token starts a line it was forgotten, and
// nothing needs to be skipped.
static void expect_end(Parser *parser) {
    if (parser->for_head) {
        if (!parser->panic) parser_expect(parser, TOK_SEMI, "declaration");
        return;
    }
    if (parser->panic) {
        parser_recover(parser);
        return;
    }
    if (parser_accept(parser, TOK_SEMI)) return;
    bool fresh = parser->token.flags & TOKF_LINE || parser_at(parser, TOK_RBRACE);
    parser_expect(parser, TOK_SEMI, "declaration");
    parser->panic = false;
    if (!fresh) parser_recover(parser);
}

static void warn_implicit_int(Parser *parser, const InitDeclarator *item) {
    if (item->specifiers->has_type || parser->panic) return;
    bool function = item->declarator.type->kind == CT_FUNC;
    parser_warn(parser, WARN_IMPLICIT_INT, item->declarator.pos, item_end(item),
                function ? "return type of '%s' defaults to 'int'"
                         : "type of '%s' defaults to 'int'",
                item->declarator.name->text);
}

static bool at_function_definition(Parser *parser, const InitDeclarator *item, bool first) {
    const Declarator *declarator = &item->declarator;
    if (!first || declarator->type->kind != CT_FUNC || !declarator->function) return false;
    if (parser_at(parser, TOK_LBRACE)) return true;
    return declarator->identifiers && starts_type(parser, &parser->token);
}

// A function whose '{' is missing: reported.
static bool misses_body_brace(Parser *parser, const InitDeclarator *item) {
    const Declarator *declarator = &item->declarator;
    if (parser->scope->depth > 0 || declarator->type->kind != CT_FUNC || !declarator->function)
        return false;
    if (declarator->identifiers || parser_at(parser, TOK_LBRACE) || parser_at(parser, TOK_SEMI) ||
        parser_at(parser, TOK_COMMA) || parser_at(parser, TOK_ASSIGN) || !lacks_body_brace(parser))
        return false;
    Pos end = parser->last_end;
    parser_fix_insert(parser, end, " {");
    parser_error(parser, end, end + 1, "expected '{' before the body of the function '%s'",
                 declarator->name->text);
    return true;
}

static void skip_nested_function(Parser *parser, InitDeclarator *item) {
    if (item->specifiers->storage != STORAGE_AUTO)
        declare_item(parser, item); // so that its calls are no further mistakes
    error_at_item(parser, item, "nested functions are not supported ('%s')",
                  item->declarator.name->text);
    parser->function->brace_reported = note_lost_brace(parser);
    parser_next(parser);
    parser_recover(parser);
    while (!parser_at(parser, TOK_RBRACE) && !parser_at(parser, TOK_EOF)) parser_recover(parser);
    parser_accept(parser, TOK_RBRACE);
}

// Whether more declarators or the end of the declaration follow.
static bool parse_item(Parser *parser, const Specifiers *specifiers, Stmt *stmt, bool first) {
    InitDeclarator item = {
        .specifiers = specifiers, .attributes = specifiers->attributes, .stmt = stmt};
    item.has_attributes = specifiers->has_attributes;
    uint32_t unit = unit_open_declarator(parser);
    if (!first && parser_at_keyword(parser, KW_ATTRIBUTE)) {
        item.has_attributes = true;
        parse_attributes(parser, &item.attributes);
    }
    parse_declarator(parser, specifiers->type, ABSTRACT_NO, &item.attributes, &item.declarator);
    item.has_attributes |= item.declarator.has_attributes;
    if (parser->panic || !item.declarator.name) return false;
    item.asm_name = parse_asm_label(parser);
    if (parser_at_keyword(parser, KW_ATTRIBUTE) || at_standard_attribute(parser)) {
        item.has_attributes = true;
        parse_attributes(parser, &item.attributes);
    }
    if (parser->panic) return false;
    if (item.has_attributes)
        item.declarator.type = apply_type_attributes(parser, item.declarator.type, &item.attributes,
                                                     item.declarator.pos);
    warn_implicit_int(parser, &item);
    if (first && misses_body_brace(parser, &item)) parser->body_open = true;
    if (parser->body_open || at_function_definition(parser, &item, first)) {
        if (parser->scope->depth > 0)
            skip_nested_function(parser, &item);
        else
            define_function(parser, &item);
        return false;
    }
    declare_item(parser, &item);
    unit_close_declarator(parser, unit);
    if (!parser->panic && parser_accept(parser, TOK_COMMA)) return true;
    // The rest of the line behind an unknown type is part of the same mistake.
    if (specifiers->type->kind == CT_ERROR && !parser_at(parser, TOK_SEMI) &&
        !(parser->token.flags & TOKF_LINE))
        parser->panic = true;
    expect_end(parser);
    return false;
}

static void parse_init_declarators(Parser *parser, const Specifiers *specifiers, Stmt *stmt) {
    bool first = true;
    while (parse_item(parser, specifiers, stmt, first)) first = false;
    if (parser->panic && !parser->for_head) parser_recover(parser);
}

// A declaration without declarators.
static void check_empty_declaration(Parser *parser, const Specifiers *specifiers) {
    const CType *type = specifiers->type;
    bool tag = specifiers->declares_tag && (type->kind == CT_ENUM || type_is_record(type));
    bool useful = tag && (type->kind == CT_ENUM || type->record->tag);
    if (useful || type->kind == CT_ERROR) return;
    parser_warn(parser, WARN_PEDANTIC, specifiers->pos, specifiers->end,
                tag ? "unnamed struct or union that defines no object"
                    : "the declaration does not declare anything");
}

static void parse_file_assembler(Parser *parser) {
    parser_next(parser);
    if (parser_at_keyword(parser, KW_VOLATILE)) parser_next(parser);
    if (!parser_expect(parser, TOK_LPAREN, "'asm'")) return;
    const CString *text = parse_plain_string(parser, "the assembler text");
    parser_expect(parser, TOK_RPAREN, "the assembler text");
    parser_expect(parser, TOK_SEMI, "the assembler text");
    if (text && text->size > 1 && parser->options->assembler)
        parser->options->assembler(parser->options->context, text, ++parser->order_count);
}

static bool starts_declarator(const Parser *parser) {
    return (parser_at(parser, TOK_IDENT) && parser->token.ident->keyword == KW_NONE) ||
           parser_at(parser, TOK_STAR) || parser_at(parser, TOK_LPAREN);
}

unsigned parse_extension_marks(Parser *parser) {
    unsigned count = 0;
    for (; parser_at_keyword(parser, KW_EXTENSION); count++) parser_next(parser);
    parser->extensions += count;
    return count;
}

static void parse_unmarked_external(Parser *parser) {
    if (parser_at(parser, TOK_SEMI)) {
        parser_warn(parser, WARN_PEDANTIC, parser->token.pos, parser->token.pos + 1,
                    "extra ';' outside of a function");
        parser_next(parser);
        return;
    }
    if (parser_at_keyword(parser, KW_STATIC_ASSERT)) {
        parse_static_assert(parser);
    } else if (parser_at_keyword(parser, KW_ASM)) {
        parse_file_assembler(parser);
    } else if (at_standard_attribute(parser) &&
               after_standard_attributes(parser)->kind == TOK_SEMI) {
        Attributes ignored = no_attributes;
        parse_attributes(parser, &ignored);
        if (!parser->panic) parser_next(parser);
    } else {
        Specifiers specifiers;
        parse_specifiers(parser, &specifiers);
        bool nothing = specifiers.end == specifiers.pos;
        if (!parser->panic && nothing && !starts_declarator(parser)) {
            syntax_error(parser, "expected a declaration");
        } else if (!parser->panic && (specifiers.ended || parser_accept(parser, TOK_SEMI))) {
            check_empty_declaration(parser, &specifiers);
            return;
        }
        if (!parser->panic) parse_init_declarators(parser, &specifiers, NULL);
    }
    if (parser->panic) parser_recover(parser);
}

void parse_external_declaration(Parser *parser) {
    unsigned marks = parse_extension_marks(parser);
    parse_unmarked_external(parser);
    parser->extensions -= marks;
    if (parser->closed) parser->closed = parser->panic = false;
}

static Stmt *parse_unmarked_in_block(Parser *parser) {
    Pos pos = parser->token.pos;
    if (parser_at_keyword(parser, KW_STATIC_ASSERT)) {
        parse_static_assert(parser);
        if (parser->panic) parser_recover(parser);
        return stmt_new(parser, ST_EMPTY, pos);
    }
    Specifiers specifiers;
    parse_specifiers(parser, &specifiers);
    Stmt *stmt = NULL;
    // A struct whose size is computed when control gets to its definition.
    if (type_is_record(specifiers.type)) stmt = variable_sizes(parser, specifiers.type);
    if (!stmt) stmt = stmt_new(parser, ST_DECL, pos);
    if (!parser->panic && (specifiers.ended || parser_accept(parser, TOK_SEMI))) {
        bool only_attributes = !specifiers.has_type && specifiers.storage == STORAGE_NONE;
        if (!only_attributes) check_empty_declaration(parser, &specifiers);
    } else if (!parser->panic) {
        parse_init_declarators(parser, &specifiers, stmt);
    }
    if (parser->panic && !parser->for_head) parser_recover(parser);
    if (stmt->decls.count == 0) stmt->kind = ST_EMPTY;
    stmt->end = parser->last_end;
    return stmt;
}

Stmt *parse_block_declaration(Parser *parser) {
    unsigned marks = parse_extension_marks(parser);
    Stmt *stmt = parse_unmarked_in_block(parser);
    parser->extensions -= marks;
    return stmt;
}
