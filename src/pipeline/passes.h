// The passes as whoever checks sees them: their names, their forms, and the verdict on a step.
//
// The table is made from passes.def, for the pipeline as for gatecheck; so both run the same checkers.
#pragma once

#include "check/check.h"
#include "fact/bodies.h"

typedef enum {
#define PASS(name, ...) PASS_##name,
#include "pipeline/passes.def"
    PASS_COUNT
} PassId;

// Bits. A property that goes with another has its bit as well.
enum { PROPERTY_NOTHING = 0, PROPERTY_NORMAL = 1, PROPERTY_CLOSED = 2 | PROPERTY_NORMAL };

typedef enum { PASS_SEES_FUNCTION, PASS_SEES_BODIES } PassSees;

typedef struct {
    const char *name;
    const char *meaning;
    Form from, to;
    PassSees sees;
    uint32_t needs, gives, keeps; // PROPERTY_ bits
} PassInfo;

extern const PassInfo pass_table[PASS_COUNT];

// Whether the output of a pass has its form and is well-formed, as its input is; if not, the first
// complaint is the reason.
Verdict pass_verify(PassId pass, Arena *arena, const Func *before, const Func *after);
// What the pass's checker says about two functions that are well-formed. The hint may be anything of
// its type. `bodies` are those that the pass may have copied; NULL if there are none.
Verdict pass_check(PassId pass, Arena *arena, const Bodies *bodies, const Func *before,
                   const Func *after, const void *hint);
