// The request to gatecc: the command line, the environment, and whether they make sense together.
#pragma once

#include "gatecc/options/gatecc_options.h"

// False after a message on standard error.
bool gatecc_command(GateccOptions *options, Arena *arena, const Words *words);
