// Options about what an object holds besides what is used.
#pragma once

#include "gatecc/options/gatecc_options.h"

// -fno-ident, -frecord-gcc-switches, -fkeep-...: reads an option of this kind.
void object_option(GateccOptions *options, const char *text);
// The command line as -frecord-gcc-switches records it; NULL if it is not recorded.
const char *recorded_switches(const GateccOptions *options, Arena *arena);
