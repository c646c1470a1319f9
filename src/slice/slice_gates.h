// The condition under which control comes to a node, in words of the source: the gates of gated
// SSA, simplified for readers.
//
// The function goes into normal form and SSA; the predicate from its entry to a node is the
// predicate from which gsa_build would make gates (analysis/gate_paths.h). Parts that only say that
// a loop ends, that the program goes on, or that control is behind a place where two ways meet
// again are left out. In a loop, conditions are those of the round in question.
#pragma once

#include "base/out.h"
#include "slice/condition_text.h"

typedef struct SliceGates SliceGates;

// `func` is RTL as lowered.
SliceGates *slice_gates_new(Arena *arena, const Func *func, SourceText source);

//   ALWAYS    whenever the function is entered and returns
//   WHEN      the text tells
//   UNKNOWN   the function has no gates (a loop with several entries), or the node is never reached
typedef enum { SLICE_GATE_ALWAYS, SLICE_GATE_WHEN, SLICE_GATE_UNKNOWN } SliceGateKind;

typedef struct {
    SliceGateKind kind;
    const char *text; // WHEN: a condition in C; "..." stands for parts that would be too long
} SliceGate;

SliceGate slice_gate_of(SliceGates *gates, Node node);
