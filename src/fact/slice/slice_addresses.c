#include "fact/slice/slice_addresses.h"

#include "fact/effects.h"
#include "graph/definitions.h"

// ---- Registers

static void carry(SliceCarriers *carriers, Reg reg, uint32_t object, bool *changed) {
    uint32_t *has = &carriers->carries[reg.i];
    if (*has == object) return;
    if (*has == NO_ID) {
        *has = object;
        *changed = true;
    } else {
        bits_add(&carriers->lost, *has);
        bits_add(&carriers->lost, object);
    }
}

// The argument whose object an operator hands on to its result; NO_ID if there is none.
static uint32_t handed_on(const SliceCarriers *carriers, const Instr *instr) {
    if (instr->kind != I_OP) return NO_ID;
    bool sum = instr->op == OP_ADD_I64, difference = instr->op == OP_SUB_I64;
    if (instr->op != OP_MOVE_I64 && !sum && !difference) return NO_ID;
    bool a = carriers->carries[instr->arg[0].i] != NO_ID;
    bool b = instr->arg_count > 1 && carriers->carries[instr->arg[1].i] != NO_ID;
    if (a == b) return NO_ID;
    return a ? 0 : sum ? 1 : NO_ID;
}

static void look_at_setting(SliceCarriers *carriers, const Instr *instr, bool *changed) {
    bool *number = &carriers->number[instr->dest.i], was = *number;
    uint32_t k = handed_on(carriers, instr);
    if (instr->kind == I_OP && instr->op == OP_ADDR_SLOT) {
        carry(carriers, instr->dest, instr->ref, changed);
    } else if (k != NO_ID) {
        carry(carriers, instr->dest, carriers->carries[instr->arg[k].i], changed);
        *number |= carriers->number[instr->arg[k].i];
    } else {
        *number = true;
    }
    *changed |= *number != was;
}

// An address in an object, not at its end: the object is not empty, and no object lies where null
// is.
static void find_exact(SliceCarriers *carriers, const Places *places, const Bits *exposed) {
    const Func *func = carriers->func;
    for (uint32_t r = 0; r < func->regs.count; r++) {
        const RegisterValue *value = &places->values[r];
        carriers->exact[r] = value->op == OP_ADDR_SLOT && value->imm >= 0 &&
                             (uint64_t)value->imm < func->slots.at[value->ref].size;
    }
    const SigInfo *sig = program_sig_info(func->program, func->sig);
    for (uint32_t i = 0; i < func->params.count; i++) {
        uint32_t reg = func->params.at[i].i, object = func->slots.count + i;
        carriers->number[reg] = true;
        if (!exposed || bits_has(exposed, object) || sig->params[i].i != PTYPE_OF(TYPE_I64).i)
            continue;
        carriers->number[reg] = false;
        carriers->carries[reg] = object;
        carriers->exact[reg] = true;
    }
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Reg dest = func->nodes.at[n].dest;
        if (dest.i != NO_ID && places->values[dest.i].op != OP_ADDR_SLOT)
            carriers->exact[dest.i] = false;
    }
}

SliceCarriers slice_carriers_of(Arena *arena, const Func *func, const Places *places,
                                const Bits *exposed) {
    enum { MOST_ROUNDS = 8 };
    uint32_t count = func->slots.count + func->params.count, regs = func->regs.count;
    SliceCarriers carriers = {.func = func,
                              .count = count,
                              .carries = ARENA_ARRAY(arena, uint32_t, (size_t)regs + 1),
                              .number = ARENA_ARRAY(arena, bool, (size_t)regs + 1),
                              .exact = ARENA_ARRAY(arena, bool, (size_t)regs + 1),
                              .lost = bits_new(arena, count)};
    for (uint32_t r = 0; r < regs; r++) carriers.carries[r] = NO_ID;
    find_exact(&carriers, places, exposed);
    bool changed = true;
    for (uint32_t round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = false;
        for (uint32_t n = 0; n < func->nodes.count; n++)
            if (func->nodes.at[n].dest.i != NO_ID)
                look_at_setting(&carriers, &func->nodes.at[n], &changed);
    }
    for (uint32_t i = 0; i < count && (changed || func->phis.count || func->son); i++)
        bits_add(&carriers.lost, i);
    return carriers;
}

// ---- Uses

// An argument that is an aggregate is copied at the call, a result that is one when it returns: the
// callee knows neither address.
static bool is_copied(const Program *program, const Instr *call, uint32_t k) {
    const SigInfo *sig = program_sig_info(program, (Sig){call->aux});
    uint32_t param = k - (call->ref == NO_ID);
    if (ptype_is_aggregate(program_ptype_info(program, sig->result)) && k + 1 == call->arg_count)
        return true;
    return (k || call->ref != NO_ID) && param < sig->param_count &&
           ptype_is_aggregate(program_ptype_info(program, sig->params[param]));
}

static SliceUse use_of_call(const SliceCarriers *carriers, const SliceCalls *calls,
                            const Instr *call, uint32_t k) {
    if (is_copied(carriers->func->program, call, k)) return SLICE_USE_ACCESS;
    if (!calls || call->ref == NO_ID || !carriers->exact[instr_args(carriers->func, call)[k].i])
        return SLICE_USE_EXPOSES;
    SliceParams params = calls->params[call->ref];
    if (k >= params.count || params.at[k].exposed) return SLICE_USE_EXPOSES;
    bool returned = params.at[k].returned && call->dest.i != NO_ID;
    return returned ? SLICE_USE_EXPOSES : SLICE_USE_ARGUMENT;
}

SliceUse slice_use_of(const SliceCarriers *carriers, const SliceCalls *calls, const Instr *instr,
                      uint32_t k) {
    const Func *func = carriers->func;
    Reg reg = instr_args(func, instr)[k];
    uint32_t object = carriers->carries[reg.i];
    if (object == NO_ID) return SLICE_USE_NONE;
    if (k < instr_accessed_args(instr)) // an event shows where it happens
        return instr_effects(instr) & MAY_BE_EVENT ? SLICE_USE_EXPOSES : SLICE_USE_ACCESS;
    if (instr->kind == I_CALL) return use_of_call(carriers, calls, instr, k);
    if (instr->kind == I_RETURN) {
        const SigInfo *sig = program_sig_info(func->program, func->sig);
        bool aggregate = ptype_is_aggregate(program_ptype_info(func->program, sig->result));
        return aggregate ? SLICE_USE_ACCESS : SLICE_USE_EXPOSES;
    }
    if (handed_on(carriers, instr) == k) return SLICE_USE_NONE;
    bool compares = (instr->kind == I_OP || instr->kind == I_COND) &&
                    (instr->op == OP_EQ_I64 || instr->op == OP_NE_I64);
    bool null = compares && instr->immediate && !instr->imm && carriers->exact[reg.i];
    return null ? SLICE_USE_NONE : SLICE_USE_EXPOSES;
}
