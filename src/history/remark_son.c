// What the passes inside of the excursion into Sea of Nodes have done. They have no hints; what is known is how the functions came from
// the one at which the excursion started.
#include "history/history_private.h"
#include "pass/son_trail.h"

// The item of the function before that has the same node of the function at the start.
static void same_nodes(StepNotes *notes) {
    const Func *given = notes->report->given, *after = notes->report->after;
    const SonTrail *now = after->son ? after->son->trail : NULL;
    const SonTrail *then = given->son ? given->son->trail : NULL;
    if (!now || (given->son && !then)) return;
    uint32_t starts = now->before->nodes.count;
    uint32_t *of_start = history_table(notes->scratch, starts);
    for (uint32_t n = 0; n < given->nodes.count; n++) {
        uint32_t start = then ? then->old.at[n].i : n;
        if (start < starts) of_start[start] = notes->then_items->of_node[n];
    }
    for (uint32_t n = 0; n < after->nodes.count && n < now->old.count; n++)
        if (now->old.at[n].i < starts)
            history_same(notes, notes->items->of_node[n], of_start[now->old.at[n].i]);
}

// Registers stay what they are, and memory phis what their joins are.
static void look(StepNotes *notes) {
    same_nodes(notes);
    for (uint32_t i = 0; i < notes->items->count; i++) {
        Reg dest = item_dest(notes->after, &notes->items->at[i]);
        if (notes->then[i] == NO_ID && dest.i < notes->before->regs.count)
            history_same(notes, i, notes->then_items->of_reg[dest.i]);
    }
}

#define INNER(name, ...)                                                                           \
    void history_##name(StepNotes *notes) {                                                        \
        look(notes);                                                                               \
    }
#include "pipeline/passes.def"
