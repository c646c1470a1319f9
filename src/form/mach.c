#include "form/mach.h"

#include "form/forms.h"

#include <string.h>

bool mach_same_but_places(const MachInstr *a, const MachInstr *b) {
    return a->kind == b->kind && a->op == b->op && a->base == b->base && a->scale == b->scale &&
           a->chunk == b->chunk && a->memory == b->memory && a->immediate == b->immediate &&
           a->addressed == b->addressed && a->tested == b->tested && a->checked == b->checked &&
           a->high == b->high && a->displacement == b->displacement && a->ref == b->ref &&
           a->aux == b->aux && a->imm == b->imm && a->results == b->results &&
           a->arguments == b->arguments;
}

MachInstr mach_instr(MachKind kind) {
    return (MachInstr){.kind = (uint8_t)kind,
                       .chunk = mach_kind_has(kind, MACH_WIDTH) ? CHUNK_I64 : 0,
                       .memory = NO_SOURCE,
                       .immediate = NO_SOURCE,
                       .dest = NO_PLACE,
                       .src = {NO_PLACE, NO_PLACE, NO_PLACE, NO_PLACE},
                       .base_place = NO_PLACE,
                       .index = NO_PLACE,
                       .ref = NO_ID,
                       .node = NO_ID};
}

Sym mach_symbol(const MachInstr *instr) {
    bool call = mach_has(instr, MACH_CALLEE);
    bool address = instr->addressed ? instr->base == MB_SYMBOL
                                    : instr->kind == MK_OP && instr->op == OP_ADDR_SYMBOL;
    return address || (call && !instr->addressed) ? (Sym){instr->ref} : NO_SYM;
}

Func *mach_like(const Func *func, Arena *arena, bool allocated) {
    Func *like = func_like(func, arena);
    like->form = FORM_MACH;
    like->mach = ARENA_NEW(arena, Mach);
    like->mach->allocated = allocated;
    func_add_cases(like, func->case_pool.at, func->case_pool.count);
    if (allocated) {
        vec_clear(&like->params);
        vec_clear(&like->regs);
    }
    return like;
}

#define COPY_VEC(arena, to, from)                                                                  \
    ((from).count ? (void)memcpy(vec_extend((arena), &(to), (from).count), (from).at,              \
                                 (from).count * sizeof *(from).at)                                 \
                  : (void)0)

// ---- As a body (forms.def)

uint64_t mach_size(const Func *func) {
    return func->mach->code.count;
}

void mach_copy(Func *to, const Func *from) {
    Arena *arena = to->arena;
    const Mach *mach = from->mach;
    Mach *copy = to->mach = ARENA_NEW(arena, Mach);
    copy->allocated = mach->allocated;
    copy->saved = mach->saved;
    COPY_VEC(arena, copy->code, mach->code);
    COPY_VEC(arena, copy->blocks, mach->blocks);
    COPY_VEC(arena, copy->succs, mach->succs);
    COPY_VEC(arena, copy->lists, mach->lists);
    COPY_VEC(arena, copy->spills, mach->spills);
}

void mach_mentions(const Func *func, SymbolNote *note, void *context) {
    for (uint32_t i = 0; i < func->mach->code.count; i++) {
        Sym symbol = mach_symbol(mach_at(func, i));
        if (symbol.i != NO_ID) note(context, symbol);
    }
}

bool mach_is_final(const Func *func) {
    return func->mach->allocated;
}

uint32_t mach_block_of(const Func *func, uint32_t instr) {
    for (uint32_t b = 0; b < func->mach->blocks.count; b++) {
        const MachBlock *block = mach_block(func, b);
        if (instr >= block->first && instr - block->first < block->count) return b;
    }
    return NO_ID;
}

void mach_site_print(Out *out, const Func *func, Site site) {
    uint32_t b = mach_block_of(func, site.i);
    if (b == NO_ID)
        out_printf(out, "instruction %u", site.i);
    else
        out_printf(out, "block b%u, instruction %u", b, site.i - mach_block(func, b)->first);
}

// ---- Building

uint32_t mach_open(Func *func) {
    Mach *mach = func->mach;
    MachBlock block = {.first = mach->code.count, .succs = mach->succs.count};
    vec_push(func->arena, &mach->blocks, block);
    return mach->blocks.count - 1;
}

uint32_t mach_add(Func *func, MachInstr instr) {
    Mach *mach = func->mach;
    vec_push(func->arena, &mach->code, instr);
    mach->blocks.at[mach->blocks.count - 1].count++;
    return mach->code.count - 1;
}

void mach_set_list(Func *func, MachInstr *instr, const Place *results, uint32_t result_count,
                   const Place *arguments, uint32_t argument_count) {
    Mach *mach = func->mach;
    instr->list = mach->lists.count;
    instr->results = result_count;
    instr->arguments = argument_count;
    if (result_count == 0 && argument_count == 0) return;
    Place *list = vec_extend(func->arena, &mach->lists, result_count + argument_count);
    if (result_count) memcpy(list, results, result_count * sizeof(Place));
    if (argument_count) memcpy(list + result_count, arguments, argument_count * sizeof(Place));
}

void mach_end(Func *func, const uint32_t *succs, uint32_t count) {
    Mach *mach = func->mach;
    MachBlock *block = &mach->blocks.at[mach->blocks.count - 1];
    block->succs = mach->succs.count;
    block->succ_count = count;
    if (count) memcpy(vec_extend(func->arena, &mach->succs, count), succs, count * sizeof *succs);
}

// A hidden symbol belongs to this very object, wherever it is defined; an undefined weak symbol has
// the address 0, which is near to nothing that may lie anywhere. A symbol that the loader finds
// first may belong to another object.
bool mach_symbol_is_near(const Program *program, Sym symbol) {
    const Symbol *info = program_at(program, symbol);
    if (info->flags & SYMF_THREAD) return false;
    if (program->pic == PIC_NONE) return true;
    if (info->linkage == LINK_WEAK && !info->defined) return false;
    if (info->flags & SYMF_REPLACEABLE) return false;
    if (info->linkage == LINK_STATIC || info->visibility == VIS_HIDDEN ||
        info->visibility == VIS_INTERNAL)
        return true;
    return program->pic == PIC_PIE && (info->kind == SYM_DATA || info->defined);
}

bool mach_asks_for_address(const Program *program, const MachInstr *instr) {
    return instr->kind == MK_OP && instr->op == OP_ADDR_SYMBOL && program->pic == PIC_SHARED &&
           program_at(program, (Sym){instr->ref})->flags & SYMF_THREAD;
}

uint64_t mach_slot_bytes(const Func *func) {
    uint64_t bytes = 0;
    for (uint32_t s = 0; s < func->slots.count && bytes < UINT32_MAX; s++) {
        const SlotInfo *slot = &func->slots.at[s];
        bytes += slot->size < UINT32_MAX ? slot->size + slot->align : UINT32_MAX;
    }
    return bytes < UINT32_MAX ? bytes : UINT32_MAX;
}

MachPreds mach_preds(Arena *arena, const Func *func) {
    const Mach *mach = func->mach;
    uint32_t count = mach->blocks.count;
    uint32_t *first = ARENA_ARRAY(arena, uint32_t, (size_t)count + 2);
    for (uint32_t b = 0; b < count; b++) {
        const MachBlock *block = &mach->blocks.at[b];
        const uint32_t *succs = mach_succs(func, block);
        for (uint32_t k = 0; k < block->succ_count; k++) first[succs[k] + 2]++;
    }
    for (uint32_t b = 2; b < count + 2; b++) first[b] += first[b - 1];
    uint32_t *list = ARENA_ARRAY(arena, uint32_t, first[count + 1]);
    // first[b + 1] runs from the start of b's list to its end, where first[b + 1] has to point.
    for (uint32_t b = 0; b < count; b++) {
        const MachBlock *block = &mach->blocks.at[b];
        const uint32_t *succs = mach_succs(func, block);
        for (uint32_t k = 0; k < block->succ_count; k++) list[first[succs[k] + 1]++] = b;
    }
    return (MachPreds){.first = first, .list = list};
}

bool mach_splits_stack(const Func *func) {
    const uint32_t never = SYMF_NO_SPLIT | SYMF_NAKED | SYMF_INTERRUPT;
    return func->program->split_stack && !(func_flags(func) & never);
}
