// Chooses the units of a function that stay in the text of its slice, given the nodes that a demand
// keeps; and the further nodes that must be kept because of these units.
//
// A unit stays if one of its nodes is kept. Then all its nodes are kept, and with the unit stay
//   * the units around it;
//   * the labels that the unit names, and, for a switch, all its case labels;
//   * the declarations of the names in the unit;
//   * the units that are pinned to it (units.h).
// Cutting must leave control as it was. Text that is cut falls through to the text behind it. So
// wherever a unit is cut, the original must come to the same next kept node from the unit's
// beginning and from the unit's end. If the two differ, there is a jump in the unit that matters;
// the unit stays (Ball and Horwitz, "Slicing programs with arbitrary control flow", ask the same
// for each jump). The original need not come to the end of a unit at all, say behind a `return`.
// Then the text of the slice is followed from there: without its nodes a unit is where the next
// node is emitted.
#pragma once

#include "c/parse/units.h"
#include "slice/slice.h"

typedef struct KeptUnits KeptUnits;

// Of a function that was lowered. `func` is its RTL.
KeptUnits *kept_units_new(Arena *arena, const Units *units, const UnitFunction *function,
                          const Func *func);
// The hook of a demand, with the KeptUnits as context.
bool kept_units_more(void *kept, SliceDemand *demand);
// At the beginning: tells the demand which nodes belong together, and what is always there.
void kept_units_begin(KeptUnits *kept, SliceDemand *demand);
// A unit is to stay, even if it has no nodes.
void kept_units_add(KeptUnits *kept, SliceDemand *demand, uint32_t unit);
bool kept_units_has(const KeptUnits *kept, uint32_t unit);

typedef struct {
    const Node *at;
    uint32_t count;
} UnitNodes;
// The nodes that count for a unit.
UnitNodes kept_units_nodes(const KeptUnits *kept, uint32_t unit);
