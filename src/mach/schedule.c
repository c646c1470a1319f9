// The order of machine instructions inside of blocks.
#include "pass/pass.h"

Func *schedule(Arena *arena, const Func *func, ScheduleHint *hint) {
    (void)arena, (void)func, (void)hint;
    return NULL;
}
