#include "pipeline/transforms.h"

#include "pass/pass.h"

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
