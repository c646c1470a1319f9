// Remarks on split_slots and ssa_build.
#include "history/history_private.h"

// ---- split_slots

static const char *slot_name(const StepNotes *notes, const Func *func, Slot slot) {
    Str name = func->slots.at[slot.i].name;
    return name.i == STR_NONE.i
               ? arena_printf(notes->scratch, "$%u", slot.i)
               : arena_printf(notes->scratch, "$%s", program_text(func->program, name));
}

// "$p + 4"
static const char *field_name(const StepNotes *notes, const SplitHint *hint, Reg reg) {
    uint32_t first = notes->before->regs.count;
    if (reg.i == NO_ID || reg.i < first || reg.i - first >= hint->fields.count) return NULL;
    const SlotField *field = &hint->fields.at[reg.i - first];
    const char *name = slot_name(notes, notes->before, field->slot);
    return field->at ? arena_printf(notes->scratch, "%s + %u", name, field->at) : name;
}

// The field that an instruction has instead of memory: that which it sets, or one that it reads.
static Reg field_of(const StepNotes *notes, const SplitHint *hint, const Instr *instr) {
    if (field_name(notes, hint, instr->dest)) return instr->dest;
    for (uint32_t k = 0; k < instr->arg_count; k++)
        if (field_name(notes, hint, instr_args(notes->after, instr)[k]))
            return instr_args(notes->after, instr)[k];
    return NO_REG;
}

static void remark_split(StepNotes *notes, const SplitHint *hint, uint32_t then, uint32_t item,
                         const Instr *instr) {
    Reg field = field_of(notes, hint, instr);
    if (field.i != NO_ID)
        history_remark(notes, REMARK_SPLIT, then, item, NO_ID, "%s is in the register %s",
                       field_name(notes, hint, field), history_reg(notes, notes->after, field));
    else
        history_remark(notes, REMARK_SPLIT, then, item, NO_ID,
                       "what is in the slot is in registers");
}

// Nodes keep their numbers. What takes several instructions has the first in its place and the
// others behind the old nodes.
void history_split_slots(StepNotes *notes, const SplitHint *hint) {
    uint32_t count = notes->before->nodes.count;
    for (uint32_t n = 0; n < notes->after->nodes.count; n++) {
        const Instr *now = &notes->after->nodes.at[n];
        uint32_t item = notes->items->of_node[n];
        if (n >= count) {
            remark_split(notes, hint, NO_ID, item, now);
            continue;
        }
        const Instr *was = &notes->before->nodes.at[n];
        uint32_t then = notes->then_items->of_node[n];
        bool gone = now->kind == I_NOP && was->kind != I_NOP;
        if (!gone) history_same(notes, item, then);
        if (gone && was->kind == I_STORE)
            history_remark(notes, REMARK_REMOVED, then, NO_ID, NO_ID,
                           "nothing reads what it puts into the slot");
        else if (gone)
            history_remark(notes, REMARK_SPLIT, then, NO_ID, NO_ID,
                           "the slot is in registers, which have no address");
        else if (now->kind != was->kind || now->op != was->op)
            remark_split(notes, hint, then, item, now);
    }
    history_establish(notes,
                      "the address of %u slot%s is used for nothing but the accesses that became "
                      "moves of %u register%s",
                      hint->slots.count, hint->slots.count == 1 ? "" : "s", hint->fields.count,
                      hint->fields.count == 1 ? "" : "s");
}

// ---- ssa_build

// Nodes stay what they are.
void history_ssa_build(StepNotes *notes, const SsaHint *hint) {
    uint32_t phis = 0;
    for (uint32_t i = 0; i < notes->items->count; i++) {
        const Item *item = &notes->items->at[i];
        if (item->kind == ITEM_INSTR) {
            history_same(notes, i, notes->then_items->of_node[item->node]);
            continue;
        }
        Reg dest = item_dest(notes->after, item);
        Reg origin = dest.i < hint->origin.count ? hint->origin.at[dest.i] : NO_REG;
        phis++;
        if (origin.i < notes->before->regs.count)
            history_remark(notes, REMARK_ADDED, NO_ID, i, NO_ID, "versions of %s meet here",
                           history_reg(notes, notes->before, origin));
        else
            history_remark(notes, REMARK_ADDED, NO_ID, i, NO_ID,
                           "versions of a register meet here");
    }
    history_establish(notes,
                      "each operand is the version that holds its register's value on every way, "
                      "as is each argument of %u phi%s",
                      phis, phis == 1 ? "" : "s");
}
