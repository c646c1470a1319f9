// The functions of the C library that are known without a declaration: their types, written in the
// letters of library.def, are made when a program first asks for one.
#include "c/parse/declare.h"

#include <string.h>

typedef struct {
    const char *name;
    const char *types;
    bool floating; // stands for three functions
} LibraryRow;

static const LibraryRow rows[] = {
#define LIBRARY(name, types)  {name, types, false},
#define FLOATING(name, types) {name, types, true},
#include "c/tables/library.def"
#undef LIBRARY
#undef FLOATING
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

// Variants of a row: double, float, long double.
enum { VARIANTS = 3 };

static void add_name(Parser *parser, const char *name, size_t length, uint32_t number) {
    const Ident *ident = pp_ident(parser->pp, name, length);
    map_set(parser->arena, &parser->library, ident->name.i, number);
}

static void library_init(Parser *parser) {
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        size_t length = strlen(rows[i].name);
        char name[64];
        memcpy(name, rows[i].name, length);
        add_name(parser, name, length, i * VARIANTS);
        for (uint32_t variant = 1; rows[i].floating && variant < VARIANTS; variant++) {
            name[length] = variant == 1 ? 'f' : 'l';
            add_name(parser, name, length + 1, i * VARIANTS + variant);
        }
    }
}

static uint32_t find_row(Parser *parser, const Ident *name) {
    if (parser->library.count == 0) library_init(parser);
    return map_get(&parser->library, name->name.i);
}

bool is_library_function(Parser *parser, const Ident *name) {
    return find_row(parser, name) != HASH_NONE;
}

bool named_as_library(const Decl *func) {
    if (!func->external || func->defined || func->asm_name || !func->name) return false;
    const char *name = func->name->text;
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        size_t length = strlen(rows[i].name);
        if (strncmp(name, rows[i].name, length) != 0) continue;
        bool variant = rows[i].floating && (name[length] == 'f' || name[length] == 'l');
        if (!name[length + variant]) return true;
    }
    return false;
}

bool is_builtin_function(Parser *parser, const Ident *name) {
    const ParseOptions *options = parser->options;
    if (options->no_builtins || !is_library_function(parser, name)) return false;
    for (uint32_t i = 0; i < options->not_builtins.count; i++)
        if (strcmp(options->not_builtins.at[i], name->text) == 0) return false;
    return true;
}

static CType *pointer_to(Parser *parser, CType *type, unsigned quals) {
    return type_pointer(parser->types, type_qualify(parser->types, type, quals));
}

static CType *type_of_letter(Parser *parser, char letter) {
    Types *types = parser->types;
    CType **basic = types->basic;
    switch (letter) {
    case 'v': return basic[CT_VOID];
    case 'c': return basic[CT_CHAR];
    case 'i': return basic[CT_INT];
    case 'u':
    case 'w': return basic[CT_UINT];
    case 'l': return basic[CT_LONG];
    case 'm': return types->size;
    case 'L': return basic[CT_LLONG];
    case 'M': return basic[CT_ULLONG];
    case 'f': return basic[CT_FLOAT];
    case 'd': return basic[CT_DOUBLE];
    case 'e': return basic[CT_LDOUBLE];
    case 'z': return type_complex(types, basic[CT_DOUBLE]);
    case 'y': return type_complex(types, basic[CT_FLOAT]);
    case 'x': return type_complex(types, basic[CT_LDOUBLE]);
    case 'p':
    case 'F': return types->void_pointer; // FILE is not known yet
    case 'P': return pointer_to(parser, basic[CT_VOID], Q_CONST);
    case 'S': return types->char_pointer;
    case 'C': return types->const_char_pointer;
    case 'W': return pointer_to(parser, types->wchar, Q_CONST);
    case 'I': return pointer_to(parser, basic[CT_INT], 0);
    case 'G': return pointer_to(parser, basic[CT_FLOAT], 0);
    case 'D': return pointer_to(parser, basic[CT_DOUBLE], 0);
    case 'E': return pointer_to(parser, basic[CT_LDOUBLE], 0);
    case 'A': return type_pointer(types, types->va_list->base);
    case 'V': return pointer_to(parser, types->char_pointer, Q_CONST);
    default: return pointer_to(parser, types->void_pointer, 0); // Q
    }
}

static char vary(char letter, uint32_t variant) {
    if (letter == 'd') return "dfe"[variant];
    if (letter == 'z') return "zyx"[variant];
    if (letter == 'D') return "DGE"[variant];
    return letter;
}

CType *library_type(Parser *parser, const Ident *name) {
    uint32_t number = find_row(parser, name);
    if (number == HASH_NONE) return NULL;
    const char *letters = rows[number / VARIANTS].types;
    uint32_t variant = number % VARIANTS;
    Param *params = ARENA_ARRAY(parser->arena, Param, strlen(letters));
    uint32_t count = 0;
    bool variadic = false, noreturn = false;
    for (const char *at = letters + 1; *at; at++) {
        if (*at == '.')
            variadic = true;
        else if (*at == '!')
            noreturn = true;
        else
            params[count++].type = type_of_letter(parser, vary(*at, variant));
    }
    CType *result = type_of_letter(parser, vary(*letters, variant));
    CType *type = type_function(parser->types, result, params, count, variadic, true);
    return noreturn ? type_noreturn(parser->types, type) : type;
}

// Whether two types are passed alike: gcc does not mind int for long of the same size, or pointers
// to other things.
static bool passed_alike(const CType *a, const CType *b) {
    if (type_compatible_unqualified(a, b)) return true;
    if (a->kind == CT_POINTER) return b->kind == CT_POINTER;
    return type_is_integer(a) && type_is_integer(b) && a->size == b->size;
}

bool library_agrees(const CType *known, const CType *type) {
    if (!passed_alike(known->base, type->base)) return false;
    if (!type->func.prototype) return true;
    if (known->func.param_count != type->func.param_count ||
        known->func.variadic != type->func.variadic)
        return false;
    for (uint32_t i = 0; i < type->func.param_count; i++)
        if (!passed_alike(known->func.params[i].type, type->func.params[i].type)) return false;
    return true;
}

Decl *declare_library_function(Parser *parser, Ident *name) {
    if (!is_library_function(parser, name)) return NULL;
    Decl *decl = find_entity(parser, name);
    if (decl) return decl->kind == DECL_FUNC ? decl : NULL;
    CType *type = library_type(parser, name);
    decl = decl_new(parser, parser->arena, DECL_FUNC, name, type, 0);
    decl->implicit = true;
    decl->external = true;
    decl->storage = STORAGE_EXTERN;
    decl->is_noreturn = type->func.noreturn;
    add_entity(parser, decl);
    return decl;
}
