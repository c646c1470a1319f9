// Damage to one step of the pipeline that every pass can take: numbers of its hint, fields of its
// result.
#pragma once

#include "cert/hints.h"
#include "check/passes.h"
#include "form/program.h"
#include "test/gen/random.h"

// A hint with vectors and lists of its own. The pass can be a step of a certificate: others have no
// shapes of hints.
void *hint_copy(Arena *arena, PassId pass, const void *hint);
// A number of a field, drawn from all that it has, becomes another; false if there is none, or
// nothing changed.
bool hint_change_number(Random *random, const HintField *field, void *hint, uint64_t to);
// A column gets one element more, a zero, or loses its last.
bool hint_change_length(Arena *arena, const HintField *field, void *hint, bool more);

// A field of an instruction, a phi, a merge, an eta or an atom becomes that of another, or one of
// its bits flips. False if there is no code.
bool code_change_field(Random *random, Func *func);
