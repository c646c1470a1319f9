// Functions as pictures, in Graphviz' language: one box per basic block, listing its instructions.
//
// Edges are labelled T and F for conditions, and with the value of the case or "default" for
// switches. An edge back to a block that is still being visited in a depth-first walk from the
// entry (so, every loop has one) is dashed. Blocks that cannot be reached are grey.
#pragma once

#include "form/program.h"

// A digraph of one function.
void func_dot(Out *out, const Func *func);
// A digraph with one cluster per function.
void program_dot(Out *out, const Program *program);

// For the bodies: a text as part of a quoted label; and the arrow from the header of the function
// to the box of its entry, which goes by a number. Boxes are named after the function's symbol and
// their number, f3_12, so that those of all functions differ.
void draw_text(Out *out, const Out *text);
void draw_entry(Out *out, const Func *func, uint32_t entry);
