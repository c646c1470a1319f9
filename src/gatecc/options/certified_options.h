// The origin of a program in its certificate: its source after preprocessing, and the options that
// matter.
#pragma once

#include "base/sha256.h"
#include "c/compile/compile.h"
#include "system/process.h"

// The digest of what `gatecc -E -P` prints for the file that a preprocessor has read, with the
// options of that compilation. The file is preprocessed a second time.
Digest source_digest(Pp *pp, const CompileOptions *options);

// Adds an option to the options that matter, with its argument if that is a word of its own or
// NULL, if the option can change the code of a program whose source has been preprocessed.
void note_option(Arena *arena, Words *words, const char *option, const char *argument);
// The options that matter as a shell reads them: the level of optimization, then the others in
// their order.
const char *options_that_matter(Arena *arena, const Words *words);
