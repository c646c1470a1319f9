#include "text/print/son_dominance.h"

#include "fact/son_regions.h"

// What a node defines is defined in its region, and what that dominates.
static void dominate_from(SonDominance *dom, Reg reg, Node node) {
    uint32_t head = dom->region[node.i];
    dom->constant[reg.i] = false;
    dom->from[reg.i] = 1;
    dom->last[reg.i] = 0;
    if (!dominance_reaches(&dom->dominance, (Node){head})) return;
    dom->from[reg.i] = dom->dominance.number[head];
    dom->last[reg.i] = dom->dominance.last[head];
}

// The regions that dominate one are in a row, so that of two phideps one dominates the other's
// region, or nothing is dominated by both.
static void dominate_with(SonDominance *dom, const Instr *instr) {
    uint32_t to = instr->dest.i;
    for (uint32_t k = 0; k < instr->arg_count; k++) {
        uint32_t arg = instr->arg[k].i;
        if (dom->constant[arg]) continue;
        dom->constant[to] = false;
        if (dom->from[to] < dom->from[arg]) dom->from[to] = dom->from[arg];
        if (dom->last[to] > dom->last[arg]) dom->last[to] = dom->last[arg];
    }
}

SonDominance son_dominance_of(Arena *arena, const Func *func) {
    SonDominance dom = {.preds = preds_of(arena, func)};
    uint32_t count = func->regs.count;
    dom.dominance = dominance_of(arena, func, &dom.preds);
    dom.region = son_regions(arena, func, &dom.preds);
    dom.definitions = definitions_of(arena, func);
    dom.from = ARENA_ARRAY(arena, uint32_t, count);
    dom.last = ARENA_ARRAY(arena, uint32_t, count);
    dom.constant = ARENA_ARRAY(arena, bool, count);
    for (uint32_t i = 0; i < count; i++) {
        dom.last[i] = NO_ID;
        dom.constant[i] = true;
        if (dom.definitions[i].node.i != NO_ID)
            dominate_from(&dom, (Reg){i}, dom.definitions[i].node);
    }
    for (uint32_t i = 0; i < func->son->floating.count; i++)
        dominate_with(&dom, &func->son->floating.at[i]);
    return dom;
}
