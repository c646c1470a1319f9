// The transforms of all passes, one for each row of passes.def: NAME, in NAME.c, here or in
// src/mach and src/target. A transform reads a function and yields a new function, with the hint
// that shows the checker why both do the same; both live in the arena. A transform yields NULL if
// it has nothing to change, or does not know how. A pass with the kernel NONE gives no hint.
#pragma once

#include "fact/bodies.h"
#include "hint/hints_gsa.h"
#include "hint/hints_mach.h"
#include "hint/hints_values.h"
#include "pass/side_options.h"

#define PASS(name, from, to, kernel, Hint, sees, ...) BY_##kernel(name, Hint, sees)
#define BY_OWN(name, Hint, sees)                                                                   \
    Func *name(Arena *arena, SEES_##sees(const Bodies *bodies) const Func *func, Hint *hint);
#define BY_COPIES(...)     BY_OWN(__VA_ARGS__)
#define BY_VALUES(...)     BY_OWN(__VA_ARGS__)
#define BY_GATES(...)      BY_OWN(__VA_ARGS__)
#define BY_NONE(name, ...) Func *name(Arena *arena, const Func *func);
#include "check/passes.def"

// ---- The ways to side forms (pipeline/side_forms.h)

Func *fssa_build(Arena *arena, const Func *func);
Func *mach0_build(Arena *arena, const Func *func, const AsideOptions *options, Mach0Hint *hint);

// ---- Variants of transforms, and questions to passes

// Whether unroll_loops would find loops to unroll in a function in RTL or SSA.
bool unroll_loops_would(Arena *arena, const Func *func);

// The answer of unroll_loops about a loop.
typedef enum {
    UNROLL_NOT_KNOWN, // there is no loop; or it has an unknown number of rounds, or too many
    UNROLL_DONE,      // each round gets a copy
    UNROLL_CALLS,     // it has calls
    UNROLL_INNER,     // a loop in it stays
    UNROLL_WORK,      // all rounds together do too much
    UNROLL_BUDGET,    // the function would grow too much
} UnrollAnswerKind;
typedef struct {
    UnrollAnswerKind kind;
    uint32_t rounds, work; // nodes that do something, in all rounds
} UnrollAnswer;

enum { UNROLL_MOST_WORK = 200 };
// For a branch that leaves a loop, for explanations.
UnrollAnswer *unroll_answers(Arena *arena, const Func *func);

// Whether the function of a symbol can be copied into its callers; the reason why it cannot, as
// "needs a frame of its own", NULL if it can.
bool inline_is_possible(const Program *program, const Symbol *symbol);
const char *inline_obstacle(const Program *program, const Symbol *symbol);

// The answer of inline_calls about a call.
typedef enum {
    INLINE_NO_CALL,     // there is none
    INLINE_COPIED,      // the body takes its place
    INLINE_INDIRECT,    // the callee is not named
    INLINE_LAST,        // nothing comes after it
    INLINE_ITSELF,      // the function calls itself
    INLINE_NO_BODY,     // none is offered
    INLINE_OTHER_TYPE,  // the call has another type than the function
    INLINE_BUDGET,      // the function would grow too much
    INLINE_COLD,        // it is not in a loop, and the body is not tiny
    INLINE_AMONG_TWICE, // calls in the function may return twice
} InlineAnswer;

enum { INLINE_TINY = 8 }; // nodes, and one for each argument: copied outside of loops, too
// For each node, an InlineAnswer, for explanations.
uint8_t *inline_answers(Arena *arena, const Bodies *bodies, const Func *func);
// Replaces the calls that the hint lists as sites, of symbols that have a body, and completes the
// hint.
Func *inline_sites(Arena *arena, const Bodies *bodies, const Func *func, CopiesHint *hint);

// The answer of if_convert about the gammas of a node.
//   CONVERTED  the gammas become selects
//   SHAPE      the node is no join of two ways from one branch, as far as the ways were followed
//   LONG       a way is longer than a branch that is mispredicted
//   EFFECT     something on a way may go wrong or has an effect
//   MANY       there are too many gammas
//   GAMMA      a gamma is not of integers, or not by the condition of the branch
typedef enum { IF_CONVERTED, IF_SHAPE, IF_LONG, IF_EFFECT, IF_MANY, IF_GAMMA } IfAnswerKind;
typedef struct {
    IfAnswerKind kind;
    Node at; // LONG, EFFECT: the node where that was seen
} IfAnswer;
// For each node, for explanations.
IfAnswer *if_convert_answers(Arena *arena, const Func *func);

// normalize, which also tells which nodes were added. `meetings` are nops where the ways of short
// branches meet, for if_convert. Without them, no two edges into a join come to share a nop, unless
// the normal form requires it.
Func *normalize_marked(Arena *arena, const Func *func, CopiesHint *hint, Bits *added,
                       bool meetings);

// The flavours of SSA differ in how many phis there are. ssa_build makes the pruned one: phis where
// the register is live. Semi-pruned: for registers that are used in a block other than the defining
// block; minimal: wherever two definitions meet.
Func *ssa_build_semi_pruned(Arena *arena, const Func *func, SsaHint *hint);
Func *ssa_build_minimal(Arena *arena, const Func *func, SsaHint *hint);

// The same without the versions of memory, which no way back needs, for callers that do not show
// the form.
Func *son_build_bare(Arena *arena, const Func *func);
Func *son_optimize_bare(Arena *arena, const Func *func);
// Drops no write, so that a debugger finds variables in memory.
Func *son_optimize_faithful(Arena *arena, const Func *func);

// Whether there is code for a function: its slots must not take more than a gigabyte.
bool select_code_is_possible(const Func *func);
// One instruction for each of RTL, in its order, nothing folded: easier to check, slower.
Func *select_code_plain(Arena *arena, const Func *func, SelectHint *hint);

// Each register has a spill of its own throughout and is in a machine register only while an
// instruction needs it there: slow code, quickly made and easily seen to be right. Functions with
// calls that return twice are always done so.
Func *allocate_plain(Arena *arena, const Func *func, AllocateHint *hint);
