// Claimed numberings of registers, as checkers establish them: what check_gvn.c and check_gated_gvn.c
// have in common. A class is what has one leader; registers of one class are congruent.
#pragma once

#include "cert/hints_ssa.h"
#include "check/check.h"
#include "fact/definitions.h"

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const Numbering *hint;
    const Definition *definitions; // of `before`
    Verdict verdict;
} Classes;

#define CLASSES_REJECT(classes, node, ...)                                                         \
    ((classes)->verdict = verdict_rejected((classes)->arena, node_site(node), __VA_ARGS__), false)

static inline Reg leader_of(const Classes *classes, Reg reg) {
    return classes->hint->leader.at[reg.i];
}
static inline bool congruent(const Classes *classes, Reg a, Reg b) {
    return leader_of(classes, a).i == leader_of(classes, b).i;
}
bool all_congruent(const Classes *classes, const Reg *a, const Reg *b, uint32_t count);

// Takes a numbering on. False, with the verdict, if registers or nodes were added or removed, or if the
// hint is none: each register has a leader of its type, which is its own leader.
bool classes_init(Classes *classes, Arena *arena, const Func *before, const Func *after,
                  const Numbering *hint);

// Whether a register that an instruction defines is in the class of its leader by right: both are
// computed by the same operator, with the same constants, from congruent arguments; or it is a move of a
// member.
bool classes_check_op(Classes *classes, Reg reg, Reg leader);

// Whether the instruction of a node is the same but for congruent arguments, or an operator that became
// a nop.
bool classes_check_node(Classes *classes, Node node);
