// File names in rules for make (-MD, -MQ).
#pragma once

#include "base/arena.h"

// Text as make wants it in a rule: blanks, $ and # made harmless.
const char *make_quoted(Arena *arena, const char *text);
