// Keeps structures that are only accessed in parts, or copied, in registers: after inlining, most
// structures that are passed and returned by value are of this kind. fact/slot_fields.h says which
// slots can be split, and how an access changes; this pass decides the fields.
//
// Loads and stores ask for fields. So do copies: a field of the slot at one end must be a field of
// the slot at the other end; and a copy to memory needs all bytes in fields. A slot whose requested
// parts overlap is given up, and counts as memory for the copies from it and to it. The search goes
// on until nothing changes. It takes three phases, so that known fields go before chosen fields:
//   NEEDED     fields that an access reads
//   SUGGESTED  for slots that are copied to memory: the fields of the slots that are copied to them
//   COVERED    for the same slots: integers where there are no fields yet
#include "pass/pass.h"

#include <string.h>

enum {
    LARGEST_SLOT = 256, // bytes
    MOST_FIELDS = 24,   // of a slot that is copied
    MOST_COVERS = 6     // fields of a slot that nobody asks for but copies
};

typedef enum { NEEDED, SUGGESTED, COVERED } Phase;

// A memcpy or memset that concerns a slot that may be split.
typedef struct {
    SlotAddress to, from; // slot NO_ID: memory, or a value
    uint64_t size;
} SlotCopy;

typedef struct {
    Arena *arena;
    const Func *func;
    SlotUses uses;
    Bits open;         // slots that may be split
    Bits gets_out;     // slots that are copied to memory
    uint32_t *byte_at; // slot -> its first byte in `bytes`
    uint8_t *bytes;    // 0: in no field; chunk + 1 at the start of a field; INSIDE elsewhere
    uint32_t *fields;  // slot -> how many it has
    uint32_t *covers;  // slot -> how many of them only copies need
    VEC(SlotCopy) copies;
    uint32_t *copy_at; // slot -> the first of its copies in copy_list; the next slot's ends them
    uint32_t *copy_list;
    SparseSet waiting; // slots whose copies are to be looked at
    Phase phase;
} SplitSlots;

enum { INSIDE = 0xff };

// ---- Fields

static bool is_open(const SplitSlots *state, uint32_t slot) {
    return slot != NO_ID && bits_has(&state->open, slot);
}

static uint8_t *bytes_of(const SplitSlots *state, uint32_t slot) {
    return state->bytes + state->byte_at[slot];
}

static uint64_t slot_size(const SplitSlots *state, uint32_t slot) {
    return state->func->slots.at[slot].size;
}

static void give_up(SplitSlots *state, uint32_t slot) {
    bits_remove(&state->open, slot);
    sparse_put(&state->waiting, slot);
}

static bool is_copied(const SplitSlots *state, uint32_t slot) {
    return state->copy_at && state->copy_at[slot] < state->copy_at[slot + 1];
}

static bool is_free(const uint8_t *bytes, uint32_t size) {
    for (uint32_t i = 0; i < size; i++)
        if (bytes[i]) return false;
    return true;
}

// Makes some bytes a field, if they are not one already. False if they cannot be.
static bool claim(SplitSlots *state, SlotAddress place, Chunk chunk) {
    uint32_t size = chunk_size(chunk);
    uint64_t whole = slot_size(state, place.slot);
    if (place.at > whole || size > whole - place.at || chunk == CHUNK_F80) return false;
    uint8_t *bytes = bytes_of(state, place.slot) + place.at;
    bool starts = *bytes && *bytes != INSIDE;
    if (starts && chunk_size((Chunk)(*bytes - 1)) == size) return true;
    if (!is_free(bytes, size)) return false;
    if (++state->fields[place.slot] > MOST_FIELDS && is_copied(state, place.slot)) return false;
    memset(bytes, INSIDE, size);
    *bytes = (uint8_t)(chunk + 1);
    sparse_put(&state->waiting, place.slot);
    return true;
}

// Whether a range lies in its slot, and no field does so only in part. `bytes` are those of the
// slot.
static bool is_whole(const SplitSlots *state, SlotAddress start, uint64_t size) {
    uint64_t whole = slot_size(state, start.slot);
    if (start.at > whole || size > whole - start.at) return false;
    const uint8_t *bytes = bytes_of(state, start.slot);
    uint64_t end = start.at + size;
    return !size || (bytes[start.at] != INSIDE && (end == whole || bytes[end] != INSIDE));
}

// ---- Copies

// The fields of a range of one slot are fields of another slot, too. False if a field cannot be
// made; this does not matter if it is only an attempt.
static bool claim_same(SplitSlots *state, SlotAddress model, SlotAddress start, uint64_t size,
                       bool trying) {
    const uint8_t *bytes = bytes_of(state, model.slot);
    for (uint64_t i = 0; i < size; i++) {
        uint8_t byte = bytes[model.at + i];
        SlotAddress place = {.slot = start.slot, .at = start.at + i};
        if (byte && byte != INSIDE && !claim(state, place, (Chunk)(byte - 1)) && !trying)
            return false;
    }
    return true;
}

// Makes fields of the bytes of a range that are in none but may be written.
static bool cover(SplitSlots *state, SlotAddress start, uint64_t size) {
    static const Chunk chunks[] = {CHUNK_I64, CHUNK_I32, CHUNK_I16, CHUNK_I8};
    uint64_t low = state->uses.filled[start.slot].low, high = state->uses.filled[start.slot].high;
    const uint8_t *bytes = bytes_of(state, start.slot);
    uint64_t end = start.at + size;
    for (uint64_t at = start.at > low ? start.at : low; at < end && at < high; at++) {
        if (bytes[at]) continue;
        uint32_t k = 0;
        while (at % chunk_size(chunks[k]) || at + chunk_size(chunks[k]) > end ||
               !is_free(bytes + at, chunk_size(chunks[k])))
            k++;
        if (++state->covers[start.slot] > MOST_COVERS) return false;
        if (!claim(state, (SlotAddress){.slot = start.slot, .at = at}, chunks[k])) return false;
    }
    return true;
}

static void look_at_copy(SplitSlots *state, const SlotCopy *copy) {
    bool to = is_open(state, copy->to.slot), from = is_open(state, copy->from.slot);
    if (to && !is_whole(state, copy->to, copy->size)) {
        give_up(state, copy->to.slot);
        to = false;
    }
    if (!from) return;
    if (!to && bits_put(&state->gets_out, copy->from.slot))
        sparse_put(&state->waiting, copy->from.slot);
    bool good = is_whole(state, copy->from, copy->size);
    if (good && to) good = claim_same(state, copy->to, copy->from, copy->size, false);
    if (good && !to && state->phase == COVERED) good = cover(state, copy->from, copy->size);
    if (!good)
        give_up(state, copy->from.slot);
    else if (to && state->phase >= SUGGESTED && bits_has(&state->gets_out, copy->to.slot))
        claim_same(state, copy->from, copy->to, copy->size, true);
}

static void look_at_copies(SplitSlots *state) {
    while (state->waiting.count) {
        uint32_t slot = sparse_pop(&state->waiting);
        for (uint32_t i = state->copy_at[slot]; i < state->copy_at[slot + 1]; i++)
            look_at_copy(state, &state->copies.at[state->copy_list[i]]);
    }
}

static bool fills_with_constant(const SplitSlots *state, const Instr *instr) {
    const Instr *value = defining_instr(state->func, state->uses.definitions, instr->arg[1]);
    return value && value->kind == I_OP && value->op == OP_CONST_I32;
}

static void find_copies(SplitSlots *state) {
    uint32_t count = state->func->slots.count;
    uint32_t *ends = ARENA_ARRAY(state->arena, uint32_t, (size_t)count + 2);
    for (uint32_t n = 0; n < state->func->nodes.count; n++) {
        const Instr *instr = &state->func->nodes.at[n];
        if (!instr_is_memcpy(instr) && !instr_is_memset(instr)) continue;
        SlotCopy copy = {.to = state->uses.address[instr->arg[0].i],
                         .from = state->uses.address[instr->arg[1].i],
                         .size = (uint64_t)instr->imm};
        if (is_open(state, copy.to.slot) && instr_is_memset(instr) &&
            !fills_with_constant(state, instr))
            bits_remove(&state->open, copy.to.slot);
        if (!is_open(state, copy.to.slot) && !is_open(state, copy.from.slot)) continue;
        vec_push(state->arena, &state->copies, copy);
        if (copy.to.slot != NO_ID) ends[copy.to.slot + 2]++;
        if (copy.from.slot != NO_ID) ends[copy.from.slot + 2]++;
    }
    for (uint32_t s = 0; s < count; s++) ends[s + 2] += ends[s + 1];
    state->copy_list = ARENA_ARRAY(state->arena, uint32_t, 2 * (size_t)state->copies.count);
    state->copy_at = ends;
    for (uint32_t i = 0; i < state->copies.count; i++) {
        const SlotCopy *copy = &state->copies.at[i];
        if (copy->to.slot != NO_ID) state->copy_list[ends[copy->to.slot + 1]++] = i;
        if (copy->from.slot != NO_ID) state->copy_list[ends[copy->from.slot + 1]++] = i;
    }
}

// ---- Slots

static bool find_open(SplitSlots *state) {
    uint32_t count = state->func->slots.count;
    uint64_t bytes = 0;
    bool any = false;
    state->open = bits_new(state->arena, count);
    state->gets_out = bits_new(state->arena, count);
    state->byte_at = ARENA_ARRAY(state->arena, uint32_t, count);
    for (uint32_t s = 0; s < count; s++) {
        if (bits_has(&state->uses.escapes, s) || slot_size(state, s) > LARGEST_SLOT) continue;
        bits_add(&state->open, s);
        any = true;
        state->byte_at[s] = size_to_u32(bytes, "bytes of slots");
        bytes += slot_size(state, s);
    }
    state->bytes = ARENA_ARRAY(state->arena, uint8_t, bytes);
    state->fields = ARENA_ARRAY(state->arena, uint32_t, count);
    state->covers = ARENA_ARRAY(state->arena, uint32_t, count);
    state->waiting = sparse_new(state->arena, count);
    return any;
}

// The chunk of a field that is accessed so.
static Chunk field_chunk(Chunk chunk) {
    return chunk == CHUNK_U8 ? CHUNK_I8 : chunk == CHUNK_U16 ? CHUNK_I16 : chunk;
}

static void claim_accessed(SplitSlots *state) {
    for (uint32_t n = 0; n < state->func->nodes.count; n++) {
        const Instr *instr = &state->func->nodes.at[n];
        SlotAddress place = slot_accessed(&state->uses, instr);
        if (is_open(state, place.slot) && !claim(state, place, field_chunk((Chunk)instr->chunk)))
            give_up(state, place.slot);
    }
}

static void choose(SplitSlots *state) {
    find_copies(state);
    claim_accessed(state);
    for (state->phase = NEEDED; state->phase <= COVERED; state->phase++) {
        for (uint32_t s = 0; s < state->func->slots.count; s++)
            if (is_copied(state, s)) sparse_put(&state->waiting, s);
        look_at_copies(state);
    }
}

static void fill_hint(const SplitSlots *state, SplitHint *hint) {
    for (uint32_t s = 0; s < state->func->slots.count; s++) {
        if (!is_open(state, s)) continue;
        vec_push(state->arena, &hint->slots, (Slot){s});
        const uint8_t *bytes = bytes_of(state, s);
        for (uint32_t at = 0; at < slot_size(state, s); at++)
            if (bytes[at] && bytes[at] != INSIDE)
                vec_push(state->arena, &hint->fields,
                         (SlotField){.slot = {s}, .at = at, .chunk = bytes[at] - 1u});
    }
}

// ---- Code

static void drop_slots(Func *result, const SlotPlan *plan) {
    uint32_t stays = 0;
    for (uint32_t s = 0; s < result->slots.count; s++)
        if (!bits_has(&plan->split, s)) result->slots.at[stays++] = result->slots.at[s];
    result->slots.count = stays;
}

static void replace(Func *result, Node node, const SlotCode *code) {
    Instr old = *func_at(result, node);
    if (!code->code.count)
        result->nodes.at[node.i] = (Instr){.kind = I_NOP, .dest = NO_REG, .loc = old.loc};
    for (uint32_t i = 0; i < code->code.count; i++) {
        Node at = i ? func_add(result, code->code.at[i]) : node;
        if (!i) result->nodes.at[at.i] = code->code.at[i];
        bool last = i + 1 == code->code.count;
        Node next = last ? old.succ[0] : (Node){result->nodes.count};
        func_set_succs(result, at, &next, 1);
    }
    if (!code->code.count) func_set_succs(result, node, old.succ, 1);
}

// The function with registers for the fields of frame slots; NULL if there is nothing to split.
Func *split_slots(Arena *arena, const Func *func, SplitHint *hint) {
    SplitSlots state = {.arena = arena, .func = func};
    if (!func->slots.count) return NULL;
    state.uses = slot_uses_of(arena, func);
    if (!find_open(&state)) return NULL;
    choose(&state);
    fill_hint(&state, hint);
    if (!hint->slots.count) return NULL;
    SlotPlan plan = slot_plan(arena, &state.uses, hint->slots.at, hint->slots.count,
                              hint->fields.at, hint->fields.count, func->regs.count);
    SlotCode code = {.arena = arena};
    Func *result = func_clone(func, arena);
    vec_clear(&result->labels);
    for (uint32_t i = 0; i < hint->fields.count; i++)
        func_temp(result, chunk_type((Chunk)hint->fields.at[i].chunk));
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Instr *now = &result->nodes.at[n];
        if (slot_rewrite(&plan, &func->nodes.at[n], &code) == SLOT_REPLACED)
            replace(result, (Node){n}, &code);
        else if (instr_names_slot(now))
            now->ref = plan.number[now->ref];
    }
    drop_slots(result, &plan);
    return result;
}
