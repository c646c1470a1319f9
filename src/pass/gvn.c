// Global value numbering: the congruence of analysis/congruence.h, which looks through phis and
// loops, then one representative for each register.
//
// The representative of a register is the member of its class whose definition dominates its own
// and is dominated by no other. A walk of the dominator tree in preorder finds it: the last member
// that became a representative stays it for the whole subtree.
#include "pass/gvn.h"

#include "analysis/congruence.h"
#include "ir/dominance.h"
#include "pass/substitute.h"

typedef struct {
    const Func *func;
    const Congruence *congruence;
    const Dominance *dominance;
    Reg *representative; // per register
    Reg *newest;         // per class: the last that became a representative; NO_REG if none did
    Node *defined_at;    // per class: where the newest is defined
} Choice;

static void choose(Choice *choice, Reg reg, Node node) {
    uint32_t class = choice->congruence->class_of[reg.i];
    if (choice->newest[class].i != NO_ID &&
        dominates(choice->dominance, choice->defined_at[class], node)) {
        choice->representative[reg.i] = choice->newest[class];
    } else {
        choice->newest[class] = reg;
        choice->defined_at[class] = node;
    }
}

static void choose_all(Choice *choice) {
    const Func *func = choice->func;
    for (uint32_t i = 0; i < func->regs.count; i++) {
        choice->representative[i] = (Reg){i};
        if (func->regs.at[i].version == 1) choose(choice, (Reg){i}, (Node){0});
    }
    for (uint32_t i = 0; i < choice->dominance->count; i++) {
        Node node = {choice->dominance->order[i]};
        for (uint32_t k = 0; k < func_phi_count(func, node); k++)
            choose(choice, func_phis(func, node)[k].dest, node);
        if (func_at(func, node)->dest.i != NO_ID) choose(choice, func_at(func, node)->dest, node);
    }
}

// Any member but a move can lead a class.
static void fill_hint(Arena *arena, const Func *func, const Congruence *congruence,
                      Numbering *hint) {
    Reg *leader_of_class = ARENA_ARRAY(arena, Reg, congruence->count);
    Reg *leader = vec_extend(arena, &hint->leader, func->regs.count);
    for (uint32_t i = 0; i < func->regs.count; i++)
        if (congruence->class_of[i] != NO_ID)
            leader_of_class[congruence->class_of[i]] = congruence->source[i];
    for (uint32_t i = 0; i < func->regs.count; i++)
        leader[i] =
            congruence->class_of[i] == NO_ID ? (Reg){i} : leader_of_class[congruence->class_of[i]];
}

Func *gvn(Arena *arena, const Func *func, Numbering *hint) {
    Preds preds = preds_of(arena, func);
    Congruence congruence = congruence_of(arena, func, &preds);
    uint32_t numbered = 0;
    for (uint32_t i = 0; i < func->regs.count; i++) numbered += congruence.class_of[i] != NO_ID;
    if (numbered == congruence.count) return NULL;
    Dominance dominance = dominance_of(arena, func, &preds);
    Choice choice = {.func = func,
                     .congruence = &congruence,
                     .dominance = &dominance,
                     .representative = ARENA_ARRAY(arena, Reg, func->regs.count),
                     .newest = ARENA_ARRAY(arena, Reg, congruence.count),
                     .defined_at = ARENA_ARRAY(arena, Node, congruence.count)};
    for (uint32_t i = 0; i < congruence.count; i++) choice.newest[i] = NO_REG;
    choose_all(&choice);
    fill_hint(arena, func, &congruence, hint);
    return substitute(arena, func, choice.representative);
}
