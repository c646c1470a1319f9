// What --help=options prints: of each option that is known, what becomes of it.
#pragma once

#include "base/out.h"

void option_help(Out *out);
