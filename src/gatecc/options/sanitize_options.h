// -fsanitize= and related options.
#pragma once

#include "c/tables/sanitize.h"

// The defaults: nothing is checked, and all failed checks but the unreachable go on.
void sanitize_defaults(SanitizeOptions *options);
// Reads one option. False after a message on standard error.
bool sanitize_option(SanitizeOptions *options, const char *text);
