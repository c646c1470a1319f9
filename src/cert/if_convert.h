// The hint of the pass if_convert: where operators were added after joins, and what they copy.
#pragma once

#include "form/gsa/gsa.h"

typedef struct {
    Node join;      // of the old function
    Node branch;    // by whose ways control comes to the join
    uint32_t count; // operators added between the join's merges and its instruction
} Conversion;

typedef struct {
    VEC(Conversion) conversions; // by join, ascending
    VEC(Reg) copy_of; // new register -> old register whose definition is done again, or NO_REG
} IfConvertHint;
