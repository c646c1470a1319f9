// The function in Sea of Nodes that a SonWork describes.
#pragma once

#include "pass/son/son_work.h"

// What is needed of the function before: all that has an effect, and what that reads. Memory has no
// versions yet.
Func *son_emit(Arena *arena, SonWork *work);
