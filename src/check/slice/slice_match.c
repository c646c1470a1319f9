#include "check/slice/slice_match.h"

#include "base/bits.h"
#include "fact/calls.h"
#include "fact/slot_fields.h"

#include <string.h>

// ---- Types

static bool same_ptype(const SliceMatch *match, PType old, PType fresh) {
    const ParamType *a = program_ptype_info(match->before, old);
    const ParamType *b = program_ptype_info(match->after, fresh);
    bool same =
        a->type == b->type && a->align == b->align && a->size == b->size && a->parts == b->parts;
    for (uint32_t i = 0; same && i < a->parts; i++) same = a->part[i] == b->part[i];
    return same;
}

bool slice_match_sig(const SliceMatch *match, Sig old, Sig fresh) {
    const SigInfo *a = program_sig_info(match->before, old);
    const SigInfo *b = program_sig_info(match->after, fresh);
    bool same = same_ptype(match, a->result, b->result) && a->param_count == b->param_count &&
                a->fixed_count == b->fixed_count && a->variadic == b->variadic &&
                sig_returns_twice(a) == sig_returns_twice(b) && a->c_type == b->c_type;
    for (uint32_t i = 0; same && i < a->param_count; i++)
        same = same_ptype(match, a->params[i], b->params[i]);
    return same;
}

// ---- Texts and symbols

static bool same_text(const SliceMatch *match, Str old, Str fresh) {
    return strcmp(program_text(match->before, old), program_text(match->after, fresh)) == 0;
}

// Whether a symbol of `after`, or none, is the given symbol of `before`, or none.
static bool same_symbol(const SliceMatch *match, uint32_t old, uint32_t fresh) {
    if (old == NO_ID || fresh == NO_ID) return old == fresh;
    return match->symbols[fresh].i == old;
}

static bool same_item(const SliceMatch *match, const DataItem *old, const DataItem *fresh) {
    if (old->kind != fresh->kind || old->value != fresh->value) return false;
    if (old->kind == DATA_ADDR) return same_symbol(match, old->symbol.i, fresh->symbol.i);
    return old->kind != DATA_BYTES || memcmp(old->bytes, fresh->bytes, (size_t)old->value) == 0;
}

static bool same_data(const SliceMatch *match, const Symbol *old, const Symbol *fresh) {
    bool same = old->size == fresh->size && old->align == fresh->align &&
                old->data.count == fresh->data.count;
    for (uint32_t i = 0; same && i < old->data.count; i++)
        same = same_item(match, &old->data.at[i], &fresh->data.at[i]);
    return same;
}

// Names of static symbols mean nothing.
static bool same_declaration(const SliceMatch *match, const Symbol *old, const Symbol *fresh) {
    if (old->kind != fresh->kind || old->linkage != fresh->linkage ||
        old->visibility != fresh->visibility || old->defined != fresh->defined ||
        old->flags != fresh->flags || !same_text(match, old->section, fresh->section) ||
        !same_symbol(match, old->alias.i, fresh->alias.i))
        return false;
    bool hidden = old->defined && old->linkage == LINK_STATIC;
    if (!hidden && !same_text(match, old->name, fresh->name)) return false;
    if (old->kind == SYM_DATA) return same_data(match, old, fresh);
    return slice_match_sig(match, old->sig, fresh->sig) && old->constructor == fresh->constructor &&
           old->destructor == fresh->destructor && (old->func != NULL) == (fresh->func != NULL);
}

static bool same_file_asms(const SliceMatch *match) {
    bool same = match->before->file_asms.count == match->after->file_asms.count;
    for (uint32_t i = 0; same && i < match->before->file_asms.count; i++)
        same = same_text(match, match->before->file_asms.at[i], match->after->file_asms.at[i]);
    return same;
}

Verdict slice_match_programs(Arena *arena, const Program *before, const Program *after,
                             const SliceSymbolsHint *hint, SliceMatch *match) {
    *match = (SliceMatch){.before = before, .after = after, .symbols = hint->symbols.at};
    if (hint->symbols.count != after->symbols.count)
        return verdict_rejected(arena, NO_SITE, "the hint does not fit the symbols of the slice");
    match->shared = before->sigs.at == after->sigs.at && before->ptypes.at == after->ptypes.at &&
                    before->asms.at == after->asms.at;
    for (uint32_t i = 0; match->shared && i < after->symbols.count; i++)
        match->shared = hint->symbols.at[i].i == i;
    Bits taken = bits_new(arena, before->symbols.count);
    for (uint32_t i = 0; i < after->symbols.count; i++)
        if (hint->symbols.at[i].i >= before->symbols.count ||
            !bits_put(&taken, hint->symbols.at[i].i))
            return verdict_rejected(arena, NO_SITE, "symbol '%s' is no other one of the original",
                                    program_text(after, after->symbols.at[i].name));
    for (uint32_t i = 0; i < after->symbols.count; i++)
        if (!same_declaration(match, program_at(before, hint->symbols.at[i]),
                              &after->symbols.at[i]))
            return verdict_rejected(arena, NO_SITE, "symbol '%s' is not what it was",
                                    program_text(after, after->symbols.at[i].name));
    if (before->pic != after->pic || before->frame_pointer != after->frame_pointer ||
        before->loose_stack != after->loose_stack || before->split_stack != after->split_stack ||
        !regs_equal(before->reserved, after->reserved) || !same_file_asms(match))
        return verdict_rejected(arena, NO_SITE,
                                "the programs differ in what holds for all of them");
    return VERDICT_ACCEPTED;
}

// ---- Instructions

static bool same_moves(const AsmOperandMove *old, const AsmOperandMove *fresh, uint32_t count) {
    bool same = true;
    for (uint32_t i = 0; same && i < count; i++)
        same = old[i].reg == fresh[i].reg && old[i].chunk == fresh[i].chunk &&
               old[i].offset == fresh[i].offset;
    return same;
}

static bool same_asm(const SliceMatch *match, int64_t old, int64_t fresh) {
    const AsmStatement *a = &match->before->asms.at[old], *b = &match->after->asms.at[fresh];
    return same_text(match, a->text, b->text) && regs_equal(a->destroys, b->destroys) &&
           a->inputs.count == b->inputs.count && a->outputs.count == b->outputs.count &&
           same_moves(a->inputs.at, b->inputs.at, a->inputs.count) &&
           same_moves(a->outputs.at, b->outputs.at, a->outputs.count);
}

// The references of an instruction by numbers of its program.
static bool same_reference(const SliceMatch *match, const Instr *old, const Instr *fresh) {
    bool builtin = old->kind == I_BUILTIN;
    BuiltinForm form = builtin ? builtin_info(old->op)->form : BIF_PLAIN;
    if (form == BIF_ASM ? !same_asm(match, old->imm, fresh->imm) : old->imm != fresh->imm)
        return false;
    bool call = old->kind == I_CALL, cases = old->kind == I_SWITCH;
    if (call ? !slice_match_sig(match, (Sig){old->aux}, (Sig){fresh->aux})
             : !cases && old->aux != fresh->aux)
        return false;
    if (form == BIF_PTYPE) return same_ptype(match, (PType){old->ref}, (PType){fresh->ref});
    if (instr_names_slot(old)) return true;
    Sym symbol = instr_symbol(old);
    if (symbol.i != NO_ID || instr_symbol(fresh).i != NO_ID)
        return same_symbol(match, symbol.i, instr_symbol(fresh).i);
    return old->ref == fresh->ref;
}

bool slice_match_instr(const SliceMatch *match, const Instr *old, const Instr *fresh) {
    return old->kind == fresh->kind && old->arg_count == fresh->arg_count &&
           (old->dest.i == NO_ID) == (fresh->dest.i == NO_ID) && old->base == fresh->base &&
           old->scale == fresh->scale && old->chunk == fresh->chunk &&
           old->effective == fresh->effective && old->op == fresh->op && old->high == fresh->high &&
           old->immediate == fresh->immediate && same_reference(match, old, fresh);
}

// ---- Bodies

static bool same_node(const SliceMatch *match, const Func *old, const Func *fresh, Node node) {
    const Instr *then = func_at(old, node), *now = func_at(fresh, node);
    if (!slice_match_instr(match, then, now) || then->dest.i != now->dest.i ||
        (instr_names_slot(then) && then->ref != now->ref) || then->succ_count != now->succ_count)
        return false;
    const Reg *a = instr_args(old, then), *b = instr_args(fresh, now);
    for (uint32_t k = 0; k < then->arg_count; k++)
        if (a[k].i != b[k].i) return false;
    const Node *s = instr_succs(old, then), *t = instr_succs(fresh, now);
    for (uint32_t k = 0; k < then->succ_count; k++)
        if (s[k].i != t[k].i) return false;
    return then->kind != I_SWITCH || then->succ_count <= 1 ||
           memcmp(instr_cases(old, then), instr_cases(fresh, now),
                  (then->succ_count - 1) * sizeof(int64_t)) == 0;
}

static bool same_frame(const SliceMatch *match, const Func *old, const Func *fresh) {
    bool same = slice_match_sig(match, old->sig, fresh->sig) &&
                old->params.count == fresh->params.count && old->regs.count == fresh->regs.count &&
                old->slots.count == fresh->slots.count && old->nodes.count == fresh->nodes.count;
    for (uint32_t i = 0; same && i < old->params.count; i++)
        same = old->params.at[i].i == fresh->params.at[i].i;
    for (uint32_t i = 0; same && i < old->regs.count; i++)
        same = old->regs.at[i].type == fresh->regs.at[i].type;
    for (uint32_t i = 0; same && i < old->slots.count; i++)
        same = old->slots.at[i].size == fresh->slots.at[i].size &&
               old->slots.at[i].align == fresh->slots.at[i].align;
    return same;
}

Verdict slice_match_bodies(Arena *arena, const SliceMatch *match, const Func *old,
                           const Func *fresh) {
    if (old == fresh && match->shared) return VERDICT_ACCEPTED;
    if (!same_frame(match, old, fresh))
        return verdict_rejected(arena, NO_SITE, "'%s' is not what it was", func_name(fresh));
    for (uint32_t n = 0; n < old->nodes.count; n++)
        if (!same_node(match, old, fresh, (Node){n}))
            return verdict_rejected(arena, node_site((Node){n}), "'%s' is not what it was",
                                    func_name(fresh));
    return VERDICT_ACCEPTED;
}
