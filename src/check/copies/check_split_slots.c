// The checker of split_slots, which keeps the fields of frame slots in registers.
//
// The argument:
//
// 1. The fields. Fields do not overlap, lie in their slots, and each has a register of its own, of
//    the type of its chunk, which `before` does not have (check_fields, check_registers). No split
//    slot escapes (check_slots): every register that may hold its address holds the address
//    wherever the register is defined. Only loads, stores, memcpy, memset, and instructions that
//    set further registers of this kind use such a register (fact/slot_fields.h). Before its
//    definition such a register is no address, and an access by it is a wrong step. Hence only
//    these instructions touch the bytes of a split slot, and the bytes are known.
//
// 2. The relation. `before` and `after` are at the same node, with the same memory but for split
//    slots, and the same registers but for registers that hold addresses of split slots. `after`
//    does not need these. For each field, its bytes in `before` are the low bytes of its register
//    in `after`, undefined bits included; where `before` has undefined bits, `after` may have any.
//    At the entry both are undefined. A slot lives as long as the registers of its frame, and a
//    loop resets neither. Only calls that return twice tell the slot and the register apart; a
//    function with a call that returns twice, or may return twice, has no split slots.
//
// 3. The steps (check_node). Each node of `after` does what slot_rewrite says:
//    - A load or store of just the bytes of a field moves, extends or converts the register: all
//      bits are kept. A load by another effective type than the store's yields undefined bits in
//      `before`; loads and stores made of a memcpy have no type.
//    - A memset sets all fields in its range to constants. Its value is set in one place only, so
//      the value is this constant or undefined.
//    - A memcpy to a split slot loads all fields in its range, or moves the fields of another split
//      slot. Ranges are the same or do not overlap, or the memcpy is a wrong step, so no move
//      changes a field that another move needs. `after` knows nothing of bytes that are in no
//      field, and need not: no load reads them, and no memcpy takes them elsewhere.
//    - A memcpy from a split slot stores its fields. Every byte is in a field, or lies where no
//      memcpy or memset writes; as stores write fields only, such a byte is undefined. Other memory
//      is not the slot itself; fields that lie partly in a range are not accepted.
//    - An instruction that sets an address of a split slot becomes a nop.
//    - Everything else is the same, with slots renumbered.
//    Where a node becomes several instructions, the first stands in its place and the others, in a
//    row, behind the nodes of `before`: the only way into the row is from its start. Accesses that
//    leave the slot, or the memory at the other end of a memcpy, are wrong steps of `before`;
//    `after` accesses no more.
//
// The work is linear but for finding fields, by bisection.
#include "check/checkers.h"

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const SplitHint *hint;
    SlotUses uses;
    SlotPlan plan;
    SlotCode code;
    uint32_t next; // of the added nodes
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

// ---- The hint

static bool check_slots(Check *check) {
    const SplitHint *hint = check->hint;
    for (uint32_t i = 0; i < hint->slots.count; i++) {
        uint32_t slot = hint->slots.at[i].i;
        if (slot >= check->before->slots.count || (i && slot <= hint->slots.at[i - 1].i))
            return REJECT(check, NO_NODE, "the split slots are not in order");
        if (bits_has(&check->uses.escapes, slot))
            return REJECT(check, NO_NODE, "slot %u is not only accessed", slot);
    }
    return true;
}

static bool is_field_chunk(uint32_t chunk) {
    return chunk == CHUNK_I8 || chunk == CHUNK_I16 || chunk == CHUNK_I32 || chunk == CHUNK_I64 ||
           chunk == CHUNK_F32 || chunk == CHUNK_F64;
}

static bool check_fields(Check *check) {
    const SplitHint *hint = check->hint;
    uint32_t slot = 0;  // index in hint->slots
    uint64_t start = 0; // where the next field of this slot may start
    for (uint32_t i = 0; i < hint->fields.count; i++) {
        const SlotField *field = &hint->fields.at[i];
        while (slot < hint->slots.count && hint->slots.at[slot].i != field->slot.i) {
            slot++;
            start = 0;
        }
        if (slot == hint->slots.count || !is_field_chunk(field->chunk) || field->at < start)
            return REJECT(check, NO_NODE, "field %u is none of a split slot, or out of order", i);
        start = (uint64_t)field->at + chunk_size((Chunk)field->chunk);
        if (start > check->before->slots.at[field->slot.i].size)
            return REJECT(check, NO_NODE, "field %u leaves its slot", i);
    }
    return true;
}

// ---- The frame

static bool check_registers(Check *check) {
    const SplitHint *hint = check->hint;
    uint32_t first = check->before->regs.count;
    if (check->after->regs.count - first != hint->fields.count)
        return REJECT(check, NO_NODE, "fields and new registers are not as many");
    for (uint32_t i = 0; i < hint->fields.count; i++)
        if (reg_type(check->after, (Reg){first + i}) != chunk_type((Chunk)hint->fields.at[i].chunk))
            return REJECT(check, NO_NODE, "the register of field %u has another type", i);
    return true;
}

static bool check_frame_slots(Check *check) {
    const Func *before = check->before, *after = check->after;
    if (after->slots.count != before->slots.count - check->hint->slots.count)
        return REJECT(check, NO_NODE, "the number of slots is not what it must be");
    for (uint32_t s = 0; s < before->slots.count; s++) {
        if (bits_has(&check->plan.split, s)) continue;
        const SlotInfo *then = &before->slots.at[s];
        const SlotInfo *now = &after->slots.at[check->plan.number[s]];
        if (then->size != now->size || then->align != now->align || then->buffer != now->buffer ||
            !str_same(then->name, now->name))
            return REJECT(check, NO_NODE, "slot %u has changed", s);
    }
    return true;
}

// ---- Nodes

static bool check_kept(Check *check, Node node) {
    const Instr *now = func_at(check->after, node);
    Instr then = *func_at(check->before, node);
    if (instr_names_slot(&then)) then.ref = check->plan.number[then.ref];
    if (instr_same(check->before, &then, check->after, now) &&
        check_same_succs(check->before, &then, check->after, now))
        return true;
    return REJECT(check, node, "the instruction has changed");
}

static bool check_replaced(Check *check, Node node) {
    static const Instr nop = {.kind = I_NOP, .dest = {NO_ID}};
    const Func *after = check->after;
    uint32_t count = check->code.code.count;
    Node succ = func_at(check->before, node)->succ[0];
    if (count > 1 && after->nodes.count - check->next < count - 1)
        return REJECT(check, node, "nodes are missing");
    for (uint32_t i = 0; i < count || i == 0; i++) {
        const Instr *wanted = count ? &check->code.code.at[i] : &nop;
        Node at = i ? (Node){check->next++} : node;
        const Instr *now = func_at(after, at);
        if (!instr_same(check->before, wanted, after, now))
            return REJECT(check, at, "it does not do to the fields what node %u does", node.i);
        uint32_t next = i + 1 < count ? check->next : succ.i;
        if (now->succ_count != 1 || now->succ[0].i != next)
            return REJECT(check, at, "it does not go on to what follows");
    }
    return true;
}

static bool check_node(Check *check, Node node) {
    switch (slot_rewrite(&check->plan, func_at(check->before, node), &check->code)) {
    case SLOT_KEPT: return check_kept(check, node);
    case SLOT_REPLACED: return check_replaced(check, node);
    case SLOT_LOST: break;
    }
    return REJECT(check, node, "%s", check->code.reason);
}

static bool check_nodes(Check *check) {
    uint32_t count = check->before->nodes.count;
    if (check->after->nodes.count < count) return REJECT(check, NO_NODE, "nodes are missing");
    check->next = count;
    for (uint32_t n = 0; n < count; n++)
        if (!check_node(check, (Node){n})) return false;
    if (check->next != check->after->nodes.count)
        return REJECT(check, NO_NODE, "there are more nodes than it takes");
    return true;
}

// Whether `after` is `before` with registers for the fields of some slots.
Verdict check_split_slots(Arena *arena, const Func *before, const Func *after,
                          const SplitHint *hint) {
    Check check = {
        .arena = arena, .before = before, .after = after, .hint = hint, .code = {.arena = arena}};
    check.verdict = check_same_interface(arena, before, after);
    if (!check.verdict.accepted) return check.verdict;
    check.uses = slot_uses_of(arena, before);
    if (!check_slots(&check) || !check_fields(&check) || !check_registers(&check))
        return check.verdict;
    check.plan = slot_plan(arena, &check.uses, hint->slots.at, hint->slots.count, hint->fields.at,
                           hint->fields.count, before->regs.count);
    return check_frame_slots(&check) && check_nodes(&check) ? VERDICT_ACCEPTED : check.verdict;
}
