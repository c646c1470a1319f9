// Files that appear whole or not at all, and temporary ones.
#pragma once

#include "base/out.h"

typedef struct {
    const char
        *path; // where the contents are put while they are made; the file does not exist at first
    const char *final; // where they belong in the end, or NULL if nowhere
    bool copied;       // the final place is no regular file, or nothing can be renamed to it
} OutputFile;

// A temporary file of that name in a directory of its own, below TMPDIR. False after a message.
bool output_temporary(OutputFile *file, Arena *arena, const char *name);
// A file that is to replace the one at a path. False after a message.
bool output_begin(OutputFile *file, Arena *arena, const char *path);
// Puts the contents in their final place. False after a message, and then there is nothing new
// there.
bool output_commit(OutputFile *file);
// Removes the file's remains, if it has not been committed.
void output_drop(OutputFile *file);

// Writes a text to the file, to be committed or dropped. False after a message.
bool output_fill(OutputFile *file, const Out *text);
// All at once; NULL and "-" are standard output. Frees the text. False after a message.
bool output_write(Arena *arena, Out *text, const char *path);
