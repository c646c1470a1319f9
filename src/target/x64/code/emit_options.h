// The options of x86-64 about code: the bits of CodeOptions.machine. The options are read in
// target/x64/language/options.c.
#pragma once

#include "assembly/code_options.h"

enum {
    X64_BRANCH_BY_REGISTER = 1 << 0, // indirect branches never read memory
    X64_BRANCH_PREFIX = 1 << 1,      // calls of thunks of the later registers are longer by a byte
    X64_USER_INTERRUPTS = 1 << 2,    // interrupts are those of user mode
    X64_NO_RED_ZONE = 1 << 3,        // nothing below the end of the stack is used
    X64_NO_VECTOR_COUNT = 1 << 4, // variadic functions are not told how many vector registers hold
                                  // arguments
    X64_FAR_BELOW = 1 << 5,       // symbols lie in the last 2 GiB of the address space
    X64_ENTRY_FIRST = 1 << 6,     // __fentry__, not mcount: before anything else
    X64_ENTRY_RECORDED = 1 << 7,  // the section __mcount_loc has the places of these calls
    X64_ENTRY_EMPTY = 1 << 8, // in their place is an instruction of the same size that does nothing
    X64_LOOSE_CALLERS = 1 << 9,    // callers align the stack to 8 bytes only,
    X64_LOOSE_FUNCTIONS = 1 << 10, // and so do functions
    X64_INDIRECT_SHIFT = 16,       // an X64Branch: indirect branches,
    X64_RETURN_SHIFT = 18,         // and returns
};

// What stands for an indirect branch, or for a return.
typedef enum {
    X64_BRANCH_KEPT,
    X64_BRANCH_THUNK,        // through a piece of code that is made here
    X64_BRANCH_THUNK_INLINE, // that piece on the spot
    X64_BRANCH_THUNK_EXTERN, // that is made elsewhere
    X64_BRANCH_MASK = 3
} X64Branch;

static inline X64Branch x64_indirect_branch(const CodeOptions *code) {
    return (X64Branch)(code->machine >> X64_INDIRECT_SHIFT & X64_BRANCH_MASK);
}
static inline X64Branch x64_function_return(const CodeOptions *code) {
    return (X64Branch)(code->machine >> X64_RETURN_SHIFT & X64_BRANCH_MASK);
}
