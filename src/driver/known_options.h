// Options of other C compilers: those that make no difference, and those that may not be ignored.
#pragma once

#include <stdbool.h>

// Whether an option (-f..., -m..., or -W...) is known and makes no difference here.
bool option_is_quiet(const char *option);
// Whether an option is a warning that only makes sense in another language.
bool option_is_foreign(const char *option);
// Why an option cannot be had; NULL if it is none of those.
const char *option_refusal(const char *option);
