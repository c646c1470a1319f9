// The value of a gate in a state of the registers, in Kleene's three values.
#pragma once

#include "form/gsa.h"
#include "form/value.h"

// 0, 1/2 and 1: AND is the minimum, OR the maximum.
typedef enum { TRUTH_FALSE, TRUTH_UNKNOWN, TRUTH_TRUE } Truth;

// The results so far about the gates of a function.
typedef struct GateEval {
    const Func *func;
    uint64_t now;    // the number of the current state of the registers
    uint64_t *known; // for each gate the state for which `truth` is known; 0 for none
    uint8_t *truth;
    uint32_t *work; // gates whose evaluation is under way, each an operand of the one before
} GateEval;

GateEval *gate_eval_new(Arena *arena, const Func *func);
// The registers may have changed.
static inline void gate_eval_forget(GateEval *eval) {
    eval->now++;
}
// Each gate is evaluated at most once in a state. A register that has not been set is undefined.
Truth gate_eval(GateEval *eval, Gate gate, const Value *regs);
// An atom is the outcome of its branch; 1/2 if the branch would be a wrong step.
Truth gate_eval_atom(const Func *func, const GateAtom *atom, const Value *regs);
