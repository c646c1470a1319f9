#include "pass/representative.h"

Representatives representatives_new(Arena *arena, const Dominance *dominance,
                                    const LoopNest *loop_nest, uint32_t regs, uint32_t classes) {
    Representatives choice = {.dominance = dominance,
                              .loop_nest = loop_nest,
                              .representative = ARENA_ARRAY(arena, Reg, regs),
                              .newest = ARENA_ARRAY(arena, Reg, classes),
                              .defined_at = ARENA_ARRAY(arena, Node, classes)};
    for (uint32_t i = 0; i < regs; i++) choice.representative[i] = (Reg){i};
    for (uint32_t i = 0; i < classes; i++) choice.newest[i] = NO_REG;
    return choice;
}

static bool serves(const Representatives *choice, Node from, Node at) {
    if (!dominates(choice->dominance, from, at)) return false;
    Node loop = choice->loop_nest ? choice->loop_nest->loop[from.i] : NO_NODE;
    return loop.i == NO_ID || loop_nest_contains(choice->loop_nest, loop, at);
}

void representatives_choose(Representatives *choice, uint32_t class_number, Reg reg, Node node) {
    if (choice->newest[class_number].i != NO_ID &&
        serves(choice, choice->defined_at[class_number], node)) {
        choice->representative[reg.i] = choice->newest[class_number];
    } else {
        choice->newest[class_number] = reg;
        choice->defined_at[class_number] = node;
    }
}
