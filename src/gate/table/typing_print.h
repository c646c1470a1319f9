// The typing of SSA functions as a table: how ssa_build's checker sees them.
#pragma once

#include "hint/hints_ssa.h"

// For each node, which version of each old register holds its value before the node's instruction,
// where that is known: "-" where nothing wants it any more. `before` is the function that `after`
// was built from.
void typing_print(Out *out, const Func *before, const Func *after, const SsaHint *hint);
