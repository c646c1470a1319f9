// Random damage to code of the machine form, in either state.
#include "form/mach.h"
#include "hint/hints_mach.h"
#include "target/x64/model/constraints.h"
#include "test/gen/mutants.h"

#include <string.h>

static MachInstr *draw_instr(Mutant *mutant) {
    return &mutant->after->mach->code.at[mutant_draw(mutant, mutant->after->mach->code.count)];
}

// ---- Places

// A spill or a register of the same class, or a register of the same type.
static Place draw_place(Mutant *mutant, Place old) {
    const Mach *mach = mutant->after->mach;
    if (!mach->allocated) {
        Reg reg = place_reg(old);
        return mutant_change_reg(mutant, &reg) ? place_of_reg(reg) : old;
    }
    if (mach->spills.count && mutant_draw(mutant, 3) == 0)
        return place_spill(mutant_draw(mutant, mach->spills.count));
    bool vector = place_is_machine(old) && place_index(old) >= M_XMM0;
    return place_machine((vector ? M_XMM0 : 0) + mutant_draw(mutant, 16));
}

static bool change_place(Mutant *mutant, Place *place) {
    if (place->i == NO_ID) return false;
    Place other = draw_place(mutant, *place);
    bool changed = other.i != place->i;
    *place = other;
    return changed;
}

static bool change_source(Mutant *mutant) {
    return change_place(mutant, &draw_instr(mutant)->src[mutant_draw(mutant, MACH_SOURCES)]);
}
static bool change_base(Mutant *mutant) {
    MachInstr *instr = draw_instr(mutant);
    return change_place(mutant, mutant_draw(mutant, 2) ? &instr->base_place : &instr->index);
}
static bool change_destination(Mutant *mutant) {
    return change_place(mutant, &draw_instr(mutant)->dest);
}
static bool change_list(Mutant *mutant) {
    Mach *mach = mutant->after->mach;
    if (!mach->lists.count) return false;
    return change_place(mutant, &mach->lists.at[mutant_draw(mutant, mach->lists.count)]);
}

// Every occurrence in a stretch of the code: what a wrong choice of a place looks like.
static bool change_stretch(Mutant *mutant) {
    Mach *mach = mutant->after->mach;
    uint32_t first = mutant_draw(mutant, mach->code.count);
    uint32_t end = first + 1 + mutant_draw(mutant, mach->code.count - first);
    Place old = mach->code.at[first].dest;
    if (old.i == NO_ID) return false;
    Place fresh = draw_place(mutant, old);
    for (uint32_t i = first; i < end; i++) {
        MachInstr *instr = &mach->code.at[i];
        Place *places[] = {&instr->dest,   &instr->src[0],     &instr->src[1], &instr->src[2],
                           &instr->src[3], &instr->base_place, &instr->index};
        for (uint32_t k = 0; k < sizeof places / sizeof places[0]; k++)
            if (places[k]->i == old.i) *places[k] = fresh;
        for (uint32_t k = 0; k < instr->results + instr->arguments; k++)
            if (mach->lists.at[instr->list + k].i == old.i) mach->lists.at[instr->list + k] = fresh;
    }
    return fresh.i != old.i;
}

static void exchange_places(Place *a, Place *b) {
    Place first = *a;
    *a = *b;
    *b = first;
}

static bool exchange_sources(Mutant *mutant) {
    MachInstr *instr = draw_instr(mutant);
    uint32_t k = mutant_draw(mutant, MACH_SOURCES - 1);
    exchange_places(&instr->src[k], &instr->src[k + 1]);
    return instr->src[k].i != instr->src[k + 1].i && instr->src[k].i != NO_ID;
}
static bool exchange_destinations(Mutant *mutant) {
    MachInstr *a = draw_instr(mutant), *b = draw_instr(mutant);
    if (a->dest.i == NO_ID || b->dest.i == NO_ID) return false;
    exchange_places(&a->dest, &b->dest);
    return a->dest.i != b->dest.i;
}

// ---- The rest of an instruction

static bool change_immediate(Mutant *mutant) {
    static const int64_t changes[] = {1, -1, 8, -8, 1 << 8, INT64_C(1) << 32};
    MachInstr *instr = draw_instr(mutant);
    if (instr->immediate == NO_SOURCE && instr->imm == 0) return false;
    instr->imm += changes[mutant_draw(mutant, 6)];
    return true;
}
static bool change_displacement(Mutant *mutant) {
    static const int32_t changes[] = {1, -1, 4, -8};
    MachInstr *instr = draw_instr(mutant);
    if (!instr->addressed) return false;
    instr->displacement += changes[mutant_draw(mutant, 4)];
    return true;
}
static bool change_scale(Mutant *mutant) {
    MachInstr *instr = draw_instr(mutant);
    uint8_t scale = (uint8_t)(1 << mutant_draw(mutant, 4)), old = instr->scale;
    if (!old) return false;
    instr->scale = scale;
    return scale != old;
}
static bool change_chunk(Mutant *mutant) {
    MachInstr *instr = draw_instr(mutant);
    uint8_t chunk = (uint8_t)mutant_draw(mutant, CHUNK_COUNT), old = instr->chunk;
    if (!instr->addressed) return false;
    instr->chunk = chunk;
    return chunk != old;
}
static bool change_reference(Mutant *mutant) {
    MachInstr *instr = draw_instr(mutant);
    if (instr->ref == NO_ID) return false;
    uint32_t ref = mutant_draw(mutant, 4), old = instr->ref;
    instr->ref = ref;
    return ref != old;
}
static bool change_operator(Mutant *mutant) {
    MachInstr *instr = draw_instr(mutant);
    Op op = (Op)mutant_draw(mutant, OP_COUNT);
    if (instr->kind == MK_BUILTIN || instr->op == 0 || instr->op == op) return false;
    const OpInfo *old = op_info((Op)instr->op), *fresh = op_info(op);
    if (old->arity == 0 || old->arity != fresh->arity || old->result != fresh->result ||
        memcmp(old->operand, fresh->operand, sizeof old->operand) != 0)
        return false;
    instr->op = (uint16_t)op;
    return true;
}
static bool test_instead(Mutant *mutant) {
    MachInstr *instr = draw_instr(mutant);
    if (instr->kind != MK_BRANCH && instr->kind != MK_SELECT && instr->kind != MK_OP) return false;
    instr->tested = !instr->tested;
    return true;
}

// ---- Order

static uint32_t block_of(const Mach *mach, uint32_t at) {
    uint32_t block = 0;
    while (at >= mach->blocks.at[block].first + mach->blocks.at[block].count) block++;
    return block;
}

static uint32_t *origins(Mutant *mutant) {
    return mutant->origins ? ((AllocateHint *)mutant->hint)->origin.at : NULL;
}

static bool erase_instruction(Mutant *mutant) {
    Mach *mach = mutant->after->mach;
    uint32_t at = mutant_draw(mutant, mach->code.count), block = block_of(mach, at);
    uint32_t *origin = origins(mutant), rest = mach->code.count - at - 1;
    if (mach_kind_ends(mach->code.at[at].kind)) return false;
    memmove(&mach->code.at[at], &mach->code.at[at + 1], rest * sizeof(MachInstr));
    mach->code.count--;
    if (origin) {
        memmove(origin + at, origin + at + 1, rest * sizeof *origin);
        ((AllocateHint *)mutant->hint)->origin.count--;
    }
    mach->blocks.at[block].count--;
    while (++block < mach->blocks.count) mach->blocks.at[block].first--;
    return true;
}

// Moves an instruction some way forward or back in its block.
static bool move_instruction(Mutant *mutant) {
    Mach *mach = mutant->after->mach;
    uint32_t at = mutant_draw(mutant, mach->code.count), *origin = origins(mutant);
    const MachBlock *block = &mach->blocks.at[block_of(mach, at)];
    uint32_t to = block->first + mutant_draw(mutant, block->count);
    if (at == to || mach_kind_ends(mach->code.at[at].kind) ||
        mach_kind_ends(mach->code.at[to].kind))
        return false;
    for (uint32_t step = at < to ? 1 : UINT32_MAX; at != to; at += step) {
        MachInstr instr = mach->code.at[at];
        mach->code.at[at] = mach->code.at[at + step];
        mach->code.at[at + step] = instr;
        if (!origin) continue;
        uint32_t from = origin[at];
        origin[at] = origin[at + step];
        origin[at + step] = from;
    }
    return true;
}

// Puts another instruction in the place of one; its list would be the other's.
static bool replace_instruction(Mutant *mutant) {
    MachInstr *a = draw_instr(mutant);
    const MachInstr *b = draw_instr(mutant);
    if (mach_kind_ends(a->kind) || mach_kind_ends(b->kind) || a->kind == MK_PARAMS ||
        a->results + a->arguments + b->results + b->arguments)
        return false;
    bool same = memcmp(a, b, sizeof *a) == 0;
    *a = *b;
    return !same;
}

// ---- Ways

static bool swap_branch(Mutant *mutant) {
    Mach *mach = mutant->after->mach;
    const MachBlock *block = &mach->blocks.at[mutant_draw(mutant, mach->blocks.count)];
    if (block->succ_count < 2) return false;
    uint32_t *succs = mach->succs.at + block->succs, first = succs[0];
    succs[0] = succs[1];
    succs[1] = first;
    return true;
}
static bool retarget_way(Mutant *mutant) {
    Mach *mach = mutant->after->mach;
    if (!mach->succs.count || mach->blocks.count < 2) return false;
    mach->succs.at[mutant_draw(mutant, mach->succs.count)] =
        1 + mutant_draw(mutant, mach->blocks.count - 1);
    return true;
}
static bool change_case(Mutant *mutant) {
    Func *after = mutant->after;
    if (!after->case_pool.count) return false;
    after->case_pool.at[mutant_draw(mutant, after->case_pool.count)] +=
        mutant_draw(mutant, 2) ? 1 : -1;
    return true;
}

const MutantKind mach_mutant_kinds[] = {
    {"change a source", change_source},
    {"change a part of an address", change_base},
    {"change a destination", change_destination},
    {"change a place of a list", change_list},
    {"change a place for a while", change_stretch},
    {"exchange sources", exchange_sources},
    {"exchange destinations", exchange_destinations},
    {"change an immediate", change_immediate},
    {"change a displacement", change_displacement},
    {"change a scale", change_scale},
    {"change a chunk", change_chunk},
    {"change a reference", change_reference},
    {"change an operator", change_operator},
    {"test instead of compare", test_instead},
    {"erase an instruction", erase_instruction},
    {"move an instruction", move_instruction},
    {"replace an instruction", replace_instruction},
    {"swap a branch", swap_branch},
    {"retarget a way", retarget_way},
    {"change a case", change_case},
};
const uint32_t mach_mutant_kind_count = sizeof mach_mutant_kinds / sizeof mach_mutant_kinds[0];
