#include "pass/rule_index.h"

#include <string.h>

void rule_index_start(RuleIndex *index) {
    memset(index->first, 0xff, sizeof index->first); // NO_RULE everywhere
    for (uint32_t rule = RULE_COUNT; rule-- > 0;) {
        RuleHead head = rule_heads[rule];
        uint32_t at = rule_bucket(head.root, head.inner < OP_COUNT ? head.inner : ANY_INNER);
        index->next[rule] = index->first[at];
        index->first[at] = (uint16_t)rule;
    }
}
