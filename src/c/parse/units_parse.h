// The parser's reports of units. The functions do nothing if units are not recorded.
#pragma once

#include "c/parse/parser.h"
#include "c/parse/units.h"

// Before the first token. `units` may be NULL.
void units_start(Units *units, Pp *pp);

// Opens a unit at the present token; 0 if there is none to be recorded.
uint32_t unit_open(Parser *parser, UnitKind kind, UnitRole role);
// Closes it in front of the present token. The parsed text is of this kind.
void unit_close(Parser *parser, uint32_t unit, UnitKind kind);
// It turned out to be nothing.
void unit_cancel(Parser *parser, uint32_t unit);
// Closes the unit of a statement, and notes the unit in the statement.
Stmt *unit_close_statement(Parser *parser, uint32_t unit, Stmt *stmt);
// The parsed text turned out to be a declaration; a statement with labels.
void unit_is_declaration(Parser *parser, uint32_t unit);
void unit_is_labelled(Parser *parser, uint32_t unit);
// The unit is an else branch; `word` is where `else` stands, the token before it ends at `before`.
void unit_is_else(Parser *parser, uint32_t unit, Pos word, Pos before);
// A declarator in a block, at its first token.
uint32_t unit_open_declarator(Parser *parser);
void unit_close_declarator(Parser *parser, uint32_t unit);
// The initializer of a variable of a block, at its '='.
uint32_t unit_open_initializer(Parser *parser, const Decl *decl);
void unit_close_initializer(Parser *parser, uint32_t unit, Decl *decl);
// A function's body, at its '{', and behind it, at its '}'.
void unit_open_function(Parser *parser, const Decl *func);
void unit_close_function(Parser *parser, Stmt *body);
// The token that the parser leaves behind.
void unit_token(Parser *parser);
// Names of the present unit.
void unit_declares(Parser *parser, Ident *name);
void unit_global(Parser *parser, Ident *name); // of file scope
void unit_uses_label(Parser *parser, LabelDecl *label);
// A case or default label of a switch; units as the parser had them.
void unit_case_of(Parser *parser, uint32_t of_switch);
// The unit stays if the enclosing unit does.
void unit_pin(Parser *parser, uint32_t unit);
