// Classes of registers that phis, or gated merges, tie together: the destination of a phi and its arguments
// have one type. By these classes printer and parser agree on which registers need no declaration.
#pragma once

#include "form/program.h"

// For each register the least register of its class. Ids that are out of range are passed over, so
// that a broken function can be looked at; its phis and gates must be readable (see phis_readable and
// gsa_readable). Only phis need the predecessors.
uint32_t *phi_classes(Arena *arena, const Func *func, const Preds *preds);

// Whether successors are in range and the index of the phis and all ranges of their arguments are
// sound, so that preds_of, func_phis and phi_args may be used.
bool succs_in_range(const Func *func);
bool phis_readable(const Func *func, const Preds *preds);
