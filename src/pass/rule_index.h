// The rows of rules.def by the operator of their left-hand side and that of its first operand.
#pragma once

#include "fact/rules.h"

enum { RULE_BUCKETS = 1024, ANY_INNER = OP_COUNT, NO_RULE = UINT16_MAX };

typedef struct {
    uint16_t first[RULE_BUCKETS];
    uint16_t next[RULE_COUNT];
} RuleIndex;

// Rules with the same root and the same operator below (none: ANY_INNER) form a list, in order.
static inline uint32_t rule_bucket(uint32_t root, uint32_t inner) {
    return (root * 401 + inner) % RULE_BUCKETS;
}

// Runs for each function anew, since there is nowhere to keep the index: so it should be quick.
void rule_index_start(RuleIndex *index);
// The first rule of a list at or behind one; NO_RULE if there is none.
static inline uint32_t rule_index_first(const RuleIndex *index, uint32_t root, uint32_t inner) {
    return index->first[rule_bucket(root, inner)];
}
