// The kinds of input files, and the names of the files that are made of them.
#pragma once

#include "gatecc/options/gatecc_options.h"

// The language of an input: the language that -x names (NULL if there is none), or else the
// language of its ending.
Language language_of(const char *path, const char *named);
bool language_is_known(const char *name); // to -x

// A name in the working directory: the path's last part with another ending.
const char *name_with_ending(Arena *arena, const char *path, const char *ending);
// The path with another ending.
const char *path_with_ending(Arena *arena, const char *path, const char *ending);
// The path that -save-temps gives an intermediate file of an input: beside the output and named
// after the output.
const char *kept_path(Arena *arena, const GateccOptions *options, const char *input,
                      const char *ending);
