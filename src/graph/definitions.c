#include "graph/definitions.h"

static void set(Definition *definitions, Reg reg, Definition by) {
    Definition *definition = &definitions[reg.i];
    if (definition->by == SET_BY_NOTHING)
        *definition = by;
    else
        definition->by = SET_BY_SEVERAL;
}

static void set_by_phis(Definition *definitions, const Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++)
        for (uint32_t p = func->phi_at.at[n]; p < func->phi_at.at[n + 1]; p++)
            set(definitions, func->phis.at[p].dest,
                (Definition){.node = {n}, .at = p, .by = SET_BY_PHI});
}

static void set_by_gates(Definition *definitions, const Func *func) {
    const Gsa *gsa = func->gsa;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        for (uint32_t i = 0; i < gsa_eta_count(func, (Node){n}); i++) {
            Definition eta = {.node = {n}, .at = gsa->eta_at.at[n] + i, .by = SET_BY_ETA};
            set(definitions, gsa->etas.at[eta.at].dest, eta);
        }
        for (uint32_t i = 0; i < gsa_merge_count(func, (Node){n}); i++) {
            Definition merge = {.node = {n}, .at = gsa->merge_at.at[n] + i, .by = SET_BY_MERGE};
            set(definitions, gsa->merges.at[merge.at].dest, merge);
        }
    }
}

static void set_by_floating(Definition *definitions, const Func *func) {
    for (uint32_t i = 0; i < func->son->floating.count; i++)
        set(definitions, func->son->floating.at[i].dest,
            (Definition){.node = NO_NODE, .at = i, .by = SET_BY_FLOATING});
}

static const Definition *find_definitions(Arena *arena, const Func *func) {
    Definition *definitions = ARENA_ARRAY(arena, Definition, func->regs.count);
    for (uint32_t r = 0; r < func->regs.count; r++) definitions[r].node = NO_NODE;
    for (uint32_t i = 0; i < func->params.count; i++)
        set(definitions, func->params.at[i], (Definition){.node = NO_NODE, .by = SET_BY_CALLER});
    if (func->phis.count) set_by_phis(definitions, func);
    if (func->gsa) set_by_gates(definitions, func);
    if (func->son) set_by_floating(definitions, func);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Reg dest = func->nodes.at[n].dest;
        if (dest.i != NO_ID) set(definitions, dest, (Definition){.node = {n}, .by = SET_BY_INSTR});
    }
    return definitions;
}

const Definition *definitions_of(Arena *arena, const Func *func) {
    FuncCache *cache = func->cache;
    if (!cache) return find_definitions(arena, func);
    if (!cache->definitions) cache->definitions = find_definitions(func->arena, func);
    return cache->definitions;
}
