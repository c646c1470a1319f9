// Pass lvn: local value numbering, a baseline to measure gvn against (see docs/pipeline.md).
#pragma once

#include "cert/numbering.h"

Func *lvn(Arena *arena, const Func *func, Numbering *hint);
