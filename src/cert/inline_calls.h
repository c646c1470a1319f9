// The hint of the pass inline_calls: which calls were replaced. All the rest follows from that, as
// check_inline_calls.c describes.
#pragma once

#include "form/program.h"

typedef struct {
    VEC(Node) sites; // in the order of their copies
} InlineHint;
