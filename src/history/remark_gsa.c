// Remarks on the passes into gated SSA, on gated SSA, and back. Most of these passes keep the
// numbers of nodes and registers; changes of gates are read off the predicates themselves.
#include "graph/definitions.h"
#include "graph/loop_nest.h"
#include "history/history_private.h"
#include "text/print/gsa_print.h"

static const char *taken(StepNotes *notes, Out *out) {
    const char *text = arena_text(notes->scratch, out->text, out->length);
    out_free(out);
    return text;
}

static const char *reg_before(StepNotes *notes, Reg reg) {
    return history_reg(notes, notes->before, reg);
}
static const char *reg_after(StepNotes *notes, Reg reg) {
    return history_reg(notes, notes->after, reg);
}
static uint32_t label_before(const StepNotes *notes, uint32_t node) {
    return func_label(notes->before, (Node){node});
}
static uint32_t label_after(const StepNotes *notes, uint32_t node) {
    return func_label(notes->after, (Node){node});
}

// Phis, merges and etas that set the same registers are the same.
static void same_on_entry(StepNotes *notes) {
    for (uint32_t i = 0; i < notes->items->count; i++) {
        const Item *item = &notes->items->at[i];
        uint32_t dest = item_dest(notes->after, item).i;
        if (item->kind == ITEM_INSTR || dest >= notes->before->regs.count) continue;
        history_same(notes, i, notes->then_items->of_reg[dest]);
    }
}

// ---- close_loops

// The header of the innermost loop in which what a copy takes was set; NO_ID if there is none.
static uint32_t loop_left(StepNotes *notes, const LoopNest *nest, const Definition *definitions,
                          const Item *copy) {
    const Instr *instr = &notes->after->nodes.at[copy->node];
    if (instr->arg_count != 1 || !nest->reducible) return NO_ID;
    Node set = definitions[instr->arg[0].i].node;
    return set.i == NO_ID ? NO_ID : nest->loop[set.i].i;
}

void history_close_loops(StepNotes *notes, const CloseLoopsHint *hint) {
    const Func *after = notes->after;
    Preds preds = preds_of(notes->scratch, after);
    Dominance dom = dominance_of(notes->scratch, after, &preds);
    LoopNest nest = loop_nest_of(notes->scratch, after, &preds, &dom);
    const Definition *definitions = definitions_of(notes->scratch, after);
    for (uint32_t n = 0; n < after->nodes.count && n < hint->old.count; n++)
        if (hint->old.at[n].i != NO_ID)
            history_same(notes, notes->items->of_node[n],
                         notes->then_items->of_node[hint->old.at[n].i]);
    same_on_entry(notes);
    for (uint32_t i = 0; i < hint->original.count; i++) {
        Reg original = hint->original.at[i];
        uint32_t it = notes->items->of_reg[notes->before->regs.count + i];
        if (it == NO_ID) continue;
        uint32_t other = notes->then_items->of_reg[original.i];
        const char *name = reg_before(notes, original);
        if (notes->items->at[it].kind == ITEM_PHI) {
            history_remark(notes, REMARK_ADDED, NO_ID, it, other,
                           "phi where copies of %s from several ways out of its loop come together",
                           name);
            continue;
        }
        uint32_t loop = loop_left(notes, &nest, definitions, &notes->items->at[it]);
        if (loop == NO_ID)
            history_remark(notes, REMARK_ADDED, NO_ID, it, other,
                           "copy of %s where it leaves its loop", name);
        else
            history_remark(notes, REMARK_ADDED, NO_ID, it, other,
                           "copy of %s where it leaves the loop at node %u", name,
                           label_after(notes, loop));
    }
}

// ---- gsa_build

static const char *gate_in_words(StepNotes *notes, GateText *text, Gate gate) {
    Out out = {0};
    gate_text_print(&out, text, gate);
    return taken(notes, &out);
}

// Whether one gate is a condition and the other its negation.
static bool are_opposite(const Gsa *gsa, Gate a, Gate b) {
    const GateNode *x = &gsa->gates.at[a.i], *y = &gsa->gates.at[b.i];
    return x->kind == GK_LITERAL && y->kind == GK_LITERAL && x->first == y->first &&
           x->negated != y->negated;
}

// "%a when P, %b when Q"; of many arguments the first few.
static const char *arguments_text(StepNotes *notes, GateText *text, const Merge *gamma) {
    enum { MOST = 4 };
    const MergeArg *args = merge_args(notes->after, gamma);
    uint32_t count = gamma->arg_count;
    Out out = {0};
    bool two = count == 2 && are_opposite(notes->after->gsa, args[0].gate, args[1].gate);
    for (uint32_t k = 0; k < count && k < MOST; k++) {
        if (k) out_text(&out, ", ");
        reg_print(&out, notes->after, args[k].reg);
        out_text(&out, two && k ? " otherwise" : " when ");
        if (!two || !k) gate_text_print(&out, text, args[k].gate);
    }
    if (count > MOST) out_printf(&out, ", and %u more", count - MOST);
    return taken(notes, &out);
}

static void remark_merge(StepNotes *notes, GateText *text, uint32_t it) {
    const Merge *merge = &notes->after->gsa->merges.at[notes->items->at[it].index];
    const MergeArg *args = merge_args(notes->after, merge);
    uint32_t then = notes->then[it];
    if (merge->kind == MERGE_GAMMA)
        history_remark(notes, REMARK_FORM, then, it, NO_ID, "phi becomes a gamma: %s",
                       arguments_text(notes, text, merge));
    else
        history_remark(notes, REMARK_FORM, then, it, NO_ID,
                       "phi becomes a mu: %s on entering the loop, %s in each further round",
                       reg_after(notes, args[0].reg), reg_after(notes, args[1].reg));
}

void history_gsa_build(StepNotes *notes, const GsaBuildHint *hint) {
    (void)hint;
    GateText *text = gate_text_new(notes->scratch, notes->after, NULL, 0);
    history_same_names(notes);
    for (uint32_t i = 0; i < notes->items->count; i++) {
        const Item *item = &notes->items->at[i];
        if (item->kind == ITEM_MERGE) remark_merge(notes, text, i);
        if (item->kind != ITEM_ETA) continue;
        const Eta *eta = &notes->after->gsa->etas.at[item->index];
        history_remark(notes, REMARK_FORM, notes->then[i], i, NO_ID,
                       "copy becomes an eta: %s leaves its loop when %s",
                       reg_after(notes, eta->source), gate_in_words(notes, text, eta->gate));
    }
}

// ---- gated_gvn

// Why a register of before has the value of another, which is there.
static void remark_equal(StepNotes *notes, const Definition *then, uint32_t reg, uint32_t kept) {
    uint32_t gone = notes->then_items->of_reg[reg], other = notes->then_items->of_reg[kept];
    uint32_t now = notes->items->of_reg[kept];
    const char *name = reg_before(notes, (Reg){kept});
    bool gamma = then[reg].by == SET_BY_MERGE;
    if (gamma && then[kept].by == SET_BY_MERGE && then[kept].node.i != then[reg].node.i)
        history_remark(notes, REMARK_MERGED, gone, now, other,
                       "equal to %s of node %u, which dominates: the same gates choose from equal "
                       "arguments",
                       name, label_before(notes, then[kept].node.i));
    else if (gamma)
        history_remark(notes, REMARK_MERGED, gone, now, other, "its arguments are all equal to %s",
                       name);
    else if (then[kept].node.i == NO_ID)
        history_remark(notes, REMARK_MERGED, gone, now, other, "equal to %s", name);
    else
        history_remark(notes, REMARK_MERGED, gone, now, other,
                       "equal to %s, computed at node %u, which dominates", name,
                       label_before(notes, then[kept].node.i));
}

// Of registers that are equal one has taken the place of the others: the first that is still set.
void history_gated_gvn(StepNotes *notes, const GatedGvnHint *hint) {
    uint32_t count = notes->before->regs.count;
    const Numbering *numbering = &hint->numbering;
    const Definition *then = definitions_of(notes->scratch, notes->before);
    const Definition *now = definitions_of(notes->scratch, notes->after);
    uint32_t *kept = history_table(notes->scratch, count);
    history_same_names(notes);
    for (uint32_t r = 0; r < count && r < numbering->leader.count; r++)
        if (now[r].by != SET_BY_NOTHING && kept[numbering->leader.at[r].i] == NO_ID)
            kept[numbering->leader.at[r].i] = r;
    for (uint32_t r = 0; r < count && r < numbering->leader.count; r++) {
        bool gone = then[r].by != SET_BY_NOTHING && now[r].by == SET_BY_NOTHING;
        if (!gone || notes->then_items->of_reg[r] == NO_ID) continue;
        uint32_t other = kept[numbering->leader.at[r].i];
        if (other == NO_ID)
            history_remark(notes, REMARK_REMOVED, notes->then_items->of_reg[r], NO_ID, NO_ID,
                           "nothing reads it any more");
        else
            remark_equal(notes, then, r, other);
    }
}

// ---- if_convert

static void remark_added(StepNotes *notes, const IfConvertHint *hint,
                         const IfConversion *conversion, uint32_t node) {
    uint32_t it = notes->items->of_node[node], dest = notes->after->nodes.at[node].dest.i;
    uint32_t regs = notes->before->regs.count;
    uint32_t branch = notes->then_items->of_node[conversion->branch.i];
    uint32_t branch_label = label_before(notes, conversion->branch.i);
    uint32_t join_label = label_before(notes, conversion->join.i);
    if (dest < regs) {
        uint32_t gamma = notes->then_items->of_reg[dest];
        history_same(notes, it, gamma);
        history_remark(notes, REMARK_REPLACED, gamma, it, branch,
                       "select instead of the branch at node %u: both ways to node %u are short, "
                       "and nothing on them can go wrong",
                       branch_label, join_label);
        return;
    }
    Reg copied = dest - regs < hint->copy_of.count ? hint->copy_of.at[dest - regs] : NO_REG;
    if (copied.i == NO_ID) {
        history_remark(notes, REMARK_ADDED, NO_ID, it, branch,
                       "the condition of the branch at node %u, for the selects of node %u",
                       branch_label, join_label);
        return;
    }
    uint32_t from = notes->then_items->of_reg[copied.i];
    history_part(notes, it, from);
    history_remark(notes, REMARK_COPIED, from, it, branch,
                   "done whichever way the branch at node %u goes, for the selects of node %u",
                   branch_label, join_label);
}

// A join has a nop, what was added behind it, then its instruction.
void history_if_convert(StepNotes *notes, const IfConvertHint *hint) {
    uint32_t next = 0, at = 0, count = notes->after->nodes.count;
    for (uint32_t n = 0; n < notes->before->nodes.count && next < count; n++) {
        if (at < hint->conversions.count && hint->conversions.at[at].join.i == n) {
            const IfConversion *conversion = &hint->conversions.at[at++];
            next++;
            for (uint32_t k = 0; k < conversion->count && next < count; k++)
                remark_added(notes, hint, conversion, next++);
        }
        if (next < count)
            history_same(notes, notes->items->of_node[next++], notes->then_items->of_node[n]);
    }
    same_on_entry(notes);
}

// ---- gsa_destruct

// "from node 5 %a, from node 9 %b"; of many the first few.
static const char *edges_text(StepNotes *notes, const Preds *preds, const Item *item) {
    enum { MOST = 4 };
    const Phi *phi = &notes->after->phis.at[item->index];
    uint32_t count = preds_count(preds, (Node){item->node});
    Out out = {0};
    for (uint32_t k = 0; k < count && k < MOST; k++) {
        out_printf(&out, "%sfrom node %u ", k ? ", " : "",
                   label_after(notes, preds_at(preds, (Node){item->node})[k].i));
        reg_print(&out, notes->after, phi_args(notes->after, phi)[k]);
    }
    if (count > MOST) out_printf(&out, ", and %u more", count - MOST);
    return taken(notes, &out);
}

void history_gsa_destruct(StepNotes *notes, const GsaDestructHint *hint) {
    (void)hint;
    const Gsa *gsa = notes->before->gsa;
    Preds preds = preds_of(notes->scratch, notes->after);
    history_same_names(notes);
    for (uint32_t i = 0; i < notes->items->count; i++) {
        const Item *item = &notes->items->at[i];
        if (item->kind != ITEM_PHI || notes->then[i] == NO_ID) continue;
        const Item *then = &notes->then_items->at[notes->then[i]];
        bool gamma = then->kind == ITEM_MERGE && gsa->merges.at[then->index].kind == MERGE_GAMMA;
        history_remark(notes, REMARK_FORM, notes->then[i], i, NO_ID, "%s becomes a phi: %s%s",
                       gamma ? "gamma" : "mu", edges_text(notes, &preds, item),
                       gamma ? ", as the gates say" : "");
    }
    for (uint32_t i = 0; i < notes->then_items->count; i++) {
        const Item *item = &notes->then_items->at[i];
        if (item->kind != ITEM_ETA) continue;
        Reg source = gsa->etas.at[item->index].source;
        history_remark(notes, REMARK_MERGED, i, NO_ID, notes->then_items->of_reg[source.i],
                       "stands for %s again, the last value of which is what leaves the loop",
                       reg_before(notes, source));
    }
}
