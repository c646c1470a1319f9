// CaDiCaL, run as a process: finds the proofs that --check=matrix asks for.
#pragma once

#include "check/obligations.h"

extern const Refuter cadical;
