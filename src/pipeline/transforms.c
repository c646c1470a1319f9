#include "pipeline/transforms.h"

#include "pass/excursion_hints.h"
#include "pass/pass.h"
#include "pass/values/values_hint.h"

#include <string.h>

// Each transform with its typed hint, behind the one signature that the pipeline calls.
#define PASS(name, from, to, kernel, Hint, sees, ...)                                              \
    static Func *transform_##name(Arena *arena, const Bodies *bodies, const Func *func,            \
                                  void **hint) {                                                   \
        (void)bodies, (void)hint;                                                                  \
        BY_##kernel(name, Hint, SEES_##sees(bodies))                                               \
    }
#define BY_OWN(name, Hint, ...)                                                                    \
    Hint *typed = ARENA_NEW(arena, Hint);                                                          \
    *hint = typed;                                                                                 \
    return name(arena, __VA_ARGS__ func, typed);
#define BY_COPIES(name, Hint, ...) BY_OWN(name, Hint, __VA_ARGS__)
// What the pass knows becomes the hint.
#define BY_VALUES(name, Knows, ...)                                                                \
    Knows *knows = ARENA_NEW(arena, Knows);                                                        \
    Func *after = name(arena, func, knows);                                                        \
    if (after) *hint = explain_##Knows(arena, func, after, knows);                                 \
    return after;
// Inside of an excursion, what a pass says is of use to the way out.
#define BY_GATES(name, Hint, ...)                                                                  \
    Hint *typed = ARENA_NEW(arena, Hint);                                                          \
    *hint = typed;                                                                                 \
    Func *after = name(arena, func, typed);                                                        \
    return after ? trail_add(after, PASS_##name, func, typed) : NULL;
#define BY_NONE(name, ...) return name(arena, func);
#include "check/passes.def"

PassTransform *const transform_table[PASS_COUNT] = {
#define PASS(name, ...) [PASS_##name] = transform_##name,
#include "check/passes.def"
};

// The same for a variant of a transform.
#define VARIANT(wrapper, variant, Hint)                                                            \
    static Func *wrapper(Arena *arena, const Bodies *bodies, const Func *func, void **hint) {      \
        (void)bodies;                                                                              \
        return variant(arena, func, *hint = ARENA_NEW(arena, Hint));                               \
    }

// ---- Plain transforms

VARIANT(transform_select_code_plain, select_code_plain, SelectHint)
VARIANT(transform_allocate_plain, allocate_plain, AllocateHint)

PassTransform *const plain_transform_table[PASS_COUNT] = {
    [PASS_select_code] = transform_select_code_plain,
    [PASS_allocate] = transform_allocate_plain,
};

void transform_select_plain(PassTransform **table) {
    for (PassId pass = 0; pass < PASS_COUNT; pass++)
        if (plain_transform_table[pass]) table[pass] = plain_transform_table[pass];
}

// ---- Excursions that nobody looks into

#define INNER_VARIANT(wrapper, variant)                                                            \
    static Func *wrapper(Arena *arena, const Bodies *bodies, const Func *func, void **hint) {      \
        (void)bodies, (void)hint;                                                                  \
        return variant(arena, func);                                                               \
    }

INNER_VARIANT(transform_son_build_bare, son_build_bare)
INNER_VARIANT(transform_son_optimize_bare, son_optimize_bare)

void transform_select_bare(PassTransform **table) {
    table[PASS_son_build] = transform_son_build_bare;
    table[PASS_son_optimize] = transform_son_optimize_bare;
}

// ---- For a person at a debugger

INNER_VARIANT(transform_son_optimize_faithful, son_optimize_faithful)

void transform_select_faithful(PassTransform **table) {
    table[PASS_son_optimize] = transform_son_optimize_faithful;
}

// ---- Flavours of SSA

VARIANT(transform_minimal, ssa_build_minimal, SsaHint)
VARIANT(transform_semi_pruned, ssa_build_semi_pruned, SsaHint)

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
