// The hint of the excursion into Sea of Nodes, from what its passes have written down.
#pragma once

#include "pass/son/son_trail.h"
#include "pass/son/son_work.h"

// The knowledge about a function that no pass has changed since son_build.
SonWork *son_work_unoptimized(Arena *arena, const Func *son);
// All of the hint but `old`, which is there already: the facts about `before` and `after` that the
// checker needs, and no more.
void son_hint(Arena *arena, SonWork *work, const SonTrail *trail, const Func *after,
              ValuesHint *hint);
