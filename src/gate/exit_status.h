// The exit statuses of gate. A program that runs has its own; these are for what programs cannot do
// themselves.
#pragma once

#include "run/world/run.h"

enum {
    EXIT_GOOD = 0,
    EXIT_BAD = 1,       // mistakes in the input, forms that differ
    EXIT_USAGE = 2,     // wrong command line, unreadable file
    EXIT_FUEL = 124,    // out of fuel
    EXIT_WRONG = 125,   // the program took a wrong step
    EXIT_TRAPPED = 132, // as a program killed by SIGILL
    EXIT_ABORTED = 134, // as a program killed by SIGABRT
};

// The status of a run that has ended; if it did not come to its end itself, a line on standard
// error says how.
int exit_status_told(const Program *program, const char *file, const Behaviour *behaviour);
