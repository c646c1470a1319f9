// -ffast-math and related options. Floating-point arithmetic follows IEEE in any case: gatecc makes
// no use of the permissions of these options, except that -fno-trapping-math lets exceptions go.
// gatecc keeps the promises of these options to programs: it defines the same macros as gcc, and
// functions of <math.h> need not set errno.
#pragma once

#include "base/arena.h"
#include "c/preprocess/pp.h"

typedef struct {
    bool finite;          // -ffinite-math-only
    bool no_errno;        // -fno-math-errno
    bool no_signed_zeros; // -fno-signed-zeros
    bool no_trapping;     // -fno-trapping-math
    bool signaling;       // -fsignaling-nans
    bool associative;     // -fassociative-math
    bool reciprocal;      // -freciprocal-math
    bool unsafe;          // -funsafe-math-optimizations
    bool rounding;        // -frounding-math
    bool limited_range;   // -fcx-limited-range
    bool fortran_rules;   // -fcx-fortran-rules
} MathOptions;

// Reads one of these options.
void math_option(MathOptions *options, const char *text);
// Adds the macros that tell of them.
void math_macros(const MathOptions *options, Arena *arena, PpOptions *pp);
