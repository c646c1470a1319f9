// Conditions of branches as a C programmer wrote them.
//
// Where the source is at hand, a condition is its text. The text begins at the location of the
// branch and ends in front of a token that cannot be part of the condition (&&, ||, ?, a closing
// bracket), for lowering makes a branch of each operand of && and ||. Without the source, or where
// several branches have one location, as branches of a macro have, the condition is written down
// anew from registers and operators.
#pragma once

#include "base/bits.h"
#include "form/program.h"
#include "graph/definitions.h"

// Yields the text of a file from the beginning of a line on, up to a NUL; NULL if it is not at
// hand.
typedef struct {
    const char *(*from_line)(void *context, uint32_t file, uint32_t line);
    void *context;
} SourceText;

typedef struct ConditionTexts ConditionTexts;

// For branches of a function in SSA whose instructions have the locations of the source.
// `from_line` may be NULL.
ConditionTexts *condition_texts_new(Arena *arena, const Func *func, SourceText source);

// The condition under which a COND goes to its first successor, or, with `negated`, does not.
const char *condition_text(ConditionTexts *texts, Node branch, bool negated);
// That under which a SWITCH goes to one of some successors.
const char *condition_text_of_ways(ConditionTexts *texts, Node branch, const Bits *ways);
