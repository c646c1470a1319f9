// Remarks on passes that copy, drop and insert nodes without changing values.
#include "history/history_private.h"

#include "graph/dominance.h"
#include "pass/rtl/inline_weight.h"

typedef struct {
    StepNotes *notes;
    const CopiesHint *hint;
    Preds preds; // of `before`
    Dominance dominance;
    uint32_t *claimed;  // per item before: the first one after that is it, or NO_ID
    uint32_t performed; // nodes
    InlineWeights *weights;
} CopiesView;

static uint32_t copy_of(const CopiesView *c, uint32_t node) {
    return node < c->hint->copy.count ? c->hint->copy.at[node] : 0;
}

static uint32_t old_of(const CopiesView *c, uint32_t node) {
    return node < c->hint->old.count ? c->hint->old.at[node].i : node;
}

// Whether a node performs the one that the hint has it at, or was inserted in front of that.
static bool is_performed(const CopiesView *c, uint32_t node) {
    const Instr *now = &c->notes->after->nodes.at[node];
    uint32_t old = old_of(c, node);
    if (copy_of(c, node) || old >= c->notes->before->nodes.count) return false;
    const Instr *then = &c->notes->before->nodes.at[old];
    return now->kind == then->kind && now->op == then->op && now->arg_count == then->arg_count;
}

static void claim(CopiesView *c, uint32_t item, uint32_t then) {
    if (then == NO_ID) return;
    // Of nops one is enough.
    if (c->claimed[then] != NO_ID && history_is_idle(c->notes->after, &c->notes->items->at[item]))
        return;
    history_same(c->notes, item, then);
    if (c->claimed[then] == NO_ID) c->claimed[then] = item;
}

static void match(CopiesView *c) {
    StepNotes *notes = c->notes;
    for (uint32_t i = 0; i < notes->items->count; i++) {
        const Item *item = &notes->items->at[i];
        Reg dest = item_dest(notes->after, item);
        uint32_t by_reg =
            dest.i < notes->before->regs.count ? notes->then_items->of_reg[dest.i] : NO_ID;
        bool was_phi = by_reg != NO_ID && notes->then_items->at[by_reg].kind == ITEM_PHI;
        if (item->kind == ITEM_PHI || was_phi)
            claim(c, i, by_reg);
        else if (item->kind == ITEM_INSTR && is_performed(c, item->node))
            claim(c, i, notes->then_items->of_node[old_of(c, item->node)]);
        c->performed += item->kind == ITEM_INSTR && is_performed(c, item->node);
    }
}

static const char *called(const CopiesView *c, uint32_t site) {
    const Func *before = c->notes->before;
    if (site >= c->hint->sites.count || c->hint->sites.at[site].i >= before->nodes.count)
        return "a function";
    const Instr *call = func_at(before, c->hint->sites.at[site]);
    if (call->ref >= before->program->symbols.count) return "a function";
    return arena_printf(
        c->notes->scratch, "%s()",
        program_text(before->program, program_at(before->program, (Sym){call->ref})->name));
}

// Why a body was worth it, as inline_calls weighs it: ": it is the only one"; nothing if that is
// not known.
static const char *why_inlined(const CopiesView *c, uint32_t site) {
    const Func *before = c->notes->before;
    if (c->hint->sites.at[site].i >= before->nodes.count) return "";
    const Instr *call = func_at(before, c->hint->sites.at[site]);
    OfferedBody offered = body_of(c->notes->report->bodies, (Sym){call->ref});
    if (!offered.rtl) return "";
    if (program_at(before->program, (Sym){call->ref})->flags & SYMF_ALWAYS_INLINE)
        return ": it is marked always_inline";
    if (offered.once) return ": it is the only one";
    uint32_t nodes = inline_size(offered.rtl);
    uint32_t tiny = inline_limit(c->weights, call, offered.rtl);
    const char *often = nodes <= tiny ? arena_printf(c->notes->scratch, "limit %u", tiny)
                                      : "and the call runs often";
    return arena_printf(c->notes->scratch, ": it has %u node%s, %s", nodes, nodes == 1 ? "" : "s",
                        often);
}

static void remark_sites(CopiesView *c) {
    StepNotes *notes = c->notes;
    uint32_t *first = history_table(notes->scratch, c->hint->sites.count);
    for (uint32_t i = 0; i < notes->items->count; i++) {
        const Item *item = &notes->items->at[i];
        uint32_t copy = item->kind == ITEM_INSTR ? copy_of(c, item->node) : 0;
        if (!copy || copy > c->hint->sites.count) continue;
        if (first[copy - 1] == NO_ID) first[copy - 1] = i;
        if (history_is_idle(notes->after, item)) continue;
        history_remark(notes, REMARK_INLINED, NO_ID, i,
                       notes->then_items->of_node[c->hint->sites.at[copy - 1].i],
                       "of the body of %s", called(c, copy - 1));
    }
    for (uint32_t k = 0; k < c->hint->sites.count; k++)
        history_remark(notes, REMARK_INLINED, notes->then_items->of_node[c->hint->sites.at[k].i],
                       first[k], NO_ID, "the body of %s in the place of the call%s", called(c, k),
                       why_inlined(c, k));
}

static void remark_gone(const CopiesView *c, uint32_t item) {
    StepNotes *notes = c->notes;
    const Item *it = &notes->then_items->at[item];
    Node node = {it->node};
    if (history_is_idle(notes->before, it) || bits_has(&notes->remarked_before, item)) return;
    const Instr *instr = item_instr(notes->before, it);
    bool dropped = notes->pass == PASS_drop_loops && node.i < c->hint->old.count &&
                   c->hint->old.at[node.i].i != node.i;
    if (!dominance_reaches(&c->dominance, node))
        history_remark(notes, REMARK_REMOVED, item, NO_ID, NO_ID, "no way leads there");
    else if (dropped)
        history_remark(notes, REMARK_REMOVED, item, NO_ID, NO_ID,
                       "its loop must end, and makes no difference");
    else if (instr && instr->succ_count > 1)
        history_remark(notes, REMARK_DECIDED, item, NO_ID, NO_ID,
                       "whichever way it goes, the same is done next");
    else if (it->kind == ITEM_PHI)
        history_remark(notes, REMARK_MERGED, item, NO_ID, NO_ID,
                       "one way is left into its join, and brings the value");
    else
        history_remark(notes, REMARK_REMOVED, item, NO_ID, NO_ID,
                       "it does nothing that counts here");
}

static void remark_there(const CopiesView *c, uint32_t item) {
    StepNotes *notes = c->notes;
    const Item *it = &notes->items->at[item];
    uint32_t then = notes->then[item];
    if (history_is_idle(notes->after, it) || bits_has(&notes->remarked_after, item)) return;
    if (then != NO_ID && c->claimed[then] != item && notes->pass == PASS_invert_loops) {
        history_remark(notes, REMARK_COPIED, then, item, then,
                       "%s is part of the test of a loop, done in front of the loop and at its end",
                       history_place(notes, notes->before, &notes->then_items->at[then]));
    } else if (then != NO_ID && c->claimed[then] != item && notes->pass == PASS_unroll_loops) {
        history_remark(notes, REMARK_COPIED, then, item, then,
                       "%s is done in a later round of a loop, which has a copy for itself",
                       history_place(notes, notes->before, &notes->then_items->at[then]));
    } else if (then != NO_ID && c->claimed[then] != item) {
        history_remark(notes, REMARK_COPIED, then, item, then, "%s is done here as well",
                       history_place(notes, notes->before, &notes->then_items->at[then]));
    } else if (then != NO_ID) {
        if (it->kind == ITEM_INSTR && notes->then_items->at[then].kind == ITEM_PHI)
            history_remark(notes, REMARK_REPLACED, then, item, NO_ID,
                           "one way is left into its join, and brings the value");
    } else if (it->kind == ITEM_INSTR && old_of(c, it->node) >= notes->before->nodes.count) {
        history_remark(notes, REMARK_ADDED, NO_ID, item, NO_ID,
                       "tells by which way control came, for a loop with several entries");
    } else if (c->hint->sites.count) {
        history_remark(notes, REMARK_INLINED, NO_ID, item, NO_ID,
                       "an argument or the result of a call whose body is here");
    } else {
        history_remark(notes, REMARK_ADDED, NO_ID, item, NO_ID, "a copy between registers");
    }
}

void history_copies(StepNotes *notes, const CopiesHint *hint) {
    CopiesView c = {
        .notes = notes, .hint = hint, .weights = inline_weights(notes->scratch, notes->before)};
    c.preds = preds_of(notes->scratch, notes->before);
    c.dominance = dominance_of(notes->scratch, notes->before, &c.preds);
    c.claimed = history_table(notes->scratch, notes->then_items->count);
    match(&c);
    remark_sites(&c);
    for (uint32_t i = 0; i < notes->then_items->count; i++)
        if (c.claimed[i] == NO_ID) remark_gone(&c, i);
    for (uint32_t i = 0; i < notes->items->count; i++) remark_there(&c, i);
    uint32_t count = notes->after->nodes.count;
    if (c.performed == count)
        history_establish(notes, "both run in lock step: each of %u node%s performs one of before",
                          count, count == 1 ? "" : "s");
    else
        history_establish(notes,
                          "both run in lock step: %u of %u nodes perform%s one of before, the "
                          "others are nops, moves%s",
                          c.performed, count, c.performed == 1 ? "s" : "",
                          hint->sites.count ? " and the bodies of calls" : " or decided branches");
}
