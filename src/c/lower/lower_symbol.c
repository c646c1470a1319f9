// Symbols: the names, linkage and attributes of functions and objects with static storage. A symbol
// is made when it is first mentioned or defined; additions of later declarations are settled at the
// end of the unit.
#include "c/lower/lower_private.h"

#include "fact/calls.h"

static bool has_linkage(const Decl *decl) {
    return decl->name && (decl->external || decl->internal);
}

// Whether a declaration is but another name for a symbol, which need not exist: using that name
// alone makes the symbol weak.
static bool is_weak_reference(const Decl *decl) {
    return decl->attributes->weakref && decl->attributes->alias;
}

// Objects of a block and unnamed ones get a number, so that their names differ from all others.
static Str symbol_name(Lower *lower, const Decl *decl) {
    StrTable *strings = &lower->program->strings;
    if (is_weak_reference(decl)) return str_of(strings, decl->attributes->alias);
    if (decl->asm_name) return str_of(strings, decl->asm_name);
    if (has_linkage(decl)) return lower_str(lower, decl->name);
    const char *stem = decl->name ? decl->name->text : ".object";
    return str_of(strings, arena_printf(lower->scratch, "%s.%u", stem, lower->hidden_count++));
}

static void describe_function(Lower *lower, Symbol *symbol, const Decl *decl) {
    const Attributes *attributes = decl->attributes;
    uint32_t flags = symbol->flags;
    if (decl->is_noreturn || attributes->noreturn || decl->type->func.noreturn)
        flags |= SYMF_NORETURN;
    if (attributes->noinline) flags |= SYMF_NOINLINE;
    if (attributes->always_inline) flags |= SYMF_ALWAYS_INLINE;
    if (returns_twice(decl) || (is_weak_reference(decl) && name_returns_twice(attributes->alias)))
        flags |= SYMF_RETURNS_TWICE;
    // A copy of it elsewhere would be protected as that is.
    bool inlines = attributes->always_inline || !lower->locals.mark_buffers;
    if (attributes->emission & SYMF_NO_GUARD && !inlines) flags |= SYMF_NOINLINE;
    // What is copied elsewhere is called in no way of its own.
    if (attributes->emission & SYMF_INTERRUPT) flags |= SYMF_NOINLINE;
    if (attributes->ifunc) flags |= SYMF_INDIRECT;
    symbol->flags = flags | attributes->emission;
    if (attributes->align > symbol->align && !attributes->ifunc) symbol->align = attributes->align;
    if (symbol->sig.i == NO_ID) symbol->sig = sig_of(lower, decl->type, NULL, 0);
}

static bool is_read_only(const CType *type) {
    while (type->kind == CT_ARRAY) type = type->base;
    return (type->quals & (Q_CONST | Q_VOLATILE)) == Q_CONST;
}

uint32_t object_align(const Lower *lower, const Decl *decl) {
    uint32_t array_align = lower->types->language->model.array_align;
    const CType *type = decl->type;
    bool here = decl->storage != STORAGE_EXTERN || decl->defined;
    if (decl->attributes->align > type->align) return decl->attributes->align;
    bool large = type->kind == CT_ARRAY && type->size >= array_align && type->align < array_align;
    return large && here && !decl->attributes->align ? array_align : type->align;
}

static void describe_data(Lower *lower, Sym id, const Decl *decl) {
    Symbol *symbol = program_at(lower->program, id);
    uint32_t align = object_align(lower, decl);
    if (align > symbol->align) symbol->align = align;
    if (decl->type->size > symbol->size) symbol->size = decl->type->size;
    if (type_is_record(decl->type) && decl->type->record->flexible)
        map_set(lower->arena, &lower->open_objects, id.i, 1);
    if (decl->type->complete && !decl->type->size && !decl->type->variable)
        map_set(lower->arena, &lower->empty_objects, id.i, 1);
    if (is_read_only(decl->type)) symbol->flags |= SYMF_CONST;
    if (decl->is_thread) symbol->flags |= SYMF_THREAD;
}

static Linkage linkage_of(const Lower *lower, const Decl *decl, const Symbol *symbol) {
    bool here = symbol->defined || symbol->alias.i != NO_ID;
    if (decl->attributes->weak) return LINK_WEAK;
    if (!here) return LINK_EXPORT;
    if (!decl->external || decl->inline_definition) return LINK_STATIC;
    bool wanted =
        decl->attributes->common || (lower->defaults.common && !decl->attributes->nocommon);
    bool common = wanted && decl->tentative && !decl->defined && !decl->is_thread &&
                  !decl->attributes->retain;
    return common ? LINK_COMMON : LINK_EXPORT;
}

// -fvisibility= is about what is defined here and visible elsewhere, if nothing else is written.
static Visibility visibility_of(const Lower *lower, const Decl *decl, const Symbol *symbol) {
    bool here = symbol->defined || symbol->alias.i != NO_ID;
    bool open = here && symbol->linkage != LINK_STATIC && !decl->attributes->visibility_given;
    return open ? lower->defaults.visibility : (Visibility)decl->attributes->visibility;
}

// With -fPIC, what a shared object exports may be defined by the program that loads it. Functions
// that are declared inline mean the same wherever they are defined.
static bool is_replaceable(const Lower *lower, const Decl *decl, const Symbol *symbol) {
    bool promised = decl->is_inline || decl->attributes->always_inline;
    return lower->defaults.replaceable && symbol->defined && symbol->linkage == LINK_EXPORT &&
           symbol->visibility == VIS_DEFAULT && !(symbol->kind == SYM_FUNC && promised);
}

static void describe(Lower *lower, Sym id, const Decl *decl) {
    Symbol *symbol = program_at(lower->program, id);
    const Attributes *attributes = decl->attributes;
    if (symbol->kind == SYM_FUNC)
        describe_function(lower, symbol, decl);
    else
        describe_data(lower, id, decl);
    if (attributes->used) symbol->flags |= SYMF_USED;
    if (attributes->retain && symbol->alias.i == NO_ID) symbol->flags |= SYMF_RETAIN;
    if (attributes->section)
        symbol->section = str_of(&lower->program->strings, attributes->section);
    symbol->linkage = linkage_of(lower, decl, symbol);
    symbol->visibility = visibility_of(lower, decl, symbol);
    symbol->flags &= ~(uint32_t)SYMF_REPLACEABLE;
    if (is_replaceable(lower, decl, symbol)) symbol->flags |= SYMF_REPLACEABLE;
}

Sym lower_symbol(Lower *lower, Decl *decl) {
    if (decl->place == IN_SYMBOL) return (Sym){decl->number};
    SymKind kind = decl->kind == DECL_FUNC ? SYM_FUNC : SYM_DATA;
    Sym symbol = program_symbol(lower->program, symbol_name(lower, decl), kind);
    decl->place = IN_SYMBOL;
    decl->number = symbol.i;
    if (program_at(lower->program, symbol)->kind != kind) {
        lower_late_error(lower, decl->pos, "this is the name of a function and of an object");
        return symbol;
    }
    describe(lower, symbol, decl);
    // The tree of an object of a block lives as long as its function only.
    if (!has_linkage(decl)) lower_object(lower, decl);
    return symbol;
}

// The body of an "extern inline" function of GNU C has a symbol of its own: the function itself is
// defined elsewhere, and other declarations lead there by its assembler name, as the body's own.
Sym lower_inline_symbol(Lower *lower, Decl *decl) {
    if (decl->inline_number) return (Sym){decl->inline_number - 1};
    const char *name = arena_printf(lower->scratch, "%s.inline", decl->name->text);
    Sym symbol = program_symbol(lower->program, str_of(&lower->program->strings, name), SYM_FUNC);
    describe(lower, symbol, decl);
    program_at(lower->program, symbol)->linkage = LINK_STATIC;
    decl->inline_number = symbol.i + 1;
    return symbol;
}

// A definition of the function itself takes the place of the body for those, too, that have called
// it before.
void replace_inline_body(Lower *lower, const Decl *func, Sym symbol) {
    if (!func->replaces || func->extern_inline || !func->inline_number) return;
    Symbol *body = program_at(lower->program, (Sym){func->inline_number - 1});
    body->func = NULL;
    body->alias = symbol;
    body->flags &= ~(uint32_t)SYMF_ALWAYS_INLINE;
}

Sym lower_called_symbol(Lower *lower, Decl *callee) {
    bool copied = callee->extern_inline && callee->inline_number && callee != lower->func;
    return copied ? (Sym){callee->inline_number - 1} : lower_symbol(lower, callee);
}

// ---- At the end of the unit

// The default priority of constructors and destructors comes after all others.
static int32_t priority(bool present, int32_t given) {
    if (!present) return -1;
    return given < 0 ? UINT16_MAX : given;
}

static void report_alias(Lower *lower, const Decl *decl, const char *why) {
    pp_report(lower->pp, DIAG_ERROR, NULL, decl->pos, 1,
              decl->attributes->ifunc ? "'%s' has the resolver '%s', %s"
                                      : "'%s' is to be an alias of '%s', %s",
              decl->name->text, decl->attributes->alias, why);
}

// The body of an inline definition gives way to an alias.
static void finish_alias(Lower *lower, Decl *decl) {
    Str name = str_of(&lower->program->strings, decl->attributes->alias);
    Sym symbol = lower_symbol(lower, decl), target = program_find(lower->program, name);
    Symbol *at = program_at(lower->program, symbol);
    bool defined = decl->defined || at->defined;
    if (target.i == NO_ID || target.i == symbol.i) {
        report_alias(lower, decl, "which is not defined here");
    } else if (program_at(lower->program, target)->kind != at->kind) {
        report_alias(lower, decl,
                     at->kind == SYM_FUNC ? "which is no function" : "which is a function");
    } else if ((program_at(lower->program, target)->flags ^ at->flags) & SYMF_THREAD) {
        report_alias(lower, decl, "and only one of them is thread-local");
    } else if (defined && !decl->inline_definition) {
        report_alias(lower, decl, "but has a definition of its own");
    } else {
        at->func = NULL;
        at->alias = target;
        at->defined = true;
        if (at->kind == SYM_FUNC && !decl->attributes->ifunc)
            at->sig = program_at(lower->program, target)->sig;
    }
}

// Another name for an indirect function is an indirect function with the same resolver: that is
// what linkers make of it.
static void settle_indirect(Program *program, Sym alias) {
    Symbol *symbol = program_at(program, alias);
    Sym at = alias;
    while (at.i != NO_ID && !(program_at(program, at)->flags & SYMF_INDIRECT))
        at = program_at(program, at)->alias;
    if (at.i == NO_ID || at.i == alias.i) return;
    symbol->flags |= SYMF_INDIRECT;
    symbol->alias = program_at(program, at)->alias;
    symbol->sig = program_at(program, at)->sig;
    symbol->align = 1;
}

typedef enum { ALIAS_UNKNOWN, ALIAS_ON_THE_WAY, ALIAS_GOOD, ALIAS_BAD } AliasState;

// Whether aliases from here on lead to a definition; each symbol is walked over once.
static bool leads_to_definition(const Program *program, Sym symbol, uint8_t *state) {
    Sym at = symbol;
    while (state[at.i] == ALIAS_UNKNOWN && program_at(program, at)->alias.i != NO_ID) {
        state[at.i] = ALIAS_ON_THE_WAY;
        at = program_at(program, at)->alias;
    }
    bool good = state[at.i] == ALIAS_GOOD ||
                (state[at.i] == ALIAS_UNKNOWN && program_at(program, at)->defined);
    for (at = symbol; state[at.i] == ALIAS_ON_THE_WAY; at = program_at(program, at)->alias)
        state[at.i] = good ? ALIAS_GOOD : ALIAS_BAD;
    return good;
}

static bool is_alias(const Decl *decl) {
    return (decl->kind == DECL_VAR || decl->kind == DECL_FUNC) && decl->attributes->alias &&
           !is_weak_reference(decl);
}

// All symbols that are no aliases exist; what an alias stands for may be another alias.
void finish_aliases(Lower *lower, Decl *const *decls, uint32_t count) {
    const Program *program = lower->program;
    for (uint32_t i = 0; i < count; i++)
        if (is_alias(decls[i])) lower_symbol(lower, decls[i]);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_alias(decls[i])) continue;
        finish_alias(lower, decls[i]);
        describe(lower, (Sym){decls[i]->number}, decls[i]);
    }
    if (lower->diag->errors) return;
    uint8_t *state = ARENA_ARRAY(lower->scratch, uint8_t, program->symbols.count + 1u);
    for (uint32_t i = 0; i < count; i++)
        if (is_alias(decls[i]) && !leads_to_definition(program, (Sym){decls[i]->number}, state))
            report_alias(lower, decls[i], "which is not defined here");
    if (lower->diag->errors) return;
    for (uint32_t i = 0; i < count; i++)
        if (is_alias(decls[i])) settle_indirect(lower->program, (Sym){decls[i]->number});
}

// Calls by some names are no calls but code in their place, unless a function of this unit has the
// name. So no function of another unit can be called by it, and where this unit has one, nobody can
// ask for that code.
static void check_known_name(Lower *lower, const Decl *decl) {
    const Symbol *symbol = program_at(lower->program, (Sym){decl->number});
    const char *name = program_text(lower->program, symbol->name);
    bool given = decl->asm_name || is_weak_reference(decl);
    if (symbol->kind != SYM_FUNC || !name_is_code(name) || given == symbol->defined) return;
    pp_report(lower->pp, DIAG_ERROR, NULL, decl->pos, 1,
              given ? "'%s' must be defined here: calls of '%s' are code that gatecc writes itself"
                    : "'%s' is asked for, but '%s' is the assembler name of a function",
              decl->name->text, name);
}

// As in gcc, what has a place of its own is not left out for being static.
static void note_order(Lower *lower, const Decl *decl, Sym id) {
    Symbol *symbol = program_at(lower->program, id);
    if (!lower->order || !symbol->defined) return;
    if (decl->attributes->no_reorder) lower->order->wanted = true;
    bool kept = decl->attributes->no_reorder || (lower->ordered && decl->kind == DECL_VAR);
    if (kept && decl->name) symbol->flags |= SYMF_USED;
    if (decl->name)
        vec_push(lower->program->arena, &lower->order->places,
                 ((SourcePlace){.at = decl->order, .symbol = id}));
}

void finish_symbol(Lower *lower, Decl *decl) {
    if (decl->kind != DECL_VAR && decl->kind != DECL_FUNC) return;
    if (decl->attributes->alias) return;
    if (decl->kind == DECL_VAR && has_linkage(decl) && (decl->defined || decl->tentative))
        lower_object(lower, decl);
    if (decl->place != IN_SYMBOL) return;
    Sym id = {decl->number};
    describe(lower, id, decl);
    check_known_name(lower, decl);
    Symbol *symbol = program_at(lower->program, id);
    note_order(lower, decl, id);
    if (symbol->kind != SYM_FUNC || !symbol->func) return;
    symbol->constructor =
        priority(decl->attributes->constructor, decl->attributes->constructor_priority);
    symbol->destructor =
        priority(decl->attributes->destructor, decl->attributes->destructor_priority);
}

void finish_weak_reference(Lower *lower, const Decl *decl) {
    if ((decl->kind != DECL_VAR && decl->kind != DECL_FUNC) || decl->place != IN_SYMBOL) return;
    if (!is_weak_reference(decl)) return;
    Symbol *symbol = program_at(lower->program, (Sym){decl->number});
    symbol->linkage = LINK_WEAK;
    symbol->visibility = VIS_DEFAULT;
    check_known_name(lower, decl);
}

// ---- Versions

static bool report_version(Lower *lower, const Decl *decl, const char *what) {
    pp_report(lower->pp, DIAG_ERROR, NULL, decl->pos, decl->name->length,
              "'%s' has a version: it must %s", decl->name->text, what);
    return false;
}

// Whether a symbol can have versions; reported if not.
static bool can_have_versions(Lower *lower, const Decl *decl, const Symbol *symbol) {
    if (decl->internal || !has_linkage(decl)) return report_version(lower, decl, "be public");
    if (!symbol->defined) return report_version(lower, decl, "be defined");
    if (symbol->visibility == VIS_DEFAULT) return true;
    return report_version(lower, decl, "have the default visibility");
}

static void add_version(Lower *lower, const Decl *decl, Sym target, const char *text) {
    Program *program = lower->program;
    Str name = str_of(&program->strings, text);
    if (program_find(program, name).i != NO_ID) {
        pp_report(lower->pp, DIAG_ERROR, NULL, decl->pos, decl->name->length,
                  "the version '%s' is given twice", text);
        return;
    }
    Sym id = program_symbol(program, name, program_at(program, target)->kind);
    Symbol *version = program_at(program, id);
    version->alias = target;
    version->defined = true;
    version->sig = program_at(program, target)->sig;
    version->flags = SYMF_VERSION | (program_at(program, target)->flags & SYMF_THREAD);
}

// What is neither used nor defined, or whose definition is only for inlining, needs no version.
void finish_versions(Lower *lower, const Decl *decl) {
    if ((decl->kind != DECL_VAR && decl->kind != DECL_FUNC) || !decl->attributes->versions) return;
    if (decl->place != IN_SYMBOL || (decl->inline_definition && !decl->attributes->alias)) return;
    Sym target = {decl->number};
    if (!can_have_versions(lower, decl, program_at(lower->program, target))) return;
    VEC(const char *) names = {0};
    for (const SymbolVersion *version = decl->attributes->versions; version;
         version = version->next)
        vec_push(lower->scratch, &names, version->name);
    while (names.count) add_version(lower, decl, target, vec_pop(&names));
}
