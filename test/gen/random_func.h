// Random functions for tests: always well-formed, of any size, the same for the same seed.
//
// They read their two parameters, compute with a set of variables that are defined at the entry,
// print with putchar, and return. Most runs end within a modest number of steps without a wrong
// step; options take such certainties away.
#pragma once

#include "form/program.h"
#include "test/gen/body.h"

typedef enum {
    RANDOM_STRUCTURED, // nested constructs, with jumps out of them
    RANDOM_GOTOS,      // statements with jumps between them
    RANDOM_MIXED,      // nested constructs with jumps into them as well
    RANDOM_SHAPE_COUNT
} RandomShape;

typedef struct {
    const char *name; // of the function; NULL for "f"
    RandomShape shape;
    uint32_t nodes;     // about how many
    uint32_t variables; // 0: some
    uint32_t max_depth; // of nested constructs; 0: 6
    uint32_t omit;      // GEN_ flags of body.h: what is left out
    uint32_t undefined; // percent of variables and slots that are not defined at the entry
    uint32_t wrong;     // per mille of divisions and checks without a guard
    bool reuse;         // few registers, each set many times
    bool wide;          // i64(i64, i64) instead of i32(i32, i32)
    bool reducible;     // RANDOM_GOTOS: no jumps into loops. Structured functions always are
    bool ends;          // also ends that are not a return
    bool unbounded;     // loops are not counted, and may run forever
    bool jumps;         // calls that return twice: setjmp, and longjmp to it
    bool distances;     // accesses that start from another object than the one they go to
} RandomOptions;

// A function in the arena. Its symbol is made, or redefined: it stands for the newest function of
// that name. The symbols putchar, gen_table and gen_state are added to the program.
Func *random_func(Arena *arena, Program *program, RandomOptions options, uint64_t seed);

// Options drawn from a seed, for tests that want some of everything: up to that many nodes, all
// shapes.
RandomOptions random_options(uint32_t max_nodes, uint64_t seed);
