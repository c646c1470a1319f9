// Options about what an object holds besides what is used.
#pragma once

#include "gatecc/options/gatecc_options.h"

// -fno-ident, -frecord-gcc-switches, -fkeep-...: reads one of these.
void object_option(GateccOptions *options, const char *text);
// The command line as -frecord-gcc-switches has it told; NULL if it is not to be.
const char *recorded_switches(const GateccOptions *options, Arena *arena);
