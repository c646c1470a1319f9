// Decides whether parts of two programs say the same, although each program has its own numbers:
// the parts of check_slice.c that are not about slicing.
#pragma once

#include "check/check.h"
#include "hint/hints_slice.h"

// Two programs, and for each symbol of the second its symbol of the first.
typedef struct {
    const Program *before, *after;
    const Sym *symbols;
    bool shared; // all numbers that functions have mean the same in both
} SliceMatch;

// Whether each symbol of `after` agrees with its symbol of `before`, function bodies aside: both
// are data, or functions of one type, with the same name if other files can know it, the same
// contents and attributes. No two are one.
Verdict slice_match_programs(Arena *arena, const Program *before, const Program *after,
                             const SliceSymbolsHint *hint, SliceMatch *match);
bool slice_match_sig(const SliceMatch *match, Sig old, Sig fresh);
// Whether two instructions do the same, apart from their registers, slots and successors. Switches
// may differ in their cases.
bool slice_match_instr(const SliceMatch *match, const Instr *old, const Instr *fresh);
// Whether two functions are the same, node by node.
Verdict slice_match_bodies(Arena *arena, const SliceMatch *match, const Func *old,
                           const Func *fresh);
