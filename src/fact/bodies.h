// The function bodies that may replace calls, for inlining and its checker. The table grows while a
// program is compiled or a certificate is replayed. Code that adds a body has made sure that the
// body does the same as the function of its symbol.
#pragma once

#include "form/program.h"

typedef struct {
    const Func *rtl; // NULL: calls of the function stay
    bool
        once; // advice, on which nothing depends: the function is called once and not used otherwise
} OfferedBody;

typedef struct {
    OfferedBody *of; // by symbol
    uint32_t count;
} Bodies;

static inline Bodies bodies_new(Arena *arena, const Program *program) {
    uint32_t count = program->symbols.count;
    return (Bodies){.of = ARENA_ARRAY(arena, OfferedBody, count), .count = count};
}

// The body of a symbol, all empty if there is none. `bodies` may be NULL.
static inline OfferedBody body_of(const Bodies *bodies, Sym symbol) {
    return bodies && symbol.i < bodies->count ? bodies->of[symbol.i] : (OfferedBody){0};
}

// The column `sees` of passes.def, as a parameter or an argument of a transform or checker.
#define SEES_FUNCTION(...)
#define SEES_BODIES(...) __VA_ARGS__,
