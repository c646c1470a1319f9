// Remarks on widen, which has a hint of its own.
#include "history/history_private.h"

// The branches by which a phi stays within its range: ": the branch at node 3, on its way to node
// 4, bounds it".
static const char *bounds_of(const StepNotes *notes, const WidenHint *hint, Reg phi) {
    const Func *before = notes->before;
    const char *text = "";
    BranchEdge last = {NO_NODE, 0};
    for (uint32_t i = 0; i < hint->reasons.count; i++) {
        BranchEdge edge = hint->reasons.at[i].edge;
        if (hint->reasons.at[i].phi.i != phi.i || edge.branch.i >= before->nodes.count) continue;
        const Instr *branch = func_at(before, edge.branch);
        bool again = edge.branch.i == last.branch.i && edge.way == last.way;
        if (again || edge.way >= branch->succ_count) continue;
        last = edge;
        text = arena_printf(notes->scratch, "%s%sthe branch at %s, on its way to %s, bounds it",
                            text, *text ? ", and " : ": ", history_node(notes, before, edge.branch),
                            history_node(notes, before, instr_succs(before, branch)[edge.way]));
    }
    return text;
}

// The counter that a register is, or is counted from.
static Reg counter_of(const StepNotes *notes, Reg narrow) {
    uint32_t item = notes->then_items->of_reg[narrow.i];
    const Instr *was =
        item == NO_ID ? NULL : item_instr(notes->before, &notes->then_items->at[item]);
    return was && was->arg_count ? instr_args(notes->before, was)[0] : narrow;
}

static void remark_wide(StepNotes *notes, const WidenHint *hint, uint32_t item, Reg narrow) {
    if (narrow.i >= notes->before->regs.count) {
        history_remark(notes, REMARK_ADDED, NO_ID, item, NO_ID, "a register in 64 bits");
        return;
    }
    uint32_t other = notes->then_items->of_reg[narrow.i];
    const char *name = history_reg(notes, notes->before, narrow);
    const Instr *is = item_instr(notes->after, &notes->items->at[item]);
    if (!is || is->arg_count > 1 || is->immediate)
        history_remark(notes, REMARK_ADDED, NO_ID, item, other,
                       "%s counted in 64 bits: it never goes over the edge%s", name,
                       bounds_of(notes, hint, counter_of(notes, narrow)));
    else
        history_remark(notes, REMARK_ADDED, NO_ID, item, other, "%s extended to 64 bits", name);
}

void history_widen(StepNotes *notes, const WidenHint *hint) {
    uint32_t first = notes->before->regs.count;
    for (uint32_t n = 0; n < notes->after->nodes.count && n < hint->old.count; n++) {
        uint32_t old = hint->old.at[n].i, item = notes->items->of_node[n];
        if (old >= notes->before->nodes.count) continue;
        const Instr *was = &notes->before->nodes.at[old], *is = &notes->after->nodes.at[n];
        uint32_t then = notes->then_items->of_node[old];
        history_same(notes, item, then);
        if (was->op != is->op)
            history_remark(notes, REMARK_REPLACED, then, item, NO_ID,
                           "on registers of 64 bits, which hold the extensions");
    }
    for (uint32_t i = 0; i < notes->items->count; i++) {
        Reg dest = item_dest(notes->after, &notes->items->at[i]);
        if (notes->then[i] == NO_ID && dest.i < first)
            history_same(notes, i, notes->then_items->of_reg[dest.i]);
        else if (notes->then[i] == NO_ID && dest.i != NO_ID && dest.i - first < hint->narrow.count)
            remark_wide(notes, hint, i, hint->narrow.at[dest.i - first]);
    }
    history_establish(notes,
                      "%u register%s of 64 bits hold%s the extension%s of i32, by %u reason%s why "
                      "counting does not go over the edge",
                      hint->narrow.count, hint->narrow.count == 1 ? "" : "s",
                      hint->narrow.count == 1 ? "s" : "", hint->narrow.count == 1 ? "" : "s",
                      hint->reasons.count, hint->reasons.count == 1 ? "" : "s");
}
