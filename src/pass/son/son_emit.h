// The function in Sea of Nodes that a SonWork describes.
#pragma once

#include "pass/son/son_work.h"

// The needed part of the old function: all instructions that have an effect, and the values that
// they read. Memory has no versions yet.
Func *son_emit(Arena *arena, SonWork *work);
