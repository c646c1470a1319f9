// Multipliers for divisions by constants: the choices that some rules of rules.def leave open. They
// are not trusted: each rule says which will do.
#pragma once

#include "fact/rules.h"

// Whether a rule leaves constants open.
bool magic_wanted(Rule rule);
// Chooses M and S for a divisor. False if there are none.
bool magic_choose(Rule rule, int64_t divisor, int64_t choice[2]);
