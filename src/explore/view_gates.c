// The additions to pictures of gated SSA and of the Sea of Nodes, beside blocks.
//
// The pass back to SSA knows to which edge an argument of a gamma belongs; this file asks that
// pass.
#include "explore/view.h"
#include "form/son.h"
#include "hint/hints_gsa.h"
#include "message/json.h"
#include "pipeline/transforms.h"
#include "text/print/gsa_print.h"

#include <string.h>

// ---- Gates

typedef struct {
    Out *out;
    const View *view;
    Preds preds;
    GateText *text;
    const GsaDestructHint *hint; // NULL: not known
    uint32_t *choices;           // first of each merge; NO_ID for a mu
} GateWriter;

static void write_argument(const GateWriter *w, Gate gate, bool with_gate) {
    Out text = {0};
    json_comma(w->out);
    if (with_gate) gate_text_print(&text, w->text, gate);
    out_char(w->out, '[');
    json_string(w->out, text.text, text.length);
    out_text(w->out, ",[");
    out_free(&text);
}

static void write_pred(const GateWriter *w, Node node) {
    json_number(w->out, w->view->node_block[node.i]);
}

static void write_merge(const GateWriter *w, Node join, uint32_t index) {
    const Merge *merge = &w->view->func->gsa->merges.at[index];
    const MergeArg *args = merge_args(w->view->func, merge);
    const Node *preds = preds_at(&w->preds, join);
    uint32_t count = preds_count(&w->preds, join), first = w->choices[index];
    // A mu has its first argument from outside, its second from the latch, which stands behind it.
    for (uint32_t k = 0; k < merge->arg_count; k++) {
        write_argument(w, args[k].gate, merge->kind == MERGE_GAMMA);
        for (uint32_t p = 0; p < count; p++) {
            bool selects = merge->kind == MERGE_MU ? (k == 1) == (preds[p].i >= join.i)
                                                   : w->hint && w->hint->choices.at[first + p] == k;
            if (selects) write_pred(w, preds[p]);
        }
        out_text(w->out, "]]");
    }
}

static void write_eta(const GateWriter *w, Node pad, uint32_t index) {
    write_argument(w, w->view->func->gsa->etas.at[index].gate, true);
    for (uint32_t p = 0; p < preds_count(&w->preds, pad); p++)
        write_pred(w, preds_at(&w->preds, pad)[p]);
    out_text(w->out, "]]");
}

// The hint has the choices of each gamma, one for each predecessor.
static void find_choices(GateWriter *w, Arena *arena) {
    const Func *func = w->view->func;
    void *hint = NULL;
    if (transform_table[PASS_gsa_destruct](arena, NULL, func, &hint)) w->hint = hint;
    w->choices = ARENA_ARRAY(arena, uint32_t, func->gsa->merges.count + 1);
    uint32_t at = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        for (uint32_t i = 0; i < gsa_merge_count(func, (Node){n}); i++) {
            const Merge *merge = &gsa_merges(func, (Node){n})[i];
            w->choices[merge - func->gsa->merges.at] = at;
            if (merge->kind == MERGE_GAMMA) at += preds_count(&w->preds, (Node){n});
        }
    }
    if (w->hint && w->hint->choices.count != at) w->hint = NULL;
}

void view_write_gates(Out *out, Arena *arena, const View *view) {
    const Func *func = view->func;
    if (!func->gsa || !view->block_count || !gsa_readable(func)) return;
    GateWriter w = {.out = out,
                    .view = view,
                    .preds = preds_of(arena, func),
                    .text = gate_text_new(arena, func, NULL, 0)};
    find_choices(&w, arena);
    json_key(out, "gates");
    out_char(out, '{');
    for (uint32_t i = 0; i < view->lines.count; i++) {
        uint32_t at = view->lines.at[i].item;
        if (at == NO_ID) continue;
        const Item *item = &view->items->at[at];
        if (item->kind != ITEM_MERGE && item->kind != ITEM_ETA) continue;
        json_comma(out);
        out_printf(out, "\"%u\":[", i);
        (item->kind == ITEM_MERGE ? write_merge : write_eta)(&w, (Node){item->node}, item->index);
        out_char(out, ']');
    }
    out_char(out, '}');
}

// ---- Regions of floating operators

typedef struct {
    const View *view;
    uint32_t *floating; // register -> floating operator that sets it, or NO_ID
    uint32_t *where;    // floating operator -> block
} FloatPlacing;

static uint32_t meet(const FloatPlacing *placing, uint32_t a, uint32_t b) {
    while (a != b && a != NO_ID && b != NO_ID)
        if (placing->view->height[a] >= placing->view->height[b])
            a = placing->view->idom[a];
        else
            b = placing->view->idom[b];
    return a == b ? a : 0;
}

static void use(const FloatPlacing *placing, Reg reg, uint32_t block) {
    uint32_t at = reg.i < placing->view->func->regs.count ? placing->floating[reg.i] : NO_ID;
    if (at == NO_ID || block == NO_ID) return;
    uint32_t *where = &placing->where[at];
    *where = *where == NO_ID ? block : meet(placing, *where, block);
}

static void use_in_skeleton(const FloatPlacing *placing, const Preds *preds) {
    const Func *func = placing->view->func;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        for (uint32_t k = 0; k < instr->arg_count; k++)
            use(placing, instr_args(func, instr)[k], placing->view->node_block[n]);
        for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++) {
            const Reg *args = phi_args(func, &func_phis(func, (Node){n})[i]);
            for (uint32_t k = 0; k < preds_count(preds, (Node){n}); k++)
                use(placing, args[k], placing->view->node_block[preds_at(preds, (Node){n})[k].i]);
        }
    }
}

static FloatPlacing place(Arena *arena, const View *view) {
    const Func *func = view->func;
    uint32_t count = func->son->floating.count;
    FloatPlacing placing = {.view = view,
                            .floating = ARENA_ARRAY(arena, uint32_t, func->regs.count + 1),
                            .where = ARENA_ARRAY(arena, uint32_t, count + 1)};
    memset(placing.floating, 0xff, sizeof(uint32_t) * (func->regs.count + 1));
    memset(placing.where, 0xff, sizeof(uint32_t) * (count + 1));
    for (uint32_t i = 0; i < count; i++) {
        Reg dest = func->son->floating.at[i].dest;
        if (dest.i < func->regs.count) placing.floating[dest.i] = i;
    }
    Preds preds = preds_of(arena, func);
    use_in_skeleton(&placing, &preds);
    for (uint32_t i = count; i-- > 0;) {
        const Instr *instr = &func->son->floating.at[i];
        for (uint32_t k = 0; k < instr->arg_count; k++)
            use(&placing, instr_args(func, instr)[k], placing.where[i]);
    }
    return placing;
}

void view_write_regions(Out *out, Arena *arena, const View *view) {
    const Func *func = view->func;
    if (!func->son || !view->block_count) return;
    FloatPlacing placing = place(arena, view);
    json_key(out, "region");
    out_char(out, '{');
    for (uint32_t i = 0; i < view->lines.count; i++) {
        uint32_t at = view->lines.at[i].item;
        if (at == NO_ID || view->items->at[at].kind != ITEM_FLOATING) continue;
        uint32_t where = placing.where[view->items->at[at].index];
        if (where == NO_ID) continue;
        json_comma(out);
        out_printf(out, "\"%u\":%u", i, where);
    }
    out_char(out, '}');
}
