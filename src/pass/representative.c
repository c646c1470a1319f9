#include "pass/representative.h"

Choice choice_new(Arena *arena, const Dominance *dominance, const Nest *nest, uint32_t regs,
                  uint32_t classes) {
    Choice choice = {.dominance = dominance,
                     .nest = nest,
                     .representative = ARENA_ARRAY(arena, Reg, regs),
                     .newest = ARENA_ARRAY(arena, Reg, classes),
                     .defined_at = ARENA_ARRAY(arena, Node, classes)};
    for (uint32_t i = 0; i < regs; i++) choice.representative[i] = (Reg){i};
    for (uint32_t i = 0; i < classes; i++) choice.newest[i] = NO_REG;
    return choice;
}

static bool serves(const Choice *choice, Node from, Node at) {
    if (!dominates(choice->dominance, from, at)) return false;
    Node loop = choice->nest ? choice->nest->loop[from.i] : NO_NODE;
    return loop.i == NO_ID || nest_contains(choice->nest, loop, at);
}

void choose(Choice *choice, uint32_t class, Reg reg, Node node) {
    if (choice->newest[class].i != NO_ID && serves(choice, choice->defined_at[class], node)) {
        choice->representative[reg.i] = choice->newest[class];
    } else {
        choice->newest[class] = reg;
        choice->defined_at[class] = node;
    }
}
