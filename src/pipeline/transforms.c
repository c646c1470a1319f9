#include "pipeline/transforms.h"

#include "mach/allocate.h"
#include "pass/close_loops.h"
#include "pass/copy_prop.h"
#include "pass/correlate.h"
#include "pass/dead_code.h"
#include "pass/forward.h"
#include "pass/gate_simplify.h"
#include "pass/gated_gvn.h"
#include "pass/gsa_build.h"
#include "pass/gsa_destruct.h"
#include "pass/gvn.h"
#include "pass/hoist.h"
#include "pass/if_convert.h"
#include "pass/inline_calls.h"
#include "pass/invert_loops.h"
#include "pass/lvn.h"
#include "pass/normalize.h"
#include "pass/rewrite.h"
#include "pass/sccp.h"
#include "pass/split_slots.h"
#include "pass/ssa_build.h"
#include "pass/ssa_destruct.h"
#include "pass/straighten.h"
#include "pass/tidy.h"
#include "pass/widen.h"
#include "target/x64/code/select_code.h"

#include <string.h>

// Each transform with its typed hint, behind the one signature that the pipeline calls.
#define PASS(name, Hint, from, to, needs, gives, keeps, meaning)                                   \
    static Func *transform_##name(Arena *arena, const Func *func, void **hint) {                   \
        Hint *typed = ARENA_NEW(arena, Hint);                                                      \
        *hint = typed;                                                                             \
        return name(arena, func, typed);                                                           \
    }
#include "pipeline/passes.def"

PassTransform *const transform_table[PASS_COUNT] = {
#define PASS(name, Hint, from, to, needs, gives, keeps, meaning) [PASS_##name] = transform_##name,
#include "pipeline/passes.def"
};

// ---- Plain transforms

static Func *transform_select_code_plain(Arena *arena, const Func *func, void **hint) {
    return select_code_plain(arena, func, *hint = ARENA_NEW(arena, SelectHint));
}

static Func *transform_allocate_plain(Arena *arena, const Func *func, void **hint) {
    return allocate_plain(arena, func, *hint = ARENA_NEW(arena, AllocateHint));
}

PassTransform *const plain_transform_table[PASS_COUNT] = {
    [PASS_select_code] = transform_select_code_plain,
    [PASS_allocate] = transform_allocate_plain,
};

void transform_select_plain(PassTransform **table) {
    for (PassId pass = 0; pass < PASS_COUNT; pass++)
        if (plain_transform_table[pass]) table[pass] = plain_transform_table[pass];
}

// ---- Flavours of SSA

static Func *transform_minimal(Arena *arena, const Func *func, void **hint) {
    return ssa_build_minimal(arena, func, *hint = ARENA_NEW(arena, SsaHint));
}

static Func *transform_semi_pruned(Arena *arena, const Func *func, void **hint) {
    return ssa_build_semi_pruned(arena, func, *hint = ARENA_NEW(arena, SsaHint));
}

bool transform_select_ssa(PassTransform **table, const char *flavour) {
    static const struct {
        const char *name;
        PassTransform *transform;
    } flavours[] = {{"minimal", transform_minimal},
                    {"semi-pruned", transform_semi_pruned},
                    {"pruned", transform_ssa_build}};
    for (size_t i = 0; i < sizeof flavours / sizeof flavours[0]; i++)
        if (strcmp(flavours[i].name, flavour) == 0) {
            table[PASS_ssa_build] = flavours[i].transform;
            return true;
        }
    return false;
}
