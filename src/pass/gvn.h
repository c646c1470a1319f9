// Pass gvn: global value numbering (see docs/pipeline.md).
#pragma once

#include "cert/numbering.h"

Func *gvn(Arena *arena, const Func *func, Numbering *hint);
