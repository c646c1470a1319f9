// The values that places in memory hold, and so the results of loads: the claims about registers
// that loads set. check_values.c has the argument.
#pragma once

#include "check/values/values.h"
#include "fact/places.h"

// The places of `before`, its registers being known by the values that are claimed. The numbers of
// a hint's facts are theirs.
const Places *values_places(Values *values);
// Checks the facts at joins, and the claims about registers that loads set.
bool values_check_memory(Values *values);
