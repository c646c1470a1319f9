// All changes of one token of a text, and how often each answer to them came: for tests of what
// reads text.
#pragma once

#include "base/out.h"

// The answer to a changed text: one line, in the arena.
typedef const char *TokenAnswer(Arena *arena, const char *text, size_t length);

// Leaves out, doubles and replaces the tokens of a text, every so-manieth, and appends to the
// report how many there are and, for each answer, how often it came.
void tokens_try(Out *report, const char *name, const char *text, uint32_t every,
                TokenAnswer *answer);

// A message without names and numbers, and without what was found.
const char *tokens_outline(Arena *arena, const char *message);

// A file of test/, whole.
char *tokens_read(Arena *arena, const char *name);
// Ends the test if a report is not what stands in that file of test/. If GATE_UPDATE is set, that
// is written anew.
void tokens_expect(Arena *arena, Out *report, const char *file);
