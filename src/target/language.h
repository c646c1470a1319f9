// The answers of a machine to the front end of C and to the drivers: its part of a Target.
//
// Integers and pointers of C are those of LP64 on every machine, since the forms have addresses of
// 64 bits: short has 2 bytes, int 4, long, long long and pointers 8, each aligned to its size. All
// else that differs between machines is here.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- Types

typedef enum {
    LONG_DOUBLE_IS_DOUBLE,   // 8 bytes, the format of double
    LONG_DOUBLE_IS_EXTENDED, // 16 bytes, of which 10 are an f80
} LongDouble;

typedef struct {
    LongDouble long_double;
    bool char_is_unsigned;      // plain char, unless an option says otherwise
    bool wchar_is_unsigned;     // wchar_t is unsigned int, not int
    uint32_t largest_align;     // of any type; what malloc, alloca and a bare `aligned` give
    uint32_t array_align;       // of a variable that is an array of at least as many bytes
    uint32_t largest_lock_free; // bytes of the largest object that one instruction accesses
    // The members of the structure that va_list is an array of one of: u unsigned int, p void *.
    const char *va_list_members;
} DataModel;

// ---- Macros

// Macros that are defined before a program begins, each as "NAME VALUE".
typedef struct {
    const char *const *at;
    size_t count;
} MacroList;

typedef struct {
    const MacroList *machine;     // its names, and what else is the machine's alone
    const MacroList *integers;    // sizes, limits and names of integer types
    const MacroList *floats;      // those of float and double
    const MacroList *long_double; // those of long double
} PredefinedMacros;

// For every machine whose float and double are those of IEC 60559.
extern const MacroList lp64_macros, iec_60559_macros;

// ---- Builtin functions

// A builtin function that is instructions of the machine: an asm statement. The signature is one
// of cbuiltins.def. `output` is the constraint of the result, "" if there is none; `inputs` are the
// constraints of the parameters, and `clobbers` the clobbers, separated by blanks.
typedef struct {
    const char *name, *signature, *text, *output, *inputs, *clobbers;
} TargetBuiltin;

// ---- The record

typedef struct TargetLanguage {
    const char *triplet; // by which tools and the directories of headers know the machine
    DataModel model;
    PredefinedMacros macros;
    const TargetBuiltin *builtins;
    uint32_t builtin_count;
} TargetLanguage;
