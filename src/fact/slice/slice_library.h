// The table of slice_library.def, for a program that uses the library as the given one does: the
// variables that functions of the C library read and set.
//
// Some functions let others do more than their rows say: a stream on memory writes memory, a
// rounding mode changes the results of operators. Rows that always allowed for these functions
// would be of little use. So each program is searched for the special functions that it mentions,
// and rows say more only in programs that mention one.
#pragma once

#include "fact/slice/slice_calls.h"

// How a program uses the library.
//
//   STREAMS    streams may read and write memory of the program
//   BUFFERS    output to streams may be found in files at once
//   HOOKS      functions of the library may call functions of the program: rows do not count
//   FLOATING   floating-point operators and functions read and set modes and flags
//   JUMPS      calls may end with a jump to a caller's caller
//   SIGNALS    a function of the program may be called at any time
#define SLICE_TRAIT_LIST(X) X(STREAMS) X(BUFFERS) X(HOOKS) X(FLOATING) X(JUMPS) X(SIGNALS)

typedef enum {
#define SLICE_TRAIT(id) SLICE_TRAIT_##id,
    SLICE_TRAIT_LIST(SLICE_TRAIT)
#undef SLICE_TRAIT
} SliceTrait;

typedef struct {
    uint32_t traits;       // bit t for SliceTrait t
    bool errno_by_pointer; // pointers may lead to errno
    Table rows;            // by name
} SliceLibrary;

// Near-linear in the size of the program.
SliceLibrary slice_library_of(Arena *arena, const Program *program);

// The effect of a function that is not defined here, and the number of the argument that is a
// format, or -1. False if nothing is known of it.
bool slice_library_effect(const SliceLibrary *library, const char *name, SliceCallEffect *effect,
                          int8_t *format);

// What such a function does with its first parameters. False if it may do anything with them.
bool slice_library_params(Arena *arena, const char *name, SliceParams *params);

// The effects of the conversions of a format besides reading arguments.
typedef enum {
    SLICE_FORMAT_PLAIN,   // nothing
    SLICE_FORMAT_STRINGS, // they read memory
    SLICE_FORMAT_UNKNOWN, // they may also store something or read errno; or nothing is known of the format
} SliceFormatKind;

// Of the format that a register holds.
SliceFormatKind slice_format_of(const Func *func, const RegisterValue *value);
