// Options of other C compilers: options that make no difference, and options that may not be
// ignored. Those for the machine are in its record.
#pragma once

#include "base/out.h"
#include "target/language.h"

#include <stdbool.h>

// Whether an option (-f..., -g..., -m..., or -W...) is known and makes no difference here.
bool option_is_quiet(const TargetLanguage *language, const char *option);
// Whether an option is refused; then there was a message.
bool option_refused(const TargetLanguage *language, const char *option);
// Whether an option has a value that it must not have; then there was a message.
bool option_value_error(const TargetLanguage *language, const char *option);
// The languages of an option; NULL if C is among them, or if the option is not known.
const char *option_language(const char *option);
// The option that was probably meant by one that nobody knows; NULL if none is near.
const char *option_nearest(Arena *arena, const TargetLanguage *language, const char *option);
// Prints a word of a list in lines, the place in the line being `column`, 0 at first.
void option_list_word(Out *out, size_t *column, const char *start, const char *name);
// Prints the options that may be passed over and those that are refused, each with the reason.
void option_reasons(Out *out, const TargetLanguage *language);
// Prints the warnings, each with the option that turns it on and a description, and the names that
// are only accepted.
void option_warnings(Out *out);
