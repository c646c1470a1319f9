// @FILE on the command line.
#pragma once

#include "system/process.h"

// The words of a command line, each @FILE replaced by the words in the file, in which @FILE counts
// again. Words are separated by white space; quotes, single and double, and backslashes keep it. A
// file that cannot be read stays a word that starts with @. False after a message, if a file
// contains itself.
bool expand_response_files(Arena *arena, Words *words, int argc, char **argv);
