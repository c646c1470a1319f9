// Weighs bodies against their calls: nodes against arguments.
#pragma once

#include "pass/pass.h"

// The nodes of a body that make code.
uint32_t inline_size(const Func *body);

// Weighs calls in one function.
typedef struct InlineWeights InlineWeights;
InlineWeights *inline_weights(Arena *arena, const Func *func);

// The most nodes of a body that is hardly larger than its call, which is worth copying wherever the
// call is.
uint32_t inline_limit(InlineWeights *weights, const Instr *call, const Func *body);
