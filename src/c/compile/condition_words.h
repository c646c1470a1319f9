// Conditions (analysis/conditions/conditions.h) in words and in C: "when 'c <= 3 && d'".
#pragma once

#include "analysis/conditions/conditions.h"
#include "c/preprocess/pp.h"

typedef struct {
    Arena *arena;
    Pp *pp;
    const Func *ssa; // with the names of variables
    BadConditions *conditions;
    Node use;
    const uint32_t *line;    // by register: where its variable is declared; 0 if that is not known
    const bool *is_unsigned; // by register: it is a variable of an unsigned type, or a pointer
} ConditionWriter;

// The cases of a condition; NULL if names that exist at the use cannot express it, or it is too
// long. The words are true at the use; a variable that has changed since a branch asked for it is
// described with its old value.
const char *condition_words(const ConditionWriter *writer, const BadCondition *condition);
// The first branches of the function that ask for what a condition is about, ascending, at most so
// many. Yields how many.
uint32_t condition_branches(const ConditionWriter *writer, const BadCondition *condition,
                            Node *branches, uint32_t most);
// The text of a postfix expression that starts at a place of the source, a call no further than its
// arguments; NULL if there is none, it is long, or begins with the name of a macro.
const char *source_expression(Arena *arena, Pp *pp, Pos pos, bool call);
