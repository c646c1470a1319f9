// What passes have done whose hints are values.
#include "history/history_private.h"

void history_values(StepNotes *notes, const ValuesHint *hint) {
    for (uint32_t n = 0; n < hint->old.count && n < notes->after->nodes.count; n++)
        if (hint->old.at[n].i < notes->before->nodes.count)
            history_same(notes, notes->items->of_node[n],
                         notes->then_items->of_node[hint->old.at[n].i]);
    history_same_names(notes);
}
