// Passes regions of old nodes, for copies.c: the old function goes on by itself from one node to
// another node, by any way, and round loops any number of times.
//
// The argument:
//
// 1. All ways out of the region lead to one node, and no node of the region has an effect; a spin
//    counts as an effect. A run that stays in the region is wrong: the function executes nodes for
//    ever without a spin or an effect (docs/rtl.md, "Endless runs"). So the old function comes to
//    the one node, or goes wrong before.
//
// 2. Memory stays the same. No new node reads a register that the region sets, so a claim that
//    such a register holds the value of its namesake says nothing, and counts as true.
#include "check/copies/copies.h"

#include "fact/effects.h"

// Whether no new node reads a register.
static bool is_unread(Copies *check, Reg reg) {
    const Func *after = check->after;
    if (!check->reads.words) {
        check->reads = bits_new(check->arena, after->regs.count);
        for (uint32_t n = 0; n < after->nodes.count; n++)
            for (uint32_t k = 0; k < after->nodes.at[n].arg_count; k++)
                bits_add(&check->reads, instr_args(after, &after->nodes.at[n])[k].i);
        for (uint32_t i = 0; i < after->phi_args.count; i++)
            bits_add(&check->reads, after->phi_args.at[i].i);
    }
    return !bits_has(&check->reads, reg.i);
}

// An old node has no effect, and no new node reads what the node and its phis set, if these act.
static bool makes_no_difference(Copies *check, Node node, bool enters) {
    const Func *func = check->before;
    const Instr *instr = func_at(func, node);
    uint32_t phis = enters ? func_phi_count(func, node) : 0;
    check->work += 1 + (uint64_t)instr->succ_count + phis;
    if (instr_has_effect(instr) || (instr->dest.i != NO_ID && !is_unread(check, instr->dest)))
        return false;
    for (uint32_t i = 0; i < phis; i++)
        if (!is_unread(check, func_phis(func, node)[i].dest)) return false;
    return true;
}

// Collects the old nodes from one node up to another; false if one of them makes a difference. The
// phis of the first have acted, and do so again only if a way comes back to that node, which is
// then listed a second time.
static bool find_region(Copies *check, Node from, Node to) {
    const Func *func = check->before;
    if (!check->region_of)
        check->region_of = ARENA_ARRAY(check->arena, uint32_t, func->nodes.count);
    vec_clear(&check->region);
    vec_push(check->arena, &check->region, from);
    check->regions++;
    for (uint32_t i = 0; i < check->region.count; i++) {
        Node node = check->region.at[i];
        const Instr *instr = func_at(func, node);
        if (!makes_no_difference(check, node, i > 0) || copies_is_too_much(check)) return false;
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            Node succ = instr_succs(func, instr)[k];
            if (succ.i == to.i || check->region_of[succ.i] == check->regions) continue;
            check->region_of[succ.i] = check->regions;
            vec_push(check->arena, &check->region, succ);
        }
    }
    return true;
}

// The old function sets a register that no new node reads. What is claimed of that register itself
// does not matter.
static void set_unread(Copies *check, Reg reg) {
    copies_set_old(check, reg.i);
    copies_set_new(check, reg, reg.i);
}

// The old function leaves a region to the node to which the new edge leads. That node has no phis,
// as the way by which the old function comes there is not known.
bool copies_pass_region(Copies *check, OldPlace *at, const OldPlace *to) {
    const Func *func = check->before;
    if (at->copy || to->copy || func_phi_count(func, to->node) ||
        !find_region(check, at->node, to->node))
        return false;
    for (uint32_t i = 0; i < check->region.count && !copies_is_too_much(check); i++) {
        Node node = check->region.at[i];
        for (uint32_t k = 0; i > 0 && k < func_phi_count(func, node); k++)
            set_unread(check, func_phis(func, node)[k].dest);
        if (func_at(func, node)->dest.i != NO_ID) set_unread(check, func_at(func, node)->dest);
    }
    *at = *to;
    return true;
}
