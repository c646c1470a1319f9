// The text of functional SSA in pieces, for its printer, for pictures and for messages.
#pragma once

#include "form/fssa.h"
#include "text/text.h"

// A term of the expected type; TYPE_COUNT if the type is not known.
void fssa_term_print(Out *out, const Func *func, FssaTerm term, Type expected);
// "i32 %x = add.i32(%y, 1)"
void fssa_equation_print(Out *out, const Func *func, uint32_t equation);
// The text between the braces behind the slots.
void fssa_print_lines(Out *out, const Func *func, const PrintOptions *options);
