// Finds what sets each register of a function. Verifiers, interpreters, passes and checkers all use
// this definition.
//
// A register is set
//   - by the caller, if it is a parameter;
//   - by an instruction whose destination it is;
//   - by a phi, merge or eta whose destination it is, on entering the node, before the node's
//     instruction;
//   - or, in SON, by an operator that floats and has no node.
// In SSA, SON and GSA a register is set at most once; in RTL, several instructions may set it.
// Unreachable nodes count, too.
#pragma once

#include "form/gsa.h"
#include "form/son.h"

typedef enum {
    SET_BY_NOTHING, // the register is undefined wherever it is read
    SET_BY_CALLER,
    SET_BY_INSTR,
    SET_BY_PHI,
    SET_BY_MERGE,
    SET_BY_ETA,
    SET_BY_FLOATING,
    SET_BY_SEVERAL
} SetBy;

typedef struct Definition {
    // NO_NODE if nothing, the caller or a floating operator sets it; of several, the first that was
    // found
    Node node;
    // of a phi, merge, eta or floating operator: its index in Func.phis, Gsa.merges, Gsa.etas or
    // Son.floating
    uint32_t at;
    SetBy by;
} Definition;

// For each register. Linear; for a function with a cache, once. All registers that are set exist.
// Of several definitions, definitions on entry come before definitions by instructions, and both
// kinds come in the order of nodes.
const Definition *definitions_of(Arena *arena, const Func *func);

// Whether a register is set before the instruction of its node; that instruction may read it.
static inline bool definition_is_on_entry(Definition definition) {
    return definition.by == SET_BY_PHI || definition.by == SET_BY_MERGE ||
           definition.by == SET_BY_ETA;
}
// The instruction that sets a register and that nothing else does; NULL if there is none.
static inline const Instr *defining_instr(const Func *func, const Definition *definitions,
                                          Reg reg) {
    Definition definition = definitions[reg.i];
    if (definition.by == SET_BY_FLOATING) return &func->son->floating.at[definition.at];
    return definition.by == SET_BY_INSTR ? func_at(func, definition.node) : NULL;
}
// The phi that sets a register; NULL if there is none.
static inline const Phi *defining_phi(const Func *func, const Definition *definitions, Reg reg) {
    Definition definition = definitions[reg.i];
    return definition.by == SET_BY_PHI ? &func->phis.at[definition.at] : NULL;
}
