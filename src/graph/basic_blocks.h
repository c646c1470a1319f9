// Basic blocks of a function graph: the one answer for pictures, analyses, passes and checkers.
//
// A node goes on the block of its only predecessor if it is that one's only successor; the entry
// goes on none. Every other node starts a block: it is the head of one. Predecessors count whether
// they can be reached or not.
#pragma once

#include "form/program.h"

static inline bool continues_block(const Func *func, const Preds *preds, Node node) {
    Node from = preds_sole(preds, node);
    return from.i != NO_ID && func_at(func, from)->succ_count == 1;
}

// For each node the head of its block. Of nodes that go on each other's blocks in a ring, which
// nothing enters, the first is the head. Linear.
uint32_t *block_heads(Arena *arena, const Func *func, const Preds *preds);
