// Finding the way back after a mistake.
#pragma once

#include "c/parse/parser.h"

// The column of the first character of a line; UINT32_MAX if the line is too long to look.
uint32_t line_indentation(Parser *parser, Pos pos);
// Inside of braces, at the start of a declaration: whether the enclosing text should have ended
// before, by the layout and because a function is defined here or the file ends.
bool at_lost_end(Parser *parser);
// Reports the lost end, with the brace that has lost its partner, unless it was reported; from then
// on everything ends (Parser.closed).
void report_lost_end(Parser *parser, const char *what, Pos open);
// At the '}' that would end a function: whether the '}' is one too many.
bool closes_too_early(Parser *parser);
// Behind the declarator of a function, where no '{' stands: whether its body follows all the same.
bool lacks_body_brace(Parser *parser);
// At a '}' that cannot end a block: whether the rest of the line belongs to an expression.
bool is_amid_expression(Parser *parser);
bool is_unterminated(const Token *token);
