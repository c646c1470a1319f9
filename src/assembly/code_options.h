// Options of how code is written: protection, unwind tables, alignment, the ways to call and to
// return. They do not change the results of a program. The machine form does not contain them, so
// no checker has to know them.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Which functions have a guard between their variables and the return address that is looked at
// before they return.
typedef enum {
    GUARD_NOBODY,
    GUARD_EXPLICIT, // marked functions
    GUARD_BUFFERS,  // functions with large arrays of characters, or that call alloca
    GUARD_STRONG,   // functions with arrays, or with variables whose address is taken
    GUARD_EVERYBODY
} GuardLevel;

// Where its value comes from: an offset from a base, or a symbol, perhaps with a base.
typedef struct {
    const char *base;   // of the machine's, by the name in options; NULL: none
    const char *symbol; // or NULL
    int64_t offset;
} GuardValue;

// Which registers a function clears when it returns.
typedef struct {
    bool on;
    bool used;      // only used registers
    bool general;   // only general ones
    bool arguments; // only those that may carry arguments
} ZeroRegs;

typedef enum {
    UNWIND_ALWAYS, // tables that are loaded with the program
    UNWIND_DEBUG,  // only for debuggers
    UNWIND_NEVER
} UnwindTables;

typedef struct {
    GuardLevel guard;
    GuardValue guard_value;
    bool track_branches; // targets of indirect branches are marked
    bool shadow_stack;   // the processor keeps return addresses, too
    bool probe_stack;    // each page of the stack is touched before the next
    ZeroRegs zero;
    bool stop_after_return;           // nothing behind a return is executed, even by guess,
    bool stop_after_jump;             // nor behind an indirect jump
    bool no_vectors;                  // vector registers are left alone
    bool no_jump_tables;              //
    bool no_plt;                      // calls of other objects go through the table of addresses
    uint32_t machine;                 // bits for the machine's own options, as its folder has them
    UnwindTables unwind;              //
    uint32_t align_functions;         // a power of two; 0: as usual
    uint32_t patch_all, patch_before; // bytes of nops at the entry of a function, and before it
} CodeOptions;
