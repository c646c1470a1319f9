// The functional SSA that a function of gated SSA stands for: its meaning on demand
// (docs/dataflow.md), written down.
//
//     mu -> loop, eta -> close, gamma -> gamma, total operators -> operators
//     gates -> conditions; registers of a loop that they read from outside are closed
//     effects, reads of memory, steps that may go wrong -> a new state
//     joins and headers -> gammas and loops of states
//     ends -> the result and the last state
#pragma once

#include "form/program.h"

// A function of FORM_FSSA with the same registers, and more behind them. `sites`, if not NULL, gets
// for each register its defining node, or NO_ID.
Func *fssa_of_gsa(Arena *arena, const Func *func, uint32_t **sites);
