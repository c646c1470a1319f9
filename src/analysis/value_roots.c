#include "analysis/value_roots.h"

#include <string.h>

static uint32_t *table(Arena *arena, uint32_t count) {
    uint32_t *result = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
    memset(result, 0xff, sizeof *result * ((size_t)count + 1));
    return result;
}

static void find_roots(ValueRoots *roots, uint32_t count) {
    const ValueStep *steps = roots->hint->steps.at;
    for (uint32_t v = 0; v < count; v++) {
        uint32_t at = v, length = 0;
        while (roots->step[at] != NO_ID && roots->root[at] == NO_ID && length++ < count)
            at = steps[roots->step[at]].to;
        uint32_t root = roots->root[at] == NO_ID ? at : roots->root[at];
        for (at = v; roots->root[at] == NO_ID && at != root; at = steps[roots->step[at]].to)
            roots->root[at] = root;
        roots->root[root] = root;
    }
}

ValueRoots value_roots_of(Arena *arena, const Func *before, const ValuesHint *hint) {
    uint32_t count = hint->values.count;
    ValueRoots roots = {.hint = hint,
                        .root = table(arena, count),
                        .itself = table(arena, before->regs.count),
                        .step = table(arena, count)};
    for (uint32_t i = 0; i < hint->steps.count; i++) {
        const ValueStep *step = &hint->steps.at[i];
        if (step->from < count && step->to < count) roots.step[step->from] = i;
    }
    find_roots(&roots, count);
    for (uint32_t v = 0; v < count; v++) {
        const HintValue *it = &hint->values.at[v];
        if (it->kind == VALUE_OLD && it->ref < before->regs.count) roots.itself[it->ref] = v;
    }
    return roots;
}
