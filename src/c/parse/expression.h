// Types and functions that the files about expressions and statements share. Each section names the
// file that defines its functions.
#pragma once

#include "c/parse/parser.h"

// ---- literal.c

Expr *parse_number(Parser *parser);         // at TOK_NUMBER
Expr *parse_character(Parser *parser);      // at TOK_CHAR
Expr *parse_string_literal(Parser *parser); // at TOK_STRING: one or more literals, joined
const CString *parse_plain_string(Parser *parser, const char *what); // of char; NULL after an error
Expr *expr_string(Parser *parser, const char *text, size_t length, const Expr *from);

// ---- expression.c

Expr *parse_cast(Parser *parser); // a cast-expression
// ( type-name ) stands here, not an expression in parentheses.
bool at_parenthesized_type(Parser *parser);
// An expression at a token, to take the location from.
Expr expr_at_token(const Token *token);
Expr *expr_error(Parser *parser, const Expr *from);
static inline bool is_error(const Expr *expr) {
    return expr->type->kind == CT_ERROR;
}
// left.member; the name is looked up. `at` is the name's token.
Expr *expr_member(Parser *parser, Expr *record, const Token *at);
// The statement that computes the sizes of a variably modified type that is written here; NULL if
// there is none.
Stmt *sizes_of(Parser *parser, CType *type);
// An expression in front of which statements run: those that compute the sizes of a type.
Expr *after_sizes(Parser *parser, Stmt *sizes, Expr *expr);
Expr *expr_sizeof_type(Parser *parser, CType *type, const Expr *from);
// Extends the location of an expression over a later expression.
void expr_extend(Expr *expr, const Expr *over);

// ---- convert.c

// The type of a value read from an object of a type: no qualifiers, no special alignment.
CType *value_type(Parser *parser, CType *type);
Expr *make_cast(Parser *parser, CastKind kind, Expr *expr, CType *type);
// The bit-field whose value an expression has, or NULL.
const Member *bitfield_source(const Expr *expr);
Expr *expr_promote(Parser *parser, Expr *value); // the integer promotions
// A value of the type that a program can ask for: one with excess precision is rounded.
Expr *expr_as_meant(Parser *parser, Expr *value);
// Whether an expression is a _Float16, real or complex, converted to a wider floating type.
bool is_extended_half(const Expr *expr);
CType *promoted_type(Parser *parser, const Expr *value);
bool is_null_pointer_constant(const Expr *expr);
// Notes that the object an lvalue belongs to is read, written, or has its address taken.
void mark_read(const Expr *lvalue);
void mark_assigned(const Expr *lvalue);
void mark_address_taken(const Expr *lvalue);
// Notes that a value is used: a variable whose assignment gives the value counts as used, too.
void mark_value_used(const Expr *expr);
// The variable that an lvalue is, or is part of; NULL if there is none.
Decl *root_variable(const Expr *lvalue);
// An assignment expression that is not chosen: it must be well formed, and is thrown away.
Expr *parse_discarded(Parser *parser);
// Reports a value of a type that gatecc does not have, unless the expression is thrown away.
void unsupported_type(Parser *parser, const Expr *at, const CType *type);
// Whether warnings about the values of expressions make sense here.
static inline bool evaluated(const Parser *parser) {
    return parser->unevaluated == 0 && parser->dead == 0;
}

// ---- warn_conversion.c

// Warns if an implicit conversion may change the value. `width` is that of a bit-field, or 0.
void warn_conversion(Parser *parser, const Expr *expr, CType *type, unsigned width);

// ---- suggest.c

// Names that are not known, with what may be meant.
void report_undeclared(Parser *parser, const Token *token);
// A warning, with the header that declares it or the name that may be meant.
void report_implicit_function(Parser *parser, const Token *token);
// At the start of a statement: if a misspelt keyword stands here, reports that and takes it for the
// keyword.
bool mend_keyword(Parser *parser);
void report_no_member(Parser *parser, const CType *type, const Token *at);
// A note on the header that declares a well-known name.

// ---- operate.c, assign.c

const char *binary_text(BinaryOp op);
// The right operand of a shift, at most as wide as a register.
Expr *shift_count(Parser *parser, Expr *count);
Expr *expr_unary(Parser *parser, TokenKind op, Expr *operand, const Token *at);
Expr *expr_dereference(Parser *parser, Expr *pointer, const Expr *from);
Expr *expr_address(Parser *parser, Expr *operand, const Expr *from);
Expr *expr_logical(Parser *parser, ExprKind kind, Expr *left, Expr *right, const Token *at);
Expr *expr_conditional(Parser *parser, Expr *condition, Expr *middle, Expr *right, const Token *at);
Expr *expr_comma(Parser *parser, Expr *left, Expr *right);
Expr *expr_assign(Parser *parser, Expr *left, Expr *right, const Token *at);
Expr *expr_assign_op(Parser *parser, BinaryOp op, Expr *left, Expr *right, const Token *at);
Expr *expr_step(Parser *parser, ExprKind kind, Expr *operand, const Token *at);
Expr *expr_subscript(Parser *parser, Expr *left, Expr *right, const Token *at);
// The size of what a pointer points to, for arithmetic; false after an error.
bool pointee_complete(Parser *parser, const Expr *pointer, const Token *at);
void warn_unused_value(Parser *parser, const Expr *expr);

// ---- constant.c

// Folded, or NULL if that cannot be done. Operands have been converted.
// -frounding-math, outside of constants: operations that round are left to run time.
bool rounds_later(const Parser *parser);
Expr *fold_cast(Parser *parser, Expr *expr, CType *type);
// Gives a folded constant the properties that follow from its operands.
void constant_of(Expr *folded, const Expr *left, const Expr *right);
Expr *fold_unary(Parser *parser, ExprKind kind, CType *type, Expr *operand, const Expr *from);
bool floats_compare(BinaryOp op, long double a, long double b); // a comparison
Expr *fold_binary(Parser *parser, BinaryOp op, CType *type, Expr *left, Expr *right,
                  const Expr *from);
uint64_t wrap_integer(const CType *type, uint64_t value);
long double round_floating(const CType *type, long double value);
Expr *expr_floating(Parser *parser, CType *type, long double value, const Expr *from);
// Whether a scalar is known to be zero or not zero.
bool constant_truth(const Expr *expr, bool *truth);
// Whether code that is never executed can be left out: no label in it may be jumped to.
bool droppable(const Parser *parser, const Expr *expr);
// A constant as text for messages.
const char *constant_text(Parser *parser, const Expr *expr);

// ---- constant_wide.c

Expr *expr_wide(Parser *parser, CType *type, Wide value, const Expr *from);
// The number of 64 bits that is nearest to a value.
uint64_t wide_clamped(Wide value, bool is_unsigned);
// The number again, at another place.
Expr *expr_number(Parser *parser, const Expr *number, const Expr *from);
// As fold_cast, fold_unary and fold_binary do, where a type of 128 bits takes part.
Expr *fold_wide_cast(Parser *parser, const Expr *expr, CType *type);
Expr *fold_wide_unary(Parser *parser, ExprKind kind, CType *type, const Expr *operand,
                      const Expr *from);
Expr *fold_wide_binary(Parser *parser, BinaryOp op, CType *type, const Expr *left,
                       const Expr *right, const Expr *from);
void warn_overflow(Parser *parser, const Expr *from, const CType *type);

// ---- complex.c

Expr *expr_complex(Parser *parser, CType *type, Expr *real, Expr *imaginary, const Expr *from);
Expr *expr_imaginary(Parser *parser, Expr *number); // the number times i
// __real__ (0) or __imag__ (1), at the keyword.
Expr *parse_complex_part(Parser *parser, unsigned which);
// Conversion from or to a complex type.
Expr *convert_complex(Parser *parser, Expr *expr, CType *type);
// Converts the operands of + - * / where one is complex; yields the type of the result.
CType *complex_operands(Parser *parser, BinaryOp op, Expr **left, Expr **right);
// One operand of such an operator in `type`: a real one stays real where that makes a difference.
Expr *convert_complex_operand(Parser *parser, BinaryOp op, bool right, Expr *expr, CType *type);
Expr *fold_complex_binary(Parser *parser, BinaryOp op, CType *type, Expr *left, Expr *right,
                          const Expr *from);
Expr *fold_complex_unary(Parser *parser, ExprKind kind, Expr *operand, const Expr *from);

// ---- call.c, format.c

Expr *parse_call(Parser *parser, Expr *callee); // at '(' after it
Expr *expr_call(Parser *parser, Expr *callee, Expr **args, uint32_t count, Pos end);
// Arguments, after '(' up to and with ')'; values are not yet converted.
Expr **parse_arguments(Parser *parser, uint32_t *count);
Expr *default_promote(Parser *parser, Expr *value); // the default argument promotions
void check_format(Parser *parser, const Decl *func, Expr *const *args, uint32_t count);

// ---- builtin.c, fold_library.c

// A builtin function's name and its operands; NULL if the name is no builtin.
Expr *parse_builtin(Parser *parser);
bool is_builtin_name(const Ident *name);
Expr *expr_builtin(Parser *parser, CBuiltin builtin, CType *type, Expr **args, uint32_t count,
                   const Expr *from);
Expr *fold_bits(Parser *parser, CBuiltin builtin, CType *type, Expr *const *args, const Expr *from);
Expr *fold_floating(Parser *parser, CBuiltin builtin, CType *type, Expr *const *args,
                    const Expr *from);
// A call of a library function with constant arguments, folded; or NULL.
Expr *fold_library_call(Parser *parser, const Decl *func, CType *result, Expr *const *args,
                        uint32_t count, const Expr *from);

// ---- statement.c

Stmt *parse_statement(Parser *parser);
LabelDecl *find_label(Parser *parser, Ident *name, Pos pos); // declares it if need be
// The compound statement of ({ ... }), whose value is kept.
Stmt *parse_statement_expression_body(Parser *parser, Scope *scope);
