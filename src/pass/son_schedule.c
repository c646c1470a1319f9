// The way out of Sea of Nodes, as long as nothing is changed there: every operator goes back to where it was.
#include "pass/pass.h"
#include "pass/son_trail.h"

Func *son_schedule(Arena *arena, const Func *func, SonHint *hint) {
    (void)hint;
    return func->son->trail ? func_clone(func->son->trail->before, arena) : NULL;
}
