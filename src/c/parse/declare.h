// Types and functions that the files about declarations share: specifier.c, declarator.c,
// declare.c, old_style.c, record.c, attribute.c, initialize.c, library.c and parser.c.
#pragma once

#include "c/parse/parser.h"

// The contents of declaration specifiers.
typedef struct {
    CType *type;
    Decl *type_name; // the typedef of file scope that stands for the type, or NULL
    Storage storage;
    bool is_inline, is_noreturn, is_thread;
    bool has_type;        // a type was written; else it is implicitly int
    bool explicit_signed; // "signed" was, perhaps in a typedef
    bool auto_type;       // __auto_type
    bool declares_tag;    // a struct, union or enum was named or defined
    bool ended;           // by the definition of a tag, after which a ';' is missing: reported
    bool has_attributes;  // `attributes` holds some
    uint32_t align;       // of _Alignas, 0 if none
    Pos pos, end;         // of the first specifier; end of the last
    Attributes attributes;
} Specifiers;

// A parameter written as an array whose size is computed.
typedef struct {
    uint32_t param; // its index
    CType *array;
} SizedParam;

// The contents of a declarator.
typedef struct {
    Ident *name; // NULL if abstract
    Pos pos;     // of the name, or of where it would stand
    CType *type;
    Attributes *attributes; // the given attributes, with additions
    bool has_attributes;    // it has some of its own
    // If the declarator is that of a function: its parameters.
    bool function;
    bool identifiers; // an old-style list of names: f(a, b)
    Decl **params;    // names of an old-style list have type NULL until they are declared
    uint32_t param_count;
    CType *array; // of a parameter that has been adjusted: what was written
    const SizedParam *sized;
    uint32_t sized_count;
    TagDecl *tags; // declared among them, which a body can see,
    Decl *others;  // and enumerators, in the list of that scope
} Declarator;

typedef enum { ABSTRACT_NO, ABSTRACT_MAYBE, ABSTRACT_ONLY } Abstract;

// ---- specifier.c

// Declaration specifiers. Without any type it is int, and `has_type` is false.
void parse_specifiers(Parser *parser, Specifiers *specifiers);
bool is_typedef_name(const Token *token);
// Qualifiers and attributes, if any stand here; sets *attributed if there are attributes.
unsigned parse_qualifiers(Parser *parser, Attributes *attributes, bool *attributed);
void parse_static_assert(Parser *parser);

// ---- declarator.c

// Attributes inside the declarator (void *__attribute__((weak)) f(void)) are added to those given.
void parse_declarator(Parser *parser, CType *base, Abstract abstract, Attributes *attributes,
                      Declarator *declarator);
// The type of a parameter: arrays become pointers with the qualifiers given, functions too.
CType *adjust_parameter(Parser *parser, CType *type, unsigned quals);
// A type as the attributes mode, vector_size and aligned (of a typedef) change it.
CType *apply_type_attributes(Parser *parser, CType *type, const Attributes *attributes, Pos pos);

// ---- old_style.c

// The declarations between an old-style declarator and its body.
void parse_old_style_parameters(Parser *parser, const Declarator *declarator);
// The type of an old-style function: parameters are int by default, and passed promoted.
CType *finish_old_style(Parser *parser, const Declarator *declarator);

// ---- linkage.c

// One declaration of something with linkage.
typedef struct {
    DeclKind kind;
    Ident *name;
    CType *type;
    Decl *type_name; // or NULL
    Storage storage;
    Pos pos;
    const Attributes *attributes; // or NULL
    const char *asm_name;         // or NULL
    bool is_inline, is_noreturn, is_thread;
    bool definition;      // of a function
    bool old_style;       // a definition with a list of names,
    uint32_t param_count; // this many
} Declaration;

// Reports mistakes in the asm name of a static object or function.
void check_asm_name(Parser *parser, const Decl *decl);
// The entity that is declared, in scope. After an error, a declaration that stands for nothing.
Decl *declare_entity(Parser *parser, const Declaration *declaration);
// The declaration of something with linkage, in scope or not; NULL if there is none.
Decl *find_entity(Parser *parser, const Ident *name);
void add_entity(Parser *parser, Decl *decl);
// Declares in file scope whatever the current scope is; the name must not be declared at all.
void declare_in_file_scope(Parser *parser, Decl *decl);
// Gives a declaration attributes beyond those it has.
void add_attributes(Parser *parser, Decl *decl, const Attributes *attributes);
// Compares the parameters of an old-style definition with the parameters of an earlier prototype.
void compare_with_prototype(Parser *parser, const Decl *before, const Declarator *declarator);
// The checks at the end of a translation unit.
void finish_unit(Parser *parser);

// ---- alias.c

// An attribute ifunc that cannot be: reported, and taken away.
void check_ifunc(Parser *parser, Declaration *declaration);
// A resolver beside another definition: reported.
void check_ifunc_redefinition(Parser *parser, const Decl *before, const Declaration *declaration);
// At the end of the unit: aliases and their targets.
void finish_alias_targets(Parser *parser);

// ---- declare.c

Decl *decl_new(Parser *parser, Arena *arena, DeclKind kind, Ident *name, CType *type, Pos pos);

// ---- parser.c

// Whether "inline" has the meaning of GNU C89.
bool gnu_inline_mode(const Parser *parser);

// ---- library.c

// The type of a function of the standard library that gcc knows; NULL if it is none.
CType *library_type(Parser *parser, const Ident *name);
bool is_library_function(Parser *parser, const Ident *name);
// Whether a name is a builtin function, and may be taken for the library function (-fno-builtin).
bool is_builtin_function(Parser *parser, const Ident *name);
// Whether a declaration fits what is known.
bool library_agrees(const CType *known, const CType *type);

// ---- record.c

CType *parse_record_specifier(Parser *parser); // at struct or union
CType *parse_enum_specifier(Parser *parser);

// ---- attribute.c

extern const Attributes no_attributes;
void attributes_init(Parser *parser);
const char *parse_asm_label(Parser *parser); // if one stands here; else NULL
// Whether the processor can call a function that is declared so.
void check_interrupt(Parser *parser, const Decl *func);
uint32_t parse_alignas(Parser *parser); // at _Alignas
void apply_pragma(Parser *parser, const Token *pragma);
// Applies the pragmas about an entity; at the end also pragmas about names without declarations.
void apply_symbol_pragmas(Parser *parser, Decl *decl);
void finish_symbol_pragmas(Parser *parser);

// The row of an attribute's name, HASH_NONE if there is none; what attributes.def calls a row.
uint32_t attribute_row(const Parser *parser, const Ident *name);
const char *attribute_row_name(uint32_t row);

// ---- attribute_note.c

// The arguments of an attribute are reported while they are read, and become a note at their end.
void note_number(Parser *parser, int64_t number);
void note_text(Parser *parser, const char *text);
// Arguments of an unknown attribute, at '(': strings, names and constants.
void parse_any_arguments(Parser *parser);
// Adds a note with the arguments told since `first` of Parser.noted, which are taken off.
void note_attribute(Parser *parser, const AttributeNote **notes, uint32_t row, uint32_t first);
// Puts notes in front of others.
void merge_notes(Parser *parser, const AttributeNote **to, const AttributeNote *from);
// The attributes of a typedef that gcc counts as attributes of the type.
const AttributeNote *notes_of_type(Parser *parser, const AttributeNote *notes);

// ---- initialize.c

// An initializer that is one expression, already parsed.
Init *init_from_expression(Parser *parser, Expr *value, CType *type, bool is_static);
