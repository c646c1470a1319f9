// Global value numbering: the congruence of analysis/congruence.h, which looks through phis and
// loops, then one representative for each register.
#include "pass/pass.h"

#include "analysis/congruence.h"
#include "graph/versions.h"
#include "pass/representative.h"
#include "pass/substitute.h"

static void choose_all(Representatives *choice, const Func *func, const uint32_t *class_of) {
    for (uint32_t i = 0; i < func->regs.count; i++)
        if (reg_is_never_set(func, (Reg){i}))
            representatives_choose(choice, class_of[i], (Reg){i}, (Node){0});
    for (uint32_t i = 0; i < choice->dominance->count; i++) {
        Node node = {choice->dominance->order[i]};
        for (uint32_t k = 0; k < func_phi_count(func, node); k++) {
            Reg dest = func_phis(func, node)[k].dest;
            representatives_choose(choice, class_of[dest.i], dest, node);
        }
        Reg dest = func_at(func, node)->dest;
        if (dest.i != NO_ID) representatives_choose(choice, class_of[dest.i], dest, node);
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
    Representatives choice =
        representatives_new(arena, &dominance, NULL, func->regs.count, congruence.count);
    choose_all(&choice, func, congruence.class_of);
    fill_hint(arena, func, &congruence, hint);
    return substitute_registers(arena, func, choice.representative);
}
