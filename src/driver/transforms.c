#include "driver/transforms.h"

#include "pass/dead_code.h"
#include "pass/normalize.h"
#include "pass/sccp.h"
#include "pass/ssa_build.h"
#include "pass/ssa_destruct.h"
#include "pass/tidy.h"

// Each transform with its typed hint, behind the one signature that the pipeline calls.
#define PASS(name, Hint, from, to, needs, gives, keeps, meaning)                                   \
    static Func *transform_##name(Arena *arena, const Func *func, void **hint) {                   \
        Hint *typed = ARENA_NEW(arena, Hint);                                                      \
        *hint = typed;                                                                             \
        return name(arena, func, typed);                                                           \
    }
#include "driver/passes.def"

PassTransform *const transform_table[PASS_COUNT] = {
#define PASS(name, Hint, from, to, needs, gives, keeps, meaning) [PASS_##name] = transform_##name,
#include "driver/passes.def"
};
