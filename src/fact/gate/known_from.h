// Finds the node from which on a gate or a term keeps its value: its base, the lowest node of the
// dominator tree that defines a register of the gate or term. Below that node none of these
// registers is set again.
//
// A base is a node number: 0 if all registers are known at the entry; NO_ID if the definitions do
// not lie on one path of the tree. Every node must be reachable.
#pragma once

#include "graph/definitions.h"
#include "graph/dominance.h"

// The base of what has two bases.
uint32_t known_from_both(const Dominance *dom, uint32_t a, uint32_t b);
// Whether a base strictly dominates a join.
bool known_above(const Dominance *dom, uint32_t base, Node join);

// The base of a register.
static inline uint32_t known_from_reg(const Definition *definitions, Reg reg) {
    Node node = definitions[reg.i].node;
    return node.i == NO_ID ? 0 : node.i;
}
// The base of every gate of a table.
uint32_t *known_from_gates(Arena *arena, const Gsa *gsa, const Dominance *dom,
                           const Definition *definitions);

// The base of the result of an OP: the base of its arguments, each replaced by its leader.
uint32_t known_from_op(const Dominance *dom, const Func *func, const Instr *instr,
                       const Reg *leader, const uint32_t *base);
