// -fsanitize= and related options.
#pragma once

#include "c/tables/sanitize.h"

// What counts if no option says otherwise: nothing is checked, and of what is, all but the
// unreachable goes on.
void sanitize_defaults(SanitizeOptions *options);
// Reads one option. False after a message on standard error.
bool sanitize_option(SanitizeOptions *options, const char *text);
