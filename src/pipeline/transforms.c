#include "pipeline/transforms.h"

#include "check/checkers.h"
#include "pass/excursion_hints.h"
#include "pass/pass.h"
#include "pass/values/values_hint.h"

#include <string.h>

// Each transform with its typed hint, behind the one signature that the pipeline calls.
#define PASS(name, Hint, from, to, sees, ...)                                                      \
    static Func *transform_##name(Arena *arena, const Bodies *bodies, const Func *func,            \
                                  void **hint) {                                                   \
        Hint *typed = ARENA_NEW(arena, Hint);                                                      \
        *hint = typed;                                                                             \
        (void)bodies;                                                                              \
        return name(arena, SEES_##sees(bodies) func, typed);                                       \
    }
// What the pass knows becomes the hint.
#define VALUES(name, Knows, ...)                                                                   \
    static Func *transform_##name(Arena *arena, const Bodies *bodies, const Func *func,            \
                                  void **hint) {                                                   \
        Knows *knows = ARENA_NEW(arena, Knows);                                                    \
        (void)bodies;                                                                              \
        Func *after = name(arena, func, knows);                                                    \
        if (after) *hint = explain_##Knows(arena, func, after, knows);                             \
        return after;                                                                              \
    }
// Inside of an excursion, what a pass says is of use to the way out.
#define STEPPED(name, Hint, ...)                                                                   \
    static Func *transform_##name(Arena *arena, const Bodies *bodies, const Func *func,            \
                                  void **hint) {                                                   \
        Hint *typed = ARENA_NEW(arena, Hint);                                                      \
        *hint = typed;                                                                             \
        (void)bodies;                                                                              \
        Func *after = name(arena, func, typed);                                                    \
        return after ? trail_add(after, PASS_##name, func, typed) : NULL;                          \
    }
#define INNER(name, ...)                                                                           \
    static Func *transform_##name(Arena *arena, const Bodies *bodies, const Func *func,            \
                                  void **hint) {                                                   \
        (void)bodies, (void)hint;                                                                  \
        return name(arena, func);                                                                  \
    }
#include "check/passes.def"

PassTransform *const transform_table[PASS_COUNT] = {
#define PASS(name, ...)  [PASS_##name] = transform_##name,
#define INNER(name, ...) [PASS_##name] = transform_##name,
#include "check/passes.def"
};

#define ASIDE(name, ...)                                                                           \
    static Func *aside_##name(Arena *arena, const Func *func, const AsideOptions *options,         \
                              void **hint) {                                                       \
        (void)options, (void)hint;                                                                 \
        return name(arena, func);                                                                  \
    }
#define CHECKED_ASIDE(name, Hint, ...)                                                             \
    static Func *aside_##name(Arena *arena, const Func *func, const AsideOptions *options,         \
                              void **hint) {                                                       \
        return name(arena, func, options, *hint = ARENA_NEW(arena, Hint));                         \
    }                                                                                              \
    static Verdict aside_check_##name(Arena *arena, const Func *before, const Func *after,         \
                                      const void *hint) {                                          \
        return check_##name(arena, before, after, hint);                                           \
    }
#include "check/passes.def"

const AsideInfo aside_table[] = {
#define ASIDE(id, source, target, m)                                                               \
    {.name = #id,                                                                                  \
     .meaning = m,                                                                                 \
     .from = FORM_##source,                                                                        \
     .to = FORM_##target,                                                                          \
     .transform = aside_##id},
#define CHECKED_ASIDE(id, Hint, source, target, m)                                                 \
    {.name = #id,                                                                                  \
     .meaning = m,                                                                                 \
     .from = FORM_##source,                                                                        \
     .to = FORM_##target,                                                                          \
     .transform = aside_##id,                                                                      \
     .check = aside_check_##id},
#include "check/passes.def"
};
const uint32_t aside_count = sizeof aside_table / sizeof aside_table[0];

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
