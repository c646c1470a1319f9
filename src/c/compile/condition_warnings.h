// Warnings from the conditions of a function: variables without a value, null pointers and zero
// divisors, where gates do not exclude them, with the condition.
#pragma once

#include "analysis/conditions/uninitialized.h"
#include "c/compile/condition_words.h"

typedef enum { FOUND_UNINITIALIZED, FOUND_NULL, FOUND_ZERO } ConditionFindingKind;

typedef struct {
    ConditionFindingKind kind;
    Node node;
    Reg reg;          // UNINITIALIZED: version 0 of the variable; else what is zero
    bool known;       // the condition is known; else the mistake is only not excluded
    const char *when; // in words; NULL if there are none
    bool sufficient;  // it may be so in other cases, too
    Node branches[3]; // without words: the branches on which it depends
    uint32_t branch_count;
} ConditionFinding;

typedef VEC(ConditionFinding) ConditionFindings;

typedef struct {
    Arena *arena; // of the function
    Pp *pp;
    const Func *ssa;                // with the names of variables
    const bool *is_unsigned;        // by register
    const uint32_t *line;           // by register: where its variable is declared; 0
    bool uninitialized, null, zero; // the requested warnings
    // Uses that are not excluded, but for which no condition is known, are told as well: values
    // from earlier iterations.
    bool every_way;
    bool
        every_null; // null pointers also where a condition in between may keep control from the access
} ConditionRequest;

// In the order of kinds, and variables or nodes. One of each variable, pointer or divisor.
ConditionFindings find_conditions(const ConditionRequest *request, const UninitializedFacts *facts);
