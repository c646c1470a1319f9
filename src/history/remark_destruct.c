// Remarks on the way out of SSA: the register in which each value lives, the copies that stand for
// phis, and the copies that are not needed.
//
// The hint links new nodes to the old nodes that they perform, and says which values registers hold
// at joins. A comparison of the instructions shows the registers of the other values: an
// instruction stays the same, but for its registers.
#include "history/history_private.h"

typedef struct {
    StepNotes *notes;
    const DestructHint *hint;
    Preds preds;      // of the function before
    uint32_t *home;   // per register of SSA: the one of RTL that it lives in, or NO_ID
    uint32_t *now;    // per item before: the one that performs it, or NO_ID
    uint32_t *phi_of; // per register of RTL: the phi of the join at hand that lives there,
    uint32_t *phi_at; // and that join
    bool *copied;     // per phi: there is a copy for it
    // Per register of RTL: how many values of SSA live there, and a list of them.
    uint32_t *count, *first, *next;
} Destruct;

static bool is_move(const Instr *instr) {
    return instr->kind == I_OP && op_is_move(instr->op);
}

static const char *name_before(const Destruct *d, uint32_t reg) {
    return history_reg(d->notes, d->notes->before, (Reg){reg});
}
static const char *name_after(const Destruct *d, uint32_t reg) {
    return history_reg(d->notes, d->notes->after, (Reg){reg});
}

// ---- Where values live

static void lives_in(Destruct *d, Reg reg, Reg home) {
    if (reg.i < d->notes->before->regs.count && home.i < d->notes->after->regs.count)
        d->home[reg.i] = home.i;
}

// The instruction of an old node is the first one that performs it.
static void compare(Destruct *d, uint32_t n) {
    const Func *before = d->notes->before, *after = d->notes->after;
    const Instr *then = &before->nodes.at[n];
    DestructNode plan = d->hint->nodes.at[n];
    if (then->kind == I_NOP || plan.count != 1 || plan.first.i >= after->nodes.count) return;
    const Instr *now = func_at(after, plan.first);
    uint32_t it = d->notes->items->of_node[plan.first.i];
    history_same(d->notes, it, d->notes->then_items->of_node[n]);
    d->now[d->notes->then_items->of_node[n]] = it;
    lives_in(d, then->dest, now->dest);
    for (uint32_t k = 0; k < then->arg_count && k < now->arg_count; k++)
        lives_in(d, instr_args(before, then)[k], instr_args(after, now)[k]);
}

static void find_homes(Destruct *d) {
    const Func *before = d->notes->before, *after = d->notes->after;
    for (uint32_t i = 0; i < d->hint->pairs.count; i++)
        lives_in(d, d->hint->pairs.at[i].value, d->hint->pairs.at[i].home);
    for (uint32_t i = 0; i < before->params.count && i < after->params.count; i++)
        lives_in(d, before->params.at[i], after->params.at[i]);
    for (uint32_t n = 0; n < before->nodes.count; n++) compare(d, n);
    for (uint32_t r = before->regs.count; r-- > 0;) {
        uint32_t home = d->home[r];
        if (home == NO_ID) continue;
        d->count[home]++;
        d->next[r] = d->first[home];
        d->first[home] = r;
    }
}

// ---- Copies on edges

static void remark_copy(Destruct *d, uint32_t join, uint32_t k, Node node) {
    StepNotes *notes = d->notes;
    const Func *before = notes->before;
    Node pred = preds_at(&d->preds, (Node){join})[k];
    uint32_t dest = func_at(notes->after, node)->dest.i, it = notes->items->of_node[node.i];
    uint32_t label = func_label(before, pred);
    if (dest == NO_ID || d->phi_at[dest] != join) {
        Reg first = func_phis(before, (Node){join})->dest;
        history_remark(notes, REMARK_ADDED, NO_ID, it, notes->then_items->of_reg[first.i],
                       "the copies on the edge from node %u are a cycle: one value is put aside",
                       label);
        return;
    }
    uint32_t phi = d->phi_of[dest];
    uint32_t item = notes->then_items->of_reg[before->phis.at[phi].dest.i];
    Reg arg = phi_args(before, &before->phis.at[phi])[k];
    d->copied[phi] = true;
    history_same(notes, it, item);
    if (item != NO_ID && d->now[item] == NO_ID) d->now[item] = it;
    history_remark(notes, REMARK_FORM, item, it, notes->then_items->of_reg[arg.i],
                   "copy for phi %s on the edge from node %u: there it is %s",
                   name_before(d, before->phis.at[phi].dest.i), label, name_before(d, arg.i));
}

static void find_copies_to(Destruct *d, uint32_t join) {
    const Func *before = d->notes->before, *after = d->notes->after;
    const Phi *phis = func_phis(before, (Node){join});
    for (uint32_t i = 0; i < func_phi_count(before, (Node){join}); i++) {
        uint32_t home = d->home[phis[i].dest.i];
        if (home == NO_ID) continue;
        d->phi_of[home] = (uint32_t)(&phis[i] - before->phis.at);
        d->phi_at[home] = join;
    }
    for (uint32_t k = 0; k < preds_count(&d->preds, (Node){join}); k++) {
        Node pred = preds_at(&d->preds, (Node){join})[k];
        DestructNode plan = d->hint->nodes.at[pred.i];
        if (before->nodes.at[pred.i].kind != I_NOP) continue;
        Node node = plan.first;
        for (uint32_t i = 0; i < plan.count && node.i < after->nodes.count; i++) {
            if (!is_move(func_at(after, node))) break;
            remark_copy(d, join, k, node);
            node = func_at(after, node)->succ[0];
        }
    }
}

// ---- What is gone

static void remark_phi(Destruct *d, uint32_t item) {
    StepNotes *notes = d->notes;
    const Phi *phi = &notes->before->phis.at[notes->then_items->at[item].index];
    uint32_t home = d->home[phi->dest.i];
    if (home == NO_ID)
        history_remark(notes, REMARK_REMOVED, item, NO_ID, NO_ID, "nothing needs it");
    else if (!d->copied[notes->then_items->at[item].index])
        history_remark(notes, REMARK_FORM, item, NO_ID, NO_ID,
                       "all its arguments are in its own register %s: no copy is needed",
                       name_after(d, home));
}

static void remark_node(Destruct *d, uint32_t item) {
    StepNotes *notes = d->notes;
    uint32_t n = notes->then_items->at[item].node;
    const Instr *instr = &notes->before->nodes.at[n];
    DestructNode plan = d->hint->nodes.at[n];
    if (instr->kind == I_NOP) return;
    if (plan.first.i == NO_ID) {
        history_remark(notes, REMARK_REMOVED, item, NO_ID, NO_ID, "no way leads there");
        return;
    }
    if (plan.count || !is_move(instr)) return;
    uint32_t source = instr->arg[0].i, home = d->home[instr->dest.i];
    if (home == NO_ID || home != d->home[source])
        history_remark(notes, REMARK_REMOVED, item, NO_ID, NO_ID, "nothing needs it");
    else
        history_remark(notes, REMARK_MERGED, item, NO_ID, notes->then_items->of_reg[source],
                       "%s and %s are in the same register %s: no copy is needed",
                       name_before(d, instr->dest.i), name_before(d, source), name_after(d, home));
}

// ---- Registers that are shared

static void remark_shared(Destruct *d, uint32_t reg) {
    enum { MOST = 3 };
    StepNotes *notes = d->notes;
    uint32_t item = notes->then_items->of_reg[reg], home = d->home[reg], named = 0;
    if (home == NO_ID || item == NO_ID || d->count[home] < 2) return;
    Out out = {0};
    for (uint32_t other = d->first[home]; other != NO_ID && named < MOST; other = d->next[other]) {
        if (other == reg) continue;
        if (named++) out_text(&out, ", ");
        reg_print(&out, notes->before, (Reg){other});
    }
    if (d->count[home] - 1 > MOST) out_printf(&out, " and %u more", d->count[home] - 1 - MOST);
    history_remark(notes, REMARK_PLACED, item, d->now[item], NO_ID,
                   "%s shares register %s with %.*s: they do not interfere", name_before(d, reg),
                   name_after(d, home), (int)out.length, out.text);
    out_free(&out);
}

void history_ssa_destruct(StepNotes *notes, const DestructHint *hint) {
    const Func *before = notes->before;
    Arena *arena = notes->scratch;
    uint32_t regs = notes->after->regs.count;
    if (hint->nodes.count != before->nodes.count) return;
    Destruct d = {.notes = notes,
                  .hint = hint,
                  .preds = preds_of(arena, before),
                  .home = history_table(arena, before->regs.count),
                  .now = history_table(arena, notes->then_items->count),
                  .phi_of = history_table(arena, regs),
                  .phi_at = history_table(arena, regs),
                  .copied = ARENA_ARRAY(arena, bool, (size_t)before->phis.count + 1),
                  .count = ARENA_ARRAY(arena, uint32_t, (size_t)regs + 1),
                  .first = history_table(arena, regs),
                  .next = history_table(arena, before->regs.count)};
    find_homes(&d);
    for (uint32_t n = 0; n < before->nodes.count; n++)
        if (func_phi_count(before, (Node){n})) find_copies_to(&d, n);
    for (uint32_t i = 0; i < notes->then_items->count; i++)
        if (notes->then_items->at[i].kind == ITEM_PHI)
            remark_phi(&d, i);
        else
            remark_node(&d, i);
    for (uint32_t r = 0; r < before->regs.count; r++) remark_shared(&d, r);
}
