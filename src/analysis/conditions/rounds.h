// The first and the last rounds of loops, in which mistakes show: `for (i = 0; i <= 8; i++) a[i]`
// goes wrong in its last round, `for (i = 0; i < n; i++) x / i` in its first.
//
// In such a round the counters of the loops are numbers, and what is made of them is evaluated. A
// mistake counts if the loop, once it is entered, surely comes to the mistake: the number of rounds
// is known, and in the round itself no branch that is not decided leads past the place.
#pragma once

#include "analysis/conditions/limits.h"

// What is to be evaluated: up to two registers times a factor, plus a number. It is wrong outside
// of least .. most, or, of a place, in another object.
typedef struct {
    Node node; // where it is used
    Reg reg[2];
    int64_t factor[2];
    uint32_t count;
    int64_t added;
    int64_t least, most;
    bool only_zero;  // it is wrong if it is zero
    uint64_t unit;   // beyond `most` and `least`, the next so many are the next element
    LimitsBase base; // of a place
    uint32_t id;
} RoundQuestion;

typedef struct {
    bool last;     // in the last round of some loop; otherwise in the first
    bool at_least; // the last round, or one before
    int64_t value;
} Round;

typedef struct RoundSearch RoundSearch;

RoundSearch *rounds_begin(Arena *arena, const LimitWalk *walk);
// Whether there is a round in which it is wrong at the node at hand. The work for all questions
// together is bounded by a multiple of the function's size; beyond that the answer is no.
bool round_of_mistake(RoundSearch *search, const RoundQuestion *question, Round *round);
