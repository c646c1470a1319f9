// The options about how code is written: protection, unwind tables, reserved registers and similar
// options.
#pragma once

#include "assembly/code_options.h"
#include "base/arena.h"
#include "c/compile/compile.h"

// The given options; code_settle makes CodeOptions of them.
typedef struct {
    CodeOptions code;
    bool guard_global;        // -mstack-protector-guard=global
    const char *guard_reg;    // fs, gs; NULL: not given
    const char *guard_symbol; // NULL: not given
    bool no_asynchronous, unwind, exceptions;
    bool no_sse, no_x87;
    uint32_t boundary,
        incoming_boundary; // binary logarithms of the stack's alignment; 0: not given
    bool skip_rax;
    bool split_stack; // see Program
} CodeSettings;

// Reads an option of this group. False after a message.
bool code_option(CodeSettings *settings, CompileOptions *compile, Arena *arena, const char *text);
// --param NAME=VALUE: those of this group; others only tune.
bool code_parameter(CompileOptions *compile, const char *text);
// Settles what several options decide together. False after a message.
bool code_settle(CodeSettings *settings, CompileOptions *compile, PicLevel pic, bool debug);
// Definitions (#define and #undef without the #) of macros that these options change, one by one;
// NULL after the last.
const char *code_macro(const CodeSettings *settings, uint32_t i);

// Reports values of floating types where the registers for them are not to be used. False if there
// are any.
bool code_registers_suffice(const CodeSettings *settings, Diag *diag, const Program *program);
