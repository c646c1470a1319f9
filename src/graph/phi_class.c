// A union-find forest over registers in which the least register of a tree is its root.
#include "graph/phi_class.h"

#include "form/gsa.h"

static uint32_t find(uint32_t *parent, uint32_t reg) {
    while (parent[reg] != reg) {
        parent[reg] = parent[parent[reg]];
        reg = parent[reg];
    }
    return reg;
}

static void unite(uint32_t *parent, uint32_t count, Reg a, Reg b) {
    if (a.i >= count || b.i >= count) return;
    uint32_t x = find(parent, a.i), y = find(parent, b.i);
    if (x < y)
        parent[y] = x;
    else
        parent[x] = y;
}

// A mu, a gamma or an eta ties its registers as a phi does.
static void unite_gated(uint32_t *parent, const Func *func) {
    const Gsa *gsa = func->gsa;
    for (uint32_t i = 0; i < gsa->merges.count; i++) {
        const Merge *merge = &gsa->merges.at[i];
        for (uint32_t k = 0; k < merge->arg_count; k++)
            unite(parent, func->regs.count, merge->dest, merge_args(func, merge)[k].reg);
    }
    for (uint32_t i = 0; i < gsa->etas.count; i++)
        unite(parent, func->regs.count, gsa->etas.at[i].dest, gsa->etas.at[i].source);
}

uint32_t *phi_classes(Arena *arena, const Func *func, const Preds *preds) {
    uint32_t count = func->regs.count;
    uint32_t *parent = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) parent[i] = i;
    if (func->gsa) unite_gated(parent, func);
    for (uint32_t n = 0; n < func->nodes.count && func->phis.count; n++) {
        const Phi *phis = func_phis(func, (Node){n});
        for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++)
            for (uint32_t k = 0; k < preds_count(preds, (Node){n}); k++)
                unite(parent, count, phis[i].dest, phi_args(func, &phis[i])[k]);
    }
    for (uint32_t i = 0; i < count; i++) parent[i] = find(parent, i);
    return parent;
}
