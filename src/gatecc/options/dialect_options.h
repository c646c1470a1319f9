// Options about what C means: types of constants and bit-fields, layouts, atomics, the order of
// definitions, character sets.
#pragma once

#include "c/compile/compile.h"

// Reads one that is on or off: -fms-extensions, -mno-ms-bitfields, -fno-inline-atomics, ...
void dialect_option(CompileOptions *compile, const char *name);
#define DIALECT_NO_ORDER                                                                           \
    "unrecognized scalar storage order '%s': it is big-endian, little-endian or native"
// -fsso-struct=ORDER; false if there is no such order.
bool dialect_order(Dialect *dialect, const char *order);
// -finput-charset=, -fexec-charset=, -fwide-exec-charset=
void dialect_charset(PpOptions *pp, const char *name, const char *charset);
