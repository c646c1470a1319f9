// Running other programs.
#pragma once

#include "base/out.h"
#include "base/vec.h"

#include <sys/types.h>

// The words of a command line, without the NULL at its end.
typedef VEC(const char *) Words;

void words_add(Arena *arena, Words *words, const char *word);
void words_append(Arena *arena, Words *words, const Words *more);
// As a shell reads it back; words that need none have no quotes.
void words_print(Out *out, const Words *words);

// Opens standard streams that are closed, so that no other file gets the number of a stream and its
// data: errors are lost, reading and writing fails as before. Once, at the start.
void standard_streams(void);

// The first file of that name along PATH that can be executed and is not this program; NULL if
// there is none.
const char *executable_find(Arena *arena, const char *name);

typedef struct {
    const char *name;
    pid_t id;
} Process;

// Starts a command, which is looked for along PATH. Its standard input is what is written to
// *input, which the caller closes, or ours if input is NULL. False after a message.
bool process_start(Process *process, const Words *command, int *input);
// Waits for its end; true if it ended well. A message reports a process that a signal ended; the
// process itself has reported other mistakes. Adds the processor time that it took.
bool process_wait(Process *process, double *seconds);
// Stops the process, since its result is not wanted any more.
void process_stop(Process *process);

// Writes all to a descriptor, where the reader may go away. False, with errno set, if it did not
// go.
bool write_to(int descriptor, const char *text, size_t length);
