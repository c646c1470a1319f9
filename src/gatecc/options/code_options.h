// The options about how code is written: protection, unwind tables, reserved registers and similar
// options.
#pragma once

#include "assembly/code_settings.h"
#include "base/arena.h"
#include "c/compile/compile.h"

// Reads an option of this group. False after a message.
bool code_option(CodeSettings *settings, CompileOptions *compile, Arena *arena, const char *text);
// Reads an option -m that the machine has. False after a message; not `known` if the machine does
// not have it.
bool machine_option(CodeSettings *settings, const TargetLanguage *language, const char *text,
                    bool *known);
// Chooses the machine with a name or triplet, whose options follow. False after a message.
bool target_option(CompileOptions *compile, const char *name);
// Reads -m32 and its kin: another size of words than the machine's own, or NULL. False if the
// option is none of those.
bool word_size_option(const TargetLanguage *language, const char *text, const WordSize **other);
// --param NAME=VALUE: those of this group; others only tune.
bool code_parameter(CompileOptions *compile, const char *text);
// Settles what several options decide together. False after a message.
bool code_settle(CodeSettings *settings, CompileOptions *compile, PicLevel pic, bool debug);
// Definitions (#define and #undef without the #) of macros that these options change, one by one;
// NULL after the last.
const char *code_macro(const CodeSettings *settings, const TargetLanguage *language, uint32_t i);

// Reports values of floating types where the registers for them are not to be used. False if there
// are any.
bool code_registers_suffice(const CodeSettings *settings, const TargetLanguage *language,
                            Diag *diag, const Program *program);
