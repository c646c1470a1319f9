// The verdict that every checker returns, and questions that several checkers ask.
#pragma once

#include "form/forms.h"

typedef struct {
    bool accepted;
    Site site;          // where it was found, in the new function; NO_SITE if nowhere in particular
    const char *reason; // one line; NULL if accepted
} Verdict;

#define VERDICT_ACCEPTED ((Verdict){.accepted = true, .site = {NO_ID}})

// A rejection; the reason lives in the arena.
Verdict verdict_rejected(Arena *arena, Site site, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Whether a checker does more work than the size of its input can account for. Some questions take
// the product of two sizes in the worst case, as claims at a join times the ways into it. The
// output of a compiler is far from this limit; input that comes near is rejected, so that time
// stays in proportion to the size.
static inline bool check_takes_too_long(uint64_t work, uint64_t size) {
    enum { WORK_PER_UNIT = 4096, WORK_AT_LEAST = 1 << 20 };
    return work > WORK_AT_LEAST + WORK_PER_UNIT * size;
}

// Whether two functions have the same signature, number of parameters, and slots.
Verdict check_same_outline(Arena *arena, const Func *before, const Func *after);
// Whether they have the same outline and parameters, and the second all registers
// of the first under the same numbers.
Verdict check_same_frame(Arena *arena, const Func *before, const Func *after);
// The same, but the second may have more slots behind those of the first.
Verdict check_extended_frame(Arena *arena, const Func *before, const Func *after);
// Whether they have the same signature and parameters, and the second all registers of the first;
// slots may differ.
Verdict check_same_interface(Arena *arena, const Func *before, const Func *after);
// Whether two instructions have the same successors.
bool check_same_succs(const Func *before, const Instr *then, const Func *after, const Instr *now);
// Whether two functions have the same nodes with the same successors, and therefore predecessors.
Verdict check_same_graph(Arena *arena, const Func *before, const Func *after);
