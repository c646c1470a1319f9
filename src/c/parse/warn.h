// The warnings of the front end that have files of their own. Each function looks at one construct
// and reports suspicious points; parsing does not depend on the warnings. warn_body.c has the
// warnings that are found once a body is parsed.
#pragma once

#include "c/parse/declare.h"
#include "c/parse/statement.h"

// ---- warn_precedence.c

// The operands of an operator, at `at`, before any conversion.
void warn_precedence(Parser *parser, Written op, const Expr *left, const Expr *right, Pos at);

// ---- warn_operator.c: operators and their operands, as they are written

// A truth value by its type or operator.
bool expr_is_truth(const Expr *expr);
// A comparison of two values, before they are converted to a common type.
void warn_comparison(Parser *parser, BinaryOp op, const Expr *left, const Expr *right, Pos at);
void warn_pointer_comparison(Parser *parser, BinaryOp op, const Expr *left, const Expr *right,
                             Pos at);
void warn_shift(Parser *parser, BinaryOp op, const Expr *left, const Expr *right, Pos at);
void warn_division(Parser *parser, const Expr *left, const Expr *right, Pos at);
// && and ||: operands that are the same, or constants.
void warn_logical(Parser *parser, ExprKind kind, const Expr *left, const Expr *right, Pos at);
// ~ and - of a truth value.
void warn_complement(Parser *parser, const Expr *operand, Pos at);
// An assignment as a condition: `if (x = 5)`.
void warn_assigned_condition(Parser *parser, const Expr *expr);
// A value that is about to be used as a condition.
void warn_condition(Parser *parser, const Expr *expr);
// float that becomes double where both meet.
void warn_promotion(Parser *parser, const Expr *value, const CType *type);

// ---- warn_same.c

// Whether two expressions without effects are the same, and so have the same value.
bool expr_same(const Expr *a, const Expr *b);
bool stmt_same(const Stmt *a, const Stmt *b);
// Without conversions that keep the object or the bits.
const Expr *expr_stripped(const Expr *expr);
// The enumeration that a value belongs to; NULL if none.
const CType *enumeration_of(const Expr *expr);

// ---- warn_cast.c

// `at` is where the cast begins.
void warn_cast(Parser *parser, const Expr *expr, const CType *type, Pos at);
void warn_enum_conversion(Parser *parser, const Expr *expr, const CType *type);

// ---- warn_call.c: arguments as they are written, before conversion

void warn_arguments(Parser *parser, const Decl *func, Expr *const *args, uint32_t count,
                    const Expr *call);

// ---- warn_memory.c: calls that write or read more than there is

// `unused`: nothing is done with the result.
void warn_memory_call(Parser *parser, const Expr *call, bool unused);
// A call whose result is converted to a pointer: whether so much is allocated.
void warn_allocation(Parser *parser, const Expr *cast);
// The size of the object that a pointer points into, from there on; false if it is not known.
bool known_room(const Expr *pointer, uint64_t *room, const Decl **decl);

// ---- warn_format_size.c

void warn_format_size(Parser *parser, const Expr *call, const Decl *func, bool unused);

// ---- warn_sequence.c

// A full expression.
void warn_sequence(Parser *parser, const Expr *expr);

// ---- warn_body.c

// The body of a function, once it is parsed.
void warn_body(Parser *parser, const Decl *func, const Stmt *body);
void warn_returned_address(Parser *parser, const Expr *value, Pos pos, Pos end);

// ---- warn_indentation.c

// A statement that if, else, for or while controls: the places of the keyword, the statement, and
// the next token.
typedef struct {
    Token keyword, body;
    bool otherwise; // the keyword is else
} GuardedStatement;
// After the statement has been parsed.
void warn_indentation(Parser *parser, const GuardedStatement *guard);

// ---- warn_unused.c

void warn_unused_variable(Parser *parser, const Decl *decl); // or parameter
void warn_unused_typedef(Parser *parser, const Decl *decl);
// Of the unit, when all of the unit is parsed.
void warn_unused_object(Parser *parser, const Decl *decl);
void warn_unused_function(Parser *parser, const Decl *decl);

// ---- warn_declare.c

// A function that is declared or defined; `before` is its earlier declaration, or NULL.
void warn_definition(Parser *parser, const Decl *before, const Declaration *function);
void warn_declaration(Parser *parser, const Decl *before, const Declaration *function);
void warn_extern_variable(Parser *parser, const Decl *before, const Declaration *declaration);
// int x = x;
void warn_init_self(Parser *parser, const Decl *decl);
void warn_main(Parser *parser, const Decl *func);
void warn_record(Parser *parser, const CType *record);
// A string literal that becomes a pointer through which it may be written.
void warn_written_string(Parser *parser, const Expr *expr, const CType *pointer);
void warn_packed_address(Parser *parser, const Expr *expr, const CType *pointer);
