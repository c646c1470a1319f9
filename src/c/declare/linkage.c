// Entities with linkage: functions and variables that several declarations may declare.
//
// There is one Decl for each such entity, whatever the number of its declarations; each declaration
// adds a more complete type, attributes or a definition. Parser.entities finds the Decl by name
// even when no declaration of the entity is in scope.
#include "c/parse/declare.h"
#include "c/parse/warn.h"

#include <string.h>

Decl *find_entity(Parser *parser, const Ident *name) {
    uint32_t index = map_get(&parser->entities, name->name.i);
    return index == HASH_NONE ? NULL : parser->objects.at[index];
}

void add_entity(Parser *parser, Decl *decl) {
    map_set(parser->arena, &parser->entities, decl->name->name.i, parser->objects.count);
    vec_push(parser->arena, &parser->objects, decl);
}

void declare_in_file_scope(Parser *parser, Decl *decl) {
    Scope *file = &parser->file_scope;
    decl->scope_depth = 0;
    decl->shadowed = NULL;
    decl->next_in_scope = file->decls;
    file->decls = decl;
    decl->name->ordinary = decl;
}

// ---- Attributes

static void merge_strings(Attributes *to, const Attributes *from) {
    if (from->section) to->section = from->section;
    if (from->alias) to->alias = from->alias;
    to->ifunc |= from->ifunc;
    to->loose_aliasing |= from->loose_aliasing;
    if (from->advice) to->advice = from->advice;
    if (from->visibility_given) {
        to->visibility = from->visibility;
        to->visibility_given = true;
    }
    if (from->cleanup) to->cleanup = from->cleanup;
    if (from->align > to->align) to->align = from->align;
    if (from->constructor_priority >= 0) to->constructor_priority = from->constructor_priority;
    if (from->destructor_priority >= 0) to->destructor_priority = from->destructor_priority;
    to->no_sanitize |= from->no_sanitize;
    to->emission |= from->emission;
    to->nonnull |= from->nonnull;
    to->format_arg |= from->format_arg;
    if (from->format) {
        to->format = from->format;
        to->format_string = from->format_string;
        to->format_first = from->format_first;
    }
}

static void merge_versions(Parser *parser, Attributes *to, const Attributes *from) {
    for (const SymbolVersion *version = from->versions; version; version = version->next) {
        const SymbolVersion *known = to->versions;
        while (known && strcmp(known->name, version->name) != 0) known = known->next;
        if (known) continue;
        SymbolVersion *copy = ARENA_NEW(parser->arena, SymbolVersion);
        *copy = (SymbolVersion){.name = version->name, .next = to->versions};
        to->versions = copy;
    }
}

static void merge_accesses(Parser *parser, Attributes *to, const Attributes *from) {
    for (const ParamAccess *access = from->accesses; access; access = access->next) {
        ParamAccess *copy = ARENA_NEW(parser->arena, ParamAccess);
        *copy = *access;
        copy->next = to->accesses;
        to->accesses = copy;
    }
}

void add_attributes(Parser *parser, Decl *decl, const Attributes *from) {
    if (decl->attributes == parser->plain) {
        decl->attributes = ARENA_NEW(parser->arena, Attributes);
        *decl->attributes = *from;
    } else {
        Attributes *to = decl->attributes;
        to->packed |= from->packed;
        to->noreturn |= from->noreturn;
        to->weak |= from->weak;
        to->used |= from->used;
        to->unused |= from->unused;
        to->always_inline |= from->always_inline;
        to->noinline |= from->noinline;
        to->warn_unused_result |= from->warn_unused_result;
        to->gnu_inline |= from->gnu_inline;
        to->returns_twice |= from->returns_twice;
        to->constructor |= from->constructor;
        to->destructor |= from->destructor;
        to->common |= from->common;
        to->nocommon |= from->nocommon;
        to->weakref |= from->weakref;
        to->retain |= from->retain;
        to->all_nonnull |= from->all_nonnull;
        to->returns_nonnull |= from->returns_nonnull;
        if (from->call_error) to->call_error = from->call_error;
        if (from->call_warning) to->call_warning = from->call_warning;
        if (from->alloc_size[0]) memcpy(to->alloc_size, from->alloc_size, sizeof to->alloc_size);
        to->no_profile |= from->no_profile;
        to->no_instrument |= from->no_instrument;
        to->is_pure |= from->is_pure;
        to->is_const |= from->is_const;
        to->no_reorder |= from->no_reorder;
        merge_strings(to, from);
        merge_versions(parser, to, from);
        merge_notes(parser, &to->notes, from->notes);
        merge_accesses(parser, to, from);
    }
    decl->is_noreturn |= from->noreturn;
}

// ---- Agreement of declarations

static void error_at_name(Parser *parser, const Decl *old, const Declaration *declaration,
                          const char *format) {
    parser_error(parser, declaration->pos, declaration->pos + declaration->name->length, format,
                 declaration->name->text);
    parser_note(parser, old->pos, "previous declaration is here");
}

// A call has declared it as a function that returns int; its declaration returns nothing.
static bool forgiven(const Decl *old, const CType *type) {
    return old->implicit && old->type->kind == CT_FUNC && type->kind == CT_FUNC &&
           old->type->base->kind == CT_INT && type->base->kind == CT_VOID;
}

static void report_conflict(Parser *parser, const Decl *old, const Declaration *declaration) {
    Pos end = declaration->pos + declaration->name->length;
    bool library = old->implicit && is_builtin_function(parser, declaration->name);
    if (library)
        parser_warn(parser, WARN_BUILTIN_MISMATCH, declaration->pos, end,
                    "conflicting types for built-in function '%s'; expected %s",
                    declaration->name->text, type_text(parser, old->type));
    else if (forgiven(old, declaration->type))
        parser_warn(parser, WARN_IMPLICIT_FUNCTION, declaration->pos, end,
                    "conflicting types for '%s'; it was used as if it returned int",
                    declaration->name->text);
    else
        parser_error(parser, declaration->pos, end, "conflicting types for '%s'; have %s",
                     declaration->name->text, type_text(parser, declaration->type));
    if (old->pos != 0)
        parser_note(parser, old->pos,
                    old->implicit ? "it was declared by its use here, with type %s"
                                  : "previous declaration with type %s is here",
                    type_text(parser, old->type));
}

// GNU C: a prototype stands for the types of an old-style definition that follows it.
static bool overrides_old_style(const Decl *old, const Declaration *declaration) {
    return declaration->old_style && old->type->kind == CT_FUNC && old->type->func.prototype &&
           !old->type->func.variadic && old->type->func.param_count == declaration->param_count &&
           type_compatible(old->type->base, declaration->type->base);
}

static void merge_types(Parser *parser, Decl *old, const Declaration *declaration) {
    if (overrides_old_style(old, declaration)) return;
    if (type_compatible(old->type, declaration->type)) {
        old->type = type_composite(parser->types, old->type, declaration->type);
        if (declaration->type->kind == CT_FUNC && declaration->type->func.prototype)
            old->borrowed = false;
        return;
    }
    report_conflict(parser, old, declaration);
    old->type = declaration->type;
}

// A body that is only for inlining does not bind the name: a static function may take its place.
static bool may_become_static(const Parser *parser, const Decl *func) {
    bool gnu = func->attributes->gnu_inline || gnu_inline_mode(parser);
    bool announced = gnu && func->is_inline && !func->defined && func->storage == STORAGE_EXTERN;
    return func->external && (func->inline_definition || announced);
}

static void become_static(Decl *func) {
    func->external = func->extern_inline = func->inline_definition = func->defined = false;
    func->internal = true;
}

static bool linkage_agrees(Parser *parser, Decl *old, const Declaration *declaration) {
    bool is_static = declaration->storage == STORAGE_STATIC;
    if (is_static && may_become_static(parser, old)) {
        become_static(old);
    } else if (is_static && old->external) {
        error_at_name(parser, old, declaration,
                      "static declaration of '%s' follows a non-static one");
        return false;
    }
    if (!is_static && old->internal && declaration->kind == DECL_VAR &&
        declaration->storage == STORAGE_NONE) {
        error_at_name(parser, old, declaration,
                      "non-static declaration of '%s' follows a static one");
        return false;
    }
    if (declaration->is_thread != old->is_thread && declaration->kind == DECL_VAR) {
        error_at_name(parser, old, declaration,
                      declaration->is_thread
                          ? "thread-local declaration of '%s' follows one that is not"
                          : "declaration of '%s' follows a thread-local one and is not");
        return false;
    }
    return true;
}

// A prototype gives the types of an old-style definition that follows it; each parameter must have
// that type, or be promoted to it.
void compare_with_prototype(Parser *parser, const Decl *before, const Declarator *declarator) {
    if (!declarator->identifiers || before->implicit || before->borrowed) return;
    if (before->type->kind != CT_FUNC || !before->type->func.prototype) return;
    const CType *prototype = before->type;
    uint32_t count = declarator->param_count, errors = parser->diag->errors;
    if (count != prototype->func.param_count) {
        parser_error(parser, declarator->pos, declarator->pos + declarator->name->length,
                     "'%s' has %u parameters here, but %u in its prototype", declarator->name->text,
                     count, prototype->func.param_count);
        count = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        const Decl *param = declarator->params[i];
        CType *wanted = prototype->func.params[i].type;
        CType *promoted = type_is_promoted_float(param->type)
                              ? parser->types->basic[CT_DOUBLE]
                              : type_promote(parser->types, param->type->unqualified);
        if (!type_compatible_unqualified(wanted, param->type) &&
            !type_compatible_unqualified(wanted, promoted) && param->type->kind != CT_ERROR)
            parser_error(parser, param->pos, param->pos + param->name->length,
                         "parameter '%s' has type %s, but the prototype says %s", param->name->text,
                         type_text(parser, param->type), type_text(parser, wanted));
    }
    if (parser->diag->errors != errors) parser_note(parser, before->pos, "the prototype is here");
}

// ---- Inline functions

// Whether the body of an external inline function is only for inlining. In C99 it is if every
// declaration says "inline" and none "extern"; in GNU C89 if the definition says "extern inline".
static void note_inline(Parser *parser, Decl *decl, const Declaration *declaration, bool first) {
    bool is_extern = declaration->storage == STORAGE_EXTERN;
    decl->is_inline |= declaration->is_inline;
    if (decl->internal) return;
    if (decl->attributes->gnu_inline || gnu_inline_mode(parser)) {
        if (declaration->definition) {
            decl->inline_definition = declaration->is_inline && is_extern;
            decl->extern_inline = decl->inline_definition;
        }
    } else if (parser->scope->depth == 0) {
        bool only_inline = declaration->is_inline && !is_extern;
        decl->inline_definition = only_inline && (first || decl->inline_definition);
    }
}

// ---- Binding

// Whether an entity is bound to its name in some scope, perhaps hidden by another declaration.
static bool is_bound(const Decl *decl) {
    const Decl *at = decl->name->ordinary;
    while (at && at != decl) at = at->shadowed;
    return at == decl;
}

// Makes the entity visible in the current scope. A declaration that is in that scope already has
// been checked.
static Decl *bind(Parser *parser, Decl *decl) {
    if (decl->name->ordinary == decl) return decl;
    if (is_bound(decl)) {
        Decl *alias = ARENA_NEW(parser->body_arena, Decl);
        *alias = *decl;
        alias->previous = decl;
        decl = alias;
    }
    scope_declare(parser, decl);
    return decl;
}

// gcc knows the parameters of library functions that are declared without them, and the types that
// these cannot have.
static void compare_with_library(Parser *parser, Decl *decl, const Declaration *declaration) {
    CType *known = library_type(parser, declaration->name);
    if (type_compatible(known, declaration->type)) {
        if (declaration->type->func.prototype) return;
        decl->type = type_composite(parser->types, known, declaration->type);
        decl->is_noreturn |= known->func.noreturn;
        decl->borrowed = true;
    } else if (!library_agrees(known, declaration->type)) {
        parser_warn(parser, WARN_BUILTIN_MISMATCH, declaration->pos,
                    declaration->pos + declaration->name->length,
                    "conflicting types for built-in function '%s'; expected %s",
                    declaration->name->text, type_text(parser, known));
    }
}

static Decl *new_entity(Parser *parser, const Declaration *declaration) {
    Decl *decl = decl_new(parser, parser->arena, declaration->kind, declaration->name,
                          declaration->type, declaration->pos);
    decl->type_name = declaration->type_name;
    decl->storage = (uint8_t)declaration->storage;
    decl->is_thread = declaration->is_thread;
    decl->internal = declaration->storage == STORAGE_STATIC;
    decl->external = !decl->internal;
    add_entity(parser, decl);
    if (declaration->kind == DECL_FUNC && decl->external &&
        is_builtin_function(parser, declaration->name))
        compare_with_library(parser, decl, declaration);
    return decl;
}

// Whether another declaration of this very scope stands in the way; reported.
static bool clashes(Parser *parser, const Declaration *declaration, const Decl *entity) {
    const Decl *visible = declaration->name->ordinary;
    if (!visible || visible->scope_depth != parser->scope->depth || visible == entity) return false;
    if (visible->previous && visible->previous == entity) return false;
    if (visible->type->kind == CT_ERROR) return true;
    error_at_name(parser, visible, declaration,
                  visible->kind == (uint8_t)declaration->kind
                      ? "declaration of '%s' with linkage follows one without"
                      : "redefinition of '%s' as a different kind of symbol");
    return true;
}

// Of static objects and functions, a dot in front marks names that are no more than labels:
// gatecc's own, the addresses of which need not differ.
void check_asm_name(Parser *parser, const Decl *decl) {
    bool is_static = decl->internal || decl->storage == STORAGE_STATIC;
    if (is_static && decl->asm_name && decl->asm_name[0] == '.')
        parser_error(parser, decl->pos, decl->pos + decl->name->length,
                     "the name '%s' in asm for static '%s' begins with a dot, as labels do",
                     decl->asm_name, decl->name->text);
}

Decl *declare_entity(Parser *parser, const Declaration *declaration) {
    Decl *old = find_entity(parser, declaration->name);
    if (clashes(parser, declaration, old))
        return decl_new(parser, parser->arena, declaration->kind, declaration->name,
                        declaration->type, declaration->pos);
    if (old && old->kind != (uint8_t)declaration->kind) {
        error_at_name(parser, old, declaration,
                      "redefinition of '%s' as a different kind of symbol");
        return decl_new(parser, parser->arena, declaration->kind, declaration->name,
                        declaration->type, declaration->pos);
    }
    bool first = !old;
    if (old) {
        check_ifunc_redefinition(parser, old, declaration);
        if (linkage_agrees(parser, old, declaration)) merge_types(parser, old, declaration);
        if (parser->scope->depth == 0 || !old->defined) {
            if (old->implicit) old->pos = declaration->pos;
            old->implicit = false;
        }
    } else {
        old = new_entity(parser, declaration);
    }
    if (parser->scope->depth == 0) old->file_scope = true;
    if (declaration->attributes) add_attributes(parser, old, declaration->attributes);
    if (declaration->asm_name) old->asm_name = declaration->asm_name;
    if (declaration->asm_name) check_asm_name(parser, old);
    apply_symbol_pragmas(parser, old);
    old->is_noreturn |= declaration->is_noreturn;
    if (declaration->kind == DECL_FUNC) note_inline(parser, old, declaration, first);
    return bind(parser, old);
}

// ---- The end of the unit

static void finish_variable(Parser *parser, Decl *decl) {
    Pos end = decl->pos + (decl->name ? decl->name->length : 1);
    if (decl->tentative && !decl->defined && !decl->type->complete) {
        if (decl->type->kind == CT_ARRAY) {
            parser_warn(parser, WARN_TENTATIVE_ARRAY, decl->pos, end,
                        "array '%s' is assumed to have one element", decl->name->text);
            decl->type = type_array(parser->types, decl->type->base, 1);
        } else if (decl->type->kind != CT_ERROR) {
            parser_error(parser, decl->pos, end, "variable '%s' has incomplete type %s",
                         decl->name->text, type_text(parser, decl->type));
        }
    }
    warn_unused_object(parser, decl);
}

void finish_unit(Parser *parser) {
    finish_symbol_pragmas(parser);
    finish_alias_targets(parser);
    for (uint32_t i = 0; i < parser->objects.count; i++) {
        Decl *decl = parser->objects.at[i];
        if (decl->kind == DECL_VAR)
            finish_variable(parser, decl);
        else if (decl->kind == DECL_FUNC)
            warn_unused_function(parser, decl);
    }
}
