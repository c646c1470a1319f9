// The variables that calls read and set, as far as these have names outside of the caller: memory
// that others know of, and the world. There is a summary for each function of a program, and a
// table of the C library's functions.
//
// The summary of a function that is defined here for good (symbol_is_replaceable) collects the
// effects of its nodes and of the functions that they call. Accesses to the function's own slots do
// not count. Accesses through a parameter count apart, if the function does nothing else with the
// parameter (slice_addresses.h): a call then accesses the object that its argument leads to. A
// function that is called by address, or that is neither defined here nor in the table, is unknown:
// it reads and sets everything, and exposes its parameters.
//
// The table of the library (slice_library.def) holds for programs that run with the C library. The
// table is an assumption about that library: a function with a row does nothing to memory and to
// the world beyond its row.
#pragma once

#include "base/bits.h"
#include "fact/places.h"

// The variables outside of a function's own registers and slots.
#define SLICE_WORLD_LIST(X)                                                                        \
    X(MEMORY, "memory") /* all memory that others know of */                                       \
    X(OUTPUT, "output") /* what was written to files */                                            \
    X(INPUT, "input")   /* what is to be read from files, and other states of the library */       \
    X(LOCALE, "locale") /* what was said about language and numbers */                             \
    X(ALLOCATION, "allocation") /* which blocks are allocated; nothing reads it */                 \
    X(ERRNO, "errno")           /* read by who asks where errno is */                              \
    X(VOLATILE, "volatile")     /* what volatile accesses do, and what they find */                \
    X(MACHINE, "machine")       /* reserved machine registers */

typedef enum {
#define SLICE_WORLD(id, name) SLICE_##id,
    SLICE_WORLD_LIST(SLICE_WORLD)
#undef SLICE_WORLD
        SLICE_WORLD_COUNT
} SliceWorld;

const char *slice_world_name(SliceWorld variable);

typedef uint32_t SliceWorldSet; // bit v for SliceWorld v
#define SLICE_EVERYTHING (((SliceWorldSet)1 << SLICE_WORLD_COUNT) - 1)

typedef struct {
    SliceWorldSet reads, may_set;
    bool leaves; // control may leave it otherwise than by its return: by longjmp, say
} SliceCallEffect;

// What a function does with a parameter that is an address.
typedef struct {
    bool exposed;       // others may get to know the address
    bool read, written; // memory is accessed at the address, or at a distance from it
    bool returned;      // the address is the result
} SliceParam;

typedef struct {
    SliceParam *at;
    uint32_t count; // further parameters are exposed
} SliceParams;

typedef struct {
    const Program *program;
    SliceCallEffect *of;  // by symbol
    SliceCallEffect *own; // by symbol: without accesses through parameters that are not exposed
    SliceParams *params;  // by symbol
    int8_t
        *format; // by symbol: the argument that is a format, which may make the call do more; or -1
    bool floating; // floating-point operators read and set modes and flags, as part of SLICE_INPUT
    bool jumps;    // calls may end with a jump to a caller's caller
    // Symbols: data of static linkage whose address is never a value, because they are mentioned
    // only as the base of loads and stores. Pointers do not lead there (places.h).
    Bits unaddressed;
} SliceCalls;

// Whether a call by an address may be of a function: other types of parameters, or another class
// of the type in C, are a wrong step (docs/rtl.md). `call` is the signature.
bool slice_call_fits(const Program *program, Sig call, Sym function);

// The symbols whose address is taken anywhere: mentioned other than by calls. Functions among them
// form a list for each signature, so that one of each has to be asked whether a call fits.
typedef struct {
    Bits addressed;
    VEC(Sym) first; // of each list
    Sym *next;      // by symbol; NO_SYM: the last
} SliceTargets;

// Linear.
SliceTargets slice_targets_of(Arena *arena, const Program *program);

// Near-linear in the size of the program.
SliceCalls slice_calls_of(Arena *arena, const Program *program);
// The effect of a call, besides setting its destination and copying aggregates. Without `calls`:
// everything. `values` are those of the function's places. Bit k of `hidden`: the k-th argument
// leads to an object that is not part of SLICE_MEMORY here. Accesses to it are not in the effect.
SliceCallEffect slice_call_effect(const SliceCalls *calls, const Func *func,
                                  const RegisterValue *values, const Instr *call, uint64_t hidden);
// The effect of an instruction that is no call on memory outside of private slots, and on the
// world.
SliceCallEffect slice_instr_effect(const Instr *instr);
// The same, with what floating-point operators do.
SliceCallEffect slice_node_effect(const SliceCalls *calls, const Func *func, const Instr *instr);

// Whether a call of a function may end with a jump to somebody who is still there to be returned
// to.
static inline bool slice_may_be_left(const SliceCalls *calls, Sym function) {
    return calls->jumps && calls->of[function.i].leaves;
}
