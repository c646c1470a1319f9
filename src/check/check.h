// What every checker answers with.
#pragma once

#include "ir/ir.h"

typedef struct {
    bool accepted;
    Node node;          // where it was found, in the new function; NO_NODE if nowhere in particular
    const char *reason; // one line; NULL if accepted
} Verdict;

#define VERDICT_ACCEPTED ((Verdict){.accepted = true, .node = {NO_ID}})
