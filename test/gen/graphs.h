// All small graphs, for tests that leave nothing to chance.
#pragma once

#include "form/program.h"

// Visits every graph of that many nodes (entry 0) in which each node has one successor or two, or,
// with returns, none. Two successors are listed in ascending order and may be the same node. There
// are (n + n(n + 1)/2 + returns)^n of them: for 5 nodes 3,200,000, with returns 4,084,101.
void each_small_graph(uint32_t nodes, bool with_returns,
                      void (*visit)(void *context, const uint8_t (*succs)[2],
                                    const uint8_t *counts),
                      void *context);

// Whether all nodes are reachable and numbered in the order in which a breadth-first walk meets
// them. Every graph without unreachable nodes can be renumbered into such a one, so a test that is
// slow skips the rest.
bool small_graph_is_canonical(uint32_t nodes, const uint8_t (*succs)[2], const uint8_t *counts);

// The function i32(i32, i32) "f" with that graph, node for node, and instructions drawn from the
// seed: a node without successors returns, one with two branches on a comparison (its ways
// exchanged in half of the cases), one with one computes, prints with putchar or does nothing. It
// has no registers but its parameters, so nothing is undefined. Up to 255 nodes.
Func *func_of_graph(Arena *arena, Program *program, uint32_t nodes, const uint8_t (*succs)[2],
                    const uint8_t *counts, uint64_t seed);
