// Damaged certificates: changes of lines and numbers that leave most of the text meaningful, so
// that what is behind the reader gets something to do.
#pragma once

#include "base/out.h"
#include "test/gen/random.h"

// The lines after the first of a certificate that comes from nowhere.
#define BARE_ORIGIN "source none \"\"\noptions \"\"\ncompiler \"\"\n"

// One change of a text: a byte, a line (dropped, repeated, exchanged with another), a number
// (another one, or exchanged with another of its line) or a word (another word or operand of the
// text).
void damage_text(Random *random, Out *text);

// The last line of a certificate, made right for what stands before it; added if it is missing. One
// that is text has none.
void damage_rehash(Out *text);
