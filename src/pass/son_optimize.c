// Sea of Nodes: there is nothing to do yet.
#include "pass/pass.h"

Func *son_optimize(Arena *arena, const Func *func) {
    (void)arena, (void)func;
    return NULL;
}
