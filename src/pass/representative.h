// One representative for each register of a value numbering: the member of its class whose
// definition dominates its own and is dominated by no other. Definitions are taken in preorder of
// the dominator tree; then the last member that became a representative stays it for the whole
// subtree.
#pragma once

#include "graph/loop_nest.h"

typedef struct {
    const Dominance *dominance;
    const LoopNest *loop_nest; // if not NULL: a representative's loops must hold the registers that
                               // it stands for
    Reg *representative;       // per register
    Reg *newest;      // per class: the last that became a representative; NO_REG if none did
    Node *defined_at; // per class: where the newest is defined
} Representatives;

// At first every register represents itself. `loop_nest` may be NULL.
Representatives representatives_new(Arena *arena, const Dominance *dominance,
                                    const LoopNest *loop_nest, uint32_t regs, uint32_t classes);
// The next definition, or a register that nothing defines, at the entry.
void representatives_choose(Representatives *choice, uint32_t class_number, Reg reg, Node node);
