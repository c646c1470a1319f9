// Random control flow around the statements of body.h.
#pragma once

#include "test/gen/body.h"

typedef struct {
    uint32_t nodes;     // emit until the function has about this many
    uint32_t max_depth; // of nested constructs
    bool gotos;         // also jumps to labels anywhere, into loops as well
    bool unbounded;     // loops without a counter, which may run forever
} StructuredOptions;

// Nested if, while, do and switch with break, continue, exits of several levels and early returns.
void emit_structured(Body *body, const StructuredOptions *options);

typedef struct {
    uint32_t nodes;    // emit until the function has about this many
    uint32_t branches; // percent of statements that branch
    uint32_t region; // no jump back over more than a region of this many statements; 0 for no limit
    bool reducible;  // loops are entered at one node only
    bool unbounded;  // jumps back are not counted, and may go on forever
} GotoOptions;

// Statements with jumps between them.
void emit_gotos(Body *body, const GotoOptions *options);
