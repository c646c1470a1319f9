// Classes of registers that phis or gated merges tie together: the destination of a phi and its
// arguments have one type. With these classes, printer and parser agree on which registers need no
// declaration.
#pragma once

#include "form/program.h"

// For each register the least register of its class. Ids that are out of range are passed over, so
// that a broken function can be looked at; ranges of its phis and gates must be
// sound, as graph_print.c sees to. Only phis need the predecessors.
uint32_t *phi_classes(Arena *arena, const Func *func, const Preds *preds);
