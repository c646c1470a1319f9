// The graphs on which slices are looked for, without ways that are not taken.
#pragma once

#include "analysis/graph.h"

// `way`: node -> the only successor that is taken, or NO_ID; NULL: all are.
Graph flow_graph(Arena *arena, const Func *func, const uint32_t *way);
// The reverse graph below a root, 0, that leads to all returns; node n is n + 1. Only what can be
// reached counts.
Graph flow_graph_from_returns(Arena *arena, const Func *func, const Graph *graph);
