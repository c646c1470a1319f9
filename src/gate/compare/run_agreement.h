// Decides whether two runs of a program agree, for gate compare. Interpreted forms are compared by
// their traces (behaviour_refines). This file compares the visible behaviour of every program, the
// native one included: the output to each of its streams and its order, the end of the run, and the
// contents of the files that the program writes.
#pragma once

#include "run/world/run.h"

// Whether output is the same, in sum and of stderr alone; or, if a run went wrong or did not come
// to its end, as far as both go.
bool output_agrees(const RunResult *reference, const RunResult *other);

// The present contents of the files that a run has written from their start on; each for out_free.
Out *written_files(Arena *arena, const RunResult *result);
// The difference between the native program and the reference, which has left these files; NULL if
// there is none. From a wrong step of the reference on, anything goes.
const char *native_difference(Arena *arena, const RunResult *reference, const Out *files,
                              const RunResult *native);

// Standard input is needed once per form: it is copied to a file that can be rewound.
void spool_input(void);
void rewind_input(void);
