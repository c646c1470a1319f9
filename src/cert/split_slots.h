// The hint of the pass split_slots: which slots are split, and into what. The register of a field is a new
// one; they come in the order of the fields.
#pragma once

#include "fact/slot_fields.h"

typedef struct {
    VEC(Slot) slots;       // ascending
    VEC(SlotField) fields; // by slot, then by place
} SplitHint;
