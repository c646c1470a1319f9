// Basic blocks of a function graph. Pictures, analyses, passes and checkers all use this
// definition.
//
// A node continues the block of its predecessor if it has one predecessor and that predecessor has
// one successor. The entry continues no block. Every other node is the head of a block. Unreachable
// predecessors count, too.
#pragma once

#include "form/program.h"

static inline bool continues_block(const Func *func, const Preds *preds, Node node) {
    Node from = preds_sole(preds, node);
    return from.i != NO_ID && func_at(func, from)->succ_count == 1;
}

// For each node the head of its block. Of nodes that go on each other's blocks in a ring, which
// nothing enters, the first is the head. Linear.
uint32_t *block_heads(Arena *arena, const Func *func, const Preds *preds);
