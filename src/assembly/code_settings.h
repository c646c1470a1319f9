// The settings that options give for the writing of code. Once all options are read, gatecc makes
// CodeOptions of the settings.
#pragma once

#include "assembly/code_options.h"

typedef struct CodeSettings {
    CodeOptions code;
    bool guard_global;        // the guard of the stack is a symbol's value
    const char *guard_base;   // see GuardValue; NULL: not given
    const char *guard_symbol; // NULL: not given
    bool no_asynchronous, unwind, exceptions;
    bool no_floats;     // registers that hold float and double are left alone
    bool no_extended;   // so are those that hold a long double of its own format
    bool loose_stack;   // see Program
    bool split_stack;   // the same
    bool null_is_place; // the same
} CodeSettings;
