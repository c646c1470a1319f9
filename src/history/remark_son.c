// Remarks on the passes inside of the excursion into Sea of Nodes. These passes have no hints; the
// history only knows how the functions came from the function at the start of the excursion. The
// way out gives the reasons (inside.c).
#include "history/history_private.h"
#include "pass/son/son_trail.h"

// The node of the function at the start that a node is; NO_ID if it is none.
static uint32_t start_of(const Func *func, uint32_t node) {
    if (!func->son) return node;
    const SonTrail *trail = func->son->trail;
    return trail && node < trail->old.count ? trail->old.at[node].i : NO_ID;
}

// Nodes are the same if they are the same one of the start. What a node did that floats now is not
// the nop that is left of it.
static void same_nodes(StepNotes *notes) {
    const Func *given = notes->report->given, *after = notes->report->after;
    Map of_start = {0};
    for (uint32_t n = 0; n < given->nodes.count; n++)
        if (start_of(given, n) != NO_ID) map_set(notes->scratch, &of_start, start_of(given, n), n);
    for (uint32_t n = 0; n < after->nodes.count; n++) {
        uint32_t start = start_of(after, n);
        uint32_t old = start == NO_ID ? HASH_NONE : map_get(&of_start, start);
        if (old != HASH_NONE && given->nodes.at[old].kind == after->nodes.at[n].kind)
            history_same(notes, notes->items->of_node[n], notes->then_items->of_node[old]);
    }
}

// A memory phi by its join and class.
static uint64_t memory_key(const Func *func, const Item *item) {
    const MemoryPhi *phi = &func->son->memory_phis.at[item->index];
    uint32_t start = start_of(func, item->node), object = 0;
    if (phi->memory && phi->memory <= func->son->classes.count) {
        MemoryClass row = func->son->classes.at[phi->memory - 1];
        object = (row.ref << 1 | row.is_slot) + 1;
    }
    return (uint64_t)start << 32 | object;
}

static void same_memory_phis(StepNotes *notes) {
    const Func *given = notes->report->given, *after = notes->report->after;
    Map of_key = {0};
    for (uint32_t i = 0; i < notes->then_items->count; i++)
        if (notes->then_items->at[i].kind == ITEM_MEMORY_PHI)
            map_set(notes->scratch, &of_key, memory_key(given, &notes->then_items->at[i]), i);
    for (uint32_t i = 0; i < notes->items->count; i++) {
        if (notes->items->at[i].kind != ITEM_MEMORY_PHI) continue;
        uint32_t old = map_get(&of_key, memory_key(after, &notes->items->at[i]));
        if (old != HASH_NONE)
            history_same(notes, i, old);
        else
            history_remark(notes, REMARK_ADDED, NO_ID, i, NO_ID, "versions of memory meet here");
    }
}

// What operators that begin to float have found out by being alike.
static void remark_leaders(StepNotes *notes) {
    const SonTrail *trail = notes->report->after->son->trail;
    Bits there = bits_new(notes->scratch, notes->then_items->count);
    for (uint32_t i = 0; i < notes->items->count; i++)
        if (notes->then[i] != NO_ID) bits_add(&there, notes->then[i]);
    for (uint32_t i = 0; i < notes->then_items->count; i++) {
        Reg dest = item_dest(notes->before, &notes->then_items->at[i]);
        if (bits_has(&there, i) || !trail || dest.i >= trail->leader.count) continue;
        Reg leader = trail->leader.at[dest.i];
        const Instr *instr = item_instr(notes->before, &notes->then_items->at[i]);
        if (leader.i == dest.i || leader.i >= notes->before->regs.count || !instr) continue;
        bool move = instr->kind == I_OP && op_is_move((Op)instr->op);
        history_remark(notes, REMARK_MERGED, i, NO_ID, notes->then_items->of_reg[leader.i],
                       move ? "a copy of %s" : "the same operator of the same operands as %s",
                       history_reg(notes, notes->before, leader));
    }
}

// Registers stay what they are.
void history_inner(StepNotes *notes) {
    same_nodes(notes);
    same_memory_phis(notes);
    for (uint32_t i = 0; i < notes->items->count; i++) {
        Reg dest = item_dest(notes->after, &notes->items->at[i]);
        if (notes->then[i] == NO_ID && dest.i < notes->before->regs.count)
            history_same(notes, i, notes->then_items->of_reg[dest.i]);
    }
    if (!notes->report->given->son && notes->report->after->son) remark_leaders(notes);
}
