// Options with two dashes that gcc has for those who like whole words.
#pragma once

#include "base/arena.h"

// The usual spelling of an option: --output=FILE is -oFILE. Other words stay the same.
const char *usual_option(Arena *arena, const char *word);
// The name of a long option, without its dashes, by number; NULL behind the last.
const char *long_option_at(uint32_t index);
