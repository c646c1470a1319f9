// What the passes on RTL, and the way into SSA, have done.
#include "history/history_private.h"

void history_split_slots(StepNotes *notes, const SplitHint *hint) {
    (void)hint;
    history_same_names(notes);
}

// Nodes stay what they are.
void history_ssa_build(StepNotes *notes, const SsaHint *hint) {
    (void)hint;
    for (uint32_t i = 0; i < notes->items->count; i++)
        if (notes->items->at[i].kind == ITEM_INSTR)
            history_same(notes, i, notes->then_items->of_node[notes->items->at[i].node]);
}
