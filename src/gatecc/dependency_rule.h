// Rules for make: -M and related options.
#pragma once

#include "gatecc/options/gatecc_options.h"

// The target of an input's rule if the command line names none.
const char *dependency_target(Arena *arena, const GateccOptions *options, const char *input);
// Where the rule of an input belongs: NULL is standard output.
const char *dependency_file(Arena *arena, const GateccOptions *options, const char *input);
// Writes the rule of an input to where it belongs. False after a message.
bool write_dependencies(Pp *pp, Arena *arena, const GateccOptions *options, const char *input);
