// Preprocessing numbers.
#pragma once

#include "c/preprocess/pp.h"

// The end of the number whose first digit is before p. Before C99 no sign stands behind a p; from
// C23 on ' separates digits.
const char *pp_number_end(const Pp *pp, const char *p, const char *end);
// The number without its separators; NULL, with the mistake in *wrong, if the separators are wrong.
const char *pp_number_plain(Arena *arena, const char *text, uint32_t *length, const char **wrong);
