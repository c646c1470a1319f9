// Sites: the places of a function at which a range of a value (son_ranges.c) is learned or used.
//
// First, questions: branches, checks and operators that a range could make simpler ask for the
// values of their operands; a phi that is asked for asks for its arguments. Then one look at all
// nodes collects the sites: edges that tell something about a value that is asked for below, joins
// of phis, operators made of phis, and uses. Most functions have few sites, many have none.
#pragma once

#include "pass/son/son_work.h"

enum { DEEPEST_RANGE = 2 }; // operators are looked into so far

// Something is known of a value up to a number in the preorder of the dominator tree.
typedef struct {
    uint32_t value, before; // the finding that counted before
    uint32_t last;
} RangeScope;

typedef struct {
    Reg dest;
    uint32_t value;
    Node join;
    bool header;    // of a loop
    bool undefined; // some argument is
    bool given_up;  // it may be anything
    Range next;     // as far as this walk has seen it
    Range wide;     // in the round before; later, before it was made smaller
} RangedPhi;

typedef enum {
    SITE_JOIN,     // the phis of a join have their ranges
    SITE_OUTCOME,  // a branch or a check has led to the node; ref: its number in `outcomes`
    SITE_CASE,     // a switch has led to the node; ref: its way
    SITE_CASES,    // ways of one switch have led to the node, a join; ref: the switch
    SITE_ACCESS,   // an access has led to the node; ref: the value of its address
    SITE_DIVISION, // a division has led to the node; ref: the value of its divisor
    SITE_OPERATOR, // ref: a value made of phis
    SITE_USE,      // a branch, a check or an operator that may become simpler
    SITE_PASS,     // arguments of phis; ref: which
} RangeSiteKind;

typedef struct {
    Node node;
    RangeSiteKind kind;
    uint32_t ref;
} RangeSite;

typedef struct {
    SonWork *work;
    SonValues *values;
    const Func *func;
    uint32_t count; // of values at the start
    // value -> the first and the last number in the dominator tree of a node that asks for its
    // range; NO_ID and 0 if there is none
    uint32_t *ask_first, *ask_last;
    bool *needed;         // value -> whether a value that is asked for is made of it
    bool *depends;        // value -> whether its range everywhere follows from ranges of phis
    bool *taught;         // value -> whether a site tells something about it
    VEC(RangedPhi) phis;  // by join, ascending
    uint32_t *phi_at;     // node -> the first of its phis there plus one
    VEC(RangeSite) sites; // in the order of the dominator tree
    VEC(Comparison) outcomes;
    bool uses;         // whether there are sites for them
    uint32_t *done;    // value -> the walk that has computed its range
    uint32_t walk;     // number of this one, from 1
    uint32_t *current; // value -> the finding that counts at the node at hand, or NO_ID
    VEC(RangeScope) scopes;
    uint32_t *found_at; // way of a switch -> the finding about its value there; NULL if none
    // The results.
    uint32_t *way, *local_from, *local_to, *shut;
    uint32_t decisions; // that others have made
} SonRanges;

static inline bool ranged_is_int(const SonRanges *ranges, uint32_t value) {
    return type_is_int((Type)ranges->values->types.at[value]);
}

static inline uint32_t ranged_bits(const SonRanges *ranges, uint32_t value) {
    return range_bits((Type)ranges->values->types.at[value]);
}

// Whether a value is an operator of integers.
bool ranged_is_operator(const SonRanges *ranges, uint32_t value);
// Whether a value is that of a register that nobody sets.
bool ranged_is_undefined(const SonRanges *ranges, uint32_t value);

// The phi of a join behind another, or the first behind NULL; NULL at the end.
RangedPhi *ranged_phi_next(SonRanges *ranges, Node join, RangedPhi *phi);

// The value that decides a branch or a check, if a range may do so; NO_ID if there is none.
uint32_t ranged_question(const SonRanges *ranges, Node node, const Instr *instr);
// Whether somebody at or below a place asks for a value, or for one of its operands.
bool ranged_is_worth(const SonRanges *ranges, uint32_t value, Node place, uint32_t depth);
// Whether more may be known of a value, or of its operands, than follows from operators alone:
// at the node at hand, or anywhere.
bool ranged_knows_more(const SonRanges *ranges, uint32_t value, bool here, uint32_t depth);

// Finds questions, phis and sites. Given: work, values, func, count, way. What was found in the
// round before is in work->ranges.
void ranged_sites(SonRanges *ranges);
