// Tells which parts of the predicates of paths are decided before their conditions are evaluated;
// see gate_decided.c.
#pragma once

#include "form/gsa.h"
#include "graph/loop_nest.h"

// The value that G(n) of a node may be assumed to have where gates select.
typedef enum { GATE_OPEN, GATE_GIVEN, GATE_NEVER } GateDecision;

// For every node of a graph that is reducible, all of it reachable, each edge leading to a larger
// number or back to a node that dominates. The literals of its branches are added to the table.
uint8_t *gate_decisions(Arena *arena, const Func *func, const Preds *preds, const Dominance *dom,
                        const LoopNest *loop_nest, Gsa *gsa);

static inline Gate gate_as_decided(uint8_t decision, Gate gate) {
    return decision == GATE_OPEN ? gate : decision == GATE_GIVEN ? GATE_TRUE : GATE_FALSE;
}
