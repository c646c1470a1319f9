// Putting instructions behind nodes of a function.
#pragma once

#include "form/program.h"

typedef struct {
    uint32_t behind; // a node with one successor
    Instr instr;     // with at most three arguments; its successor does not matter
} Insertion;

// A copy of a function, with its registers and slots but without phis, in which instructions follow
// those nodes, in the order of the list for each node. Behind a nop that gets some there is another
// nop, so that only nops lead to joins. `place` gets the new number of each old node.
Func *insert_behind(Arena *arena, const Func *func, const Insertion *list, uint32_t count,
                    uint32_t **place);
