// Remarks on instruction selection and on the order of instructions.
//
// An instruction takes the identity of the node for which it was selected. If a node has several
// instructions, the instruction that sets the node's register or has its effect does. A node
// without instructions is performed as a part of the nodes that read its result; a walk through the
// block finds these nodes.
#include "analysis/ascending.h"
#include "form/mach.h"
#include "graph/basic_blocks.h"
#include "graph/definitions.h"
#include "graph/dominance.h"
#include "history/history_private.h"

typedef struct {
    StepNotes *notes;
    const Func *rtl;
    Preds preds;
    const Definition *definitions;
    uint32_t *main;  // per node: the instruction that is it, or NO_ID
    uint32_t *count; // per node: instructions that were selected for it
    uint32_t
        *first_read;   // per register that was added: the first instruction that reads it, or NO_ID
    bool *made;        // per node that has none: a constant that is made where it is read
    uint32_t *reader;  // per node that has none: the first node that reads its result, or NO_ID
    uint32_t *readers; // per node: how many do
    uint32_t *last_set; // per register: the node of the block at hand that has set it
    uint32_t *set_in;   // per register: the head of that block
    uint32_t *heads;    // per node: the head of its block
} SelectNotes;

// ---- Which instruction is which node

static bool sets(const Func *mach, const MachInstr *instr, Reg reg) {
    for (uint32_t k = 0; k < mach_set_count(instr); k++)
        if (mach_set_at(mach, instr, k).i == reg.i) return true;
    return false;
}

static bool only_computes(const MachInstr *instr) {
    return instr->kind == MK_OP || instr->kind == MK_LEA || instr->kind == MK_LOAD ||
           instr->kind == MK_LOAD_PART || instr->kind == MK_SELECT;
}

static uint32_t rank_of(const SelectNotes *s, const MachInstr *instr, const Instr *node) {
    if (node->dest.i != NO_ID && sets(s->notes->after, instr, node->dest)) return 3;
    return only_computes(instr) ? 1 : 2;
}

// A check that an operator's result fits may put that result: then the instruction is the
// operator's. It stands before the check, not far from it.
static uint32_t node_of(const SelectNotes *s, const MachInstr *instr) {
    enum { MOST = 64 };
    uint32_t node = instr->node;
    if (node >= s->rtl->nodes.count) return NO_ID;
    if (s->rtl->nodes.at[node].kind != I_CHECK || !instr->checked) return node;
    for (uint32_t i = 0, n = node; i < MOST && continues_block(s->rtl, &s->preds, (Node){n}); i++) {
        n = preds_at(&s->preds, (Node){n})->i;
        Reg dest = s->rtl->nodes.at[n].dest;
        if (dest.i != NO_ID && sets(s->notes->after, instr, dest)) return n;
    }
    return node;
}

static void find_main(SelectNotes *s) {
    const Mach *mach = s->notes->after->mach;
    uint32_t *rank = ARENA_ARRAY(s->notes->scratch, uint32_t, (size_t)s->rtl->nodes.count + 1);
    for (uint32_t i = 0; i < mach->code.count; i++) {
        const MachInstr *instr = &mach->code.at[i];
        uint32_t node = node_of(s, instr);
        if (node == NO_ID) continue;
        uint32_t its = rank_of(s, instr, &s->rtl->nodes.at[node]);
        s->count[node]++;
        if (its < rank[node]) continue;
        rank[node] = its;
        s->main[node] = i;
    }
}

// Registers that selection has added are set once, or in each block anew, for what comes next.
static void find_first_reads(SelectNotes *s) {
    const Func *func = s->notes->after;
    s->first_read = history_table(s->notes->scratch, func->regs.count);
    for (uint32_t i = 0; i < func->mach->code.count; i++) {
        const MachInstr *instr = mach_at(func, i);
        for (uint32_t k = 0; k < mach_read_count(instr); k++) {
            Place place = mach_read_at(func, instr, k);
            if (place.i == NO_ID || place.i < s->rtl->regs.count) continue;
            if (s->first_read[place.i] == NO_ID) s->first_read[place.i] = i;
        }
    }
}

// The instruction for which one that is no node by itself was put in; NO_ID if it is not known.
static uint32_t put_in_for(const SelectNotes *s, const MachInstr *instr) {
    bool added = instr->dest.i != NO_ID && instr->dest.i >= s->rtl->regs.count;
    return added ? s->first_read[instr->dest.i] : NO_ID;
}

static bool is_constant(const Instr *instr) {
    return instr->kind == I_OP && op_info(instr->op)->arity == 0;
}

// The node of a constant that a node reads and an instruction makes for it; NO_ID if there is none.
static uint32_t constant_made(const SelectNotes *s, const MachInstr *instr, uint32_t node) {
    const Instr *reader = &s->rtl->nodes.at[node];
    for (uint32_t k = 0; k < reader->arg_count && instr->kind == MK_OP; k++) {
        Definition set = s->definitions[instr_args(s->rtl, reader)[k].i];
        if (set.by != SET_BY_INSTR || s->main[set.node.i] != NO_ID) continue;
        const Instr *constant = func_at(s->rtl, set.node);
        bool address = constant->op == OP_ADDR_SYMBOL || constant->op == OP_ADDR_SLOT;
        if (is_constant(constant) && constant->op == instr->op && constant->imm == instr->imm &&
            constant->high == instr->high && (!address || constant->ref == instr->ref))
            return set.node.i;
    }
    return NO_ID;
}

static bool remark_constant(SelectNotes *s, uint32_t it, const MachInstr *instr, uint32_t node,
                            uint32_t reader) {
    uint32_t constant = constant_made(s, instr, node);
    if (constant == NO_ID) return false;
    uint32_t item = s->notes->then_items->of_node[constant];
    history_same(s->notes, it, item);
    history_remark(s->notes, s->made[constant] ? REMARK_COPIED : REMARK_MOVED, item, it,
                   s->notes->then_items->of_node[node], "made where instruction %u reads it",
                   reader);
    s->made[constant] = true;
    return true;
}

static void remark_put_in(SelectNotes *s, uint32_t it, uint32_t node) {
    StepNotes *notes = s->notes;
    const MachInstr *instr = mach_at(notes->after, notes->items->at[it].index);
    uint32_t reader = put_in_for(s, instr);
    if (reader != NO_ID && instr->kind == MK_OP) node = node_of(s, mach_at(notes->after, reader));
    if (reader != NO_ID && node != NO_ID && remark_constant(s, it, instr, node, reader)) return;
    uint32_t item = node == NO_ID ? NO_ID : notes->then_items->of_node[node];
    if (item != NO_ID) history_part(notes, it, item);
    if (reader != NO_ID)
        history_remark(notes, REMARK_ADDED, NO_ID, it, item, "sets %s for instruction %u",
                       history_reg(notes, notes->after, place_reg(instr->dest)), reader);
    else if (node != NO_ID)
        history_remark(notes, REMARK_ADDED, NO_ID, it, item, "one of %u instructions for node %u",
                       s->count[node], func_label(s->rtl, (Node){node}));
    else
        history_remark(notes, REMARK_ADDED, NO_ID, it, NO_ID, "%s",
                       instr->kind == MK_PARAMS
                           ? "takes the parameters from where the caller has put them"
                       : instr->kind == MK_JUMP ? "goes on where the block leads"
                                                : "stands for no node of RTL");
}

static void remark_instructions(SelectNotes *s) {
    StepNotes *notes = s->notes;
    find_first_reads(s);
    for (uint32_t it = 0; it < notes->items->count; it++) {
        uint32_t index = notes->items->at[it].index;
        uint32_t node = node_of(s, mach_at(notes->after, index));
        if (node != NO_ID && s->main[node] == index)
            history_same(notes, it, notes->then_items->of_node[node]);
        else
            remark_put_in(s, it, node);
    }
}

// ---- Nodes that are part of others

static void note_read(SelectNotes *s, Reg reg, uint32_t node) {
    uint32_t set = NO_ID;
    if (s->set_in[reg.i] == s->heads[node])
        set = s->last_set[reg.i];
    else if (s->definitions[reg.i].by == SET_BY_INSTR)
        set = s->definitions[reg.i].node.i;
    if (set == NO_ID || s->main[set] != NO_ID) return;
    if (!s->readers[set]++) s->reader[set] = node;
}

static void note_set(SelectNotes *s, Reg reg, uint32_t node) {
    if (reg.i == NO_ID) return;
    s->last_set[reg.i] = node;
    s->set_in[reg.i] = s->heads[node];
}

static void go_through_block(SelectNotes *s, uint32_t head) {
    for (uint32_t n = head;;) {
        const Instr *instr = &s->rtl->nodes.at[n];
        for (uint32_t k = 0; k < instr->arg_count; k++)
            note_read(s, instr_args(s->rtl, instr)[k], n);
        note_set(s, instr->dest, n);
        if (instr->succ_count != 1) return;
        n = instr_succs(s->rtl, instr)[0].i;
        if (n == head || s->heads[n] != head) return;
    }
}

// The node, with an instruction, that a node is part of in the end; NO_ID if none is. That is a few
// steps away.
static uint32_t part_of(const SelectNotes *s, uint32_t node) {
    enum { MOST = 64 };
    for (uint32_t steps = 0; steps < MOST && node != NO_ID; steps++) {
        if (s->main[node] != NO_ID) return node;
        node = s->reader[node];
    }
    return NO_ID;
}

static bool is_in_address(const Func *func, const Instr *reader, Reg reg) {
    uint32_t count = (uint32_t)(reader->base == BASE_REG) + (reader->scale != 0);
    if (!instr_has_address(reader)) return false;
    for (uint32_t k = 0; k < count && k < reader->arg_count; k++)
        if (instr_args(func, reader)[k].i == reg.i) return true;
    return false;
}

static const char *how(const Func *func, const Instr *part, const Instr *reader,
                       const MachInstr *whole) {
    if (is_in_address(func, reader, part->dest)) return "in its address";
    if (whole->kind == MK_UPDATE) return "which loads, computes and stores";
    if (part->kind == I_LOAD) return "as its operand in memory";
    if (is_constant(part)) return "as a constant in it";
    if (whole->checked && reader->kind == I_CHECK) return "which traps if its result does not fit";
    if (whole->kind == MK_BRANCH || whole->kind == MK_SELECT || whole->kind == MK_CHECK)
        return "in its condition";
    return whole->kind == MK_LEA ? "in its sum" : "which does both";
}

// Whether one operator computes what another one says to fit.
static bool computes(const Func *func, const Instr *sum, const Instr *fits) {
    const Reg *a = instr_args(func, sum), *b = instr_args(func, fits);
    OpFamily is = op_family((Op)sum->op), of = op_family((Op)fits->op);
    if (of == FAM_NRSUBO) return is == FAM_SUB && sum->arg_count == 2 && a[1].i == b[0].i;
    bool same = (of == FAM_NADDO && is == FAM_ADD) || (of == FAM_NSUBO && is == FAM_SUB) ||
                (of == FAM_NMULO && is == FAM_MUL);
    if (!same || sum->arg_count != fits->arg_count || sum->imm != fits->imm) return false;
    if (sum->arg_count < 2) return a[0].i == b[0].i;
    return (a[0].i == b[0].i && a[1].i == b[1].i) ||
           (is != FAM_SUB && a[0].i == b[1].i && a[1].i == b[0].i);
}

// The node, in the block of a check, with the instruction that traps by itself if what the check
// asks for is not so: it computes that behind the check, or has done so before.
static uint32_t checked_near(const SelectNotes *s, uint32_t check, const Instr *fits) {
    enum { MOST = 64 };
    uint32_t n = check;
    for (uint32_t i = 0; i < MOST && continues_block(s->rtl, &s->preds, (Node){n}); i++)
        n = preds_at(&s->preds, (Node){n})->i;
    for (uint32_t i = 0; i < 2 * MOST && s->heads[n] == s->heads[check]; i++) {
        const Instr *instr = &s->rtl->nodes.at[n];
        if (s->main[n] != NO_ID && mach_at(s->notes->after, s->main[n])->checked &&
            computes(s->rtl, instr, fits))
            return n;
        if (instr->succ_count != 1) break;
        n = instr_succs(s->rtl, instr)[0].i;
    }
    return NO_ID;
}

// A check without an instruction is part of the one that computes what is to fit.
static void find_checked(SelectNotes *s) {
    for (uint32_t n = 0; n < s->rtl->nodes.count; n++) {
        uint32_t check = s->main[n] == NO_ID ? s->reader[n] : NO_ID;
        if (check != NO_ID && s->main[check] == NO_ID && s->rtl->nodes.at[check].kind == I_CHECK &&
            s->rtl->nodes.at[n].kind == I_OP && s->rtl->nodes.at[n].arg_count)
            s->reader[check] = checked_near(s, check, &s->rtl->nodes.at[n]);
    }
}

static void remark_effect(SelectNotes *s, const uint32_t *item_of, uint32_t node, uint32_t item) {
    StepNotes *notes = s->notes;
    const Instr *instr = &s->rtl->nodes.at[node];
    uint32_t before =
        continues_block(s->rtl, &s->preds, (Node){node}) ? preds_at(&s->preds, (Node){node})->i : 0;
    if (instr->kind == I_CHECK) before = s->reader[node];
    if (instr->kind == I_CHECK && before != NO_ID)
        history_remark(notes, REMARK_MERGED, item, item_of[s->main[before]],
                       notes->then_items->of_node[before],
                       "folded into instruction %u, which traps if its result does not fit",
                       s->main[before]);
    else if (instr->kind == I_RETURN && s->main[before] != NO_ID)
        history_remark(notes, REMARK_MERGED, item, item_of[s->main[before]],
                       notes->then_items->of_node[before],
                       "folded into instruction %u, a call that returns in its place",
                       s->main[before]);
    else
        history_remark(notes, REMARK_REMOVED, item, NO_ID, NO_ID, "needs no instruction");
}

static void remark_part(SelectNotes *s, const uint32_t *item_of, uint32_t node, uint32_t item) {
    StepNotes *notes = s->notes;
    const Instr *instr = &s->rtl->nodes.at[node];
    uint32_t reader = s->reader[node], whole = part_of(s, node);
    if (instr->dest.i == NO_ID) {
        remark_effect(s, item_of, node, item);
        return;
    }
    if (whole == NO_ID) {
        history_remark(notes, REMARK_REMOVED, item, NO_ID, NO_ID, "nothing reads it");
        return;
    }
    uint32_t code = s->main[whole];
    const char *part = how(s->rtl, instr, &s->rtl->nodes.at[reader], mach_at(notes->after, code));
    const char *more = s->readers[node] == 1 ? ""
                       : s->readers[node] == 2
                           ? " and another"
                           : arena_printf(notes->scratch, " and %u others", s->readers[node] - 1);
    history_remark(notes, REMARK_MERGED, item, item_of[code], notes->then_items->of_node[whole],
                   "folded into instruction %u%s, %s", code, more, part);
}

static uint32_t *items_of_code(const StepNotes *notes) {
    uint32_t *item_of = history_table(notes->scratch, notes->after->mach->code.count);
    for (uint32_t it = 0; it < notes->items->count; it++) item_of[notes->items->at[it].index] = it;
    return item_of;
}

void history_select_code(StepNotes *notes, const SelectHint *hint) {
    const Func *rtl = notes->before;
    Arena *arena = notes->scratch;
    (void)hint;
    SelectNotes s = {.notes = notes,
                     .rtl = rtl,
                     .preds = preds_of(arena, rtl),
                     .definitions = definitions_of(arena, rtl),
                     .main = history_table(arena, rtl->nodes.count),
                     .count = ARENA_ARRAY(arena, uint32_t, (size_t)rtl->nodes.count + 1),
                     .made = ARENA_ARRAY(arena, bool, (size_t)rtl->nodes.count + 1),
                     .reader = history_table(arena, rtl->nodes.count),
                     .readers = ARENA_ARRAY(arena, uint32_t, (size_t)rtl->nodes.count + 1),
                     .last_set = history_table(arena, rtl->regs.count),
                     .set_in = history_table(arena, rtl->regs.count)};
    Dominance dom = dominance_of(arena, rtl, &s.preds);
    s.heads = block_heads(arena, rtl, &s.preds);
    find_main(&s);
    remark_instructions(&s);
    for (uint32_t n = 0; n < rtl->nodes.count; n++)
        if (s.heads[n] == n && dominance_reaches(&dom, (Node){n})) go_through_block(&s, n);
    find_checked(&s);
    const uint32_t *item_of = items_of_code(notes);
    for (uint32_t n = 0; n < rtl->nodes.count; n++) {
        uint32_t item = notes->then_items->of_node[n];
        if (s.main[n] != NO_ID || s.made[n] || rtl->nodes.at[n].kind == I_NOP) continue;
        if (!dominance_reaches(&dom, (Node){n}))
            history_remark(notes, REMARK_REMOVED, item, NO_ID, NO_ID, "no way leads there");
        else
            remark_part(&s, item_of, n, item);
    }
}

// ---- The order of instructions

void history_schedule(StepNotes *notes, const ScheduleHint *hint) {
    const Mach *mach = notes->after->mach;
    const uint32_t *item_of = items_of_code(notes);
    uint32_t *then_of = history_table(notes->scratch, notes->before->mach->code.count);
    bool *stays = ARENA_ARRAY(notes->scratch, bool, (size_t)mach->code.count + 1);
    if (hint->old.count != mach->code.count) return;
    for (uint32_t it = 0; it < notes->then_items->count; it++)
        then_of[notes->then_items->at[it].index] = it;
    for (uint32_t b = 0; b < mach->blocks.count; b++) {
        const MachBlock *block = &mach->blocks.at[b];
        mark_ascending(notes->scratch, hint->old.at + block->first, block->count,
                       stays + block->first);
    }
    for (uint32_t i = 0; i < mach->code.count; i++) {
        uint32_t old = hint->old.at[i];
        history_same(notes, item_of[i], then_of[old]);
        if (stays[i] || old == i) continue;
        uint32_t places = old > i ? old - i : i - old;
        history_remark(notes, REMARK_MOVED, then_of[old], item_of[i], NO_ID,
                       "%s by %u place%s: nothing that it passes depends on it, or it on that",
                       old > i ? "up" : "down", places, places == 1 ? "" : "s");
    }
}
