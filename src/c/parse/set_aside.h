// Functions of system headers that cannot be compiled here: intrinsics, for the most part, whose
// types and builtin functions do not exist. The headers define them as inline functions that have
// no code of their own, so a definition with a mistake harms nobody. The parser sets such a
// definition aside with the reason, and reports the mistake where the function is used.
#pragma once

#include "c/parse/declare.h"

#include <stdarg.h>

typedef struct {
    bool active;
    uint32_t mistakes; // of the parser, before
} SetAside;

// Before a definition is checked: mistakes in it are kept back if the definition may be set aside.
SetAside set_aside_begin(Parser *parser, const Declaration *declaration);
// Keeps back a mistake; false if it is to be reported.
bool set_aside_mistake(Parser *parser, const char *format, va_list args);
// Behind the definition. True if it was set aside: there is no body.
bool set_aside_end(Parser *parser, const SetAside *saved, Decl *func);
// Reports the use of a function that was set aside. False if it is none.
bool set_aside_used(Parser *parser, const Decl *func, const Token *name);
