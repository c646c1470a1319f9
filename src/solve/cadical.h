// CaDiCaL, run as a process: finds the proofs that --check=matrix asks for.
#pragma once

#include "check/clauses/obligations.h"

extern const Refuter cadical;

// Whether there is a program of that name. If not, say CADICAL_MISSING.
bool cadical_is_installed(void);
#define CADICAL_MISSING                                                                            \
    "the solver cadical is not installed (Debian package cadical; tools/install-deps solver)"
