// Writes JSON: numbers and texts. The caller writes commas and brackets.
//
// The output can stand in an HTML page as it is: "<" is always escaped, so that no text ends the
// script element around it.
#pragma once

#include "base/out.h"

// A text with its quotes. Bytes that are no UTF-8 become U+FFFD.
void json_string(Out *out, const char *text, size_t length);
// "name": with a comma before it, unless it is the first behind a bracket.
void json_key(Out *out, const char *name);
void json_comma(Out *out); // unless it is the first behind a bracket
void json_number(Out *out,
                 uint32_t number); // with its comma; -1 for UINT32_MAX, which stands for none
