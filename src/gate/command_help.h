// The commands of gate and their options: gate COMMAND --help, and whether an option goes with a
// command. One table has all of it, command_help.def.
#pragma once

#include "base/out.h"

bool command_exists(const char *command); // in the table
// Prints the help of a command, a screen, to standard output; an exit status.
int command_help_print(const char *command);

// Whether a command takes an option of the table; what is behind = is not looked at. True also for
// an option that the table does not have.
bool command_takes(const char *command, const char *option);
// The commands that take it: "show, run and graph".
void command_takers(Out *out, const char *option);
// The option of the command that is spelled most like one that there is not; NULL if none is near.
const char *command_nearest_option(Arena *arena, const char *command, const char *option);
