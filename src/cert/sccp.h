// The hint of the pass sccp: what each register is known to be, and which nodes may be executed.
#pragma once

#include "base/bits.h"
#include "form/program.h"
#include "form/value.h"

//   VARIES  nothing is known
//   CONST   always this value
//   FREE    never defined, so that it may be taken for whatever is convenient
typedef enum { SCCP_VARIES, SCCP_CONST, SCCP_FREE } SccpKind;

typedef struct {
    uint8_t kind;  // SccpKind
    uint16_t high; // sign and exponent of an f80
    uint64_t bits;
} SccpFact;

typedef struct {
    VEC(SccpFact) facts; // one per register
    Bits reached;        // nodes that may be executed
} SccpHint;
