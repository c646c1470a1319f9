// The gated part of the text form: gates, merges, etas. Used by the printer and for pictures.
#pragma once

#include "base/bits.h"
#include "form/gsa.h"
#include "text/text.h"

// How the gates of a function are written: which have names, and which numbers names and lists of
// cases have. The text lives in the arena that it was made with.
typedef struct GateText GateText;

// For all gates of a function that are used, and some more; its gates are readable (gsa_readable).
GateText *gate_text_new(Arena *arena, const Func *func, const Gate *more, uint32_t more_count);

// The lines for lists of cases and named gates. Each begins with `before` and ends with `after`.
void gate_text_lines(Out *out, GateText *text, const char *before, const char *after);
void gate_text_print(Out *out, GateText *text, Gate gate);
// The same of a gate that may have a name: what that stands for.
void gate_text_spell(Out *out, GateText *text, Gate gate);
// Without labels: "%x.1 = mu(%x.0, %x.2)", "%x.3 = eta(P, %x.1)".
void merge_print(Out *out, GateText *text, const Merge *merge);
void eta_print(Out *out, GateText *text, const Eta *eta);

// Registers that occur in the gates.
void gate_text_add_registers(GateText *text, Bits *used);

// Whether all numbers of gates, atoms, lists and ranges are sound, so that a function, even if a
// register or node is wrong, can be looked at.
bool gsa_readable(const Func *func);
