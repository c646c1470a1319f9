// The checker of schedule.
#include "check/checkers.h"

Verdict check_schedule(Arena *arena, const Func *before, const Func *after,
                       const ScheduleHint *hint) {
    (void)before, (void)after, (void)hint;
    return verdict_rejected(arena, NO_SITE, "not yet");
}
