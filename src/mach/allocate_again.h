// Finds the registers that must be restored behind calls that return twice, when every register
// that is needed there has a spill of its own.
//
// At a second return a spill still has its contents at the call unless some way from there on
// writes the spill. Registers whose spills are written so are copied: before the call to a safe
// place, and back behind the call.
#pragma once

#include "base/bits.h"
#include "pass/pass.h"
#include "target/model.h"

typedef struct {
    uint32_t *rank; // per block: a number that falls along no edge; equal on cycles only
    uint32_t *once; // per rank: the number of its blocks, blocks in loops counting twice
    // Per instruction that is a call that returns twice: the registers needed behind it are
    // needed[first .. first + count - 1]. NULL if the function has none.
    struct AgainCall {
        uint32_t block, first, count;
    } * calls;
    VEC(Reg) needed;
    Bits copied;        // the registers that are copied
    uint32_t *constant; // per register: the instruction that makes it again; NO_ID if none does
} Again;

Again again_of(Arena *arena, const Func *func);
