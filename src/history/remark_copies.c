// What passes have done that copy, drop and insert nodes without changing values.
#include "history/history_private.h"

static bool is_performed(const StepNotes *notes, uint32_t node, uint32_t old) {
    const Instr *now = &notes->after->nodes.at[node];
    if (old >= notes->before->nodes.count) return false;
    const Instr *then = &notes->before->nodes.at[old];
    return now->kind == then->kind && now->op == then->op;
}

static void same_nodes(StepNotes *notes, const CopiesHint *hint) {
    for (uint32_t i = 0; i < notes->items->count; i++) {
        const Item *item = &notes->items->at[i];
        Reg dest = item_dest(notes->after, item);
        if (item->kind == ITEM_PHI && dest.i < notes->before->regs.count)
            history_same(notes, i, notes->then_items->of_reg[dest.i]);
        if (item->kind != ITEM_INSTR) continue;
        bool own = item->node >= hint->copy.count || hint->copy.at[item->node] == 0;
        uint32_t old = item->node < hint->old.count ? hint->old.at[item->node].i : item->node;
        if (own && is_performed(notes, item->node, old))
            history_same(notes, i, notes->then_items->of_node[old]);
    }
}

#define COPIES(name, ...)                                                                          \
    void history_##name(StepNotes *notes, const CopiesHint *hint) {                                \
        same_nodes(notes, hint);                                                                   \
    }
#include "pipeline/passes.def"
