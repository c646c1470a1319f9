// The state of the parser and the functions that its parts share. Grammar symbols name functions:
// parse_declaration, parse_statement, parse_assignment, ... The parts:
//   parser.c       tokens, scopes, diagnostics, the translation unit
//   declare.c      declarations: specifiers, declarators, redeclaration, linkage
//   record.c       struct, union and enum specifiers
//   attribute.c    __attribute__, _Alignas, asm labels
//   apply_pragma.c #pragma pack, weak and similar pragmas
//   initialize.c   initializers, flattened
//   literal.c      numbers, characters, strings
//   expression.c   expressions from the grammar
//   operate.c      the meaning of operators: types, conversions, constant folding, warnings
//   convert.c      implicit conversions and casts
//   constant.c     constant expressions
//   call.c         calls, implicit declarations, format strings
//   builtin.c      __builtin_ functions (cbuiltins.def)
//   statement.c    statements and function bodies
//   assembler.c    asm
#pragma once

#include "base/hash.h"
#include "c/parse/parse.h"
#include "c/tables/warnings.h"

// Keywords, as Ident.keyword holds them.
typedef enum {
    KW_NONE,
#define KEYWORD(id, text) KW_##id,
#define SPELLING(id, text)
#define GNU(id, text)
#define C99(id, text)
#include "c/tables/keywords.def"
#undef KEYWORD
#undef SPELLING
#undef GNU
#undef C99
    KW_COUNT
} Keyword;

typedef struct TagDecl {
    CType *type;
    Ident *name;
    Pos pos;
    uint32_t scope_depth;
    struct TagDecl *shadowed;
    struct TagDecl *next_in_scope;
} TagDecl;

typedef struct Scope {
    struct Scope *outer;
    uint32_t depth; // 0 is file scope
    Decl *decls;    // newest first, linked by next_in_scope; in a block the list goes on with those
                    // of the enclosing blocks, down to the parameters
    TagDecl *tags;
    VariableScope *variables; // innermost first; those of the enclosing blocks follow
    LabelDecl *labels;        // of __label__
    bool function;            // the outermost block of a function
    bool prototype;           // the parameters of a function declarator
    bool calls_alloca;        // here, or in a block inside
} Scope;

typedef struct {
    Decl *decl; // the function
    CType *result;
    Scope *scope;
    VEC(LabelDecl *) labels;
    VEC(CString *) names; // __func__ and similar names, once used
    VEC(Stmt *) gotos;
    struct JumpTarget *loop;          // innermost loop, for continue
    struct JumpTarget *breakable;     // innermost loop or switch
    struct JumpTarget *switch_target; // innermost switch
    uint32_t label_addresses;         // labels whose address is taken
    bool live;                        // the current point can be reached
    bool unreachable_noted;           // that it cannot be has been said
    bool after_label;                 // nothing stands between here and the last label
    Token fallen_into;       // the label before here that follows a live case; pos 0 if none
    Pos fallen_from;         // the statement before that label
    Pos last_statement;      // the last one that control may go on from; 0 if none
    bool has_variable_types; // declares something variably modified
    bool has_statement_exprs;
    uint32_t number;          // from 1
    uint32_t mistakes_before; // when the body began
    Pos lost_brace;           // the '{' of a block whose '}' is indented as if it ended another
    Pos head;                 // the keyword of the statement whose block may follow
    bool brace_reported;      // its missing '}' has been
} FunctionState;

// The properties of a symbol that pragmas give.
typedef struct {
    Ident *name;
    const char *asm_name; // #pragma redefine_extname, or NULL
    const char *alias;    // #pragma weak NAME = TARGET, or NULL
    bool weak;
} SymbolPragma;

typedef struct Parser {
    const ParseOptions *options;
    Pp *pp;
    Types *types;
    Diag *diag;
    Arena *arena;      // of the unit
    Arena *body_arena; // of the function being parsed; the unit's outside of functions
    Token token;       // the current one
    VEC(Token) ahead;  // tokens looked at beyond it, a queue from ahead_at
    uint32_t ahead_at;
    Pos last_end; // where the previous token ended
    Pos tag_end;  // where the last definition of a struct, union or enum ended
    Scope *scope;
    FunctionState *function; // or NULL
    uintptr_t stack_floor;   // how far the parser may go, see parser_enter
    VEC(Decl *) objects;     // static objects and functions for ParseOptions.finish
    VEC(uint32_t) pack_stack;
    VEC(uint8_t) visibilities; // #pragma GCC visibility, from the outside in
    VEC(SymbolPragma) symbol_pragmas;
    Map pragma_names;      // Ident.name to index in symbol_pragmas
    uint32_t pack;         // current #pragma pack, 0 for none
    bool subscripted;      // the array that becomes a pointer has a subscript
    bool big_endian;       // #pragma scalar_storage_order, or -fsso-struct
    uint32_t untranslated; // > 0 where strings are for the compiler: they stay in UTF-8
    uint32_t folds_now;   // > 0 where a constant is wanted: what is not known now is not waited for
    uint32_t discarded;   // > 0 in what _Generic or __builtin_choose_expr does not choose
    uint32_t unevaluated; // > 0 inside sizeof, typeof, _Generic's controlling expression
    uint32_t dead;        // > 0 in operands known not to be evaluated: no warnings about values
    uint32_t order_count; // definitions and assembler text so far: see Decl.order
    uint32_t function_count; // so many bodies have begun
    uint32_t hidden_count;   // numbers unnamed objects
    uint32_t mistakes;       // errors so far, shown or not; a warning made an error is none
    Pos looked_to;           // up to where at_lost_end has found nothing (recover.c)
    Pos recovered_at;        // the declaration at the margin that parser_recover stopped at
    bool closed;             // all blocks end here: their '}' is missing, which has been reported
    bool body_open;          // the '{' of the function's body is missing, which has been reported
    bool panic;              // skipping after a mistake: no more errors until a synchronizing token
    bool for_head;           // in the declaration of a for statement, which ends before the ')'
    uint32_t variable_time;  // see VariableScope
    uint32_t spelling_tries; // names that were compared with misspelt ones
    bool sets_aside;         // see set_aside.h: mistakes are kept back,
    const char *set_aside_for; // the first mistake that was kept back; or NULL
    bool muted;                // the last error or warning was not shown: nor are its notes
    Scope file_scope;
    Arena *index_arena;    // for the indices of designators, of which there may be millions
    Arena *function_arena; // the value of body_arena inside of functions
    Attributes *plain;     // the attributes of a declaration without any; shared, never written
    Map entities;          // Ident.name to index in objects: what has linkage, in scope or not
    Map attribute_names;   // name to number of an attribute of attribute.c
    VEC(AttributeArgument) noted; // arguments of the attributes that are being read
    VEC(const char *) headers;    // headers whose #include was reported missing
    bool undeclared_told;         // how often undeclared names are reported has been told
    Map library;                  // name to row of library.def, once needed
    uint32_t extensions; // how many __extension__ the current expression or declaration is in
    uint32_t unit;       // the innermost one that is being recorded (units.h); 0: none
    Pos external;        // where the present external declaration begins
    bool unit_whole;     // the parsed text is no unit of its own
    bool c90;            // the standard is one from before 1999
    bool loose_aliasing; // #pragma GCC optimize said so
} Parser;

// A syntax error: reported, and then silence until parser_recover.
#define syntax_error(parser, ...)                                                                  \
    (error_at_token(parser, __VA_ARGS__), (void)((parser)->panic = true))

// ---- Tokens (parser.c)

void parser_next(Parser *parser);
// The n-th token after the current one (1 is the next).
const Token *parser_peek(Parser *parser, uint32_t n);
static inline bool parser_at(const Parser *parser, TokenKind kind) {
    return parser->token.kind == kind;
}
bool parser_at_keyword(const Parser *parser, unsigned keyword);
bool parser_accept(Parser *parser, TokenKind kind); // consumes the token if it is there
// False in panic. Consumes it, or reports "expected ';' after ..." at the end of the previous token
// and starts panic.
bool parser_expect(Parser *parser, TokenKind kind, const char *after);
// At something that is no token of C: reports it, unless that has been done, and starts panic.
bool parser_stray(Parser *parser);
// Skips to one of the usual synchronizing tokens after a mistake: past a ';', past a block that
// ends its line, or to a '}' of this level or the end; ends panic.
void parser_recover(Parser *parser);
// Whether there is room for one more level of nesting; false after an error.
bool parser_enter(Parser *parser);

// ---- Diagnostics (parser.c). A range is given by tokens or expressions; CT_ERROR operands
// suppress.

void parser_error(Parser *parser, Pos pos, Pos end, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void parser_warn(Parser *parser, Warning warning, Pos pos, Pos end, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
// A warning about what is done with a value: see pp_report_value.
void warn_at_value(Parser *parser, Warning warning, const Expr *value, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Changes that would mend the mistake of the next report (error, warning or note); any number.
// Nothing is told of changes in what comes out of a macro.
void parser_fix_insert(Parser *parser, Pos pos, const char *text); // in front of pos
void parser_fix_replace(Parser *parser, Pos pos, Pos end, const char *text);
void parser_note(Parser *parser, Pos pos, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define error_at_token(parser, ...)                                                                \
    parser_error((parser), (parser)->token.pos, (parser)->token.pos + (parser)->token.length,      \
                 __VA_ARGS__)
#define error_at_expr(parser, expr, ...)                                                           \
    parser_error((parser), (expr)->pos, (expr)->end, __VA_ARGS__)
#define warn_at_expr(parser, warning, expr, ...)                                                   \
    parser_warn((parser), (warning), (expr)->pos, (expr)->end, __VA_ARGS__)
// A type as text, in quotes, for messages; lives in the unit's arena.
const char *type_text(Parser *parser, const CType *type);
const char *bare_type_text(Parser *parser, const CType *type); // without the quotes

// ---- Scopes (parser.c)

// A name that is no type, with what may be meant (suggest.c).
void report_unknown_type(Parser *parser, const Token *token);
// No type stands where one must: reported.
void report_no_type(Parser *parser, const char *what);
// Notes which '{' has probably lost its '}'; false if there is no sign (statement.c).
bool note_lost_brace(Parser *parser);

void scope_push(Parser *parser, Scope *scope);
void scope_pop(Parser *parser);   // warns of unused variables
void note_alloca(Parser *parser); // that alloca is called here
void scope_declare(Parser *parser, Decl *decl);
void scope_declare_tag(Parser *parser, TagDecl *tag);

// ---- Declarations (declare.c, record.c, attribute.c, initialize.c)

// Whether the current token (or one looked at) starts a declaration or type name.
bool starts_type(Parser *parser, const Token *token);
CType *parse_type_name(Parser *parser);
// One declaration inside a function, as a statement.
Stmt *parse_block_declaration(Parser *parser);
void parse_external_declaration(Parser *parser);
// Skips and counts __extension__ in front of a declaration: no warning about extensions applies to
// the marked text, until so many are taken off Parser.extensions again.
unsigned parse_extension_marks(Parser *parser);
// Attributes, if any stand here, added to what is given.
void parse_attributes(Parser *parser, Attributes *attributes);
void parse_gnu_attributes(Parser *parser, Attributes *attributes); // not those in [[ ]]
bool at_standard_attribute(Parser *parser);                        // whether [[ stands here
// The token after all [[...]] that stand here.
const Token *after_standard_attributes(Parser *parser);
// An initializer for an object of a type, after the '='; an incomplete array type is completed in
// *type. The elements of a flexible array member have pieces beyond the size of the type.
Init *parse_initializer(Parser *parser, CType **type, bool is_static);
// A new variable without a name.
Decl *hidden_variable(Parser *parser, CType *type, bool is_static);
// Declares a function by its use, as C90 did; known library functions get their own type.
Decl *declare_implicitly(Parser *parser, Ident *name, Pos pos);
Decl *declare_library_function(Parser *parser, Ident *name); // NULL if the name is not known
// Emits the statement that a variably modified type needs: an ST_DECL that declares and initializes
// its size variables and evaluates the operands of typeof; NULL if there is nothing to do, or if it
// has been emitted before.
Stmt *variable_sizes(Parser *parser, CType *type);
// The type of a typeof's operand: if it is variably modified, the operand is evaluated with the
// type.
CType *type_of_operand(Parser *parser, Expr *operand);
// Gives a record with members of variable size, already laid out as if these were empty, its
// run-time size and offsets.
void complete_variable_record(Parser *parser, CType *type, uint32_t pack);

// ---- Expressions (literal.c, expression.c, operate.c, convert.c, call.c, builtin.c)

Expr *parse_expression(Parser *parser); // with commas
// Reports the advice about a name where the name is used; `advice` may be NULL.
void heed_advice(Parser *parser, const Advice *advice, const Token *token, Pos declared);
Expr *parse_assignment(Parser *parser);
Expr *parse_conditional(Parser *parser);
Expr *parse_constant(Parser *parser); // the same, where a constant is wanted

Expr *expr_new(Parser *parser, ExprKind kind, CType *type,
               const Expr *from); // location from `from`
Expr *expr_int(Parser *parser, CType *type, uint64_t value, const Expr *from);
Expr *expr_var(Parser *parser, Decl *decl, Pos pos);
// The value of an expression: loads lvalues, decays arrays and functions.
Expr *expr_value(Parser *parser, Expr *expr);
// The same where nothing, or nothing yet, is done with it.
Expr *expr_unused_value(Parser *parser, Expr *expr);
// Converts as by assignment (initialization, argument, return), reporting what is wrong in terms of
// `what` ("initializing 'int' with ...", "passing argument 2 of 'f'").
Expr *expr_assign_convert(Parser *parser, Expr *expr, CType *type, const char *what);
// The same for a bit-field of a width; 0 if it is none.
Expr *expr_assign_width(Parser *parser, Expr *expr, CType *type, unsigned width, const char *what);
Expr *expr_cast(Parser *parser, Expr *expr, CType *type); // explicit cast
Expr *expr_convert(Parser *parser, Expr *expr,
                   CType *type);                  // arithmetic or pointer, no questions asked
Expr *expr_condition(Parser *parser, Expr *expr); // a scalar for if, while, ?: and so on
Expr *expr_binary(Parser *parser, BinaryOp op, Expr *left, Expr *right, const Token *at);
// Whether a scalar of a type, or of the elements of an array, can be stored in the reverse order of
// bytes; if not, there is an error.
bool check_reversed(Parser *parser, const CType *type, const Expr *at);
void decl_mark_used(Decl *decl);
void builtins_init(Parser *parser); // fills Ident.builtin (builtin.c)

// ---- Constants (constant.c, constant_wide.c)

// The value of an integer constant expression; false after an error that names `what`. A value that
// does not fit becomes the nearest number that does.
bool constant_integer(Parser *parser, Expr *expr, const char *what, int64_t *value);
// Whether an expression folds to an integer constant; nothing is reported.
bool is_complex_constant(const Expr *expr);
bool expr_is_integer_constant(const Expr *expr, uint64_t *value);
// The value of an integer constant of any type (EX_INT, EX_WIDE), extended by its sign; false if it
// is none.
bool constant_wide(const Expr *expr, Wide *value);
// Whether an expression is a number, of whatever type.
bool expr_is_number(const Expr *expr);
bool is_zero_constant(const Expr *expr); // an integer constant
// An address constant: a symbol (decl or string object) plus an offset, or a plain integer if decl
// is NULL.
typedef struct {
    Decl *decl;
    CString *string;
    LabelDecl *label;
    int64_t offset;
} AddressConstant;
bool expr_is_address_constant(const Expr *expr, AddressConstant *address);

// ---- Statements (statement.c, assembler.c)

// At '{': pushes the scope of the function, declares func->params in it (scope_declare), fills
// parser->function for the time of the body, and leaves the body in func->body. (What the sizes of
// variably modified parameters need is put in front of the body by the caller.)
void parse_function_body(Parser *parser, Decl *func);
Stmt *parse_asm_statement(Parser *parser);
Stmt *stmt_new(Parser *parser, StmtKind kind, Pos pos);
