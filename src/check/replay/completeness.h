// Checks that a certificate covers the whole program: no function that is needed was left out.
//
// A function is needed if other files can see it or an attribute keeps it. A function is also
// needed if a needed datum has its address, or if the last form of a needed function mentions it.
// Each needed function ends as allocated machine code. Other functions, static ones all of whose
// calls were replaced by copies, may have no code. gatecheck does not know which functions the text
// of an asm statement mentions: compilers ask for the attribute `used` there.
#pragma once

#include "base/bits.h"
#include "form/mach.h"

typedef struct {
    Arena *arena;
    const Program *program;
    struct Ending {
        uint8_t form;     // Form of the last form of the function
        bool seen;        // there is one
        bool allocated;   // it is allocated machine code
        uint32_t refs_at; // refers to Completeness.refs[refs_at .. refs_at + refs - 1]
        uint32_t refs;
    } * endings; // by symbol
    VEC(Sym) refs;
    uint32_t *mentioned; // by symbol: the last function (+ 1) that was seen to refer to it
} Completeness;

// The declarations of the program are complete.
Completeness completeness_new(Arena *arena, const Program *program);
// The last form of a function.
void completeness_note(Completeness *c, const Func *last);

// The outcome: functions by where they end.
typedef struct {
    uint64_t functions;         // all of them
    uint64_t allocated;         // functions that end as allocated machine code
    uint64_t dropped;           // with none, not being needed
    uint64_t other[FORM_COUNT]; // with none, but needed, by their last form
    Sym first;                  // of those; NO_SYM if there is none
    Sym because;                // the symbol that refers to it; NO_SYM if other files can see it
    const bool *needed;         // by symbol: it is needed, or a needed one mentions it
} Coverage;

Coverage completeness_of(const Completeness *c);
// The first function that is needed and of which no last form was noted; NO_SYM if there is none.
Sym completeness_missing(const Completeness *c);
