// Which item is which where no hint says so: by registers and nodes of the same numbers.
#include "history/history_private.h"

static bool is_same_node(const StepNotes *notes, uint32_t node) {
    return node < notes->before->nodes.count &&
           notes->before->nodes.at[node].kind == notes->after->nodes.at[node].kind;
}

void history_same_names(StepNotes *notes) {
    const FuncItems *then = notes->then_items;
    bool nodes = !has_mach_items(notes->before) && !has_mach_items(notes->after);
    for (uint32_t i = 0; i < notes->items->count; i++) {
        const Item *item = &notes->items->at[i];
        Reg dest = item_dest(notes->after, item);
        if (notes->then[i] != NO_ID) continue;
        if (item->kind == ITEM_MACH) {
            if (!nodes && item->index < then->count) history_same(notes, i, item->index);
            continue;
        }
        uint32_t by_reg = dest.i < notes->before->regs.count ? then->of_reg[dest.i] : NO_ID;
        if (by_reg != NO_ID)
            history_same(notes, i, by_reg);
        else if (nodes && item->kind == ITEM_INSTR && is_same_node(notes, item->node))
            history_same(notes, i, then->of_node[item->node]);
    }
}
