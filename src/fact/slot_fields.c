// Rewrites accesses to slots into operations on registers. One sentence relates a register to its
// field: the bytes of the field are the low bytes of the register, undefined bits included. Every
// rewritten access keeps the sentence true: moves, loads and stores of the field's chunk, the
// conversions that keep all bits, and the extensions that a narrow load makes.
#include "fact/slot_fields.h"

#include "fact/calls.h"
#include "fact/effects.h"

#include <string.h>

// ---- Addresses

static bool is_address(const Instr *instr) {
    return instr->kind == I_OP && instr->op == OP_ADDR_SLOT;
}

// Whether the result is the argument plus a constant.
static bool derives_address(const Instr *instr) {
    return instr->kind == I_OP &&
           (instr->op == OP_MOVE_I64 || (instr->op == OP_ADD_I64 && instr->immediate));
}

// From the registers that are set to addresses of slots to the registers derived from them.
static void find_addresses(Arena *arena, SlotUses *uses) {
    const Func *func = uses->func;
    uint32_t *derived = ARENA_ARRAY(arena, uint32_t, func->regs.count); // the first one
    uint32_t *next = ARENA_ARRAY(arena, uint32_t, func->regs.count);    // of the same register
    VEC(uint32_t) waiting = {0};
    uses->address = ARENA_ARRAY(arena, SlotAddress, func->regs.count);
    for (uint32_t r = 0; r < func->regs.count; r++) {
        derived[r] = NO_ID;
        uses->address[r].slot = NO_ID;
    }
    for (uint32_t r = 0; r < func->regs.count; r++) {
        const Instr *instr = defining_instr(func, uses->definitions, (Reg){r});
        if (!instr) continue;
        if (derives_address(instr)) {
            next[r] = derived[instr->arg[0].i];
            derived[instr->arg[0].i] = r;
        } else if (is_address(instr)) {
            uses->address[r] = (SlotAddress){.slot = instr->ref, .at = (uint64_t)instr->imm};
            vec_push(arena, &waiting, r);
        }
    }
    while (waiting.count) {
        uint32_t reg = vec_pop(&waiting);
        SlotAddress from = uses->address[reg];
        for (uint32_t r = derived[reg]; r != NO_ID; r = next[r]) {
            const Instr *instr = defining_instr(func, uses->definitions, (Reg){r});
            uint64_t more = instr->immediate ? (uint64_t)instr->imm : 0;
            uses->address[r] = (SlotAddress){.slot = from.slot, .at = from.at + more};
            vec_push(arena, &waiting, r);
        }
    }
}

bool instr_names_slot(const Instr *instr) {
    if (instr->kind == I_OP) return instr->op == OP_ADDR_SLOT;
    return instr_has_address(instr) && instr->base == BASE_SLOT;
}

static bool is_plain_access(const Instr *instr) {
    return (instr->kind == I_LOAD || instr->kind == I_STORE) && !instr->scale;
}

SlotAddress slot_accessed(const SlotUses *uses, const Instr *instr) {
    SlotAddress result = {.slot = NO_ID};
    if (!is_plain_access(instr)) return result;
    if (instr->base == BASE_SLOT) result = (SlotAddress){.slot = instr->ref};
    if (instr->base == BASE_REG) result = uses->address[instr->arg[0].i];
    result.at += (uint64_t)instr->imm;
    return result;
}

// ---- Uses

// How many of the first arguments are addresses that may be those of slots.
static uint32_t harmless_args(const SlotUses *uses, const Instr *instr) {
    if (is_plain_access(instr) || instr_is_memcpy(instr) || instr_is_memset(instr))
        return instr_accessed_args(instr);
    return derives_address(instr) && uses->address[instr->dest.i].slot != NO_ID;
}

static void find_escapes_at(SlotUses *uses, const Instr *instr) {
    const Reg *args = instr_args(uses->func, instr);
    for (uint32_t k = harmless_args(uses, instr); k < instr->arg_count; k++) {
        uint32_t slot = uses->address[args[k].i].slot;
        if (slot != NO_ID) bits_add(&uses->escapes, slot);
    }
    if (!instr_names_slot(instr)) return;
    bool harmless =
        is_address(instr) ? uses->address[instr->dest.i].slot != NO_ID : is_plain_access(instr);
    if (!harmless) bits_add(&uses->escapes, instr->ref);
}

static void note_filled(SlotUses *uses, const Instr *instr) {
    SlotAddress to = uses->address[instr->arg[0].i];
    if (to.slot == NO_ID || instr->imm <= 0) return;
    uint64_t high = to.at + (uint64_t)instr->imm;
    if (to.at < uses->filled[to.slot].low) uses->filled[to.slot].low = to.at;
    if (high > uses->filled[to.slot].high) uses->filled[to.slot].high = high;
}

SlotUses slot_uses_of(Arena *arena, const Func *func) {
    SlotUses uses = {.func = func, .escapes = bits_new(arena, func->slots.count)};
    uses.definitions = definitions_of(arena, func);
    find_addresses(arena, &uses);
    uses.filled = arena_alloc(arena, size_mul(func->slots.count, sizeof *uses.filled));
    for (uint32_t s = 0; s < func->slots.count; s++) uses.filled[s].low = UINT64_MAX;
    bool twice = false;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        twice = twice || call_returns_twice(func->program, instr);
        find_escapes_at(&uses, instr);
        if (instr_is_memcpy(instr) || instr_is_memset(instr)) note_filled(&uses, instr);
    }
    for (uint32_t s = 0; twice && s < func->slots.count; s++) bits_add(&uses.escapes, s);
    return uses;
}

bool returns_slot(const Func *func, Reg *reg) {
    Reg result = NO_REG;
    *reg = NO_REG;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (instr->kind != I_RETURN) continue;
        if (!instr->arg_count || (result.i != NO_ID && result.i != instr->arg[0].i)) return false;
        result = instr->arg[0];
    }
    if (result.i == NO_ID) return true;
    for (uint32_t i = 0; i < func->params.count; i++)
        if (func->params.at[i].i == result.i) return false;
    uint32_t settings = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        if (func->nodes.at[n].dest.i != result.i) continue;
        if (!is_address(&func->nodes.at[n])) return false;
        settings++;
    }
    if (settings == 1) *reg = result;
    return settings == 1;
}

// ---- Plans

SlotPlan slot_plan(Arena *arena, const SlotUses *uses, const Slot *slots, uint32_t slot_count,
                   const SlotField *fields, uint32_t field_count, uint32_t reg) {
    uint32_t count = uses->func->slots.count;
    SlotPlan plan = {.uses = uses,
                     .split = bits_new(arena, count),
                     .fields = fields,
                     .first = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1),
                     .number = ARENA_ARRAY(arena, uint32_t, count),
                     .reg = reg};
    for (uint32_t i = 0; i < slot_count; i++) bits_add(&plan.split, slots[i].i);
    uint32_t stays = 0, field = 0;
    for (uint32_t s = 0; s < count; s++) {
        plan.first[s] = field;
        while (field < field_count && fields[field].slot.i == s) field++;
        plan.number[s] = stays;
        stays += !bits_has(&plan.split, s);
    }
    plan.first[count] = field;
    return plan;
}

// ---- Fields

static bool is_split(const SlotPlan *plan, SlotAddress address) {
    return address.slot != NO_ID && bits_has(&plan->split, address.slot);
}

static uint64_t field_end(const SlotField *field) {
    return (uint64_t)field->at + chunk_size((Chunk)field->chunk);
}

// The first field of a slot that ends behind a place; the end of its fields if there is none.
static uint32_t field_behind(const SlotPlan *plan, SlotAddress place) {
    uint32_t low = plan->first[place.slot], high = plan->first[place.slot + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (field_end(&plan->fields[middle]) > place.at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// The field with just these bytes; NO_ID if there is none.
static uint32_t field_at(const SlotPlan *plan, SlotAddress place, uint32_t size) {
    uint32_t i = field_behind(plan, place);
    bool good = i < plan->first[place.slot + 1] && plan->fields[i].at == place.at &&
                chunk_size((Chunk)plan->fields[i].chunk) == size;
    return good ? i : NO_ID;
}

static Reg field_reg(const SlotPlan *plan, uint32_t field) {
    return (Reg){plan->reg + field};
}

static Type field_type(const SlotPlan *plan, uint32_t field) {
    return chunk_type((Chunk)plan->fields[field].chunk);
}

// ---- Code

static SlotOutcome lost(SlotCode *out, const char *reason) {
    out->reason = reason;
    return SLOT_LOST;
}

// The operator that keeps the bits of a value of one type in another of the same size.
static Op op_same_bits(Type to, Type from) {
    if (to == from) return op_move(to);
    switch (to) {
    case TYPE_I32: return OP_BITS_I32_F32;
    case TYPE_I64: return OP_BITS_I64_F64;
    case TYPE_F32: return OP_BITS_F32_I32;
    default: return OP_BITS_F64_I64;
    }
}

static void add_op(SlotCode *out, Op op, Reg dest, Reg arg, uint32_t loc) {
    vec_push(out->arena, &out->code,
             (Instr){.kind = I_OP,
                     .op = (uint16_t)op,
                     .dest = dest,
                     .arg_count = 1,
                     .arg = {arg},
                     .loc = loc});
}

// The operator that a load of a chunk amounts to if a register has its bytes.
static Op op_of_load(Chunk chunk, Type from) {
    Op extension = chunk_extension(chunk);
    return extension != OP_COUNT ? extension : op_same_bits(chunk_type(chunk), from);
}

static SlotOutcome rewrite_access(const SlotPlan *plan, const Instr *instr, SlotAddress place,
                                  SlotCode *out) {
    Chunk chunk = (Chunk)instr->chunk;
    uint32_t field = field_at(plan, place, chunk_size(chunk));
    if (field == NO_ID) return lost(out, "it accesses no field of a split slot");
    Reg reg = field_reg(plan, field);
    if (instr->kind == I_LOAD)
        add_op(out, op_of_load(chunk, field_type(plan, field)), instr->dest, reg, instr->loc);
    else
        add_op(out, op_same_bits(field_type(plan, field), chunk_type(chunk)), reg,
               instr->arg[instr->arg_count - 1], instr->loc);
    return SLOT_REPLACED;
}

// Whether bytes from a place on lie in its slot.
static bool is_range(const SlotPlan *plan, SlotAddress place, int64_t size) {
    uint64_t whole = plan->uses->func->slots.at[place.slot].size;
    return place.at <= whole && size >= 0 && (uint64_t)size <= whole - place.at;
}

// Whether a field that ends behind the start of a range lies in the range; `broken` is set if only
// a part does.
static bool in_range(const SlotPlan *plan, uint32_t field, SlotAddress start, int64_t size,
                     bool *broken) {
    uint64_t end = start.at + (uint64_t)size;
    if (!size || field >= plan->first[start.slot + 1] || plan->fields[field].at >= end)
        return false;
    *broken = *broken || plan->fields[field].at < start.at || field_end(&plan->fields[field]) > end;
    return !*broken;
}

static void add_transfer(const SlotPlan *plan, const Instr *copy, uint32_t field, Reg address,
                         uint64_t at, bool load, SlotCode *out) {
    Reg reg = field_reg(plan, field);
    vec_push(out->arena, &out->code,
             (Instr){.kind = load ? I_LOAD : I_STORE,
                     .base = BASE_REG,
                     .chunk = (uint8_t)plan->fields[field].chunk,
                     .dest = load ? reg : NO_REG,
                     .arg_count = load ? 1 : 2,
                     .arg = {address, load ? (Reg){0} : reg},
                     .imm = (int64_t)at,
                     .loc = copy->loc});
}

// A memcpy to a split slot: its fields are loaded, or moved from the fields of another.
static SlotOutcome rewrite_copy_in(const SlotPlan *plan, const Instr *instr, SlotCode *out) {
    SlotAddress to = plan->uses->address[instr->arg[0].i];
    SlotAddress from = plan->uses->address[instr->arg[1].i];
    bool broken = false, moves = is_split(plan, from);
    if (!is_range(plan, to, instr->imm) || (moves && !is_range(plan, from, instr->imm)))
        return lost(out, "it leaves a split slot");
    for (uint32_t i = field_behind(plan, to); in_range(plan, i, to, instr->imm, &broken); i++) {
        const SlotField *field = &plan->fields[i];
        uint64_t distance = field->at - to.at;
        if (!moves) {
            add_transfer(plan, instr, i, instr->arg[1], distance, true, out);
            continue;
        }
        SlotAddress source = {.slot = from.slot, .at = from.at + distance};
        uint32_t other = field_at(plan, source, chunk_size((Chunk)field->chunk));
        if (other == NO_ID) return lost(out, "it copies what is no field");
        add_op(out, op_same_bits(field_type(plan, i), field_type(plan, other)), field_reg(plan, i),
               field_reg(plan, other), instr->loc);
    }
    return broken ? lost(out, "it writes a part of a field") : SLOT_REPLACED;
}

// Whether bytes that belong to no field are never written.
static bool is_void(const SlotPlan *plan, uint32_t slot, uint64_t start, uint64_t end) {
    return start >= end || start >= plan->uses->filled[slot].high ||
           end <= plan->uses->filled[slot].low;
}

// A memcpy from a split slot to memory. Bytes between the fields are undefined, so the copy may
// leave them unchanged.
static SlotOutcome rewrite_copy_out(const SlotPlan *plan, const Instr *instr, SlotCode *out) {
    SlotAddress from = plan->uses->address[instr->arg[1].i];
    if (!is_range(plan, from, instr->imm)) return lost(out, "it leaves a split slot");
    bool broken = false, covered = true;
    uint64_t done = from.at, end = from.at + (uint64_t)instr->imm;
    for (uint32_t i = field_behind(plan, from); in_range(plan, i, from, instr->imm, &broken); i++) {
        const SlotField *field = &plan->fields[i];
        covered = covered && is_void(plan, from.slot, done, field->at);
        add_transfer(plan, instr, i, instr->arg[0], field->at - from.at, false, out);
        done = field_end(field);
    }
    if (broken) return lost(out, "it reads a part of a field");
    if (!covered || !is_void(plan, from.slot, done, end))
        return lost(out, "it reads bytes that are in no field");
    return SLOT_REPLACED;
}

static SlotOutcome rewrite_fill(const SlotPlan *plan, const Instr *instr, SlotCode *out) {
    SlotAddress to = plan->uses->address[instr->arg[0].i];
    const Instr *value = defining_instr(plan->uses->func, plan->uses->definitions, instr->arg[1]);
    if (!value || value->kind != I_OP || value->op != OP_CONST_I32)
        return lost(out, "it fills a split slot with no constant");
    if (!is_range(plan, to, instr->imm)) return lost(out, "it leaves a split slot");
    bool broken = false;
    uint64_t bits = (uint64_t)(value->imm & 0xff) * 0x0101010101010101u;
    for (uint32_t i = field_behind(plan, to); in_range(plan, i, to, instr->imm, &broken); i++) {
        Type type = field_type(plan, i);
        int64_t imm = type == TYPE_I32   ? (int32_t)(uint32_t)bits
                      : type == TYPE_F32 ? (int64_t)(uint32_t)bits
                                         : (int64_t)bits;
        vec_push(out->arena, &out->code,
                 (Instr){.kind = I_OP,
                         .op = (uint16_t)op_const(type),
                         .dest = field_reg(plan, i),
                         .imm = imm,
                         .loc = instr->loc});
    }
    return broken ? lost(out, "it fills a part of a field") : SLOT_REPLACED;
}

SlotOutcome slot_rewrite(const SlotPlan *plan, const Instr *instr, SlotCode *out) {
    const SlotAddress *address = plan->uses->address;
    vec_clear(&out->code);
    if (instr_is_memcpy(instr) || instr_is_memset(instr)) {
        bool to = is_split(plan, address[instr->arg[0].i]);
        if (instr_is_memset(instr)) return to ? rewrite_fill(plan, instr, out) : SLOT_KEPT;
        if (to) return rewrite_copy_in(plan, instr, out);
        return is_split(plan, address[instr->arg[1].i]) ? rewrite_copy_out(plan, instr, out)
                                                        : SLOT_KEPT;
    }
    SlotAddress place = slot_accessed(plan->uses, instr);
    if (is_split(plan, place)) return rewrite_access(plan, instr, place, out);
    // Nothing is left that needs the address.
    if (instr->dest.i != NO_ID && is_split(plan, address[instr->dest.i])) return SLOT_REPLACED;
    return SLOT_KEPT;
}
