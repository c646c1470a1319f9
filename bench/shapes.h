// Large functions of given shapes, to see how time and memory grow with size (DESIGN 8.4). Each has
// about the number of nodes that is asked for, a realistic mix of instructions, some two dozen
// variables in use at any place, and registers in proportion to its nodes. They are well-formed,
// and the same for the same seed.
#pragma once

#include "form/program.h"

typedef enum {
    SHAPE_STRAIGHT, // no branches
    SHAPE_LOOPS,    // loops nested 10 deep, one nest after the other
    SHAPE_DEEP,     // one nest of loops, 1000 deep (less if the function is too small)
    SHAPE_SWITCH,   // a loop around one switch with a case for each 12 nodes
    SHAPE_CHAIN,    // one else-if chain
    SHAPE_GOTOS,    // jumps, mostly forward and short, with irreducible regions
    SHAPE_EXITS,    // loops nested 4 deep with exits from everywhere to every level
    SHAPE_DIAMONDS, // if-else, one after the other
    SHAPE_LIVE,     // the same, as small as can be; one variable is set before and used behind all
    SHAPE_PHIS,     // one if-else whose ways set thousands of variables that are used behind it
    SHAPE_REPEAT,   // one nest of loops that test at their ends, 1000 deep or less
    SHAPE_BREAKS,   // one loop with an exit for each dozen nodes
    SHAPE_LADDER,   // two rails of gotos, with jumps from each to the other
    SHAPE_COUNT
} Shape;

const char *shape_name(Shape shape);
// A function in the arena, named after its shape.
Func *shape_func(Arena *arena, Program *program, Shape shape, uint32_t nodes, uint64_t seed);
// Nests of loops of any depth, one after the other.
Func *shape_loops(Arena *arena, Program *program, uint32_t nodes, uint32_t depth, uint64_t seed);
