// Which item is which where no hint says so: by registers and nodes of the same numbers.
#include "history/history_private.h"

// Passes that number registers anew give them other names; versions come and go.
static bool is_same_name(const StepNotes *notes, Reg then, Reg now) {
    if (then.i >= notes->before->regs.count || now.i >= notes->after->regs.count)
        return then.i == NO_ID && now.i == NO_ID;
    const RegInfo *was = &notes->before->regs.at[then.i], *is = &notes->after->regs.at[now.i];
    return was->name.i == is->name.i && was->number == is->number;
}

static bool is_same_node(const StepNotes *notes, uint32_t node) {
    if (node >= notes->before->nodes.count) return false;
    const Instr *then = &notes->before->nodes.at[node], *now = &notes->after->nodes.at[node];
    return then->kind == now->kind && is_same_name(notes, then->dest, now->dest);
}

void history_same_names(StepNotes *notes) {
    const FuncItems *then = notes->then_items;
    bool nodes = !has_mach_items(notes->before) && !has_mach_items(notes->after);
    bool codes = has_mach_items(notes->before) && has_mach_items(notes->after);
    for (uint32_t i = 0; i < notes->items->count; i++) {
        const Item *item = &notes->items->at[i];
        Reg dest = item_dest(notes->after, item);
        if (notes->then[i] != NO_ID) continue;
        if (item->kind == ITEM_MACH) {
            if (codes && item->index < then->count) history_same(notes, i, item->index);
            continue;
        }
        bool there = dest.i < notes->before->regs.count && is_same_name(notes, dest, dest);
        uint32_t by_reg = there ? then->of_reg[dest.i] : NO_ID;
        if (by_reg != NO_ID)
            history_same(notes, i, by_reg);
        else if (nodes && item->kind == ITEM_INSTR && is_same_node(notes, item->node))
            history_same(notes, i, then->of_node[item->node]);
    }
}
