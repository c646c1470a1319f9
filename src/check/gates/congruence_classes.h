// Claimed numberings of registers, as check_gated_gvn.c establishes them. All registers with one
// leader form a class; registers of one class are congruent. Here is the argument for a numbering
// of SSA; check_gated_gvn.c extends it to gated SSA.
//
// Words. `before` and `after` are well-formed SSA. A register x is *present* at a node if its
// definition strictly dominates the node, or is a phi of the node itself (which acts on the way
// in), or if x has no definition. In the last case x is a parameter or undefined, and the same at
// all nodes. A register that is present where x is defined is present wherever x is. An instruction
// finds its arguments present, and the k-th argument of a phi is present at the k-th predecessor,
// which is a nop.
//
// 1. The numbering. N(x) is the leader of x; all registers with one leader form a class, and the
//    leader is a member (classes_init). Each member x other than the leader L is (check_member)
//      OP    an operator with the operator, constants and number of arguments of L's definition,
//            and with congruent arguments, in the other order if the operator commutes; or
//      PHI   a phi of the phi-block of L with congruent arguments; or
//      COPY  a move of a member; or
//      SAME  a phi whose arguments are all members, and L is present at its join and no phi of it.
//    The root of a member is the member itself, but for a COPY the root of the copied register. It
//    exists, as the source of a move that can be executed is present there, and so is the root.
//
// 2. Lemma. Whenever control is at a node n, two properties hold. (a) A register present at n that
//    is defined by an operator has the operator's result for the present values of its arguments.
//    (b) Registers of one class that are present at n have equal values, undefined bits included.
//    By induction on the steps of a run; say the step goes from m to n.
//
//    m defines x, or nothing, by its instruction. Then m is no nop, so n is no join, and all
//    registers that are present at n, but for x, were present at m. x was not present at m (a
//    definition does not strictly dominate itself), so every other present register keeps its
//    value, the arguments of operators too: the lemma says nothing at m about a stale value that x
//    may have had from an earlier visit. Hence (a), and (b) for all but x. Let y be another member
//    of x's class, present at m, and r its root. By (b), y = r.
//      x is defined by something else than an operator. Then x is the leader, and no member has
//        rule OP or PHI. r is not x, so it has rule SAME: x is present at r's join, and so at m;
//        but it is not. So there is no such y.
//      x is a COPY: the copied register is present at m and in the class, so it equals y by (b). x
//      has rule OP, or is the leader, defined by an operator: either way L is. So r has not rule
//        PHI. It has rule OP or is L, or else it has rule SAME, and L is present at m and equal to
//        r by (b). In both cases y equals some member that is present at m, so is not x, and has
//        x's operator and arguments congruent to those of x. All these arguments are present at m,
//        so they are equal by (b), and by (a) so are x and y. An operator may be partial: both were
//        executed, hence both went right.
//
//    m is a nop, and n no join: all registers present at n were present at m, with the same values.
//
//    n is a join, and m its k-th predecessor. A register that is present at n, and is no phi of n,
//    was present at m and keeps its value. So (a) holds, and (b) for all but the phis. The k-th
//    arguments are present at m; their values may be from this iteration of a loop or the one
//    before, but by (b) members of one class agree. Let x be a phi of n and y another member of its
//    class that is present at n.
//      x has rule SAME: its argument is a member, L is present at m, so x = L. The same holds for a
//        y that is a phi of n with rule SAME; a y that is no phi of n equals L by (b). A phi y of n
//        with rule PHI, or y = L, would make L a phi of n, which SAME excludes.
//      x has rule PHI or is the leader: L is a phi of n. If y is a phi of n, it has rule PHI or is
//        the leader by the last sentence: x and y take the values of congruent arguments. If not,
//        take y's root r, which is no phi of n either: r is not L, it has not rule PHI, and SAME
//        would make L present at n without being a phi of n. So there is no such y.
//
//    Operators are functions of the bits of their operands and of which are undefined, and
//    commutative ones are symmetric in both; moves and phis copy both. So equal means equal.
#pragma once

#include "check/check.h"
#include "graph/definitions.h"
#include "hint/hints_ssa.h"

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

// Takes a numbering on. False, with the verdict, if registers or nodes were added or removed, or if
// the hint is none: each register has a leader of its type, which is its own leader.
bool classes_init(Classes *classes, Arena *arena, const Func *before, const Func *after,
                  const Numbering *hint);

// Whether a register that an instruction defines is in the class of its leader by right: both are
// computed by the same operator, with the same constants, from congruent arguments; or it is a move
// of a member.
bool classes_check_op(Classes *classes, Reg reg, Reg leader);

// Whether the instruction of a node is the same but for congruent arguments, or an operator that
// became a nop.
bool classes_check_node(Classes *classes, Node node);
