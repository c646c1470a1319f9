// Pass copy_prop: what only copies another register is replaced by it (see docs/pipeline.md).
#pragma once

#include "cert/numbering.h"

Func *copy_prop(Arena *arena, const Func *func, Numbering *hint);
