// Sparse conditional constant propagation (Wegman and Zadeck, 1991).
#pragma once

#include "cert/sccp.h"

// The function with what is constant written as constants and decided branches gone straight; NULL if
// there is nothing of the kind. Code that can no longer be reached stays for tidy to remove.
Func *sccp(Arena *arena, const Func *func, SccpHint *hint);
