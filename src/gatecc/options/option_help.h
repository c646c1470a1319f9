// The text of --help=options: how gatecc treats each known option.
#pragma once

#include "base/out.h"

void option_help(Out *out);
