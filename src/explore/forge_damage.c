// Kinds of damage, one small change each.
#include "explore/forge.h"
#include "explore/view.h"
#include "form/gsa.h"
#include "form/mach.h"

#include <string.h>

// ---- Operators and constants

static bool same_types(const OpInfo *a, const OpInfo *b) {
    return a->arity == b->arity && a->result == b->result &&
           memcmp(a->operand, b->operand, sizeof a->operand) == 0;
}

// An operator of the same types that computes something else; the same if there is none.
static Op other_operator(Op op, bool condition, bool immediate) {
    for (uint32_t i = 1; i < OP_COUNT; i++) {
        Op other = (Op)((op + i) % OP_COUNT);
        const OpInfo *info = op_info(other);
        bool fits = same_types(info, op_info(op)) && info->arity > 0 && !op_is_partial(other) &&
                    (!condition || (info->flags & OPF_COND)) &&
                    (!immediate || op_allows_immediate(other));
        if (fits && info->family != op_info(op)->family) return other;
    }
    return op;
}

static int64_t other_constant(int64_t value) {
    return value == INT32_MAX || value == INT64_MAX ? value - 1 : value + 1;
}

static bool has_constant(const Instr *instr) {
    return instr->kind == I_OP && (instr->immediate || op_family(instr->op) == FAM_CONST);
}

static bool damage_operator(Func *func, uint32_t item) {
    Instr *instr = &func->nodes.at[item];
    if ((instr->kind != I_OP && instr->kind != I_COND) || op_info(instr->op)->arity == 0)
        return false;
    Op other = other_operator(instr->op, instr->kind == I_COND, instr->immediate);
    bool changed = other != instr->op;
    instr->op = (uint16_t)other;
    return changed;
}

static bool damage_constant(Func *func, uint32_t item) {
    Instr *instr = &func->nodes.at[item];
    if (!has_constant(instr) && !(instr->kind == I_COND && instr->immediate)) return false;
    instr->imm = other_constant(instr->imm);
    return true;
}

static bool damage_operands(Func *func, uint32_t item) {
    Instr *instr = &func->nodes.at[item];
    const OpInfo *info = op_info(instr->op);
    if ((instr->kind != I_OP && instr->kind != I_COND) || instr->arg_count != 2 || instr->immediate)
        return false;
    if ((info->flags & OPF_COMM) || info->operand[0] != info->operand[1] || info->arity != 2)
        return false;
    Reg first = instr->arg[0];
    instr->arg[0] = instr->arg[1];
    instr->arg[1] = first;
    return first.i != instr->arg[0].i;
}

// ---- Effects and ways

static bool damage_store(Func *func, uint32_t item) {
    Instr *instr = &func->nodes.at[item];
    if (instr->kind != I_STORE || instr->succ_count != 1) return false;
    Node succ = instr->succ[0];
    uint32_t loc = instr->loc;
    *instr = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .loc = loc};
    instr->succ[0] = succ;
    return true;
}

static bool damage_branch(Func *func, uint32_t item) {
    Instr *instr = &func->nodes.at[item];
    if (instr->kind != I_COND || instr->succ_count != 2) return false;
    Node first = instr->succ[0];
    instr->succ[0] = instr->succ[1];
    instr->succ[1] = first;
    return first.i != instr->succ[0].i;
}

// ---- Other values

// A parameter of the type or, if there is none, the register before it that has it.
static Reg other_register(const Func *func, Reg reg) {
    for (uint32_t i = 0; i < func->params.count; i++)
        if (func->params.at[i].i != reg.i &&
            reg_type(func, func->params.at[i]) == reg_type(func, reg))
            return func->params.at[i];
    for (uint32_t i = reg.i; i-- > 0;)
        if (func->regs.at[i].type == func->regs.at[reg.i].type) return (Reg){i};
    return reg;
}

static bool damage_value(Func *func, uint32_t item) {
    Instr *instr = &func->nodes.at[item];
    if (instr->arg_count == 0 || instr->arg_count > INLINE_ARGS) return false;
    Reg other = other_register(func, instr->arg[0]);
    bool changed = other.i != instr->arg[0].i;
    instr->arg[0] = other;
    return changed;
}

static bool damage_phi(Func *func, uint32_t item) {
    for (uint32_t i = 0; i < func_phi_count(func, (Node){item}); i++) {
        Reg *args = &func->phi_args.at[func_phis(func, (Node){item})[i].args_at], first = args[0];
        if (first.i == args[1].i) continue;
        args[0] = args[1];
        args[1] = first;
        return true;
    }
    return false;
}

static bool damage_gate(Func *func, uint32_t item) {
    for (uint32_t i = 0; func->gsa && i < gsa_merge_count(func, (Node){item}); i++) {
        const Merge *merge = &gsa_merges(func, (Node){item})[i];
        MergeArg *args = &func->gsa->merge_args.at[merge->args_at];
        if (merge->kind != MERGE_GAMMA || merge->arg_count < 2 || args[0].reg.i == args[1].reg.i)
            continue;
        Reg first = args[0].reg;
        args[0].reg = args[1].reg;
        args[1].reg = first;
        return true;
    }
    return false;
}

// ---- Machine code

static bool damage_mach_operator(Func *func, uint32_t item) {
    MachInstr *instr = &func->mach->code.at[item];
    if ((instr->kind != MK_OP && instr->kind != MK_BRANCH) || op_info(instr->op)->arity == 0)
        return false;
    Op other = other_operator(instr->op, instr->kind == MK_BRANCH, instr->immediate != NO_SOURCE);
    bool changed = other != instr->op && !instr->tested && !instr->checked;
    if (changed) instr->op = (uint16_t)other;
    return changed;
}

static bool damage_mach_constant(Func *func, uint32_t item) {
    MachInstr *instr = &func->mach->code.at[item];
    bool constant = instr->kind == MK_OP && op_family(instr->op) == FAM_CONST;
    if (!constant && instr->immediate == NO_SOURCE) return false;
    instr->imm = other_constant(instr->imm);
    return true;
}

// A place of the same kind that something else sets; the same if there is none.
static Place other_place(const Func *func, Place place) {
    for (uint32_t i = 0; i < func->mach->code.count; i++) {
        Place dest = func->mach->code.at[i].dest;
        if (dest.i != NO_ID && dest.i != place.i && place_kind(dest) == place_kind(place))
            return dest;
    }
    return place;
}

static bool damage_mach_register(Func *func, uint32_t item) {
    MachInstr *instr = &func->mach->code.at[item];
    bool plain = instr->kind == MK_MOVE || instr->kind == MK_OP;
    if (!plain || instr->src[0].i == NO_ID) return false;
    Place other = other_place(func, instr->src[0]);
    bool changed = other.i != instr->src[0].i;
    instr->src[0] = other;
    return changed;
}

static bool damage_mach_branch(Func *func, uint32_t item) {
    Mach *mach = func->mach;
    if (mach->code.at[item].kind != MK_BRANCH) return false;
    const MachBlock *block = &mach->blocks.at[mach_block_of(func, item)];
    uint32_t *succs = &mach->succs.at[block->succs], first = succs[0];
    succs[0] = succs[1];
    succs[1] = first;
    return first != succs[0];
}

// What is needed before it is there.
static bool damage_mach_order(Func *func, uint32_t item) {
    if (item + 1 >= func->mach->code.count) return false;
    MachInstr *first = &func->mach->code.at[item], *second = first + 1, saved = *first;
    bool plain = first->kind <= MK_SELECT && second->kind <= MK_SELECT && first->dest.i != NO_ID;
    bool needs = false;
    for (uint32_t k = 0; plain && k < mach_read_count(second); k++)
        needs |= mach_read_at(func, second, k).i == first->dest.i;
    if (!needs) return false;
    *first = *second;
    *second = saved;
    return true;
}

const Damage damages[] = {
    {"another operator", damage_operator, false},
    {"operands exchanged", damage_operands, false},
    {"another constant", damage_constant, false},
    {"a store left out", damage_store, false},
    {"a branch the wrong way round", damage_branch, false},
    {"the values of a phi exchanged", damage_phi, false},
    {"the values of a gamma exchanged", damage_gate, false},
    {"the value of another register", damage_value, false},
    {"another operator", damage_mach_operator, true},
    {"another constant", damage_mach_constant, true},
    {"another register", damage_mach_register, true},
    {"an instruction before what it needs", damage_mach_order, true},
    {"a branch the wrong way round", damage_mach_branch, true},
};
const uint32_t damage_count = sizeof damages / sizeof damages[0];

static uint32_t first_of(bool (*damage)(Func *func, uint32_t item)) {
    uint32_t i = 0;
    while (damages[i].damage != damage) i++;
    return i;
}

uint32_t damage_for(PassId pass, const Func *after) {
    if (view_is_machine(after))
        return first_of(pass == PASS_schedule    ? damage_mach_order
                        : after->mach->allocated ? damage_mach_register
                                                 : damage_mach_operator);
    if (after->gsa) return first_of(damage_gate);
    return first_of(pass_table[pass].from != after->form ? damage_phi : damage_operator);
}
