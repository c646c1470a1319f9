// The transforms of all passes, one for each row of passes.def: NAME, in NAME.c, here or in src/mach and
// src/target. A transform reads a function and yields a new one, with the hint that shows the checker why it does the same;
// both live in the arena. NULL if it has nothing to change, or does not know how. Those inside of an excursion that is
// checked as one (rows INNER), and those from which nothing leads back (rows ASIDE), give no hint; rows CHECKED_ASIDE do.
#pragma once

#include "cert/hints_gsa.h"
#include "cert/hints_mach.h"
#include "cert/hints_values.h"
#include "fact/bodies.h"
#include "pass/aside_options.h"

#define PASS(name, Hint, from, to, sees, ...)                                                      \
    Func *name(Arena *arena, SEES_##sees(const Bodies *bodies) const Func *func, Hint *hint);
#define INNER(name, ...) Func *name(Arena *arena, const Func *func);
#define ASIDE(name, ...) Func *name(Arena *arena, const Func *func);
#define CHECKED_ASIDE(name, Hint, ...)                                                             \
    Func *name(Arena *arena, const Func *func, const AsideOptions *options, Hint *hint);
#include "pipeline/passes.def"

// ---- Variants of these, and what others may ask

// Whether the function of a symbol can be copied to where it is called.
bool inline_is_possible(const Program *program, const Symbol *symbol);
// Replaces the calls that the hint lists as sites, of symbols that have a body, and completes the hint.
Func *inline_sites(Arena *arena, const Bodies *bodies, const Func *func, CopiesHint *hint);

// normalize, which also tells which nodes were added. Without `meetings`, nops where the ways of short branches meet for
// if_convert, no two edges into a join come to share one, unless they have to for the normal form.
Func *normalize_marked(Arena *arena, const Func *func, CopiesHint *hint, Bits *added,
                       bool meetings);

// The flavours of SSA differ in how many phis there are. ssa_build makes the pruned one: phis where the register is live.
// Semi-pruned: for registers that are used in another block than the one that sets them; minimal: wherever two
// definitions meet.
Func *ssa_build_semi_pruned(Arena *arena, const Func *func, SsaHint *hint);
Func *ssa_build_minimal(Arena *arena, const Func *func, SsaHint *hint);

// The same without the versions of memory, for who is not going to look at the form: nothing that leads back from it
// needs them.
Func *son_build_bare(Arena *arena, const Func *func);
Func *son_optimize_bare(Arena *arena, const Func *func);

// Whether there is code for a function: its slots must not take more than a gigabyte.
bool select_code_is_possible(const Func *func);
// One instruction for each of RTL, in its order, nothing folded: easier to check, slower.
Func *select_code_plain(Arena *arena, const Func *func, SelectHint *hint);

// Each register has a spill of its own throughout and is in a machine register only while an instruction needs
// it there: slow code, quickly made and easily seen to be right. Functions with calls that return twice are always
// done so.
Func *allocate_plain(Arena *arena, const Func *func, AllocateHint *hint);
