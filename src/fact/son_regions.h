// Regions of the Sea of Nodes: runs of nodes of a block. No node of a region but the last may stop.
#pragma once

#include "form/program.h"

// For each node the first node of its region. Linear.
uint32_t *son_regions(Arena *arena, const Func *func, const Preds *preds);
